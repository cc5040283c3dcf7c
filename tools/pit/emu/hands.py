"""The hands at an emulated table: what people do to it, by the actions of pit.targets.base."""

from pit.errors import TableError


class Hands:
    """`table`: a Table. do(action) as pit.targets.base says, but for `line`, which is the console's."""

    def __init__(self, table):
        self._table = table

    def do(self, action):
        (name, value), = action.items()
        getattr(self, "_do_" + name)(value)

    def _do_place(self, place):
        self._table.place(place["spot"], place["zone"], [bytes.fromhex(uid) for uid in place["uids"]])

    def _do_remove(self, place):
        uids = place["uids"]
        self._table.remove(place["spot"], place["zone"], None if uids is None else [bytes.fromhex(u) for u in uids])

    def _do_edge(self, edge):
        self._table.edge(**edge)

    def _do_draw(self, card):
        self._table.draw(card["code"], card.get("to") == "burn")

    def _do_frame(self, frame):
        if "type" in frame:
            self._table.shoe.say(frame)
        else:
            self._table.frame(frame["code"])

    def _do_press(self, key):
        if not self._table.keypad:
            raise TableError("this board has no keypad")
        self._table.keypad.press(key)

    def _do_turn(self, on):
        self._table.turn_key(on)

    def _do_fault(self, fault):
        self._table.fault(fault)
