"""The reference acts through the penalty alone: what an advantage contributes does not see it.

On-policy, d loss / d logp beyond that at A = 0 is the same for any logp_ref. A ratio to the
reference in place of the policy that sampled depends on it. Advantages that the loss shapes by a
penalty and then divides by their deviation are not concerned (the contribution is not linear).
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "leaves_the_reference_to_the_penalty"
THEOREM = "decision_processes.importance_weights_correct_the_actions"
REFERENCES = (0.0, 0.3, -0.2)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Three references under the same advantages."""
    regimes = ("near", "moderate")
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, regimes=regimes)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_ref", "adv"):
        return None
    given, noise = on_policy(subject, inputs), inputs["logp_ref"] - inputs["logp"]
    parts = []
    for level in REFERENCES:
        at = {**given, "logp_ref": given["logp"] + level + 0.5 * level * noise.sign()}
        none = gradient(subject, {**at, "adv": torch.zeros_like(at["adv"])})
        once, more = (gradient(subject, {**at, "adv": k * at["adv"]}) - none for k in (1.0, 2.0))
        if apart(2 * once, more) > 1e-7:
            return None
        parts.append(once)
    observed = max(apart(parts[0], part) for part in parts[1:])
    return observed, (
        f"another reference changes what the advantages contribute by {observed:.3g} of the largest"
    )


PROPERTY = Property(NAME, frozenset({"policy"}), THEOREM, "nine backwards per sample", judge)
