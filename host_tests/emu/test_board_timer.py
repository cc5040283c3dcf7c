"""The microsecond timer and SEVONPEND against the stock emulator."""

import pytest

_TIMER, _SCR = 0x40054000, 0xE000ED10
_ALARM0, _ALARM1, _RAWL, _INTR, _INTE = 0x10, 0x14, 0x28, 0x34, 0x38


def _fire_times(chip, run_us, us):
    """Instants (ns) at which ALARM1 fires when set `us` ahead of a time that is no whole microsecond."""
    mcu, seen = chip.mcu, []
    run_us(10.376)
    mcu.write_uint32(_TIMER + _INTE, 2)
    timer, fire = mcu.timer, mcu.timer._fire_alarm
    timer._fire_alarm = lambda index: (seen.append(mcu.clock.nanos), fire(index))
    mcu.write_uint32(_TIMER + _ALARM1, mcu.read_uint32(_TIMER + _RAWL) + us)
    run_us(100)
    return seen


def test_stock_alarm_fires_too_early(stock):
    stock.mcu.core.waiting = True
    assert _fire_times(stock, stock.run_us, 20)[0] < 30_000


def test_alarm_fires_on_its_microsecond(chip):
    assert _fire_times(chip, chip.run_us, 20) == [30_000]


def test_alarm_in_the_past_waits_for_the_counter_to_come_round(chip):
    chip.run_us(50)
    chip.mcu.write_uint32(_TIMER + _ALARM0, 49)
    chip.run_us(1000)
    assert not chip.mcu.read_uint32(_TIMER + _INTR) & 1


@pytest.mark.parametrize("sevonpend", [True, False])
def test_masked_alarm_wakes_wfe_only_with_sevonpend(chip, sevonpend):
    chip.mcu.write_uint32(_SCR, 0x10 if sevonpend else 0)
    chip.mcu.write_uint32(_TIMER + _INTE, 1)
    chip.mcu.write_uint32(_TIMER + _ALARM0, 20)
    woken = chip.run_us(19.9, lambda: not chip.mcu.core.waiting)
    assert not woken
    chip.mcu.clock.tick(200)  # past the alarm, without running what lies in the erased flash
    assert chip.mcu.core.waiting is not sevonpend


def test_stock_never_wakes_from_a_masked_alarm(stock):
    stock.mcu.write_uint32(_SCR, 0x10)
    stock.mcu.write_uint32(_TIMER + _INTE, 1)
    stock.mcu.write_uint32(_TIMER + _ALARM0, 20)
    stock.mcu.core.waiting = True
    stock.run_us(40)
    assert stock.mcu.core.waiting


_NAP = """
import micropython, time
@micropython.asm_thumb
def wfe():
    data(2, 0xbf20)
@micropython.viper
def nap(us: int) -> int:
    t = ptr32(uint(0x40054) << 12)
    nvic = ptr32(uint(0xe000e) << 12)
    end = int(t[10]) + us
    t[14] = int(t[14]) | 1
    n = 0
    while end - int(t[10]) > 0:
        t[4] = end
        wfe()
        t[13] = 1
        nvic[0x280 >> 2] = 1
        n += 1
    return n
nap(10)
t = time.ticks_us()
n = nap(5000)
print(time.ticks_us() - t, n)
"""


def test_a_nap_on_a_masked_alarm_ends_on_time(forked):
    out, err = forked(lambda board: board.exec(_NAP))
    assert err == ""
    us, passes = map(int, out.split())
    assert 5_000 <= us < 5_100 and passes < 20
