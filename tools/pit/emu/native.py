"""Speed of the emulator: choose the fastest loop there is."""
from pit.emu.loop import Loop


def loop(mcu):
    return Loop(mcu)


def take_apart(mcu):
    pass
