"""What must hold at every step of the round, whatever people do: invariants of the model check.

Each is a function (before, event, accepted, world) -> text of what is wrong, or None. `before` is a Picture of the
state that the event met, `world` the state after it. W: the seven of the clauses' common skeleton (W4 and W5 are about
what is kept over a power cut, and are held where that is: the journal's own proofs); L: the lock's own.
"""

from firstcard.core import machine
from firstcard.core.events import LOCK_FRAME, READ_OK, ZONES
from firstcard.core.zone import FREE

LOCKED_STATES = (machine.LOCKED, machine.EXTRA, machine.SETTLE)
DECIDING = ("confirm", "cancel", "supervisor_confirm")


class Picture:
    """What the invariants compare of a state."""

    def __init__(self, world):
        r = world.round
        self.state, self.finished, self.revealed = r.state, r.finished, _revealed(r)
        self.limits = r.limits.min, r.limits.max
        self.alarms = {tuple(row[:4]) for row in r.alarms.open}
        self.wagers = [z.value for z in r.zones]
        self.expected = [z.expected for z in r.zones]
        self.phases = [z.phase for z in r.zones]
        self.unsettled = [z.unsettled for z in r.zones]
        self.live = list(r.live)
        self.seen = list(world.seen)
        self.chips = any(z.last or z.before or z.last_status or z.before_status for z in r.zones)


def _revealed(r):
    deal = getattr(r.game, "deal", r.game)
    return deal.revealed


def told(world, name):
    """Effects of this name in the newest step."""
    return [effect for effect in world.told if effect[0] == name]


def _place(z):
    return z.spot, ZONES[z.kind]


def wager_stands(before, event, accepted, world):
    """W1: a wager never changes after the lock, nor what is expected beside it, but by a transaction that is told."""
    r = world.round
    decided = {effect[1:3] for effect in told(world, "unsettled-decided")}
    valued = {(effect[1], effect[2]) for effect in told(world, "bet")}
    extras = {effect[2] for effect in told(world, "extra")}
    for i, z in enumerate(r.zones):
        if before.state not in LOCKED_STATES or before.phases[i] == FREE or z.phase == FREE:
            continue
        if z.value != before.wagers[i]:
            by_people = event[0] in DECIDING and (_place(z) in decided or _place(z) in valued)
            if not by_people:
                return f"wager of {_place(z)} went from {before.wagers[i]} to {z.value}"
        if z.expected != before.expected[i] and not (_place(z) in decided | valued or z.spot in extras):
            return f"{_place(z)}: {before.expected[i]} was expected, now {z.expected}, and no extra was told"
    return None


def limits_stand(before, event, accepted, world):
    """W2: posted limits never change in a round, nor while chips lie on an open table."""
    r = world.round
    if (r.limits.min, r.limits.max) == before.limits:
        return None
    if before.state in LOCKED_STATES and not r.finished:
        return "limits changed in a round"
    return "limits changed while chips lie" if before.state == machine.OPEN and before.chips else None


def opened_by_hand(before, event, accepted, world):
    """W3: bets open by `open` or at the end of a round only, after the engine's checks, and never over an unpaid
    one."""
    if world.round.state != machine.OPEN or before.state == machine.OPEN:
        return None
    if event[0] not in ("open", "reopen"):
        return f"OPEN by {event}"
    return "OPEN over an unfinished round" if before.live or before.state == machine.SETTLE and not before.finished \
        else None


def alarm_is_told(before, event, accepted, world):
    """W5, as far as the round is concerned: an alarm is open only once it has been told in the step that raised it."""
    shown = {tuple(effect[1:5]) for effect in told(world, "alarm")}
    new = {tuple(row[:4]) for row in world.round.alarms.open} - before.alarms
    missing = [row for row in new if row not in shown]
    return f"alarm {missing[0]} was not told" if missing else None


class PaidByRule:
    """W6: what a bet is owed depends on profile, stakes and cards only, however the round came there."""

    def __init__(self):
        self.known = {}

    def __call__(self, before, event, accepted, world):
        r = world.round
        for _, spot, number, bet, *owed in told(world, "settle"):
            hand = self._hand(r.game, spot, number)
            dealer = bytes(r.game.dealer.seen() if hasattr(r.game, "dealer") else r.game.deal.dealer.seen())
            played = bool(getattr(r.game, "plays", None))
            key = (r.profile.key, bet, owed[1], owed[0] in ("void", "surrender", "even-money", "fold"), played,
                   hand.seen(), hand.split, hand.doubled, dealer, self._stakes(r, spot))
            if self.known.setdefault(key, owed) != owed:
                return f"{bet} of {spot}.{number} is owed {owed}, in another round {self.known[key]}"
        return None

    def _stakes(self, r, spot):
        return tuple(r.zone(spot, kind).value for kind in range(len(ZONES)))

    def _hand(self, game, spot, number):
        turns = game.turns if hasattr(game, "turns") else game.deal.turns
        return next(hand for hand in turns if hand.spot == spot and hand.number == number)


def alarm_stays(before, event, accepted, world):
    """W7: an alarm goes by a supervisor's acknowledgement only."""
    gone = before.alarms - {tuple(row[:4]) for row in world.round.alarms.open}
    if not gone or event[0] == "ack" and len(gone) == 1:
        return None
    return f"alarm {gone} went by {event}"


def last_sweep_counts(before, event, accepted, world):
    """L1: the wager is what the last reading of the zone saw that ended before the edge."""
    if event[0] != "edge" or not accepted or before.state != machine.OPEN:
        return None
    us = world.instant(event[2])
    for i, z in enumerate(world.round.zones):
        ended = [one for one in before.seen[i] if one[0] < us][-1:]
        end, uids, status = ended[0] if ended else (0, b"", READ_OK)
        if z.locked != (uids if ended else b"") or z.value != world.round.judge(z, uids, status)[1]:
            return f"{_place(z)} locked {z.locked} = {z.value}, the last reading ended at {end} with {uids}"
    return None


def locked_at_once(before, event, accepted, world):
    """L2: an edge of an open table locks it, in that very step, and says so with the cause."""
    if event[0] != "edge":
        return None
    lock = told(world, "lock")
    cause = "frame" if event[1] == LOCK_FRAME else "edge"
    if not accepted or world.round.state != machine.LOCKED or len(lock) != 1 or lock[0][2] != cause:
        return f"the edge led to {machine.STATES[world.round.state]}, told {lock}"
    return None


def settled_is_sure(before, event, accepted, world):
    """L3: nothing is settled that is still to be decided, and the stake is the locked wager or was confirmed."""
    r = world.round
    for _, spot, _, bet, outcome, stake, *_ in told(world, "settle"):
        if before.state not in LOCKED_STATES:
            return "settled outside a round"
        if outcome != "void" and any(r.zone(spot, kind).unsettled for kind in range(len(ZONES))):
            return f"spot {spot} settled while it is unsettled"
        wager = before.wagers[(spot - 1) * len(ZONES)]
        if bet in ("main", "ante") and stake not in (wager, r.zone(spot).value):
            return f"{bet} of spot {spot}: stake {stake}, the wager is {wager}"
    return None


def hole_card_hidden(before, event, accepted, world):
    """L4: what is told before the reveal does not name the dealer's hole card."""
    if event[0] != "card" or _revealed(world.round):
        return None
    deal = getattr(world.round.game, "deal", world.round.game)
    hidden = deal.dealer.n == 2 and world.round.profile.hole_card if hasattr(deal, "dealt") else deal.dealer.n
    shown = told(world, "card")
    if hidden and shown and shown[-1][3] == "dealer" and shown[-1][2] != "**":
        return f"the hole card is told: {shown}"
    return None


def no_settled_over_alarm(before, event, accepted, world):
    """L5: a spot with an open alarm is not cleared."""
    r = world.round
    for spot in before.live:
        if event[0] == "settled" and spot not in r.live and any(row[2] == spot for row in before.alarms):
            return f"spot {spot} was cleared over an alarm"
    return None


def round_goes_on(before, event, accepted, world):
    """L6: from a locked state the way to bets leads through the end of the round, also for a fault."""
    if before.state in LOCKED_STATES and not before.finished and world.round.state < machine.LOCKED:
        return f"{machine.STATES[world.round.state]} in mid-round by {event}"
    return None


def checks():
    """All invariants, new: name -> function."""
    return {"W1 wager": wager_stands, "W2 limits": limits_stand, "W3 opening": opened_by_hand,
            "W5 alarm told": alarm_is_told, "W6 payout": PaidByRule(), "W7 alarm stays": alarm_stays,
            "L1 last sweep": last_sweep_counts, "L2 locked": locked_at_once, "L3 sure": settled_is_sure,
            "L4 hole card": hole_card_hidden, "L5 cleared": no_settled_over_alarm, "L6 mid-round": round_goes_on}
