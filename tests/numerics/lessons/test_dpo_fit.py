"""DPO is the tilted reference of the fitted rewards; its value, its gradient, its limits."""

import math

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons import dpo_fit, reward_model
from numerics.lessons.divergence import law
from numerics.lessons.tilted import optimum
from tests.numerics.lessons.laws import random_law

REFERENCE = random_law(1, 4)
WINS = reward_model.compared(law(0.0, 1.0, -0.5, 2.0), 40, seed=3)


@pytest.mark.parametrize("beta", [0.1, 1.0, 3.0])
def test_it_is_the_tilted_reference_of_the_fitted_rewards(beta: float) -> None:
    fitted = dpo_fit.fit(WINS, REFERENCE, beta=beta)
    target = optimum(REFERENCE, reward_model.fit(WINS).rewards, beta).policy
    assert torch.allclose(fitted, target, atol=1e-9)
    assert float((fitted - REFERENCE).abs().max()) > 0.01


def test_value_and_gradient() -> None:
    at = REFERENCE.log().requires_grad_()
    loss = dpo_fit.dpo_loss(at, REFERENCE, WINS, 0.7)
    assert float(loss.detach()) == pytest.approx(math.log(2), abs=1e-12)
    logits = random_law(2, 4).log().requires_grad_()
    pair = torch.zeros(4, 4, dtype=torch.float64)
    pair[2, 0] = 1.0  # one comparison: 2 beat 0
    slope = torch.autograd.grad(dpo_fit.dpo_loss(logits, REFERENCE, pair, 0.7), logits)[0]
    h = dpo_fit.log_ratios(logits.detach(), REFERENCE)
    weight = 0.7 * float(torch.sigmoid(-0.7 * (h[2] - h[0])))
    assert torch.allclose(slope, weight * law(1.0, 0.0, -1.0, 0.0), atol=1e-12)


@pytest.mark.parametrize("p", [0.5, 0.8, 1.0])
def test_identity_preferences_have_a_finite_optimum(p: float) -> None:
    wins = torch.tensor([[0.0, p], [1 - p, 0.0]], dtype=torch.float64)
    policy = dpo_fit.fit_identity(wins, law(0.3, 0.7), tau=0.25)
    h = (policy / law(0.3, 0.7)).log()
    assert float(h[0] - h[1]) == pytest.approx((2 * p - 1) / 0.5, abs=1e-9)


def test_unusable_input_is_refused() -> None:
    unanimous = torch.tensor([[0.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
    with pytest.raises(UnusableInput, match="no maximum"):
        dpo_fit.fit(unanimous, law(0.5, 0.5), beta=1.0)
    with pytest.raises(UnusableInput, match="beta"):
        dpo_fit.fit(WINS, REFERENCE, beta=0.0)
