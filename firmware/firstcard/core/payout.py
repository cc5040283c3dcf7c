"""What both games pay with: words of an outcome, odds to the cent, where a stake goes. Integer cents.

A line of a settlement is (bet, outcome, stake, returned, won, to): `returned` is stake that goes back, `won` is paid on
top, `to` is who gets them (or, where there is neither, where the stake goes).
"""

WIN = "win"
LOSE = "lose"
PUSH = "push"
VOID = "void"

PLAYER = "player"
TRAY = "tray"
TIP_BOX = "tip-box"


class Unread(ValueError):
    """A card that the outcome depends on has not been read: enter it first."""


def pay(stake, odds, breakage="none", smallest=1):
    """`stake` at odds (3, 2): cents.

    Breakage "none" is exact to the cent; the fraction of a cent that no event can hold goes to the player, since odds
    are owed at least. "up" and "down" go to a multiple of the `smallest` chip (cents).
    Source: GCB R4; ND, "Denominations"; the texts are silent.
    """
    if breakage == "none":
        return -(-stake * odds[0] // odds[1])
    step = smallest * odds[1]
    if breakage == "up":
        return -(-stake * odds[0] // step) * smallest
    return stake * odds[0] // step * smallest


def unpayable(profile, cents):
    """Cents of an amount that the profile's smallest chip cannot pay: for the prompt `amount`."""
    return cents % profile.smallest_chip


def line(bet, outcome, stake, returned=0, won=0):
    """A line of a settlement for a wager of the player's own."""
    return bet, outcome, stake, returned, won, PLAYER if returned or won else TRAY


def void(bet, stake):
    """Misdeal or void: the stake goes back, whoever it was for."""
    return bet, VOID, stake, stake, 0, PLAYER
