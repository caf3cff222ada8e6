"""Group advantages against their definitions and their exact expectations."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons.claims.groups import expected_step, true_gradient
from numerics.lessons.divergence import law
from numerics.lessons.group_advantages import (
    SAMPLE,
    centred,
    leave_one_out,
    normalised,
    prompt_weight,
)
from tests.numerics.lessons.laws import random_law


def test_leave_one_out_is_its_definition() -> None:
    rewards = 5 * random_law(1, 3, 6)  # three groups of six
    for group, found in zip(rewards, leave_one_out(rewards), strict=True):
        for i in range(6):
            others = torch.cat([group[:i], group[i + 1 :]]).mean()
            assert float(found[i]) == pytest.approx(float(group[i] - others), abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_leave_one_out_is_unbiased_and_centring_shrinks(size: int) -> None:
    policy, rewards = random_law(2, 3), 4 * random_law(3, 3)
    true = true_gradient(policy, rewards)
    assert torch.allclose(expected_step(policy, rewards, leave_one_out, size), true, atol=1e-12)
    shrunk = expected_step(policy, rewards, centred, size)
    assert torch.allclose(shrunk, (size - 1) / size * true, atol=1e-12)


def test_normalised_groups() -> None:
    rewards = law(0.3, 2.0, -1.0, 0.5)
    for correction, squares in ((0, 4), (SAMPLE, 3)):
        found = normalised(rewards, correction=correction)
        assert float((found**2).sum()) == pytest.approx(squares, abs=1e-12)
        assert float(found.sum()) == pytest.approx(0, abs=1e-12)
    assert torch.allclose(normalised(-2 * rewards + 7), -normalised(rewards), atol=1e-12)


def test_an_equal_group_is_zero_also_when_its_mean_is_rounded() -> None:
    equal = law(0.1, 0.1, 0.1)
    assert float(equal.mean()) != 0.1  # the centred values are not exactly zero
    assert normalised(equal).tolist() == [0.0, 0.0, 0.0]
    rows = torch.stack([equal, law(1.0, 0.0, 0.0)])
    assert normalised(rows)[0].tolist() == [0.0] * 3 and float(normalised(rows)[1, 0]) > 1


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_weight_of_a_prompt_is_what_the_gradient_is_multiplied_by(size: int) -> None:
    policy, rewards = law(0.2, 0.8), law(1.0, 0.0)
    followed = expected_step(policy, rewards, normalised, size)[0]
    ratio = float(followed / true_gradient(policy, rewards)[0])
    assert ratio == pytest.approx(prompt_weight(size, 0.2), abs=1e-12)


def test_a_group_of_one_is_refused() -> None:
    for advantages in (centred, leave_one_out, normalised):
        with pytest.raises(UnusableInput, match="group of one"):
            advantages(law(1.0))
