"""The loss of a reward model: the log-likelihood of comparisons under Bradley and Terry.

    loss = -mean log sigmoid(score_w - score_l - margin)

Source: Ouyang et al. (2022), equation 1; the margin is that of Touvron et al., "Llama 2" (2023),
equation 2.
Theorems: `bradley_terry_ignores_prompt_shifts`, `logistic_loss_is_convex`.
"""

from typing import Any

from torch import Tensor
from torch.nn.functional import logsigmoid

from numerics.errors import UnusableInput

FAMILY = "reward_model"


def over_pairs(values: Tensor, pairs: str) -> Tensor:
    """The mean of values [B] (pairs="mean"), or the values (pairs="none")."""
    if pairs not in ("mean", "none"):
        raise UnusableInput("unknown reduction of pairs", expected="mean, none", got=repr(pairs))
    return values.mean() if pairs == "mean" else values


def bradley_terry(
    score_w: Tensor, score_l: Tensor, *, margin: float = 0.0, pairs: str = "mean"
) -> Tensor:
    """The loss.

    Shapes: score_w, score_l [B]; the result [], or [B] for pairs="none".
    Sign: minimised.
    Units: scores and margin in log-odds, the loss in nats.
    Gradient: through both scores.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> one = torch.ones(1)
    >>> round(float(bradley_terry(one, one)), 6)  # log 2
    0.693147
    """
    return over_pairs(-logsigmoid(score_w - score_l - margin), pairs)


def specification(*, margin: float = 0.0) -> Any:
    """log(1 + exp(margin - (score_w - score_l))) of a pair."""
    from numerics.token_terms import decimal, token_variables

    x = token_variables()
    return logistic_term(x["score_w"] - x["score_l"] - decimal(margin))


def logistic_term(x: Any) -> Any:
    """-log sigmoid(x) as a kernel term."""
    from derivations.language.syntax import exp, log

    return log(1 + exp(-x))
