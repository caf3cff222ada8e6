"""A group's advantages and a policy loss in one: log-probabilities, rewards and prompt ids give a
scalar.

logp, logp_old, logp_ref, mask [B,T]; rewards [B]; group [B] (whole numbers, the prompt of each row)
"""

from torch import Tensor

from numerics.families import Family, Inputs, Shape, group_advantage, policy


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's log-probabilities with the group family's rewards, under one mask."""
    tokens = policy.sample(shape, seed, regime)
    groups = group_advantage.sample(shape, seed, regime)
    kept = {name: tokens[name] for name in ("logp", "logp_old", "logp_ref")}
    return {**groups, **kept}


def coverage(inputs: Inputs) -> dict[str, int]:
    """What the group family counts, and padding."""
    lengths = int(inputs["mask"].sum(-1).unique().numel())
    padding = int((inputs["mask"] == 0).sum())
    return {**group_advantage.coverage(inputs), "padding": padding, "lengths": lengths}


FAMILY = Family(
    name="group_policy",
    arguments=(
        *(a for a in policy.FAMILY.arguments if a.name != "adv"),
        *(a for a in group_advantage.FAMILY.arguments if a.name != "mask"),
    ),
    required=frozenset({"logp", "rewards", "group"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    properties=frozenset(
        {
            "gradient_is_consistent",
            "ignores_masked_tokens",
            "matches_the_specification",
            "reports_frozen_sites",
        }
    ),
    shapes=group_advantage.FAMILY.shapes,
)
