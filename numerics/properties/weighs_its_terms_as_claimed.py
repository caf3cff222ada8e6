"""Value error and entropy of an actor-critic's loss have the weights that they claim.

claims=["value weight 0.5"]: the squared error counts half, so that d loss / d value is 2 * 0.5 * w
times value - returns (inside a value clip); ["entropy weight 0.01"]: d loss / d entropy is
-0.01 w. w is the weight of a token under the claimed reduction; without one only the sign and that
all tokens of a row have one weight are judged.
"""

from torch import Tensor

from numerics.check.claims import number
from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting
from numerics.properties.weighs_tokens_as_claimed import reduction_weights
from numerics.reductions import REDUCTIONS

NAME = "weighs_its_terms_as_claimed"
VALUE, ENTROPY = "value weight ", "entropy weight "


def judge(subject: Subject, setting: Setting) -> Finding:
    """The gradients in value and entropy, token by token."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-6, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if subject.of is not None or not takes(subject, "mask"):
        return None
    given = {**inputs, "value_old": inputs["value"].clone(), "returns": inputs["value"] - 1.0}
    found: Observed = None
    for word, name, factor in ((VALUE, "value", 2.0), (ENTROPY, "entropy", -1.0)):
        claimed = [c.removeprefix(word) for c in subject.objective.claims if c.startswith(word)]
        if claimed and takes(subject, name):
            slope = gradient(subject, given, name) / (factor * number(claimed[0]))
            found = max(found or (0.0, ""), _misfit(subject, inputs["mask"], slope, word))
    return found


def _misfit(subject: Subject, mask: Tensor, weights: Tensor, word: str) -> tuple[float, str]:
    """How far the tokens' weights, in units of the claimed one, are from the reduction's."""
    claimed = next((c for c in REDUCTIONS if c in subject.objective.claims), None)
    kept = mask > 0
    if claimed is None:
        lowest = float(weights[kept].min())
        return (0.0, "") if lowest > 0 else (1.0, f"{word.strip()}: it has the wrong sign, or none")
    wanted = reduction_weights(mask, claimed)[kept]
    off = (weights[kept] - wanted).abs()
    worst = int(off.argmax())
    share = float(weights[kept][worst] / wanted[worst])
    return float(off.max() / wanted.max()), f"a token has {share:.6g} times its {word.strip()}"


PROPERTY = Property(NAME, frozenset({"actor_critic"}), None, "two backwards per sample", judge)
