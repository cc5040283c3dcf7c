"""The states of a table and what each input does in each of them: one constant table, exported to the model check.

A row per input, a column per state: a digit is the next state, `.` stays and acts, `-` is refused. What an input
*does* is a method of core.round with the input's name in lower case; the table alone says where it is legal and
where it leads.
Source: design, "The round"; power-up and every doubt lead to a state in which the wagers are locked.
"""

SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE = range(6)
STATES = ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE")

INPUTS = (
    "ready",  # the power-up self-test has passed
    "fault",  # something that touches fairness has failed
    "open",  # the operator opens; the engine has checked latch, readers and plaque first
    "close",
    "edge",  # the first card has left the shoe: (cause, us)
    "card",  # one card is known, or known to be misread: (card, mismatch)
    "reading",  # one zone was read: (antenna, uids, status, start_us, end_us)
    "sweep",  # every zone was read since the last `sweep`
    "frozen",  # from inside: every zone has agreed or is known to be unsettled
    "stand",
    "reveal",
    "confirm",  # (spot)
    "cancel",  # (spot)
    "settled",  # (spot or 0)
    "supervisor_confirm",  # (spot or 0)
    "misdeal",
    "void",
    "burn",
    "name_card",  # a misread card is named by hand: (card,)
    "move_card",  # a card that was attributed wrongly: (number, spot, hand)
    "key",  # a key of the game: (name, spot or 0, amount, by)
    "window_opens",  # from inside: chips may be moved for an extra bet
    "window_closes",
    "last_card",  # from inside: the dealer takes no further card
    "all_settled",  # from inside: the last spot of the round is paid and cleared
    "reopen",  # the round is over and the checks of an opening have passed again
    "shut",  # the round is over and a close, a fault or a failed check keeps the table closed
    "ack",  # (alarm id, by)
    "limits",  # (min_cents, max_cents, by, due_ms)
    "limits_cancel",
    "tick",  # time has passed; lets a pending change fall due
    "restart",  # the power is back: (us, ms at which the power went)
    "tray",  # the tray was read: (its chips that lay on a zone as well; after a restart those that are certain)
)
VALUES = b"010022500102212000334000000241022"  # how many values each input carries, a digit each

#        SAFE CLOSED OPEN LOCKED EXTRA SETTLE
TABLE = (
    b"1-----"  # ready
    b"000..."  # fault: a round in progress is played out, locked
    b"-2----"  # open
    b".11..."  # close: in a round it is remembered
    b"--3---"  # edge: once a round; a later one never takes the wagers anew
    b"..-..."  # card: the lock always comes first
    b"......"  # reading
    b"......"  # sweep
    b"---..."  # frozen
    b"---.--"  # stand
    b"---.--"  # reveal
    b"--...."  # confirm: in OPEN an oral wager
    b"--...."  # cancel
    b"---..."  # settled
    b"--...."  # supervisor_confirm
    b"---..."  # misdeal
    b"---..."  # void
    b"---..."  # burn
    b"---..."  # name_card
    b"---..."  # move_card
    b"--...."  # key
    b"---4.-"  # window_opens
    b"----3-"  # window_closes
    b"---5--"  # last_card
    b"---555"  # all_settled
    b"-----2"  # reopen
    b"-----1"  # shut
    b"......"  # ack
    b"......"  # limits
    b"......"  # limits_cancel
    b"......"  # tick
    b"000..."  # restart: bets that were open are not taken up again
    b"......"  # tray
)

(READY, FAULT, OPEN_TABLE, CLOSE, EDGE, CARD, READING, SWEEP, FROZEN, STAND, REVEAL, CONFIRM, CANCEL, SETTLED,
 SUPERVISOR_CONFIRM, MISDEAL, VOID, BURN, NAME_CARD, MOVE_CARD, KEY, WINDOW_OPENS, WINDOW_CLOSES, LAST_CARD,
 ALL_SETTLED, REOPEN, SHUT, ACK, LIMITS, LIMITS_CANCEL, TICK, RESTART, TRAY) = range(33)


def next_state(state, event):
    """The state after `event` in `state`, or -1 where the input is refused."""
    t = TABLE[event * 6 + state]
    if t == 45:  # -
        return -1
    return state if t == 46 else t - 48
