"""A wrong backward fails, kinks are redrawn, flat points are not counted."""

import pytest
import torch

from numerics import check
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import references
from numerics.properties import properties


def has_a_gradient_to_check(name: str) -> bool:
    """What a family holds fixed (advantages, metrics, whitened values) is judged by value only."""
    family = families()[references()[name].family]
    mine = properties()["gradient_is_consistent"].families
    return family.name in mine or "gradient_is_consistent" in family.properties


def finding(loss, **flags):
    return check(loss, only=("gradient_is_consistent",), **flags).findings[0]


class Wrong(torch.autograd.Function):
    """Identity whose gradient is right only for positive inputs."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, *upstream):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, upstream[0], 0.9 * upstream[0])


def test_only_what_is_held_fixed_has_no_gradient_to_check() -> None:
    without = {name for name in references() if not has_a_gradient_to_check(name)}
    assert {"gae", "group_mean", "pass_at_k"} <= without
    assert not {"ppo_clip", "grpo", "kl_penalty", "dpo", "value_clip"} & without


@pytest.mark.parametrize("name", [*filter(has_a_gradient_to_check, references())])
def test_every_reference_passes(name: str) -> None:
    found = finding(objective(references()[name].function))
    assert found.verdict == "pass"
    assert found.observed is not None
    assert found.allowed is not None
    assert found.minimum_detectable is not None
    assert found.observed <= found.allowed
    assert found.minimum_detectable < 1e-4


def test_a_wrong_backward_fails_with_the_smallest_shape() -> None:
    def loss(logp, logp_old, adv, mask):
        return -((Wrong.apply(logp - logp_old)).exp() * adv * mask).sum()

    found = finding(loss)
    assert found.verdict == "fail"
    assert found.counterexample is not None
    assert found.counterexample["shape"] == {"B": 2, "T": 4, "V": 8}
    assert "0.9" in found.message
    assert found.counterexample["frozen"] == []


def test_a_loss_with_a_kink_everywhere_is_inconclusive() -> None:
    def loss(logp, adv):
        change = logp - logp.detach()
        return (adv * change.exp()).sum() + change.abs().sum()

    found = finding(loss)
    assert found.verdict == "inconclusive"
    assert "one-sided slopes" in found.message


def test_a_per_token_result_is_contracted_with_weights() -> None:
    """A transposed gradient would hide in a plain sum."""

    class Swapped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, *upstream):
            return upstream[0].flip(-1)

    assert finding(lambda logp, logp_ref: Swapped.apply(logp) - logp_ref).verdict == "fail"
    assert finding(lambda logp, logp_ref: logp - logp_ref).verdict == "pass"
