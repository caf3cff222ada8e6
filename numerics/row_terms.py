"""Kernel terms of one response's loss, with sums over its tokens, and their values on a batch.

A specification of a row is a kernel term in real variables (`adv`, `reward`) and in functions of a
position t in T (`logp(t)`, `logp_old(t)`, `mask(t)`), or of a response j in G (`rewards(j)`, and
`same(j)`, 1 where j answers the row's prompt). Every row is one model of the bridge.
"""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from derivations.language.syntax import Sum, function, members, reals
from numerics.bridge import Evaluator
from numerics.token_terms import OFF, SORTS, Tokens

NUMBERS = ("adv", "reward")


def row_variables() -> dict[str, Any]:
    """The functions of positions T, of responses G, of the vocabulary V, and the numbers."""
    found = {name: function(name, sort) for name, sort in SORTS.items()}
    return found | {name: reals(name) for name in NUMBERS}


def length_term() -> Any:
    """The number of tokens of the row."""
    t = members("T", "t")
    return Sum(row_variables()["mask"](t), t)


def sum_over_tokens(value: Callable[[Any], Any]) -> Any:
    """sum_t mask(t) value(t)."""
    t = members("T", "t")
    return Sum(row_variables()["mask"](t) * value(t), t)


def mean_over_tokens(value: Callable[[Any], Any]) -> Any:
    """sum_t mask(t) value(t) over the number of tokens."""
    return sum_over_tokens(value) / length_term()


def mean_of_group(value: Callable[[Any], Any]) -> Any:
    """sum_j same(j) value(j) over the size of the group."""
    return sum_of_group(value) / group_size()


def sum_of_group(value: Callable[[Any], Any]) -> Any:
    """sum_j same(j) value(j)."""
    j = members("G", "j")
    return Sum(row_variables()["same"](j) * value(j), j)


def group_size() -> Any:
    """sum_j same(j)."""
    return sum_of_group(lambda j: 1)


def evaluate_rows(term: Any, numbers: Mapping[str, Tensor], tables: Mapping[str, Tensor]) -> Tensor:
    """The term at every row [B]; numbers [B], tables [B,n] by the names of the variables.

    >>> import torch
    >>> x = {"logp": torch.tensor([[-1.0, -3.0]]), "mask": torch.tensor([[1.0, 1.0]])}
    >>> evaluate_rows(mean_over_tokens(row_variables()["logp"]), {}, x).tolist()
    [-2.0]
    """
    rows = next(iter({**numbers, **tables}.values())).shape[0]
    data = {name: value.double() for name, value in numbers.items()}
    columns = {name: value.double().transpose(0, 1) for name, value in tables.items()}
    result = Evaluator(Tokens(data, columns, rows), OFF).real(term)
    return result.expand(rows)


def responses(inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tables of rewards [B] and group [B]: rewards(j) the same in every row, same(j)."""
    rewards, group = inputs["rewards"], inputs["group"]
    return {
        "rewards": rewards.expand(len(rewards), -1),
        "same": (group[:, None] == group[None, :]).double(),
    }
