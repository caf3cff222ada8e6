"""Losses of groups: what each estimator follows, the weights of prompts, what couples prompts."""

from functools import partial
from math import comb, sqrt

import pytest
import torch

from numerics import descend, objective
from numerics.check.answers import Term, one_line, sparsest
from numerics.check.descent import Decomposition
from numerics.check.enumeration import log_probabilities
from numerics.check.group_basis import Law, plain_basis
from numerics.check.groups import expected_group_gradient, groups
from numerics.errors import UnusableInput
from numerics.lessons.group_advantages import prompt_weight
from numerics.objectives.group_leave_one_out import group_leave_one_out
from numerics.objectives.group_mean import group_mean
from numerics.objectives.group_normalised import group_normalised
from numerics.objectives.grpo import grpo
from numerics.objectives.rloo import rloo

POPULATION = partial(group_normalised, deviation="population")
SAMPLE = partial(group_normalised, deviation="sample")


def after(estimator, **options):
    """GRPO's loss of the estimator's advantages."""

    def loss(logp, logp_old, logp_ref, rewards, group, mask):
        return grpo(logp, logp_old, logp_ref, estimator(rewards, group, mask), mask, **options)

    return objective(loss)


def _found(answer: Decomposition) -> dict[str, float]:
    assert answer.resolved, answer
    return {term.gradient: term.coefficient for term in answer.terms}


@pytest.mark.parametrize("size", [2, 4])
def test_the_mean_baseline_is_short_by_one_over_k(size: int) -> None:
    answer = descend(after(group_mean, beta=0.0), group_size=size)
    assert _found(answer) == pytest.approx({"E[r]": -(size - 1) / size})
    assert answer.notes == ()


def test_leave_one_out_follows_the_reward() -> None:
    assert _found(descend(rloo)) == pytest.approx({"E[r]": -1.0})


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.long)])
def test_normalised_advantages_weigh_prompts(size: int) -> None:
    """The weights come out as the sum over binomial counts."""
    answer = descend(after(POPULATION, beta=0.0), group_size=size)
    assert _found(answer) == pytest.approx({f"w_{size}(p) E[r]": -1.0})
    assert len(answer.weights) == 8
    for weight in answer.weights:
        p, K = weight.rate, size
        chances = [comb(K, c) * p**c * (1 - p) ** (K - c) for c in range(K + 1)]
        expected = sum(x * sqrt(c / K * (1 - c / K)) for c, x in enumerate(chances)) / (p * (1 - p))
        assert weight.observed == pytest.approx(expected, rel=1e-9)
        assert weight.known == pytest.approx(prompt_weight(K, p), rel=1e-12)
    rates = [weight.rate for weight in answer.weights]
    assert min(rates) < 0.3 and max(rates) > 0.7


def test_groups_of_two_and_three_are_not_reweighted() -> None:
    """w_2 = 1 and w_3 = sqrt 2: one coefficient for all prompts, as the theorem says."""
    for size, weight in ((2, 1.0), (3, sqrt(2))):
        answer = descend(after(POPULATION, beta=0.0), group_size=size)
        assert {round(w.observed, 9) for w in answer.weights} <= {round(weight, 9)}
        total = [
            t.coefficient * (weight if t.gradient.startswith("w_") else 1) for t in answer.terms
        ]
        assert total == pytest.approx([-weight])


def test_the_sample_deviation_scales_and_a_guard_is_named() -> None:
    answer = descend(after(partial(SAMPLE, guard=1e-4), beta=0.0))
    assert _found(answer) == pytest.approx({"w_4(p) E[r]": -sqrt(3 / 4)})
    assert "divided by the sample's deviation + 0.0001" in answer.notes
    assert one_line(answer) == "grad L = -0.8660254038 w_4(p) grad E[r]"


def test_an_unknown_normalisation_is_reported_prompt_by_prompt() -> None:
    """Cubed: no law of ours, but its direction and its weights are found."""

    def cubed(rewards, group, mask):
        return POPULATION(rewards, group, mask) ** 3

    answer = descend(after(cubed, beta=0.0))
    assert [term.gradient for term in answer.terms] == ["w(p) E[r]"]
    assert "no known law gives these weights" in answer.notes
    assert all(weight.known is None for weight in answer.weights)
    for weight in answer.weights[:3]:  # sum_i A_i grad log pi(y_i) = (right - wrong) grad p / ...
        p, K = weight.rate, 4
        expected = 0.0
        for c in range(1, K):
            right, wrong = ((K - c) / c) ** 1.5, -((c / (K - c)) ** 1.5)
            chance = comb(K, c) * p**c * (1 - p) ** (K - c)
            expected += chance * (c / K * right / p - (K - c) / K * wrong / (1 - p))
        assert weight.observed == pytest.approx(expected, rel=1e-9)


@pytest.mark.long
def test_a_penalty_beside_the_weights() -> None:
    answer = descend(after(POPULATION, beta=0.04))
    assert _found(answer) == pytest.approx({"w_4(p) E[r]": -1.0, "KL(ref||pi)": 0.04})
    wrong = descend(after(POPULATION, beta=0.04, kind="k2"))
    assert _found(wrong) == pytest.approx({"w_4(p) E[r]": -1.0, "KL(pi||ref)": 0.04})


@pytest.mark.long
def test_unequal_lengths_follow_another_objective() -> None:
    """Theorem `length_normalisation_follows_another_objective`; a constant denominator mends it."""
    answer = descend(after(group_mean, beta=0.0), length=2)
    assert answer.stops == "early"
    assert _found(answer) == pytest.approx({"E[r/|y|]": -0.75, "J E[1/|y|]": 0.75})
    constant = descend(after(group_mean, beta=0.0, reduce="seq-mean-token-sum-norm"), length=2)
    assert constant.stops == "early"
    assert _found(constant) == pytest.approx({"E[r]": -0.375})


@pytest.mark.long
def test_a_token_mean_has_no_answer_at_unequal_lengths() -> None:
    answer = descend(after(group_mean, beta=0.0, reduce="token-mean"), length=2)
    assert _found(answer) == pytest.approx({"E[r]": -0.375})
    assert any("may stop early: not resolved" in note for note in answer.notes)


def test_off_policy_groups() -> None:
    surrogate = descend(after(group_mean, beta=0.0), sampling="off-policy")
    assert _found(surrogate) == pytest.approx({"E[r]": -0.75})
    without_ratio = descend(rloo, sampling="off-policy")
    expected = {"E_old[r log pi]": -1.0, "J KL(old||pi)": -1.0}
    assert _found(without_ratio) == pytest.approx(expected)


@pytest.mark.long
def test_a_penalty_off_policy_is_averaged_over_the_old_policy() -> None:
    penalised = descend(after(group_mean, beta=0.04), sampling="off-policy")
    assert _found(penalised) == pytest.approx({"E[r]": -0.75, "E_old[k3]": 0.04})


def test_advantages_that_ignore_the_group_couple_prompts() -> None:
    def over_the_batch(rewards, group, mask):
        return rewards - rewards.mean()

    answer = descend(after(over_the_batch, beta=0.0), group_size=3)
    assert _found(answer) == pytest.approx({"E[r]": -2 / 3})
    assert any("two prompts" in note for note in answer.notes)
    right = descend(after(group_mean, beta=0.0), group_size=3)
    assert right.notes == ()


def test_deviations_by_position_couple_prompts() -> None:
    def by_position(rewards, group, mask):
        return POPULATION(rewards, torch.arange(len(rewards)) // 4, mask)

    answer = descend(after(by_position, beta=0.0))
    assert set(_found(answer)) == {"w_4(p) E[r]"}
    assert any("two prompts" in note for note in answer.notes)


def test_a_baseline_of_itself_is_not_the_policy_gradient() -> None:
    """The largest reward of the group as a baseline: biased, and not resolved."""

    def against_the_best(rewards, group, mask):
        best = torch.stack([rewards[group == g].max() for g in group])
        return rewards - best

    answer = descend(after(against_the_best, beta=0.0))
    found = {} if not answer.resolved else _found(answer)
    assert found != pytest.approx({"E[r]": -1.0})
    assert set(found) <= {"w(p) E[r]"}


def test_a_claim_is_held_against_the_weights() -> None:
    loss = after(POPULATION, beta=0.0)
    claimed = objective(loss.function, claims=["E[r]"])
    answer = descend(claimed)
    assert answer.warning == "claimed to follow E[r]; it follows w_4(p) E[r]"
    fair = after(group_leave_one_out, beta=0.0).function
    assert descend(objective(fair, claims=["E[r]"])).warning is None


@pytest.mark.parametrize("size", [1, 7])
def test_a_group_that_cannot_be_enumerated_is_refused(size: int) -> None:
    with pytest.raises(UnusableInput, match="a group of 2 to 6"):
        descend(rloo, group_size=size)


def test_a_law_with_a_guard_is_below_the_one_without() -> None:
    for correction in (0, 1):
        near = Law(4, correction, 1e-9).weight(0.3)
        assert near == pytest.approx(Law(4).weight(0.3), rel=1e-8)
        assert Law(4, correction, 1e-2).weight(0.3) < near


def test_the_weighted_gradients_are_those_of_their_definitions() -> None:
    """E[r/|y|] and J E[1/|y|] by central differences."""
    batch = groups(
        1, size=2, length=2, stops="early", distance=0.4, drift=0.1, binary=True, prompts=1
    )
    (one,) = batch.prompts
    lengths = torch.tensor([float(len(word)) for word in one.words]).double()
    rate = batch.rate(one, "on-policy")
    values = {
        "E[r/|y|]": lambda law: (law * one.rewards / lengths).sum(),
        "J E[1/|y|]": lambda law: rate * (law / lengths).sum(),
    }
    flat = torch.cat([table.reshape(-1) for table in one.policy])
    line = torch.randn(len(flat), generator=torch.Generator().manual_seed(1)).double()
    known = plain_basis(2, "on-policy", "early")

    def law(point):
        tables = (point[:2], point[2:].reshape(2, 2))
        logs = [log_probabilities(tables, word).sum() for word in one.words]
        return torch.stack(logs).exp()

    for name, value in values.items():
        found = known[name](batch, "on-policy")
        apart = float(value(law(flat + 1e-5 * line)) - value(law(flat - 1e-5 * line))) / 2e-5
        assert float(found @ line) == pytest.approx(apart, abs=1e-9)


def test_a_batch_is_weighted_by_its_probability() -> None:
    """Weights sum to one: the expected gradient of a likelihood is the score, zero."""
    batch = groups(0, size=3, length=1, stops="never", distance=0.4, drift=0.0, binary=False)
    score = expected_group_gradient(lambda x: x["logp"].sum(), batch, "on-policy")
    assert float(score.abs().max()) < 1e-14


def test_more_columns_than_are_searched_are_left_out_one_by_one() -> None:
    columns = {str(n): torch.eye(7, dtype=torch.float64)[n] for n in range(7)}
    terms, residual = sparsest(columns["0"] + sum(columns[str(n)] for n in range(1, 6)), columns)
    assert [t.gradient for t in terms] == ["0", "1", "2", "3", "4", "5"]
    assert residual < 1e-12


def test_names_of_weights_stand_before_the_gradient() -> None:
    terms = (Term("w_4(p) J E[1/|y|]", 2.0), Term("KL(pi||ref)", -1.0), Term("white noise", 1.0))
    answer = Decomposition("f", "on-policy", 1, terms, 0.0)
    expected = "2 w_4(p) J grad E[1/|y|] - 1 grad KL(pi||ref) + 1 grad white noise"
    assert one_line(answer) == f"grad L = {expected}"
