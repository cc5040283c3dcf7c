"""A scenario's `frame` as OTS-1 fields: names to order, with what an honest shoe would put where the file says
nothing.

Shared by the simulated and the emulated table, so that a file means the same on both; runs on MicroPython too.
"""

ORDER = {
    "HLO": ("ver", "maker", "model", "serial", "fwhash8", "decks", "caps"),
    "EDG": ("n", "t_ms"),
    "CRD": ("n", "code", "conf", "ori", "t_ms"),
    "MIS": ("n", "why"),
    "DBL": ("n", "span_ms"),
    "RTN": ("n",),
    "BRN": ("n",),
    "CUT": ("n", "left"),
    "LID": ("on",),
    "JAM": ("on",),
    "EMP": ("on",),
    "SHF": ("shoe_id", "cards"),
    "KEY": ("name",),
    "HBT": ("n", "flags", "up_s"),
}
USUAL = {"ver": 1, "maker": "firstcard", "model": "sim", "serial": 1, "fwhash8": "00000000", "decks": 6, "caps": "-",
         "code": "??", "conf": 99, "ori": "U", "why": "NOCODE", "span_ms": 150, "left": 52, "on": 1, "shoe_id": "S1",
         "cards": 312, "name": "GO", "flags": "0", "up_s": 1}


def fields(frame, number, ms):
    """Values of a frame dict in wire order; `number` is the card's, `ms` the shoe's clock, where the frame has
    none."""
    out = []
    for name in ORDER[frame["type"]]:
        if name in frame:
            out.append(frame[name])
        elif name == "n":
            out.append(number)
        elif name == "t_ms":
            out.append(ms)
        else:
            out.append(USUAL[name])
    return out
