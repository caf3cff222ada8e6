"""Losses that shift by themselves: logits[b, t] predict input_ids[b, t + 1].

logits [B,T,V] (unnormalised, of every position), input_ids [B,T] (whole numbers, prompt and
response), mask [B,T] (1 for the tokens of the response), adv [B] (one advantage a response)
"""

import torch
from torch import Tensor

from numerics.families import WHOLE, Argument, Family, Inputs, Shape
from numerics.families.policy import generator

SPREAD = {"near": 0.3, "moderate": 1.5, "far": 8.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """A prompt of one token or more, a response, and padding on the right in all rows but one."""
    rows, length = shape["B"], shape["T"]
    rng = generator(seed)
    logits = SPREAD[regime] * torch.randn(rows, length, shape["V"], generator=rng).double()
    start = torch.randint(1, length // 2 + 1, (rows, 1), generator=rng)
    stop = torch.randint(length // 2 + 1, length + 1, (rows, 1), generator=rng)
    stop[0] = length
    if rows > 1:
        stop[1] = length // 2 + 1
    places = torch.arange(length)
    return {
        "logits": logits,
        "input_ids": torch.randint(0, shape["V"], (rows, length), generator=rng),
        "mask": ((places >= start) & (places < stop)).double(),
        "adv": torch.randn(rows, generator=rng, dtype=torch.float64),
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """Prompt tokens, response tokens, padding, and advantages of both signs."""
    mask = inputs["mask"]
    return {
        "prompt": int((mask.cumsum(-1) == 0).sum()),
        "response": int(mask.sum()),
        "padding": int((mask.flip(-1).cumsum(-1) == 0).sum()),
        "A > 0": int((inputs["adv"] > 0).sum()),
        "A < 0": int((inputs["adv"] < 0).sum()),
    }


FAMILY = Family(
    name="causal",
    arguments=(
        Argument("logits", ("BTV",), "unnormalised log-probabilities at every position"),
        Argument("input_ids", ("BT",), "the tokens of prompt and response", WHOLE),
        Argument("mask", ("BT",), "1 for tokens of the response"),
        Argument("adv", ("B",), "one advantage a response"),
    ),
    required=frozenset({"logits", "input_ids"}),
    differentiated="logits",
    sample=sample,
    coverage=coverage,
    properties=frozenset(
        {"follows_the_order_of_rows", "gives_the_same_gradient_twice", "gradient_is_consistent"}
    ),
)
