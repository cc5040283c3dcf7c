"""`make mutants`: breaks the core and the rules in one place at a time and sees whether the host tests notice."""
