"""The registry of proofs. A new proof is a subclass of Proof (proof.py) and one more entry here."""

from pit.prove.edges import EdgeSweep
from pit.prove.rounds import Rounds
from pit.prove.scenarios import Scenarios

PROOFS = (Scenarios(), Rounds(), EdgeSweep())
