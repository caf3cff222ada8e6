"""Close to the reference, the mean of a penalty is the divergence (claim "a divergence").

Whatever its kind (k1, k2, k3, with or without a ratio of one), averaged over the policy a penalty
is KL + o(KL) where both laws nearly agree; the biased k2 too. So its coefficient is seen: one half
left out of k2, a square that became a fourth power. The row of a sample is the whole vocabulary.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "agrees_with_a_divergence_nearby"
CLAIM = "a divergence"
THEOREM = "foundations.relative_entropy_is_locally_the_fisher_quadratic"
STEP, ALLOWED = 1e-3, 1e-2  # the next order is of the size of a step


def judge(subject: Subject, setting: Setting) -> Finding:
    """Average over the law of a row, a small step from the reference's."""
    wide = tuple({**shape, "T": max(4, shape.get("T", 4))} for shape in setting.shapes)
    chosen = Setting(wide, setting.seeds, ("near",))
    return try_everywhere(NAME, subject, chosen, _trial, theorem=THEOREM, allowed=ALLOWED)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if CLAIM not in subject.objective.claims or not takes(subject, "logp", "logp_ref"):
        return None
    rng = torch.Generator().manual_seed(31)
    step = STEP * torch.randn(inputs["logp"].shape, generator=rng, dtype=torch.float64)
    logp = torch.log_softmax(inputs["logp"], -1)
    ref = torch.log_softmax(inputs["logp"] + step, -1)
    given = {**inputs, "logp": logp, "logp_old": logp.clone(), "logp_ref": ref}
    found = value(subject, {**given, "mask": torch.ones_like(inputs["mask"])})
    if found.dim() != 2:
        return None
    mean, wanted = ((logp.exp() * x).sum(-1) for x in (found, logp - ref))
    off = (mean / wanted - 1).abs()
    row = int(off.argmax())
    return float(off.max()), (
        f"near the reference its mean is {float(mean[row]):.6g}, the divergence is "
        f"{float(wanted[row]):.6g}"
    )


PROPERTY = Property(NAME, frozenset({"kl"}), THEOREM, "one forward per sample", judge)
