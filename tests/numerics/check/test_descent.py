"""Expected gradients: the table at length one, token versions at length two, no answer."""

import pytest
import torch

from numerics import descend
from numerics.check.basis import basis
from numerics.check.descent import one_line, sparsest
from numerics.check.enumeration import expected_gradient, flat_gradient, trained, words, world
from numerics.errors import UnusableInput
from numerics.objective import Objective, objective
from numerics.objectives import references
from numerics.objectives.grpo import grpo
from numerics.objectives.kl_penalty import kl_penalty
from numerics.objectives.ppo_clip import ppo_clip


def penalised(**options) -> Objective:
    """-min(rho A, clip A) + 0.04 penalty."""

    def loss(logp, logp_old, logp_ref, adv, mask):
        return grpo(logp, logp_old, logp_ref, adv, mask, **options)

    return objective(loss)


TABLE = [
    ({"kind": "k1"}, {"E[r]": -1.0}),
    ({"kind": "k2"}, {"E[r]": -1.0, "KL(pi||ref)": 0.04}),
    ({"kind": "k3"}, {"E[r]": -1.0, "KL(ref||pi)": 0.04}),
    ({"kind": "k1", "kl_ratio": "differentiable"}, {"E[r]": -1.0, "KL(pi||ref)": 0.04}),
    ({"kind": "k3", "kl_ratio": "differentiable"}, {"E[r]": -1.0, "KL(pi||ref)": 0.04}),
]


def _assert_follows(answer, expected: dict) -> None:
    assert answer.resolved
    assert answer.residual < 1e-10
    assert {t.gradient: t.coefficient for t in answer.terms} == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize(("options", "expected"), TABLE)
def test_the_table_at_length_one(options: dict, expected: dict) -> None:
    _assert_follows(descend(penalised(**options), length=1), expected)


@pytest.mark.parametrize(("options", "expected"), TABLE)
def test_token_versions_at_length_two(options: dict, expected: dict) -> None:
    """For the same penalties, the divergences with their prefixes frozen."""
    answer = descend(penalised(**options, reduce="seq-mean-token-sum"), length=2)
    frozen = {name if name == "E[r]" else f"t{name}": value for name, value in expected.items()}
    _assert_follows(answer, frozen)


@pytest.mark.parametrize(("options", "expected"), TABLE)
def test_a_token_mean_halves_everything_at_equal_length_two(options: dict, expected: dict) -> None:
    answer = descend(penalised(**options, reduce="token-mean"), length=2)
    names = {name if name == "E[r]" else f"t{name}": value / 2 for name, value in expected.items()}
    _assert_follows(answer, names)
    assert "may stop early: not resolved" in answer.notes[0]


def test_a_mean_over_each_response_weighs_by_length() -> None:
    def loss(logp, logp_old, adv, mask):
        return ppo_clip(logp, logp_old, adv, mask, reduce="seq-mean-token-mean")

    _assert_follows(descend(loss, length=2), {"E[r;|y|=1]": -1.0, "E[r;|y|=2]": -0.5})


def test_the_ratio_with_k2_is_not_resolved() -> None:
    answer = descend(penalised(kind="k2", kl_ratio="differentiable"))
    assert not answer.resolved
    assert answer.residual > 1e-5
    assert one_line(answer).startswith("not resolved")


def test_entropy_bonus_from_logits() -> None:
    def loss(logits, labels, logp_old, adv, mask):
        log_pi = torch.log_softmax(logits, -1)
        logp = log_pi.gather(-1, labels[..., None])[..., 0]
        entropy = -(log_pi.exp() * log_pi).sum(-1)
        return ((-(logp - logp_old).exp() * adv - 0.1 * entropy) * mask).sum(-1).mean()

    _assert_follows(descend(loss, length=1), {"E[r]": -1.0, "H": -0.1})
    _assert_follows(descend(loss, length=2), {"E[r]": -1.0, "tH": -0.1})


def test_off_policy_likelihood_and_surrogate() -> None:
    likelihood = lambda logp, adv, mask: -(logp * adv * mask).sum(-1).mean()
    answer = descend(likelihood, sampling="off-policy")
    _assert_follows(answer, {"E_old[r log pi]": -1.0})
    surrogate = lambda logp, logp_old, adv, mask: (
        -((logp - logp_old).exp() * adv * mask).sum(-1).mean()
    )
    _assert_follows(descend(surrogate, sampling="off-policy"), {"E[r]": -1.0})


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("k1", {}), ("k2", {"KL(pi||ref)": 1.0}), ("k3", {"KL(ref||pi)": 1.0})],
)
def test_a_penalty_per_token(kind: str, expected: dict) -> None:
    def penalty(logp, logp_ref):
        return kl_penalty(logp, logp, logp_ref, torch.ones_like(logp), kind=kind)

    answer = descend(penalty)
    _assert_follows(answer, expected)
    assert one_line(answer) == (
        "grad L = 0" if not expected else f"grad L = 1 grad {next(iter(expected))}"
    )


def test_a_clamp_shows_far_from_the_reference_only() -> None:
    answer = descend(penalised(kind="k3", kl_value_clamp=1.0))
    _assert_follows(answer, {"E[r]": -1.0, "KL(ref||pi)": 0.04})
    assert "far from the reference" in answer.notes[0]
    assert descend(penalised(kind="k3")).notes == ()


def test_advantages_per_response() -> None:
    def loss(logp, logp_old, adv, mask):
        return -((logp - logp_old).exp() * adv.unsqueeze(-1) * mask).sum(-1).mean()

    _assert_follows(descend(loss, length=2), {"E[r]": -1.0})


def test_importance_weights_of_the_sampler_are_one() -> None:
    def weighted(logp, logp_old, adv, mask, rollout_is_weights):
        ratio = (logp - logp_old).exp()
        return -(rollout_is_weights * ratio * adv * mask).sum(-1).mean()

    _assert_follows(descend(weighted), {"E[r]": -1.0})


@pytest.mark.parametrize("name", ["value_clip", "dpo", "group_mean", "whiten"])
def test_what_samples_nothing_is_refused(name: str) -> None:
    with pytest.raises(UnusableInput, match="no expected gradient over sampled responses"):
        descend(objective(references()[name].function))


def test_float32_is_no_reason_for_another_answer() -> None:
    """Its rounding is allowed for, a fault of the same size in float64 is not."""

    def rounded(logp, logp_old, adv, mask):
        ratio = (logp - logp_old).exp()
        return -(ratio * adv.float().double() * mask).sum(-1).mean()

    answer = descend(rounded)
    assert [t.gradient for t in answer.terms] == ["E[r]"]
    assert 1e-9 < answer.residual < answer.tolerance

    def shifted(logp, logp_old, adv, mask):
        ratio = (logp - logp_old).exp()
        return -(ratio * (adv + 1e-7 * logp.detach() ** 3) * mask).sum(-1).mean()

    assert not descend(shifted).resolved


def test_off_policy_token_ratios_and_penalties() -> None:
    """At length two the ratios of tokens are no ratio of responses; penalties are averaged over the
    old policy.
    """

    def loss(logp, logp_old, logp_ref, adv, mask, kind="k3"):
        return grpo(logp, logp_old, logp_ref, adv, mask, kind=kind, reduce="seq-mean-token-sum")

    answer = descend(loss, length=2, sampling="off-policy")
    _assert_follows(answer, {"E_old[r sum rho]": -1.0, "E_old[k3]": 0.04})
    squared = objective(loss, constants={"kind": "k2"})
    answer = descend(squared, sampling="off-policy")
    _assert_follows(answer, {"E[r]": -1.0, "E_old[k2]": 0.04})


def test_a_user_can_add_a_gradient() -> None:
    def cubed(one, sampling):
        one = trained(one)
        logs = torch.log_softmax(one.policy[0], -1)
        return flat_gradient((logs.detach().exp() * logs**3).sum(), one.policy)

    loss = lambda logp, adv, mask: (logp**3 * mask).sum(-1).mean() + 0 * adv.sum()
    assert not descend(loss).resolved
    _assert_follows(descend(loss, extra={"E[log^3]": cubed}), {"E[log^3]": 1.0})


def test_the_sparsest_answer_of_a_collinear_basis() -> None:
    x, y = torch.eye(4, dtype=torch.float64)[:2]
    terms, residual = sparsest(3 * (x + y), {"x": x, "y": y, "x+y": x + y})
    assert [(t.gradient, t.coefficient) for t in terms] == [("x+y", pytest.approx(3.0))]
    assert residual < 1e-12
    assert sparsest(0 * x, {"x": x}) == ((), 0.0)
    terms, residual = sparsest(torch.ones(4, dtype=torch.float64), {"x": x, "y": y})
    assert residual == pytest.approx(0.5**0.5)


def test_a_small_unexplained_part_is_not_rounded_away() -> None:
    def loss(logp, logp_old, adv, mask):
        return -(((logp - logp_old).exp() * adv + 1e-6 * logp**3) * mask).sum(-1).mean()

    answer = descend(loss)
    assert not answer.resolved
    assert 1e-8 < answer.residual < 1e-4


@pytest.mark.parametrize("flags", [{"length": 0}, {"length": 3}, {"sampling": "both"}])
def test_what_cannot_be_enumerated_is_refused(flags: dict) -> None:
    with pytest.raises(UnusableInput):
        descend(ppo_clip, **flags)


def test_responses_are_enumerated() -> None:
    assert len(words(3, 2, "never")) == 9
    assert words(2, 2, "early") == ((0, 0), (0, 1), (1,))
    assert len(words(3, 2, "early")) == 7


@pytest.mark.parametrize("stops", ["never", "early"])
def test_every_gradient_is_the_derivative_of_what_it_is_named_after(stops: str) -> None:
    """Sequence quantities by central differences of their definitions."""
    one = world(4, length=2, vocabulary=3, stops=stops, distance=0.5, drift=0.1)

    def law(tables):
        return torch.stack(
            [
                torch.stack(
                    [torch.log_softmax(tables[t][w[:t]], -1)[w[t]] for t in range(len(w))]
                ).sum()
                for w in one.words
            ]
        ).exp()

    ref = law(one.reference)
    values = {
        "E[r]": lambda p: (p * one.rewards).sum(),
        "KL(pi||ref)": lambda p: (p * (p / ref).log()).sum(),
        "KL(ref||pi)": lambda p: (ref * (ref / p).log()).sum(),
        "H": lambda p: -(p * p.log()).sum(),
        "E_old[r log pi]": lambda p: (law(one.old) * one.rewards * p.log()).sum(),
        "KL(old||pi)": lambda p: -(law(one.old) * p.log()).sum(),
    }
    for name, value in values.items():
        found = basis(2, "off-policy", stops)[name](one, "off-policy")
        flat = torch.cat([table.reshape(-1) for table in one.policy])
        line = torch.randn(len(flat), generator=torch.Generator().manual_seed(1)).double()

        def at(step: float, value=value, flat=flat, line=line) -> float:
            moved = flat + step * line
            return float(value(law((moved[:3], moved[3:].reshape(3, 3)))))

        assert float(found @ line) == pytest.approx((at(1e-5) - at(-1e-5)) / 2e-5, abs=1e-8)


def test_the_expected_gradient_of_a_likelihood_is_the_score() -> None:
    """Constant reward: E[grad log pi] = 0."""
    one = world(0, length=2, vocabulary=3, stops="early", distance=0.5, drift=0.0)
    score = expected_gradient(lambda x: (x["logp"] * x["mask"]).sum(), one, "on-policy")
    assert float(score.abs().max()) < 1e-14


def test_a_loss_without_sampled_responses_is_refused_before_it_is_run() -> None:
    from numerics.objectives.accumulated_gradient import accumulated_gradient

    with pytest.raises(UnusableInput, match="no expected gradient over sampled responses"):
        descend(accumulated_gradient)
