"""A mixture divergence has its limit: D_beta / beta -> KL(p||q) as beta -> 0.

For a generalised Jensen-Shannon divergence with a constant `beta`, under the claim
"beta -> 0: KL(p||q)" (or KL(q||p)); swapped weights of the mixture give another limit.
"""

from dataclasses import replace

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "becomes_a_divergence_in_the_limit"
THEOREM = "foundations.relative_entropy_is_nonnegative"
CLAIM, SMALL = "beta -> 0: ", 1e-6


def judge(subject: Subject, setting: Setting) -> Finding:
    """Evaluate at a beta of one in a million."""
    regimes = ("near", "moderate")
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-3, regimes=regimes)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    if not claimed:
        return None
    constants = {**subject.objective.constants, "beta": SMALL}
    near = replace(subject, objective=replace(subject.objective, constants=constants))
    p, q = (torch.log_softmax(inputs[name], -1) for name in ("logits_p", "logits_q"))
    p, q = (p, q) if claimed[0] == "KL(p||q)" else (q, p)
    wanted, found = (p.exp() * (p - q)).sum(-1), value(near, inputs) / SMALL
    return apart(found, wanted), f"its limit is not {claimed[0]}"


PROPERTY = Property(NAME, frozenset({"divergence"}), THEOREM, "one forward", judge)
