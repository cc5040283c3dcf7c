"""What a proof is: a name, units of work, and a function that runs one unit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Result:
    """What came of one unit. `figures`: name -> number or text, columns of the table; `note`: the first thing wrong."""

    ok: bool
    figures: dict = field(default_factory=dict)
    note: str = ""


class Proof(ABC):
    """Base of all proofs. A proof is run in one process per unit, forked after `prepare`.

    name    one word; also what `python -m pit.prove NAME` takes
    title   what is proven, one line
    """

    name = ""
    title = ""

    @abstractmethod
    def units(self, options):
        """The units, a list of texts. A unit's text names all that it depends on apart from firmware and tools.

        `options`: {"edges": how many instants, "rounds": how many rounds of blackjack, "fields": how many fields
        of chips, "cuts": how many power cuts on the board, "play": how many rounds for the heap, "lines": how
        many lines of fuzz}.
        """

    def prepare(self):
        """What all units share, such as a booted table; made once, before the forks."""
        return None

    @abstractmethod
    def run(self, shared, unit):
        """Run one unit: a Result. `shared` is what prepare() returned; it may be used up."""

    def finish(self, shared):  # noqa: B027  most have nothing to free
        """Free what prepare() made."""

    def legend(self, rows):
        """Lines of Markdown between the verdict and the table of `rows`, [(unit, Result)]."""
        return []
