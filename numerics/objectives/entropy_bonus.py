"""The entropy bonus as a loss: its gradient step raises the entropy.

    loss = -coefficient reduce_bt H_bt,   H = -sum_v p(v) log p(v),   p = softmax(logits)

Source: Williams and Peng (1991); Mnih et al. (2016).
Theorem: `relative_entropy_to_uniform_is_missing_entropy`.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.reductions import reduce_tokens

FAMILY = "entropy"


def token_entropy(logits: Tensor) -> Tensor:
    """H [B,T] of logits [B,T,V], in nats; a logit of -inf is a token without probability."""
    logp = torch.log_softmax(logits, -1)
    inside = logp > -torch.inf
    return -(logp.exp() * torch.where(inside, logp, 0.0)).sum(-1)


def entropy_bonus(
    logits: Tensor,
    mask: Tensor,
    *,
    coefficient: float = 0.01,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logits [B,T,V]; mask [B,T]; the result [].
    Sign: minimised: negative, and lowest for uniform tokens.
    Units: nats.
    Gradient: through all logits.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> round(float(entropy_bonus(torch.zeros(1, 1, 2), torch.ones(1, 1), coefficient=1.0)), 6)
    -0.693147
    """
    values = -coefficient * token_entropy(logits)
    return reduce_tokens(values, mask, reduce, norm=norm, guard=guard)


def specification(*, coefficient: float = 0.01) -> Any:
    """coefficient sum_v p(v) log p(v) of a token, in its probabilities p(v)."""
    from derivations.language.syntax import Sum, log, members
    from numerics.row_terms import row_variables
    from numerics.token_terms import decimal

    p, v = row_variables()["p"], members("V", "v")
    return decimal(coefficient) * Sum(p(v) * log(p(v)), v)
