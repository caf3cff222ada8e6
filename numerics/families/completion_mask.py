"""Masks of responses: where the end-of-sequence token stands gives which tokens count [B,T].

is_end [B,T] (0/1: 1 where the sampled token ends the sequence; tokens behind the first are padding)
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """A row without an end, one that ends at its first token, one with padding of end tokens."""
    rows, length = shape["B"], shape["T"]
    ends = torch.randint(0, max(length - 1, 1), (rows,), generator=generator(seed))
    is_end = torch.zeros(rows, length, dtype=torch.float64)
    is_end[torch.arange(rows), ends] = 1.0
    is_end[0] = 0.0
    if rows > 1:
        is_end[1] = 0.0
        is_end[1, 0] = 1.0
    if rows > 2 or regime != "near":  # padded with the end token itself
        is_end[-1] = (torch.arange(length) >= ends[-1]).double()
    return {"is_end": is_end}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many rows have no end, one, several."""
    ends = inputs["is_end"].sum(-1)
    return {
        "no end": int((ends == 0).sum()),
        "one end": int((ends == 1).sum()),
        "several": int((ends > 1).sum()),
    }


FAMILY = Family(
    name="completion_mask",
    arguments=(Argument("is_end", ("BT",), "1 where a token ends the sequence"),),
    required=frozenset({"is_end"}),
    differentiated="is_end",
    sample=sample,
    coverage=coverage,
    results=("BT",),
    held=True,
    properties=frozenset({"follows_the_order_of_rows"}),
    shapes=({"B": 3, "T": 4}, {"B": 4, "T": 7}),
)
