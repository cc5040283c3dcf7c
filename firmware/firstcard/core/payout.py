"""What both games pay with: words of an outcome, odds to the cent, where a stake goes, and which chips move for it.

Integer cents.
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


class Payment:
    """Part of core.zone.Zone: the chips that move between a decision and its payment."""

    # Of the class until something is owed here: 21 zones that are not paid have 80 bytes less each
    won = gone = done = 0  # cents to be added, lost or given back, and told so far
    loose = laid = 0  # at most of the lost lies here; at least of the won was added
    moved = lifting = False  # something has been paid or taken; the lot is being lifted

    def owe(self, stake, won):
        """A `stake` here is decided: `won` is added to it, or it is lost or given back. A tip that has won leaves for
        the tip box, and its payoff need not be laid here first (ND-24)."""
        if not self.paying:
            self.paying = True
            self.won = self.gone = self.done = self.laid = 0
            self.loose = max(0, self.locked_sum - self.expected)
            self.moved = self.lifting = False
        self.done += stake
        self.won += won
        if not won or self.kind == 1:
            self.gone += stake
            self.loose += stake

    def disown(self, stake):
        """The loss of `stake` is none, and nothing of it has been taken."""
        self.done -= stake
        self.gone -= stake
        self.loose = max(0, self.locked_sum - self.expected) + self.gone
        self.lifting = False
        self.paying = self.done > 0

    def payment(self, before, uids):
        """Is it one that the settlement asks for, that the chips `before` have become `uids`? Lost and returned stakes
        leave and what was won is added, in any order; how much of either is done is known within bounds (`loose`,
        `laid`). Once all may have been added the lot may be lifted, and from then on chips only leave."""
        cents, wrong = self.total(uids)
        if wrong:
            return False
        stands = self.expected - self.gone
        if not self.lifting and self.laid <= cents - stands <= self.loose + self.won:
            loose, self.moved = self.loose, True
            self.loose = min(loose, cents - stands - self.laid)
            self.laid = max(self.laid, cents - stands - loose)
            return True
        was = self.total(before)[0]
        if self.lifting or not self.won or (self.moved and was - stands >= self.won):
            if self.expected - self.done <= cents <= was:
                self.lifting = True
                return True
        return False
