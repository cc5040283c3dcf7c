"""Board fc7: the reference table with seven spots. Data only; the wiring is in boards/README.md."""

NAME = "fc7"
READER = "pn5180"  # kind of its readers, see pit.build
SPOTS = 7
ZONES = ("main", "tip", "line")  # antenna = (spot - 1) * 3 + place of the zone in this tuple
ANTENNAS = 21
TRAY_ANTENNA = 31  # 0 = none
MOCK = False  # True: every sensor is fed over the console (bench boards only)

# GP numbers
SHOE_UART = 0
SHOE_TX = 0
SHOE_RX = 1
SHOE_BAUD = 115200
BEAM_A = 2  # low = gap clear, high = card (or a cut wire, or a dead emitter)
BEAM_B = 3  # the same, 15-20 mm further out
I2C = 0
I2C_SDA = 4
I2C_SCL = 5
I2C_BAUD = 400_000
FRAM = 0x50  # 32 kB; 0 = none
JOURNAL_BLOCKS = 20  # of flash, 4 kB each; how many hours they last, and why not more: firmware/JOURNAL.md
KEYPAD = 0x20  # TCA9534 with the dealer's keys; 0 = none
DISPLAY = 0x3C  # SSD1306, 128 x 64, for the dealer; beside a keypad
RTC = 0x68  # DS3231, the time of day; 0 = none
KEYPAD_INT = 6  # low: a key has moved
LOCK = 7  # high = locked; 4.7 k pull-up, so an undriven pin is locked
LEDS = 8  # WS2812: seven spot LEDs, then the plaque's digits
SERVICE = 9  # low at reset = service mode
SELECT = 10  # first of five reader address lines A0..A4 (GP10..GP14)
STROBE = 15  # low = NSS of the selected reader low
SPI = 0
SPI_MISO = 16
SPI_SCK = 18
SPI_MOSI = 19
SPI_BAUD = 6_000_000  # PN5180: at most 7 Mbit/s
READER_RESET = 17  # low = all readers in reset
BUSY = 20  # of the selected reader; unselected = high
LAMP = 21  # alarm lamp and buzzer
PLAQUE_RETURN = 22  # DOUT of the last LED, through a divider (it swings to 5 V)
PLAQUE_CURRENT = 26  # ADC0: supply current of the LEDs, 5 V per A
EMITTERS = 27  # beam emitters on/off
KEY_SWITCH = 28  # the supervisor's; low = turned

DEBOUNCE_US = 2000  # a shorter pulse on beam A is a glitch
SWEEP_GAP_MS = 300  # rest between two sweeps in which nothing changed
FIELDS_AT_ONCE = 3  # antennas that may radiate together
FIELD_DISTANCE = 3  # two radiating antennas are at least this far apart
STACK_LIMIT = 60  # chips of one antenna: so many or more are unreadable; measure it for each
# kind of chip, and leave room for some that have the same UID and are counted once
CHIP_AFI = 0  # family that chips must belong to in order to be read at all; 0 = whatever answers is a chip
MIN_DIGITS = 4
MAX_DIGITS = 5
