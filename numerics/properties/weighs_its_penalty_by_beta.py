"""A claimed divergence is weighed by beta, beside advantages weighed by one.

For losses with a constant `beta` that claim KL(pi||ref) or KL(ref||pi): near logp_ref = logp, a
token's pull is beta (logp - logp_ref) w (k2, k3), or beta w (k1), where -A w is what the same token
has from its advantage; and the gradient is affine in beta. Where penalty and surrogate are reduced
in two ways (the quotient differs between tokens) the size is a convention and not judged.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import (
    Observed,
    apart,
    gradient,
    on_policy,
    takes,
    try_everywhere,
    with_constants,
)
from numerics.properties import Finding, Property, Setting

NAME = "weighs_its_penalty_by_beta"
THEOREM = "language_models.tilted_reference_is_the_unique_optimum"
CLAIMS = {"KL(pi||ref)", "KL(ref||pi)"}
STEP, ALLOWED = 1e-3, 1e-2  # k3 bends by half a step


def judge(subject: Subject, setting: Setting) -> Finding:
    """The penalty of every token beside its advantage of one."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=ALLOWED, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    beta = subject.objective.constants.get("beta")
    if not beta or not CLAIMS & set(subject.objective.claims) or not takes(subject, "logp_ref"):
        return None
    at = on_policy(subject, {**inputs, "adv": torch.zeros_like(inputs["adv"])})
    off = {**at, "logp_ref": at["logp"] - STEP}
    none, once, twice = (
        gradient(with_constants(subject, beta=factor * beta), off) for factor in (0.0, 1.0, 2.0)
    )
    bent = apart(twice - none, 2 * (once - none))
    if bent > ALLOWED:
        return bent, "twice beta is not twice the penalty"
    base = gradient(subject, at)
    weight = base - gradient(subject, {**at, "adv": torch.ones_like(at["adv"])})
    kept = weight.abs() > 1e-9 * float(weight.abs().max())
    if not bool(kept.any()) or not float(weight.abs().max()):
        return None  # equal advantages are normalised away
    curved, flat = ((once - base) / (STEP * weight))[kept], (base / weight)[kept]
    pull = curved if float(curved.abs().max()) > 1e-6 else flat
    if float(pull.max() - pull.min()) > ALLOWED * float(pull.abs().max()):
        return None
    found = float(pull.mean())
    return abs(found / beta - 1), f"beta is {beta:g}; the penalty's weight is {found:.6g}"


PROPERTY = Property(NAME, frozenset({"policy"}), THEOREM, "five backwards per sample", judge)
