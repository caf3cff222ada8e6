"""The surrogate breaks exactly at the claimed ratios.

claims=["clip 0.8 to 1.28"]: the weight of a token stays the ratio up to 1.28 for A > 0 and down to
0.8 for A < 0, and no farther. claims=["dual 3"]: for A < 0 it ends at a ratio of 3. The bounds are
ratios, whatever the options are called; "clip none" and "dual none" say that there is no such end.
"""

import math

from numerics.check.claims import number
from numerics.check.probe import LARGEST_CAP, breaks_of
from numerics.check.subject import Subject
from numerics.check.trial import counterexample
from numerics.properties import Finding, Property, Setting

NAME = "clips_where_claimed"
ALLOWED = 1e-6


def judge(subject: Subject, setting: Setting) -> Finding:
    """Find the breaks by bisection and compare."""
    wanted = _claimed(subject.objective.claims)
    if not wanted:
        return Finding(NAME, "not_applicable", message="claims no bounds of the ratio")
    breaks = breaks_of(subject)
    found = {"low": _ratio(breaks.low), "high": _ratio(breaks.high), "dual": _ratio(breaks.dual)}
    for side, bound in wanted.items():
        other = found[side]
        if bound is None and other is None:
            continue
        if bound is None or other is None or abs(other - bound) > ALLOWED:
            message = f"{side} bound of the ratio: {other}, claimed {bound}"
            point = ({"B": 1, "T": 1, "V": 3}, 0, "near")
            observed = 1.0 if bound is None or other is None else abs(other - bound)
            example = counterexample(NAME, subject, point, message)
            return Finding(NAME, "fail", observed, ALLOWED, ALLOWED, example, message=message)
    return Finding(NAME, "pass", 0.0, ALLOWED, ALLOWED, message=", ".join(wanted))


def _ratio(log_ratio: float | None) -> float | None:
    """The ratio at a break; a limit of the log-ratio far away is no bound of a clip."""
    if log_ratio is None or abs(log_ratio) > LARGEST_CAP:
        return None
    return math.exp(log_ratio)


def _claimed(claims: tuple[str, ...]) -> dict[str, float | None]:
    """side -> ratio, None where it is claimed that there is no bound."""
    wanted: dict[str, float | None] = {}
    for claim in claims:
        words = claim.split()
        if claim == "clip none":
            wanted |= {"low": None, "high": None}
        elif words[:1] == ["clip"] and len(words) == 4:
            wanted |= {"low": number(words[1]), "high": number(words[3])}
        elif words[:1] == ["dual"] and len(words) == 2:
            wanted["dual"] = None if words[1] == "none" else number(words[1])
    return wanted


FAMILIES = frozenset({"policy", "logits", "actor_critic"})
PROPERTY = Property(NAME, FAMILIES, None, "two hundred backwards", judge)
