"""pass@k is the share of the k-subsets of n samples that hold a right one, counted one by one.

Where n is small the subsets are enumerated; so k = 1 gives c / n, k = n gives 0 or 1, and it never
falls with c.
"""

from itertools import combinations

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "counts_distinct_subsets"
LARGEST = 10


def judge(subject: Subject, setting: Setting) -> Finding:
    """Small counts by enumeration."""
    seeds = Setting(setting.shapes, tuple(range(6)), setting.regimes)
    return try_everywhere(NAME, subject, seeds, _trial, allowed=1e-10, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    n, c, k = (int(inputs[name].item()) for name in ("n", "c", "k"))
    if n > LARGEST:
        return None
    subsets = list(combinations(range(n), k))
    exact = sum(min(chosen) < c for chosen in subsets) / len(subsets)
    found = float(value(subject, inputs))
    return abs(found - exact), f"n={n}, c={c}, k={k}: {found:.6g}, by counting {exact:.6g}"


PROPERTY = Property(NAME, frozenset({"metric"}), None, "one forward, and an enumeration", judge)
