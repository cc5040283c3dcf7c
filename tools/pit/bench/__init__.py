"""`make bench-firmware`: the firmware's figures on the emulated table against their budgets.

rows.py says what is measured and what it may cost, rig.py makes the tables, the other modules measure, `__main__`
runs them all.
A figure that cannot be measured yet has no row: none is guessed.
"""
