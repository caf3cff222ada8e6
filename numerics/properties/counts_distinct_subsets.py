"""pass@k is the share of the k-subsets of n samples that hold a right one, counted one by one.

Where n is small the subsets are enumerated, and beyond that counted with whole numbers; so k = 1
gives c / n, k = n gives 0 or 1, and it never falls with c. Under the claim "all of k" a subset
counts when every sample in it is right.
"""

from fractions import Fraction
from itertools import combinations
from math import comb

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "counts_distinct_subsets"
LARGEST = 10
ALL = "all of k"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Small counts by enumeration, large ones by whole numbers."""
    seeds = Setting(setting.shapes, tuple(range(6)), setting.regimes)
    return try_everywhere(NAME, subject, seeds, _trial, allowed=1e-9)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    n, c, k = (int(inputs[name].item()) for name in ("n", "c", "k"))
    exact = share(n, c, k, ALL in subject.objective.claims)
    found = float(value(subject, inputs))
    return abs(found - exact), f"n={n}, c={c}, k={k}: {found:.6g}, by counting {exact:.6g}"


def share(n: int, c: int, k: int, every: bool) -> float:
    """The share of k-subsets of n samples, c of them right, with one right sample (or all)."""
    if n > LARGEST:
        exact = Fraction(comb(c, k) if every else comb(n, k) - comb(n - c, k), comb(n, k))
        return float(exact)
    subsets = list(combinations(range(n), k))
    right = max if every else min  # samples below c are right
    return sum(right(chosen) < c for chosen in subsets) / len(subsets)


PROPERTY = Property(NAME, frozenset({"metric"}), None, "one forward, and an enumeration", judge)
