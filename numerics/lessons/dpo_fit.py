"""A policy fitted directly to comparisons (DPO), and the loss with a finite optimum (IPO).

    h_i = log(pi(i) / ref(i))
    DPO(pi) = -sum_ij wins_ij log sigma(beta (h_i - h_j)) / sum_ij wins_ij
    IPO(pi) = sum_ij wins_ij (h_i - h_j - 1/(2 tau))^2 / sum_ij wins_ij

beta h is a reward up to a constant: the fitted policy is the tilted reference of the fitted
Bradley-Terry rewards, when the compared responses are connected. Responses without comparisons keep
h at the constant that the others' normalisation leaves.

Source: Rafailov et al. (2023), equation 7; Azar et al. (2023), equation 17. Theorems:
`partition_function_cancels_in_preferences`,
`identity_preference_loss_has_a_finite_optimum_for_unanimous_pairs`.
Shapes: logits, reference [N]; wins [N,N] as in `reward_model`; the losses [].
Sign: minimised.
Units: nats.
Gradient: through the logits; the reference is held fixed.
Raises: UnusableInput for beta or tau <= 0; `fit` also for wins without a finite optimum (unanimous
pairs), which `fit_identity` accepts.

>>> import torch
>>> wins = torch.tensor([[0.0, 3.0], [1.0, 0.0]], dtype=torch.float64)
>>> even = torch.tensor([0.5, 0.5], dtype=torch.float64)
>>> [round(p, 6) for p in fit(wins, even, beta=1.0).tolist()]
[0.75, 0.25]
"""

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.newton import minimised
from numerics.lessons.reward_model import preference_loss, require_finite_maximum


def log_ratios(logits: Tensor, reference: Tensor) -> Tensor:
    """h [N]."""
    return torch.log_softmax(logits, -1) - reference.log()


def dpo_loss(logits: Tensor, reference: Tensor, wins: Tensor, beta: float) -> Tensor:
    """The DPO risk []; log 2 at the reference."""
    return preference_loss(beta * log_ratios(logits, reference), wins)


def ipo_loss(logits: Tensor, reference: Tensor, wins: Tensor, tau: float) -> Tensor:
    """The IPO risk []."""
    h = log_ratios(logits, reference)
    gaps = h[:, None] - h[None, :]
    return (wins * (gaps - 1 / (2 * tau)) ** 2).sum() / wins.sum()


def fit(wins: Tensor, reference: Tensor, *, beta: float) -> Tensor:
    """The policy [N] with the least DPO risk, from the reference."""
    _positive("beta", beta)
    require_finite_maximum(wins)
    logits = minimised(lambda x: dpo_loss(x, reference, wins, beta), reference.log())
    return torch.softmax(logits, -1)


def fit_identity(wins: Tensor, reference: Tensor, *, tau: float) -> Tensor:
    """The policy [N] with the least IPO risk, from the reference."""
    _positive("tau", tau)
    logits = minimised(lambda x: ipo_loss(x, reference, wins, tau), reference.log())
    return torch.softmax(logits, -1)


def _positive(name: str, number: float) -> None:
    if not number > 0:
        raise UnusableInput(name, expected="above 0", got=str(number))
