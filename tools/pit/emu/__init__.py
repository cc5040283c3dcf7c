"""The emulated table: an RP2040 that runs MicroPython's own image, and models of everything wired to it."""
