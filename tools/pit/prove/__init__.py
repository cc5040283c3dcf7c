"""`make prove`: the long proofs. proofs.py lists them; each is many units of work, run on all cores and kept."""
