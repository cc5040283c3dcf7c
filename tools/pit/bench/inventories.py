"""What an edge must find as wagers: the last inventory of every zone, seen at the antennas and not by the firmware."""

from collections import deque
from dataclasses import dataclass
from itertools import combinations

SETTLE_NS = 60_000  # field off -> the firmware's own note of the end: in between either reading may count
AGREE = 3  # inventories after the edge within which the firmware decides (firstcard.core.zone)


@dataclass(frozen=True)
class Inventory:
    """One inventory: when its field was on, the chips that lay there all the time, those that came or went."""

    on_ns: int
    off_ns: int
    sure: frozenset
    moved: frozenset


class Inventories:
    """The last readings of every antenna of `table`; `values`: {uid: cents}.

    An inventory in which chips were laid down or lifted may have seen some of them, or an answer that broke off.
    """

    KEPT = 8

    def __init__(self, table, values):
        self._table, self._values = table, values
        self._began = {}  # antenna -> when its field came up, chips that lay there
        self._ended = {number: deque(maxlen=self.KEPT) for number in table.fields}
        stock = table.bus.on_field

        def on_field(number, on, ns):
            stock(number, on, ns)
            self._note(number, on, ns)

        table.bus.on_field = on_field

    def _note(self, number, on, ns):
        lying = frozenset(tag.uid for tag in self._table.fields[number].tags)
        if on:
            self._began[number] = ns, lying
        elif number in self._began:
            on_ns, before = self._began.pop(number)
            self._ended[number].append(Inventory(on_ns, ns, before & lying, before ^ lying))

    def worth(self, uids):
        """Cents of these chips."""
        return sum(self._values[uid] for uid in uids)

    def _amounts(self, one):
        sums = {self.worth((*one.sure, *some))
                for size in range(len(one.moved) + 1) for some in combinations(sorted(one.moved), size)}
        return sums | {0} if one.moved else sums

    def allowed(self, number, edge_ns):
        """Set of amounts (cents) that may be the wager of this antenna for an edge at `edge_ns`."""
        found = [one for one in self._ended[number] if one.off_ns < edge_ns]
        if not found:
            return {0}
        allowed = self._amounts(found[-1])
        if edge_ns - found[-1].off_ns < SETTLE_NS and len(found) > 1:
            allowed |= self._amounts(found[-2])
        return allowed

    def settled(self, number, edge_ns):
        """(chips before the edge, chips after it), two frozensets, or None where that is not sure.

        Sure: no chip came or went in the last inventory before the edge and in those after it that decide.
        """
        ended = self._ended[number]
        before = [one for one in ended if one.off_ns < edge_ns][-1:]
        after = [one for one in ended if one.on_ns > edge_ns + SETTLE_NS][:AGREE]
        if not before or not after or edge_ns - before[0].off_ns < SETTLE_NS:
            return None
        if any(one.moved for one in (*before, *after)) or len({one.sure for one in after}) > 1:
            return None
        return before[0].sure, after[0].sure


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


def wrong_agreement(table, inventories, unsettled, edge_ns):
    """Texts: where the `unsettled` events are not those of the inventories before and after the edge. And how many
    zones could be judged."""
    told = {(one["spot"], one["zone"]): (one["before"], one["after"]) for one in unsettled}
    out, judged = [], 0
    for spot in range(1, table.pins.SPOTS + 1):
        found = inventories.settled(table.antenna(spot, "main"), edge_ns)
        if found is None:
            continue
        judged += 1
        before, after = found
        due = None if before == after else (inventories.worth(before), inventories.worth(after))
        if told.get((spot, "main")) != due:
            out.append(f"spot {spot}: unsettled {told.get((spot, 'main'))}, should be {due}")
    return out, judged
