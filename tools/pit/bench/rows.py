"""Rows of the bench: names, units, budgets, peer figures. The names are a contract: others read dist/bench.jsonl."""

import json
from dataclasses import dataclass, field

OFF, ON = "off", "on"  # interrupts while the figure was taken


@dataclass(frozen=True)
class Kind:
    """What a row is held against. `most` False: the budget is the least allowed, not the most."""

    unit: str
    budget: float
    irq: str
    peer: str
    most: bool = True


KINDS = {
    "edge_to_lock_us_max": Kind("us", 0.1, ON, "interrupt: soft 16 us to 21 ms; hard 12 to 21 us, 43 ms in an erase"),
    "edge_to_latch_us_max": Kind("us", 10, ON, "-"),
    "lock_durable_us": Kind("us", 1700, OFF, "littlefs: one erase, about 55 ms"),
    "shoe_bytes_lost": Kind("bytes", 0, ON, "machine.UART: most of those that arrive in the erase"),
    "register_read_us": Kind("us", 40, OFF, "1,992 us; 52.8 us is the floor in bytecode"),
    "empty_inventory_us": Kind("us", 4000, OFF, "107,900 us, 62,080 bytes of garbage"),
    "stack20_over_air": Kind("x", 1.2, ON, "about 11 (2 s)"),
    "sweep70_over_sum": Kind("x", 0.5, ON, "1, one antenna after the other"),
    "fsm_event_us": Kind("us", 60, OFF, "pysm 1,810 us, 416 bytes"),
    "parse_command_us": Kind("us", 80, OFF, "json in C 289 us"),
    "plaque_update_us": Kind("us", 150, OFF, "neopixel 1,952 us with interrupts off"),
    "erases_per_round": Kind("erases", 0.5, ON, "about 20 with append + flush"),
    "console_p99_ms": Kind("ms", 12, ON, "-"),
    "heap_free_kb": Kind("kB", 80, ON, "-", most=False),
    "heap_growth_bytes": Kind("bytes", 0, ON, "-"),
    "boot_to_console_ms": Kind("ms", 800, ON, "-"),
}


@dataclass
class Detail:
    """A line under a row: part of the same figure, with a budget of its own or None."""

    text: str
    value: float
    unit: str
    budget: float | None = None

    @property
    def ok(self):
        return self.budget is None or self.value <= self.budget

    def __str__(self):
        limit = "" if self.budget is None else f" (budget {number(self.budget)}{'' if self.ok else ', MISSED'})"
        return f"{self.text} {number(self.value)} {self.unit}{limit}"


@dataclass
class Row:
    """One figure. `details` that miss their own budget, and `broken` (texts), make it not ok as well."""

    name: str
    value: float
    note: str = ""
    details: list = field(default_factory=list)
    broken: list = field(default_factory=list)

    @property
    def kind(self):
        return KINDS[self.name]

    @property
    def within(self):
        """The figure itself keeps its budget."""
        return self.value <= self.kind.budget if self.kind.most else self.value >= self.kind.budget

    @property
    def ok(self):
        return self.within and not self.broken and all(detail.ok for detail in self.details)

    def json(self):
        """The row as a line of dist/bench.jsonl."""
        kind = self.kind
        note = "; ".join([*([self.note] if self.note else []), *map(str, self.details), *self.broken])
        return json.dumps({"name": self.name, "value": rounded(self.value), "unit": kind.unit, "budget": kind.budget,
                           "ok": self.ok, "peer": kind.peer, "irq": kind.irq, "note": note})


def rounded(value):
    """Three decimals are more than any of these figures means."""
    return round(value, 3) if isinstance(value, float) else value


def number(value):
    """A figure for people: 0.072, 12.3, 1,810."""
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"
