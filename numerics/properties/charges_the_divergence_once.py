"""Rewards per token fall by beta times the log-ratio, once: the sum over the response is
score - beta * sum_t (logp - logp_ref).

Judged to first order in the log-ratio, so that k1, k2 and k3 differ only in what is reported: the
reward's derivative in logp at logp = logp_ref is -beta (k1) or 0 (k2, k3), never positive, never
-2 beta. Where it is zero the second derivative is -beta. Where the two are equal nothing is
charged, however likely the tokens are; where they are not, something is.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "charges_the_divergence_once"
THEOREM = "language_models.tilted_reference_is_the_unique_optimum"
STEP = 1e-3


def judge(subject: Subject, setting: Setting) -> Finding:
    """Move one token's log-probability off the reference by a little."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-2, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    beta = float(subject.objective.constants.get("beta", inputs["beta"]))
    if not beta:
        return None
    same = {**inputs, "logp_ref": inputs["logp"].clone()}
    base = value(subject, same)
    mask = inputs["mask"]
    level = {**same, "logp": same["logp"] - 0.3, "logp_ref": same["logp"] - 0.3}
    if apart(value(subject, level) * mask, base * mask) > 1e-9:
        return 1.0, "where policy and reference agree, the rewards depend on how likely tokens are"
    if apart(value(subject, {**same, "logp": same["logp"] + 0.3}) * mask, base * mask) < 1e-9:
        return 1.0, "the rewards do not depend on the log-ratio to the reference"
    moved = {**same, "logp": same["logp"] + STEP}
    slope = ((value(subject, moved) - base) * mask).sum(-1) / (STEP * mask.sum(-1) * beta)
    off = torch.minimum((slope + 1).abs(), slope.abs())
    if float(slope.abs().max()) < 1e-2:
        return _curved(subject, same, base, beta)
    row = int(off.argmax())
    return float(off.max()), (
        f"row {row}: the reward changes by {float(slope[row]):.4g} beta times the log-ratio, not -1"
    )


def _curved(
    subject: Subject, same: dict[str, Tensor], base: Tensor, beta: float
) -> tuple[float, str]:
    """k2 and k3 have no slope at equality: what they charge is beta / 2 times the square."""
    mask = same["mask"]
    moved = {**same, "logp": same["logp"] + STEP}
    square = STEP**2 / 2 * mask.sum(-1) * beta
    charge = -((value(subject, moved) - base) * mask).sum(-1) / square
    row = int((charge - 1).abs().argmax())
    off = float((charge - 1).abs().max())
    return off, (
        f"row {row}: the penalty is {float(charge[row]):.4g} beta/2 times the squared log-ratio"
    )


PROPERTY = Property(NAME, frozenset({"token_reward"}), THEOREM, "two forwards", judge)
