"""The journal on the PC: read out, verified, shown, exported. Layout: firmware/JOURNAL.md."""
