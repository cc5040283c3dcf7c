"""The registry of proofs. A new proof is a subclass of Proof (proof.py) and one more entry here."""

from pit.prove.clauses import Clauses
from pit.prove.cuts import Cuts
from pit.prove.edges import EdgeSweep
from pit.prove.fields import Fields
from pit.prove.fuzz import Fuzz
from pit.prove.longplay import LongPlay
from pit.prove.modelcheck import ModelCheck
from pit.prove.rounds import Rounds
from pit.prove.scenarios import Scenarios
from pit.prove.tasks import Tasks

PROOFS = (Clauses(), Scenarios(), Rounds(), ModelCheck(), Fields(), Tasks(), Fuzz(), Cuts(), LongPlay(), EdgeSweep())
