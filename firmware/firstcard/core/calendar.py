"""Calendar: seconds since 2000-01-01T00:00:00 (UTC) as an ISO 8601 text and back. No leap seconds. Pure."""

DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)  # of a month, in a year of 365 days
LAST_YEAR = 2099  # up to it every fourth year is a leap year


def _days(year):
    """Days from 2000 to the first of January of `year`."""
    return 365 * (year - 2000) + (year - 1997) // 4


def _day_of_year(year, month):
    return DAYS_BEFORE[month - 1] + (month > 2 and year % 4 == 0)


def parse(text):
    """`2026-11-30T08:50:00`, also with a Z behind it -> seconds. ValueError on anything else."""
    if text[-1:] == "Z":
        text = text[:-1]
    if len(text) != 19 or text[4] + text[7] + text[10] + text[13] + text[16] != "--T::":
        raise ValueError
    parts = []
    for at in (0, 5, 8, 11, 14, 17):
        digits = text[at : at + (2 if at else 4)]
        if not digits.isdigit():
            raise ValueError
        parts.append(int(digits))
    year, month, day, hour, minute, second = parts
    if not 2000 <= year <= LAST_YEAR or not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59:
        raise ValueError
    days = _days(year) + _day_of_year(year, month) + day - 1
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    if show(seconds)[:10] != text[:10]:  # the 31st of November
        raise ValueError
    return seconds


def show(seconds):
    """Seconds -> `2026-11-30T08:50:00Z`."""
    days, seconds = divmod(seconds, 86400)
    year = 2000 + days // 366
    while _days(year + 1) <= days:
        year += 1
    days -= _days(year)
    month = 12
    while _day_of_year(year, month) > days:
        month -= 1
    days -= _day_of_year(year, month)
    return "%04d-%02d-%02dT%02d:%02d:%02dZ" % (
        year, month, days + 1, seconds // 3600, seconds // 60 % 60, seconds % 60)
