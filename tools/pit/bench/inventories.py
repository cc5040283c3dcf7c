"""What an edge must find as wagers: the last inventory of every zone, seen at the antennas and not by the firmware."""

from collections import deque
from itertools import combinations

SETTLE_NS = 60_000  # field off -> the firmware's own note of the end: in between either reading may count


class Inventories:
    """The last readings of every antenna of `table`; `values`: {uid: cents}.

    An inventory in which chips were laid down or lifted may have seen some of them, or an answer that broke off.
    """

    KEPT = 3

    def __init__(self, table, values):
        self._table, self._values = table, values
        self._began = {}  # antenna -> chips that lay there when its field came up
        # antenna -> (off_ns, amounts that the inventory may have found)
        self._ended = {number: deque(maxlen=self.KEPT) for number in table.fields}
        stock = table.bus.on_field

        def on_field(number, on, ns):
            stock(number, on, ns)
            self._note(number, on, ns)

        table.bus.on_field = on_field

    def _note(self, number, on, ns):
        lying = frozenset(tag.uid for tag in self._table.fields[number].tags)
        if on:
            self._began[number] = lying
        elif number in self._began:
            self._ended[number].append((ns, self._amounts(self._began.pop(number), lying)))

    def _amounts(self, before, after):
        sure, moved = before & after, before ^ after
        sums = {sum(self._values[uid] for uid in (*sure, *some))
                for size in range(len(moved) + 1) for some in combinations(sorted(moved), size)}
        return sums | {0} if moved else sums

    def allowed(self, number, edge_ns):
        """Set of amounts (cents) that may be the wager of this antenna for an edge at `edge_ns`."""
        found = [one for one in self._ended[number] if one[0] < edge_ns]
        if not found:
            return {0}
        allowed = set(found[-1][1])
        if edge_ns - found[-1][0] < SETTLE_NS and len(found) > 1:
            allowed |= found[-2][1]
        return allowed


def wrong_wagers(table, inventories, event, edge_ns):
    """Texts: where the wagers of a `lock` event are not those of the last inventories that ended before the edge."""
    told = {(w["spot"], w["zone"]): w["value"] for w in event["wagers"]}
    out = []
    for spot in range(1, table.pins.SPOTS + 1):
        for zone in ("main", "tip"):
            value, allowed = told.get((spot, zone), 0), inventories.allowed(table.antenna(spot, zone), edge_ns)
            if value not in allowed:
                out.append(f"wager of spot {spot} {zone} is {value}, should be {sorted(allowed)}")
    return out
