"""SAPO: a smooth gate on the ratio instead of a clip.

    loss = -reduce_bt (4/tau sigmoid(tau (rho - 1)) A),   tau = tau_pos if A > 0 else tau_neg

At rho = 1 the gate has the slope 1, so on-policy it is the policy gradient.

Source: Gao et al., "Soft Adaptive Policy Optimization" (2025).
"""

from typing import Any

import torch
from torch import Tensor

from numerics.objectives.ppo_clip import per_token, ratio, ratio_term
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def sapo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    tau_pos: float = 1.0,
    tau_neg: float = 1.05,
    log_ratio_clamp: float | None = None,
    reduce: str = "seq-mean-token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho, and fades where it is large; callers hold logp_old and adv fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> x, one = torch.zeros(1, 1), torch.ones(1, 1)
    >>> float(sapo(x, x, one, one))  # -4 sigmoid(0)
    -2.0
    """
    rho, adv = ratio(logp, logp_old, log_ratio_clamp), per_token(adv, logp)
    gates = [4 / tau * torch.sigmoid(tau * (rho - 1)) for tau in (tau_pos, tau_neg)]
    values = -torch.where(adv > 0, *gates) * adv
    return reduce_tokens(values, mask, reduce, norm=norm, guard=guard)


def specification(
    *, tau_pos: float = 1.0, tau_neg: float = 1.05, log_ratio_clamp: float | None = None
) -> Any:
    """-gate(rho, tau_pos) A+ - gate(rho, tau_neg) A-, A+ and A- the parts of A."""
    from derivations.language.syntax import exp, larger, smaller
    from numerics.token_terms import decimal, token_variables

    rho, adv = ratio_term(log_ratio_clamp), token_variables()["adv"]

    def gate(tau: float) -> Any:
        return 4 / decimal(tau) / (1 + exp(-decimal(tau) * (rho - 1)))

    return -gate(tau_pos) * larger(adv, 0) - gate(tau_neg) * smaller(adv, 0)
