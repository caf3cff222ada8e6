"""Every part of the update: loss, epochs, minibatches, early stop, gradient norm; and it learns."""

import math
from dataclasses import replace

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons import ppo, tabular, two_state
from numerics.lessons.ppo import Batch, Settings, as_given, normalised, ppo_update, terms
from tests.numerics.lessons.walks import ActorCritic, walk

PLAIN = Settings(epochs=2, minibatch=16, learning_rate=0.01)


def model() -> ActorCritic:
    made = ActorCritic(2, 3)
    rng = torch.Generator().manual_seed(4)
    with torch.no_grad():
        made.actor.add_(torch.randn(2, 3, generator=rng, dtype=torch.float64))
        made.critic.add_(torch.randn(2, generator=rng, dtype=torch.float64))
    return made


def batch(count: int = 40) -> Batch:
    return walk(two_state.process(), ActorCritic(2, 3), count, seed=1)


def test_the_loss_is_its_formula_row_by_row() -> None:
    rows, settings = batch(), replace(PLAIN, value_clip=0.3, entropy_weight=0.07)
    found = terms(model(), rows, settings)
    with torch.no_grad():
        logits, values = model()(rows.observations)
    policy = torch.softmax(logits, -1).tolist()
    advantages = (rows.advantages - rows.advantages.mean()) / rows.advantages.std(correction=0)
    total = 0.0
    for n in range(40):
        p, a = policy[n], float(advantages[n])
        rho = p[int(rows.actions[n])] / math.exp(rows.logp_old[n])
        clipped = min(rho * a, min(max(rho, 0.8), 1.2) * a)
        value, old, target = float(values[n]), float(rows.values_old[n]), float(rows.returns[n])
        limited = old + min(max(value - old, -0.3), 0.3)
        error = max((value - target) ** 2, (limited - target) ** 2)
        total += 0.5 * error - clipped + 0.07 * sum(x * math.log(x) for x in p)
    assert float(found.loss.detach()) == pytest.approx(total / 40, rel=1e-6)


def test_an_infinite_clip_of_the_value_is_no_clip() -> None:
    rows = batch()
    values = model()(rows.observations)[1]
    found = terms(model(), rows, PLAIN).value_loss
    assert torch.allclose(found, ((values - rows.returns) ** 2).mean())
    clipped = terms(model(), rows, replace(PLAIN, value_clip=0.1)).value_loss
    assert float(clipped.detach()) > float(found.detach())


def test_epochs_and_minibatches_are_counted() -> None:
    start, rows = model(), batch()
    before = start.actor.detach().clone()
    done = ppo_update(start, rows, PLAIN)
    assert done.steps == 2 * 3 and len(done.epochs) == 2 and not done.stopped  # 16 + 16 + 8 rows
    assert torch.equal(start.actor, before)
    assert not torch.equal(done.model.get_parameter("actor"), before)


def test_the_seed_shuffles() -> None:
    found = [ppo_update(model(), batch(), replace(PLAIN, seed=s)) for s in (0, 0, 1)]
    ends = [done.model.get_parameter("actor").detach() for done in found]
    assert torch.equal(ends[0], ends[1]) and not torch.equal(ends[0], ends[2])


def test_the_epochs_stop_at_the_target_before_the_next_step() -> None:
    eager = replace(PLAIN, epochs=50, learning_rate=0.05, minibatch=40)
    free = ppo_update(ActorCritic(2, 3), batch(), eager)
    assert max(e.divergence for e in free.epochs) > 0.02
    held = ppo_update(ActorCritic(2, 3), batch(), replace(eager, target_divergence=0.02))
    assert held.stopped and held.steps < free.steps
    # Full batch: the step that first passes the target is the last one taken.
    passed = next(n for n, e in enumerate(free.epochs, 1) if e.divergence > 0.02)
    assert held.steps == passed


def test_the_gradient_is_limited_as_a_whole() -> None:
    made = model()
    rows = batch()
    before = torch.nn.utils.parameters_to_vector(made.parameters()).detach().clone()
    loss = terms(made, rows, PLAIN).loss
    norm = ppo.gradient_step(made, torch.optim.SGD(made.parameters(), lr=1.0), loss, 0.05)
    moved = torch.nn.utils.parameters_to_vector(made.parameters()).detach() - before
    assert norm > 0.05 and float(moved.norm()) == pytest.approx(0.05, rel=1e-4)


def test_advantages_are_normalised_within_a_minibatch() -> None:
    rows = batch()
    scaled = replace(rows, advantages=100 * rows.advantages + 7)
    losses = [float(terms(model(), b, PLAIN).objective.detach()) for b in (rows, scaled)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)
    given = [
        float(terms(model(), b, replace(PLAIN, advantages=as_given)).objective.detach())
        for b in (rows, scaled)
    ]
    assert abs(given[1] - given[0]) > 1
    assert normalised(torch.tensor([3.0])).tolist() == [0.0]


def test_the_reported_divergence_is_k3() -> None:
    rows = batch()
    found = terms(model(), rows, PLAIN)
    rho = found.log_ratio.detach().exp()
    assert found.divergence == pytest.approx(float((rho - 1 - rho.log()).mean()), rel=1e-9)


def test_it_learns_the_two_state_problem() -> None:
    process, trained = two_state.process(), ActorCritic(2, 3)
    value = lambda m: float(tabular.solve(process, torch.softmax(m.actor.detach(), -1)).objective)
    start = value(trained)
    best = max(
        float(tabular.solve(process, torch.eye(3).double()[[a, b]]).objective)
        for a in range(3)
        for b in range(3)
    )
    settings = Settings(epochs=6, minibatch=64, learning_rate=0.05, target_divergence=0.1)
    for round_ in range(8):
        rows = walk(process, trained, 200, seed=round_)
        update = ppo_update(trained, rows, settings)
        assert isinstance(update.model, ActorCritic)
        trained = update.model
    assert value(trained) > start + 0.8 * (best - start)


def test_unusable_input_is_refused() -> None:
    rows = batch()
    with pytest.raises(UnusableInput, match="rows differ"):
        ppo_update(model(), replace(rows, returns=rows.returns[:3]), PLAIN)
    with pytest.raises(UnusableInput, match="minibatch"):
        ppo_update(model(), rows, replace(PLAIN, minibatch=0))
    with pytest.raises(UnusableInput, match="not finite"):
        ppo_update(model(), replace(rows, returns=rows.returns * math.inf), PLAIN)
