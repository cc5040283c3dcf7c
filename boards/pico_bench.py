"""Board pico_bench: a bare Pico that plays scenario files; chips, cards and shoe come over the console. Data only."""

NAME = "pico_bench"
SPOTS = 7
ZONES = ("main", "tip", "line")
ANTENNAS = 21
TRAY_ANTENNA = 0
MOCK = True

# GP numbers
LOCK = 7
SERVICE = 9
LAMP = 21

DEBOUNCE_US = 2000
SWEEP_GAP_MS = 300
MIN_DIGITS = 4
MAX_DIGITS = 5
