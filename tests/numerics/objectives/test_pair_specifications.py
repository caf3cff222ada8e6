"""Objectives of pairs, values, entropies and token rewards: kernel term beside torch."""

from collections.abc import Mapping
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics import check
from numerics.families import families
from numerics.families.gae import last_steps
from numerics.families.preference import per_response, per_token_mean
from numerics.objective import objective
from numerics.objectives import reference
from numerics.objectives.bradley_terry import bradley_terry
from numerics.objectives.dpo import dpo
from numerics.objectives.entropy_bonus import token_entropy
from numerics.objectives.value_clip import value_clip
from numerics.reductions import reduce_tokens
from numerics.row_terms import evaluate_rows
from numerics.token_terms import evaluate

CASES: list[tuple[str, dict[str, Any]]] = [
    ("bradley_terry", {}),
    ("bradley_terry", {"margin": 0.5}),
    ("dpo", {}),
    ("dpo", {"beta": 0.5, "label_smoothing": 0.1}),
    ("ipo", {}),
    ("ipo", {"beta": 0.5}),
    ("kto", {}),
    ("kto", {"beta": 0.5, "point": 0.3, "weight_w": 1.5, "weight_l": 0.7}),
    ("simpo", {}),
    ("simpo", {"beta": 1.0, "gamma": 0.25}),
    ("orpo", {}),
    ("orpo", {"weight": 1.0}),
    ("value_clip", {}),
    ("value_clip", {"clip": None, "scale": 1.0}),
    ("entropy_bonus", {}),
    ("entropy_bonus", {"coefficient": 0.5}),
    ("ppo_full", {}),
    ("ppo_full", {"value_limit": 0.2, "value_weight": 0.25, "entropy_weight": 0.1}),
    ("rlhf_token_reward", {}),
]
AVERAGED = ("simpo", "orpo")


def term_side(name: str, options: dict, x: Mapping[str, Tensor]) -> Tensor:
    """The objective from its kernel term."""
    known = reference(name)
    assert known.specification is not None
    term = known.specification(**options)
    if known.family == "preference":
        combined = per_token_mean if name in AVERAGED else per_response
        pairs = {k: combined(x[k], x[f"mask_{k[-1]}"]) for k in x if not k.startswith("mask")}
        return evaluate(term, pairs).mean()
    if known.family == "reward_model":
        return evaluate(term, x).mean()
    if known.family == "entropy":
        laws = torch.softmax(x["logits"], -1).flatten(0, 1)
        values = evaluate_rows(term, {}, {"p": laws}).reshape(x["mask"].shape)
        return reduce_tokens(values, x["mask"], "token-mean")
    if known.family == "token_reward":
        return evaluate(term, {**x, "last": last_steps(x["mask"])}) * x["mask"]
    return reduce_tokens(evaluate(term, x), x["mask"], "token-mean")


@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_term_and_torch_agree(name: str, options: dict, regime: str) -> None:
    known = reference(name)
    family = families()[known.family]
    names = (family.differentiated, *family.also)
    for seed in range(3):
        x = family.sample(family.shapes[-1], seed, regime)
        leaves = {key: x[key].clone().requires_grad_() for key in names}
        given = {**x, **leaves}
        both = known.evaluate(given, options), term_side(name, options, given)
        assert torch.allclose(*both, rtol=1e-12, atol=1e-14)
        gradients = [
            torch.autograd.grad(v.sum(), [*leaves.values()], allow_unused=True) for v in both
        ]
        for mine, other in zip(*gradients, strict=True):
            assert (mine is None) == (other is None)
            if mine is not None:
                scale = float(mine.abs().max())
                assert torch.allclose(mine, other, rtol=1e-9, atol=1e-12 * scale)
                assert scale > 0 or regime == "far"


@pytest.mark.parametrize("name", dict(CASES))
def test_a_reference_passes_every_basic_property(name: str) -> None:
    known = reference(name)
    only = ("gradient_is_consistent", "ignores_masked_tokens", "matches_the_specification")
    report = check(objective(known.function, like=name), seeds=2, only=only)
    assert report.family == known.family
    assert report.verdict == "pass", report.findings
    assert "matches_the_specification" in {f.property for f in report.findings}
    assert report.coverage


def test_both_responses_are_differentiated() -> None:
    """A rejected response whose gradient is stopped is found by the second argument only."""

    def stopped(logp_w, logp_l, ref_w, ref_l):
        h = (logp_w - ref_w) - (logp_l.detach() - ref_l)
        return -torch.nn.functional.logsigmoid(0.1 * h).mean()

    def right(logp_w, logp_l, ref_w, ref_l):
        h = (logp_w - ref_w) - (logp_l - ref_l)
        return -torch.nn.functional.logsigmoid(0.1 * h).mean()

    judged = lambda loss: check(
        objective(loss, like="dpo"), only=("matches_the_specification",)
    ).findings[0]
    assert judged(right).verdict == "pass"
    assert judged(stopped).verdict == "fail"
    assert "logp_l" in judged(stopped).message
    (frozen,) = check(objective(stopped), only=("reports_frozen_sites",)).findings
    assert (frozen.verdict, "detach" in frozen.message) == ("reported", True)
    (none,) = check(objective(right), only=("reports_frozen_sites",)).findings
    assert none.verdict == "pass"


def test_an_argument_that_does_not_matter_is_not_judged() -> None:
    """The curvature of a divergence at equality is that of one law."""

    def product(logits_p, logits_q, vector):
        q = logits_q.softmax(-1)
        return q * vector - q * (q * vector).sum(-1, keepdim=True)

    assert check(objective(product), only=("gradient_is_consistent",)).verdict == "pass"


def test_a_loss_of_whole_responses_and_one_of_tokens_are_both_dpo() -> None:
    def whole(logp_w, logp_l, ref_w, ref_l, beta=0.1):
        h = (logp_w - logp_l) - (ref_w - ref_l)
        return torch.nn.functional.softplus(-beta * h).mean()

    def tokens(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
        h_w, h_l = ((logp_w - ref_w) * mask_w).sum(-1), ((logp_l - ref_l) * mask_l).sum(-1)
        return torch.nn.functional.softplus(-0.1 * (h_w - h_l)).mean()

    def averaged(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
        h_w = ((logp_w - ref_w) * mask_w).sum(-1) / mask_w.sum(-1)
        h_l = ((logp_l - ref_l) * mask_l).sum(-1) / mask_l.sum(-1)
        return torch.nn.functional.softplus(-0.1 * (h_w - h_l)).mean()

    verdicts = [check(objective(f, like="dpo")).verdict for f in (whole, tokens, averaged)]
    assert verdicts == ["pass", "pass", "fail"]


def test_token_rewards_are_judged_by_value_also_under_no_grad() -> None:
    @torch.no_grad()
    def right(logp, logp_ref, score, mask, beta):
        rewards = -beta * (logp - logp_ref) * mask
        last = mask.sum(-1).long() - 1
        rewards[torch.arange(len(score)), last] += score
        return rewards

    @torch.no_grad()
    def at_the_first(logp, logp_ref, score, mask, beta):
        rewards = -beta * (logp - logp_ref) * mask
        rewards[:, 0] += score
        return rewards

    assert check(objective(right, like="rlhf_token_reward")).verdict == "pass"
    assert check(objective(at_the_first, like="rlhf_token_reward")).verdict == "fail"

    def fixed(logp, logp_ref, score, mask):
        return right(logp, logp_ref, score, mask, 0.3)

    def constant(logp, logp_ref, score, mask, beta):
        return right(logp, logp_ref, score, mask, beta)

    declared = objective(constant, like="rlhf_token_reward", constants={"beta": 0.3})
    assert check(declared).verdict == "pass"
    assert check(objective(fixed, like="rlhf_token_reward")).verdict == "fail"  # beta is sampled


def test_dpo_at_the_reference_and_its_antisymmetry() -> None:
    x = families()["preference"].sample({"B": 5, "T": 4}, 0, "moderate")
    w, lo, a, b = (x[k] for k in ("logp_w", "logp_l", "mask_w", "mask_l"))
    same = dpo(w, lo, w, lo, a, b, pairs="none")
    assert torch.allclose(same, torch.full_like(same, 2.0).log(), rtol=1e-14)
    args = (w, lo, x["ref_w"], x["ref_l"], a, b)
    swapped = (lo, w, x["ref_l"], x["ref_w"], b, a)
    flipped = dpo(*args, label_smoothing=1.0)
    assert float(flipped) == pytest.approx(float(dpo(*swapped)), rel=1e-13)


def test_dpo_is_bradley_terry_of_the_implicit_rewards() -> None:
    x = families()["preference"].sample({"B": 5, "T": 4}, 1, "moderate")
    rewards = [
        0.1 * per_response(x[f"logp_{s}"] - x[f"ref_{s}"], x[f"mask_{s}"]) for s in ("w", "l")
    ]
    assert float(dpo(**x)) == pytest.approx(float(bradley_terry(*rewards)), rel=1e-13)  # pyright: ignore[reportArgumentType]


def test_the_value_clip_is_never_below_the_plain_error() -> None:
    x = families()["value"].sample({"B": 4, "T": 9}, 3, "moderate")
    assert float(value_clip(**x)) > float(value_clip(**x, clip=None))  # pyright: ignore[reportArgumentType]


def test_entropy_of_uniform_certain_and_impossible_tokens() -> None:
    logits = torch.tensor([[0.0, 0.0, -torch.inf], [0.0, -1e4, -1e4]], dtype=torch.float64)
    leaf = logits.requires_grad_()
    found = token_entropy(leaf)
    assert found.tolist() == pytest.approx([0.6931471805599453, 0.0])
    assert bool(torch.isfinite(torch.autograd.grad(found.sum(), leaf)[0]).all())
