"""Estimators of the divergence from the reference policy, per token.

    u = logp_ref - logp;   k1 = -u,   k2 = u^2 / 2,   k3 = e^u - 1 - u;
    optionally times rho = exp(logp - logp_old)

Source: Schulman, "Approximating KL divergence" (2020). As *losses* they follow different
divergences: theorems `k1_as_a_loss_has_zero_expected_gradient`,
`k2_as_a_loss_follows_the_reverse_divergence`, `k3_as_a_loss_follows_the_forward_divergence`,
`the_differentiable_ratio_restores_the_reverse_divergence`.
"""

from typing import Any

from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objectives.ppo_clip import ratio_term
from numerics.reductions import reduce_tokens

FAMILY = "kl"
ESTIMATORS = ("k1", "k2", "k3")
WEIGHTS = ("none", "differentiable", "frozen")


def estimator(
    logp: Tensor,
    logp_ref: Tensor,
    kind: str,
    log_ratio_clamp: float | None = None,
    value_clamp: float | None = None,
) -> Tensor:
    """k1, k2 or k3 per token. The clamps act on k3 only, as in the libraries that have them."""
    gap = logp_ref - logp
    if kind == "k1":
        return -gap
    if kind == "k2":
        return 0.5 * gap**2
    if kind != "k3":
        raise UnusableInput(
            "unknown divergence estimator", expected=", ".join(ESTIMATORS), got=repr(kind)
        )
    if log_ratio_clamp is not None:
        gap = gap.clamp(-log_ratio_clamp, log_ratio_clamp)
    value = gap.exp() - 1 - gap
    return value if value_clamp is None else value.clamp(-value_clamp, value_clamp)


def weight(logp: Tensor, logp_old: Tensor, ratio: str) -> Tensor | float:
    """1, rho, or rho with its gradient stopped."""
    if ratio not in WEIGHTS:
        raise UnusableInput(
            "unknown weight of the penalty", expected=", ".join(WEIGHTS), got=repr(ratio)
        )
    if ratio == "none":
        return 1.0
    rho = (logp - logp_old).exp()
    return rho.detach() if ratio == "frozen" else rho


def kl_penalty(
    logp: Tensor,
    logp_old: Tensor,
    logp_ref: Tensor,
    mask: Tensor,
    *,
    kind: str = "k3",
    ratio: str = "none",
    log_ratio_clamp: float | None = None,
    value_clamp: float | None = None,
    reduce: str = "none",
) -> Tensor:
    """The penalty of each token, or reduced under the mask.

    Shapes: all arguments [B,T]; the result [B,T] for reduce="none", else [].
    Sign: minimised; its mean over samples estimates KL(pi || ref).
    Units: nats.
    Gradient: through logp, and through rho for ratio="differentiable".
    Raises: UnusableInput for an unknown kind, ratio or reduction.

    >>> import torch
    >>> logp, ref = torch.log(torch.tensor([[0.5]])), torch.log(torch.tensor([[0.25]]))
    >>> round(float(kl_penalty(logp, logp, ref, torch.ones(1, 1))), 6)  # 1/2 - 1 + log 2
    0.193147
    """
    values = estimator(logp, logp_ref, kind, log_ratio_clamp, value_clamp)
    values = weight(logp, logp_old, ratio) * values
    return values if reduce == "none" else reduce_tokens(values, mask, reduce)


def specification(
    *,
    kind: str = "k3",
    ratio: str = "none",
    log_ratio_clamp: float | None = None,
    value_clamp: float | None = None,
) -> Any:
    """The penalty of a token as a kernel term in logp, logp_old, logp_ref (and rho, if frozen)."""
    from derivations.language.syntax import exp
    from numerics.token_terms import between, decimal, token_variables

    x = token_variables()
    gap = x["logp_ref"] - x["logp"]
    weights = {"none": 1, "differentiable": ratio_term(), "frozen": x["rho"]}
    if kind in ("k1", "k2"):
        return weights[ratio] * (-gap if kind == "k1" else gap**2 / 2)
    if log_ratio_clamp is not None:
        gap = between(gap, -decimal(log_ratio_clamp), decimal(log_ratio_clamp))
    value = exp(gap) - 1 - gap
    if value_clamp is not None:
        value = between(value, -decimal(value_clamp), decimal(value_clamp))
    return weights[ratio] * value
