"""For those who freeze firstcard into a MicroPython image of their own: give this file to its build, as in

    make -C ports/rp2 BOARD=RPI_PICO_W FROZEN_MANIFEST=/path/to/firstcard/boards/manifest.py

Take MicroPython 1.29 or newer: the compilers of 1.26 to 1.28 spoil the drivers, which then refuse to start (nap.py).
The board's data file becomes the module `board`: make it by `cp boards/fc7.py build/frozen/board.py` first. Settings,
texts and chips stay files on the board. Frozen code lies in flash, so code.xip is not needed. This is no board.
"""

include("$(PORT_DIR)/boards/manifest.py")  # noqa: F821
package("firstcard", base_path="../firmware")  # noqa: F821
module("main.py", base_path="../firmware")  # noqa: F821
module("board.py", base_path="../build/frozen")  # noqa: F821
