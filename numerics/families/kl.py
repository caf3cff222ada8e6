"""Divergence penalties: log-probabilities give a penalty per token [B,T], or a scalar that is
already reduced.

logp, logp_old, logp_ref [B,T] (nats, of the sampled tokens), mask [B,T]
"""

from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape, policy


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's sample without advantages."""
    inputs = policy.sample(shape, seed, regime)
    return {name: value for name, value in inputs.items() if name != "adv"}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many response tokens lie on each side of the reference, and beyond the usual clamps."""
    mask, gap = inputs["mask"].bool(), inputs["logp_ref"] - inputs["logp"]
    regions = {
        "ref above pi": gap > 0,
        "ref below pi": gap < 0,
        "k3 above 10": gap.exp() - 1 - gap > 10,
        "|log-ratio| above 20": gap.abs() > 20,
    }
    return {name: int((region & mask).sum()) for name, region in regions.items()}


FAMILY = Family(
    name="kl",
    arguments=(
        Argument("logp", ("BT",), "log-probabilities under the policy that is trained"),
        Argument("logp_old", ("BT",), "log-probabilities under the policy that sampled"),
        Argument("logp_ref", ("BT",), "log-probabilities under the reference policy"),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
    ),
    required=frozenset({"logp", "logp_ref"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    results=("", "BT"),
)
