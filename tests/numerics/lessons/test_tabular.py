"""The exact solver against series, definitions and autograd."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons import tabular
from numerics.lessons.tabular import Process, solve
from tests.numerics.lessons.laws import random_law, random_process

CASES = [(1, 1, 1, 0.5), (2, 3, 2, 0.0), (3, 4, 3, 0.9), (4, 2, 5, 0.6)]


@pytest.mark.parametrize("case", CASES)
def test_values_and_visitations_are_the_series(case: tuple[int, int, int, float]) -> None:
    process, policy = random_process(*case), random_law(case[0] + 9, case[1], case[2])
    of = solve(process, policy)
    chain = torch.einsum("sa,sau->su", policy, process.transition)
    here, value, visits = (
        process.start,
        torch.zeros(case[1]).double(),
        torch.zeros(case[1]).double(),
    )
    reward = (policy * process.reward).sum(-1)
    for t in range(400):
        visits = visits + case[3] ** t * here
        value = reward + case[3] * chain @ value
        here = here @ chain
    assert torch.allclose(of.value, value, atol=1e-9)
    assert torch.allclose(of.visitation, visits, atol=1e-9)
    assert float(of.objective) == pytest.approx(float(visits @ reward), abs=1e-9)
    assert torch.allclose(
        (policy * of.advantage).sum(-1), torch.zeros(case[1]).double(), atol=1e-12
    )


@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_autograd(case: tuple[int, int, int, float]) -> None:
    process = random_process(*case)
    logits = random_law(case[0] + 5, case[1], case[2]).log().requires_grad_()
    policy = torch.softmax(logits, -1)
    objective = solve(process, policy).objective
    by_policy, by_logits = torch.autograd.grad(objective, (policy, logits))
    assert torch.allclose(tabular.policy_gradient(process, policy.detach()), by_policy, atol=1e-12)
    assert torch.allclose(tabular.softmax_gradient(process, logits.detach()), by_logits, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_identities_of_two_policies(case: tuple[int, int, int, float]) -> None:
    """The performance difference, the error of the surrogate, the lower bound."""
    process = random_process(*case)
    old, new = (random_law(case[0] + k, case[1], case[2]) for k in (20, 40))
    before, after = solve(process, old), solve(process, new)
    gain = float(tabular.gain(process, old, new))
    per_state = (new * before.advantage).sum(-1)
    assert gain == pytest.approx(float(after.visitation @ per_state), abs=1e-10)
    surrogate = float(tabular.surrogate(process, old, new))
    shift = float((after.visitation - before.visitation) @ per_state)
    assert gain - surrogate == pytest.approx(shift, abs=1e-10)
    furthest = float((old * (old / new).log()).sum(-1).max())
    assert gain >= surrogate - tabular.bound_constant(process, old) * furthest - 1e-12


def test_the_surrogate_touches_the_gain() -> None:
    process, logits = random_process(7, 3, 4, 0.8), random_law(3, 3, 4).log()
    at = logits.clone().requires_grad_()
    old = torch.softmax(logits, -1)
    surrogate = tabular.surrogate(process, old, torch.softmax(at, -1))
    slope = torch.autograd.grad(surrogate, at)[0]
    assert float(surrogate.detach()) == pytest.approx(0.0, abs=1e-12)
    assert torch.allclose(slope, tabular.softmax_gradient(process, logits), atol=1e-12)


def test_unusable_processes_are_refused() -> None:
    good = random_process(1, 2, 2, 0.5)
    with pytest.raises(UnusableInput, match="gamma"):
        Process(good.transition, good.reward, good.start, 1.0)
    with pytest.raises(UnusableInput, match="no probability law"):
        Process(good.transition * 1.001, good.reward, good.start, 0.5)
    with pytest.raises(UnusableInput, match="wrong shape"):
        Process(good.transition[:1], good.reward, good.start, 0.5)
    with pytest.raises(UnusableInput, match="policy has the wrong shape"):
        solve(good, random_law(1, 2, 3))
