"""An update ends at a try that improves the surrogate inside the trust region, else where it began.

Of tries with KL <= delta and a gain above zero the first is taken; if there is none, the old
parameters are kept: a rejected step is undone.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.families.line_search import acceptable
from numerics.properties import Finding, Property, Setting

NAME = "stays_in_the_trust_region"
THEOREM = "trust_regions.visitation_shift_is_bounded_by_total_variation"


def judge(subject: Subject, setting: Setting) -> Finding:
    """A good first try, a later one, none."""
    seeds = Setting(setting.shapes, tuple(range(4)), setting.regimes)
    return try_everywhere(NAME, subject, seeds, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    found, old, tries = value(subject, inputs), inputs["theta_old"], inputs["tries"]
    if "improvement" not in subject.mapped.ours:
        inputs = {**inputs, "improvement": inputs["improvement"].abs()}
    good = acceptable(inputs).nonzero().flatten().tolist()
    wanted = tries[good[0]] if good else old
    said = f"try {good[0]} is the first good one" if good else "no try is good"
    at = [n for n, x in enumerate(tries) if apart(found, x) < 1e-9]
    where = f"try {at[0]}" if at else "the start" if apart(found, old) < 1e-9 else "elsewhere"
    return apart(found, wanted), f"{said}; the update ends at {where}"


PROPERTY = Property(NAME, frozenset({"line_search"}), THEOREM, "one forward", judge)
