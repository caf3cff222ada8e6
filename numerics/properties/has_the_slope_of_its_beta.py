"""A logistic loss of beta times a margin has the slope -beta/2 where both sides are equal.

For one pair at policy = reference, under the claim "logistic" and with a constant `beta`: the sum
over tokens of d loss / d logp_w is -beta/2 for averaged log-probabilities, and each token's own
derivative is -beta/2 for summed ones. A squared, missing or inverted beta has another slope.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "has_the_slope_of_its_beta"
THEOREM = "language_models.partition_function_cancels_in_preferences"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The first pair alone, at equality."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    beta, smoothing = (subject.objective.constants.get(n) for n in ("beta", "label_smoothing"))
    asked = "logistic" in subject.objective.claims and takes(subject, "ref_w", "ref_l")
    if not beta or smoothing or not asked or subject.wrt != "logp_w":
        return None
    one = {n: x[:1] for n, x in inputs.items()}
    one |= {"ref_w": one["logp_w"].clone(), "ref_l": one["logp_l"].clone()}
    slope = gradient(subject, one)
    tokens = float(one["mask_w"].sum()) if slope.dim() == 2 else 1.0
    total = float(slope.sum())
    off = min(abs(total / size + beta / 2) for size in (1.0, tokens)) / (beta / 2)
    return off, f"d loss / d logp_w is {total / tokens:.6g} a token at equality, not -beta/2"


PROPERTY = Property(NAME, frozenset({"preference"}), THEOREM, "one backward", judge)
