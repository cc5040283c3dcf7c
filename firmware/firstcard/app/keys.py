"""Keys of the dealer and the supervisor, and cards by hand: part of the console.

A key from a terminal has the same effect as one of the keypad (dealer.py); who may give it says the command table.
"""

from firstcard.core import cards, machine, money
from firstcard.core.refused import Refused
from firstcard.proto import commands

# Numbers of refusals; the texts are in texts/en.txt
BAD_SPOT = 19
BAD_MONEY = 20
BAD_KEY = 21
BAD_CARD = 23
NO_ALARM = 65

# key name -> (input, what it takes): s = spot or none, b = by whom; a key that is not here goes to the game
KEYS = {
    "stand": (machine.STAND, "s"),
    "reveal": (machine.REVEAL, ""),
    "confirm": (machine.CONFIRM, "sb"),
    "cancel": (machine.CANCEL, "sb"),
    "settled": (machine.SETTLED, "s"),
    "supervisor-confirm": (machine.SUPERVISOR_CONFIRM, "sb"),
    "misdeal": (machine.MISDEAL, ""),
    "void": (machine.VOID, ""),
    "burn": (machine.BURN, ""),
}
GAME_KEYS = ("double", "split", "surrender", "insurance-closed", "even-money", "play", "fold", "peek", "return-excess",
             "make-change", "oral", "undo")


class Keys:
    """Needs `engine`, `role` and `name` of the console."""

    def given_spot(self, rest):
        """The spot in a key's arguments, or 0."""
        if not rest:
            return 0
        if not rest[0].isdigit() or not 1 <= int(rest[0]) <= self.engine.board.SPOTS:
            raise Refused(BAD_SPOT, rest[0], self.engine.board.SPOTS)
        return int(rest[0])

    def do_key(self, rest):
        if rest[0] in GAME_KEYS:
            return self._game_key(rest)
        key = KEYS.get(rest[0])
        if not key:
            raise Refused(BAD_KEY, rest[0])
        event, takes = key
        if rest[0] == "supervisor-confirm" and self.role != commands.SUPERVISOR:
            raise Refused(commands.ROLE_NEEDED, "key supervisor-confirm", "supervisor")
        if takes == "":
            if len(rest) > 1:
                raise Refused(commands.BAD_ARGUMENTS, "key", rest[0])
            self.engine.step(event)
        elif takes == "s":
            self.engine.step(event, self.given_spot(rest[1:]))
        else:
            self.engine.step(event, self.given_spot(rest[1:]), self.name)
        return ""

    def _game_key(self, rest):
        """A key of the game: spot and amount as it needs them. What it has to tell is the reply."""
        r = self.engine.round
        amount = 0
        if len(rest) > 2:
            try:
                amount = money.parse(rest[2])
            except ValueError as why:
                raise Refused(BAD_MONEY, rest[2], str(why))
        r.answer = None
        self.engine.step(machine.KEY, rest[0], self.given_spot(rest[1:]), amount, self.name)
        return r.answer or ""

    def do_key_confirm(self, rest):
        return self.do_key(["supervisor-confirm"] + rest)

    def do_card(self, rest):
        """`card TH`, `card TH 3.2`: name a misread card; `card 7 to 3.2`: move one (supervisor); `card add TH`, `card
        add ??`: one that neither beams nor shoe have told of (supervisor)."""
        if len(rest) == 3 and rest[1] == "to" and rest[0].isdigit():
            if self.role != commands.SUPERVISOR:
                raise Refused(commands.ROLE_NEEDED, "card to", "supervisor")
            spot, hand = self._hand(rest[2])
            self.engine.step(machine.MOVE_CARD, int(rest[0]), spot, hand)
            return ""
        add = rest[0] == "add"
        code = rest[-1] if add else rest[0]
        try:
            card = cards.parse(code)
            if len(rest) > 2 or (card == cards.UNKNOWN and not add):
                raise ValueError
        except ValueError:
            raise Refused(BAD_CARD, code)
        if add:
            if self.role != commands.SUPERVISOR:
                raise Refused(commands.ROLE_NEEDED, "card add", "supervisor")
            self.engine.step(machine.CARD, card, False)
            return ""
        spot, hand = self._hand(rest[1]) if len(rest) > 1 else (None, 1)
        self.engine.step(machine.NAME_CARD, card, spot, hand)
        return ""

    def _hand(self, text):
        """(spot, hand) of a label such as 3.2; the dealer is spot 0."""
        if text == "dealer":
            return 0, 1
        spot, _, hand = text.partition(".")
        if not hand.isdigit() or len(hand) > 1:
            raise Refused(BAD_SPOT, text, self.engine.board.SPOTS)
        return self.given_spot([spot]), int(hand)

    def do_ack(self, rest):
        if not rest[0].isdigit() or len(rest[0]) > 8:
            raise Refused(NO_ALARM, rest[0])
        self.engine.step(machine.ACK, int(rest[0]), self.name)
        return ""
