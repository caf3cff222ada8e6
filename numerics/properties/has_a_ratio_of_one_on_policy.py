"""On-policy the ratio is exactly one, so the gradient does not see how likely the tokens are.

At logp_old = logp_ref = logp the gradient in logp is -w A with weights that the mask alone sets:
it is the same for any other log-probabilities, as long as all three agree. A ratio to old
log-probabilities of other tokens, of another temperature or of another change of variables differs
from one, and by another factor at each token. For losses that take logp_old; tokens that a loss
leaves out of either gradient, such as the likely ones, are not compared.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "has_a_ratio_of_one_on_policy"
THEOREM = "trust_regions.surrogate_agrees_to_first_order"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Redraw the log-probabilities of all policies together."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_old") or subject.of is not None:
        return None
    rng = torch.Generator().manual_seed(23)
    other = inputs["logp"] - torch.rand(inputs["logp"].shape, generator=rng, dtype=torch.float64)
    first = gradient(subject, on_policy(subject, inputs))
    second = gradient(subject, on_policy(subject, {**inputs, "logp": other}))
    both = (first != 0) & (second != 0)  # a loss may leave tokens out by a criterion of its own
    if not bool(both.any()):
        return None
    observed = apart(first[both], second[both])
    return observed, (
        "logp_old = logp, and yet the gradient depends on how likely the tokens are, "
        f"by {observed:.3g} of the largest: the ratio is not one"
    )


PROPERTY = Property(
    NAME, frozenset({"policy", "actor_critic"}), THEOREM, "two backwards per sample", judge
)
