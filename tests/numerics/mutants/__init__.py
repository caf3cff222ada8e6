"""Mutants of the reference objectives: wrong losses made by machine, and what refuses them.

sources -> operators -> mutations -> verdicts -> table. Nothing is edited on disk: a mutant is
compiled in a copy of the namespaces that its objective uses. `python -m tests.numerics.mutants`
writes tests/data/loss_mutants.md; a test keeps it true.
"""
