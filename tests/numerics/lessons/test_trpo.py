"""The step against closed forms, and a line search that cannot be talked out of its radius."""

import math

import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call

from numerics.errors import UnusableInput
from numerics.lessons import tabular, trpo, two_state
from numerics.lessons.divergence import relative_entropy
from numerics.lessons.trpo import Batch, LogPolicy, conjugate_gradient, pseudo_inverse, trpo_step
from tests.numerics.lessons.laws import random_law, random_process

DELTA = 0.01


def every_pair(process: tabular.Process, policy: Tensor) -> Batch:
    """Each (state, action) once, weighted by how often it occurs: the batch mean is exact."""
    of = tabular.solve(process, policy)
    states, actions = policy.shape
    weights = ((1 - process.gamma) * of.visitation[:, None] * policy).reshape(-1)
    return Batch(torch.arange(actions).repeat(states), of.advantage.reshape(-1), weights)


def table(states: int, actions: int) -> LogPolicy:
    """A logit for each pair, in the rows of `every_pair`."""
    return lambda theta: torch.log_softmax(theta.view(states, actions), -1).repeat_interleave(
        actions, 0
    )


def bandit(theta: Tensor) -> Tensor:
    return torch.log_softmax(theta, -1).expand(len(theta), -1)


def bandit_batch(theta: Tensor, advantages: Tensor) -> Batch:
    return Batch(torch.arange(len(theta)), advantages, torch.softmax(theta, -1))


THETA, ADVANTAGES = random_law(1, 4).log(), 3 * random_law(2, 4) - 0.7


def test_a_fisher_product_is_the_expected_outer_product_of_scores() -> None:
    batch = bandit_batch(THETA, ADVANTAGES)
    product = trpo.fisher_product(bandit, THETA, batch, damping=0.0)
    p = torch.softmax(THETA, -1)
    fisher = torch.diag(p) - torch.outer(p, p)
    written = torch.stack([product(e) for e in torch.eye(4).double()], 1)
    assert torch.allclose(written, fisher, atol=1e-12)
    damped = trpo.fisher_product(bandit, THETA, batch, damping=0.3)
    assert torch.allclose(damped(ADVANTAGES), fisher @ ADVANTAGES + 0.3 * ADVANTAGES, atol=1e-12)


def test_conjugate_gradient_finds_the_pseudo_inverse() -> None:
    p = torch.softmax(THETA, -1)
    fisher = torch.diag(p) - torch.outer(p, p)  # singular along the ones
    g = p * (ADVANTAGES - p @ ADVANTAGES)
    exact = torch.linalg.pinv(fisher, hermitian=True) @ g
    product = lambda v: fisher @ v
    assert torch.allclose(conjugate_gradient(product, g), exact, atol=1e-9)
    assert torch.allclose(pseudo_inverse(product, g), exact, atol=1e-9)
    assert not torch.allclose(conjugate_gradient(product, g, iterations=1), exact, atol=1e-3)


def test_conjugate_gradient_ends_after_as_many_steps_as_there_are_dimensions() -> None:
    rng = torch.Generator().manual_seed(0)
    basis = torch.linalg.qr(torch.randn(9, 9, generator=rng, dtype=torch.float64)).Q
    matrix = basis @ torch.diag(torch.logspace(0, 2, 9).double()) @ basis.T
    g = torch.randn(9, generator=rng, dtype=torch.float64)
    found = conjugate_gradient(lambda v: matrix @ v, g, iterations=9)
    assert torch.allclose(matrix @ found, g, atol=1e-6)


def test_the_divergence_is_that_of_old_from_new() -> None:
    old, new = random_law(5, 2, 3), random_law(6, 2, 3)
    batch = Batch(torch.tensor([0, 0]), torch.zeros(2).double(), random_law(7, 2))
    each = torch.stack([relative_entropy(p, q) for p, q in zip(old, new, strict=True)])
    found = float(trpo.divergence(old.log(), new.log(), batch))
    assert found == pytest.approx(float(random_law(7, 2) @ each), abs=1e-12)


def test_the_search_wants_the_surrogate_to_rise() -> None:
    """Here the full step stays within the radius and makes the policy worse."""
    swinging = lambda x: torch.log_softmax(
        torch.cat([torch.sin(5 * x), torch.zeros_like(x)]), -1
    ).expand(2, 2)
    advantages = torch.tensor([1.0, -1.0], dtype=torch.float64)
    batch = Batch(torch.tensor([0, 1]), advantages)
    start = torch.zeros(1, dtype=torch.float64)
    step = trpo_step(swinging, start, batch, delta=2.0)
    full = swinging(start + step.direction)
    assert float(trpo.divergence(swinging(start), full, batch)) < 2
    assert float(trpo.surrogate(full, swinging(start), batch)) < 0
    assert step.accepted and step.halvings == 1 and step.improvement > 0


def test_the_full_step_has_the_length_of_the_radius() -> None:
    step = trpo_step(bandit, THETA, bandit_batch(THETA, ADVANTAGES), delta=1e-6)
    p = torch.softmax(THETA, -1)
    fisher = torch.diag(p) - torch.outer(p, p)
    g = p * (ADVANTAGES - p @ ADVANTAGES)
    natural = torch.linalg.pinv(fisher, hermitian=True) @ g
    expected = math.sqrt(2e-6 / float(g @ natural)) * natural
    assert torch.allclose(step.direction, expected, atol=1e-10)
    batch = bandit_batch(THETA, ADVANTAGES)
    moved = trpo.divergence(bandit(THETA), bandit(THETA + step.direction), batch)
    assert float(moved) == pytest.approx(1e-6, rel=0.01)


def test_on_a_table_the_direction_is_multiplicative_weights() -> None:
    process, policy = random_process(3, 3, 4, 0.9), random_law(8, 3, 4)
    batch = every_pair(process, policy)
    step = trpo_step(
        table(3, 4), policy.log().reshape(-1), batch, delta=DELTA, solver=pseudo_inverse
    )
    advantage = tabular.solve(process, policy).advantage
    centred = (advantage - advantage.mean(-1, keepdim=True)).reshape(-1)
    cosine = torch.nn.functional.cosine_similarity(step.direction, centred, dim=0)
    assert float(cosine) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("delta", [1e-4, 0.01, 0.3, 5.0])
@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_the_radius_is_respected(delta: float, damping: float) -> None:
    for seed in range(4):
        theta, advantages = 2 * random_law(seed, 5).log(), 9 * random_law(seed + 50, 5) - 2
        batch = bandit_batch(theta, advantages)
        step = trpo_step(bandit, theta, batch, delta=delta, damping=damping)
        log_old, log_new = bandit(theta), bandit(step.parameters)
        moved = float(trpo.divergence(log_old, log_new, batch))
        assert step.accepted and moved <= delta and step.improvement > 0
        assert moved == pytest.approx(step.divergence)


def test_the_search_halves_a_step_that_is_too_long() -> None:
    """Near a deterministic policy the quadratic model is far too low."""
    theta = torch.tensor([6.0, 0.0], dtype=torch.float64)
    batch = bandit_batch(theta, torch.tensor([-1.0, 1.0], dtype=torch.float64))
    step = trpo_step(bandit, theta, batch, delta=0.05)
    assert step.halvings > 0 and step.divergence <= 0.05
    unsearched = float(trpo.divergence(bandit(theta), bandit(theta + step.direction), batch))
    assert unsearched > 0.05


def test_a_search_without_success_changes_nothing() -> None:
    theta = torch.tensor([6.0, 0.0], dtype=torch.float64)
    batch = bandit_batch(theta, torch.tensor([-1.0, 1.0], dtype=torch.float64))
    step = trpo_step(bandit, theta, batch, delta=0.05, halvings=0)
    assert not step.accepted and torch.equal(step.parameters, theta)
    idle = trpo_step(bandit, theta, Batch(batch.actions, 0 * batch.advantages), delta=0.05)
    assert not idle.accepted and torch.equal(idle.parameters, theta)


def test_steps_climb_the_two_state_problem() -> None:
    """One softmax for both states, as in the lesson: rows of `every_pair` see the same logits."""
    process, theta = two_state.process(), torch.zeros(3, dtype=torch.float64)
    returns = [float(tabular.solve(process, two_state.policy(theta)).objective)]
    log_policy = lambda x: torch.log_softmax(x, -1).expand(6, 3)
    for _ in range(8):
        batch = every_pair(process, two_state.policy(theta))
        theta = trpo_step(log_policy, theta, batch, delta=DELTA).parameters
        returns.append(float(tabular.solve(process, two_state.policy(theta)).objective))
    assert returns == sorted(returns) and returns[-1] > returns[0] + 0.5


def test_a_network_takes_a_step_too() -> None:
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4)).double()
    names = {name: p.shape for name, p in network.named_parameters()}
    flat = nn.utils.parameters_to_vector(network.parameters()).detach()
    observations = torch.randn(32, 3, dtype=torch.float64)

    def log_policy(theta: Tensor) -> Tensor:
        parts = theta.split([shape.numel() for shape in names.values()])
        named = {n: p.view(s) for (n, s), p in zip(names.items(), parts, strict=True)}
        return torch.log_softmax(functional_call(network, named, (observations,)), -1)

    batch = Batch(torch.randint(0, 4, (32,)), torch.randn(32, dtype=torch.float64))
    step = trpo_step(log_policy, flat, batch, delta=DELTA, damping=0.1)
    moved = trpo.divergence(log_policy(flat), log_policy(step.parameters), batch)
    assert step.accepted and 0 < float(moved) <= DELTA


def test_unusable_input_is_refused() -> None:
    batch = bandit_batch(THETA, ADVANTAGES)
    with pytest.raises(UnusableInput, match="delta"):
        trpo_step(bandit, THETA, batch, delta=0.0)
    with pytest.raises(UnusableInput, match="damping"):
        trpo_step(bandit, THETA, batch, delta=DELTA, damping=-1.0)
    with pytest.raises(UnusableInput, match="shapes differ"):
        trpo_step(bandit, THETA, Batch(batch.actions[:2], ADVANTAGES), delta=DELTA)
    with pytest.raises(UnusableInput, match="not finite"):
        trpo_step(bandit, THETA, bandit_batch(THETA, ADVANTAGES * math.inf), delta=DELTA)
