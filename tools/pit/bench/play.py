"""Rows of play over hours: the heap at the same point of each round, what flash is erased for a round."""

from firstcard.store.journal import SLOTS
from pit.bench.rows import Detail, Row
from pit.prove.longplay import ROUNDS_A_YEAR, WARM, on_board, years

ROUNDS = 6  # of `make prove PROOFS=rounds-heap` it is 20 here and 10,000 on the PC


def rows():
    """Rounds with two spots on the emulated board, the whole application."""
    found = on_board(ROUNDS)
    filled = found["records"] / SLOTS
    erases = found["erases"] + filled
    hour = ROUNDS_A_YEAR / 24 / 365
    details = [Detail("while rounds are played", found["erases"], "erases", 0),
               Detail("records a round", found["records"] / ROUNDS, "of 128 bytes"),
               Detail(f"until a block has been erased 100,000 times, at {hour:.0f} rounds an hour day and night",
                      years(erases, ROUNDS, found["blocks"]), "years")]
    note = "a block of the journal is erased once for each 32 records, while the table is closed"
    return [Row("erases_per_round", erases / ROUNDS, note, details),
            Row("heap_growth_bytes", found["growth"], f"{ROUNDS} rounds after the first {WARM}, free after the "
                "collection between two rounds")]
