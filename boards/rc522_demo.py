"""Board rc522_demo: a Pico, one MFRC522 and a push button as the card. Data only; see boards/README.md."""

NAME = "rc522_demo"
READER = "mfrc522"
SPOTS = 1
ZONES = ("main", "tip", "line")
ANTENNAS = 3  # places; only main has an antenna
TRAY_ANTENNA = 0
MOCK = False

# GP numbers
SHOE_UART = 0
SHOE_TX = 0
SHOE_RX = 1
SHOE_BAUD = 115200
BEAM_A = 2  # the button
BEAM_B = 3  # the same button, a little later
FRAM = 0  # none
KEYPAD = 0
RTC = 0
JOURNAL_BLOCKS = 0
LOCK = 7
LEDS = 8
SERVICE = 9
SPI = 0
SPI_MISO = 16
READER_SELECT = 17  # NSS, called SDA on the modules
SPI_SCK = 18
SPI_MOSI = 19
SPI_BAUD = 4_000_000  # MFRC522: at most 10 Mbit/s; wires of a breadboard
READER_RESET = 20
LAMP = 21
PLAQUE_RETURN = 22
PLAQUE_CURRENT = 26
EMITTERS = 27

DEBOUNCE_US = 2000
SWEEP_GAP_MS = 300
MIN_DIGITS = 4
MAX_DIGITS = 5
