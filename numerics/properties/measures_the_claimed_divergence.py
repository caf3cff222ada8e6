"""A divergence has the direction that it claims, and its Hessian-vector product is Fisher's.

claims=["KL(p||q)"] or ["KL(q||p)"]; with `vector` the product of the Hessian of KL in its second
argument at p = q is F v, F = diag(p) - p p^T, for logits. Without a claim the direction is
reported by `identify`, not judged here.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "measures_the_claimed_divergence"
THEOREM = "foundations.softmax_fisher_information"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare with the sum over the whole law."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, allowed=1e-8)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    p, q = (torch.log_softmax(inputs[name], -1) for name in ("logits_p", "logits_q"))
    if takes(subject, "vector"):
        same, v = {**inputs, "logits_q": inputs["logits_p"].clone()}, inputs["vector"]
        wanted = p.exp() * (v - (p.exp() * v).sum(-1, keepdim=True))
        return _product(value(subject, same), wanted, v)
    claims = {"KL(p||q)": (p, q), "KL(q||p)": (q, p)}
    claimed = next((c for c in claims if c in subject.objective.claims), None)
    if claimed is None:
        return None
    a, b = claims[claimed]
    wanted, found = (a.exp() * (a - b)).sum(-1), value(subject, inputs)
    if found.dim() == 0:
        wanted = min((wanted.mean(), wanted.sum()), key=lambda w: float((w - found).abs()))
    return apart(found, wanted), f"it is not {claimed}"


def _product(found: Tensor, wanted: Tensor, v: Tensor) -> tuple[float, str]:
    """F v, or F v + c v with a damping c of at most a half; of each law, or of their mean."""
    told = "H v at equality is not the Fisher matrix times v"
    offs = []
    for times in (1.0, float(len(v))):
        rest = times * found - wanted
        damping = float((rest * v).sum() / (v**2).sum())
        damping = damping if 0 < damping <= 0.5 else 0.0
        offs.append(apart(times * found, wanted + damping * v))
    return min(offs), told


PROPERTY = Property(NAME, frozenset({"divergence"}), THEOREM, "one forward", judge)
