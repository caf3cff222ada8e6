"""Returns to go: rewards of a trajectory give what is still to come at every step [B,T].

rewards, mask [B,T], terminated [B,T] (0/1: 1 where an episode ends inside a row), gamma a number
"""

from torch import Tensor

from numerics.families import Family, Inputs, Shape, gae

KEPT = ("rewards", "terminated", "mask", "gamma")


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The rewards and ends of the gae family, every end for good."""
    x = gae.sample(shape, seed, regime)
    return {
        **{n: x[n] for n in KEPT},
        "terminated": ((x["terminated"] + x["truncated"]) > 0).double(),
    }


def complete(inputs: Inputs, taken: frozenset[str]) -> Inputs:
    """Without `terminated` a row is one episode."""
    if "terminated" in taken:
        return inputs
    return {**inputs, "terminated": gae.last_steps(inputs["mask"])}


def coverage(inputs: Inputs) -> dict[str, int]:
    """Ends inside rows, padding, and discounts below one."""
    inner = inputs["terminated"].sum(-1) > 1
    return {
        "rows of several episodes": int(inner.sum()),
        "padding": int((inputs["mask"] == 0).sum()),
        "discounted": int(float(inputs["gamma"]) < 1),
        "undiscounted": int(float(inputs["gamma"]) == 1),
    }


FAMILY = Family(
    name="returns",
    arguments=tuple(a for a in gae.FAMILY.arguments if a.name in KEPT),
    required=frozenset({"rewards", "gamma"}),
    differentiated="rewards",
    sample=sample,
    coverage=coverage,
    results=("BT",),
    held=True,
    properties=frozenset({"ignores_masked_tokens", "follows_the_order_of_rows"}),
    complete=complete,
)
