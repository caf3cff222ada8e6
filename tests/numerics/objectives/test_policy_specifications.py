"""Objectives of tokens and of responses: kernel term beside torch, values by hand."""

import functools
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics import check
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import Reference, reference
from numerics.objectives.cispo import cispo
from numerics.objectives.gmpo import gmpo
from numerics.objectives.gspo import gspo
from numerics.objectives.luspo import luspo
from numerics.objectives.ppo_clip import ppo_clip
from numerics.objectives.reinforce import reinforce
from numerics.objectives.sapo import sapo
from numerics.reductions import reduce_tokens
from numerics.row_terms import evaluate_rows
from numerics.token_terms import evaluate

BASIC = ("gradient_is_consistent", "ignores_masked_tokens", "matches_the_specification")
SHAPE = {"B": 3, "T": 7, "V": 5}
TOKENS: list[tuple[str, dict[str, Any], str]] = [
    ("reinforce", {}, "seq-mean-token-sum"),
    ("gpg", {}, "token-mean"),
    ("trpo_surrogate", {}, "token-mean"),
    ("trpo_surrogate", {"log_ratio_clamp": 20.0}, "token-mean"),
    ("cispo", {}, "token-mean"),
    ("cispo", {"lowest": 0.8, "highest": 1.28}, "token-mean"),
    ("sapo", {}, "seq-mean-token-mean"),
    ("sapo", {"tau_pos": 2.0, "tau_neg": 0.5, "log_ratio_clamp": 5.0}, "seq-mean-token-mean"),
    ("dapo", {}, "token-mean"),
    ("bnpo", {"clip": 0.1, "clip_high": 0.3}, "token-mean"),
    ("dr_grpo", {}, "seq-mean-token-sum-norm"),
]
ROWS: list[tuple[str, dict[str, Any]]] = [
    ("gspo", {}),
    ("gspo", {"clip": 0.2, "clip_high": 0.1}),
    ("gspo", {"clip": 0.9, "clip_high": 0.9, "log_ratio_cap": 0.1}),
    ("luspo", {"clip": 0.2, "clip_high": 0.1}),
    ("gmpo", {}),
    ("gmpo", {"clip": 0.2, "clip_high": 0.6}),
]


def agree(torch_side: Tensor, term_side: Tensor, leaf: Tensor) -> float:
    """Equal in value and in gradient, up to rounding; the largest entry of the gradient."""
    assert torch.allclose(torch_side, term_side, rtol=1e-13, atol=1e-15)
    gradients = [
        torch.autograd.grad(v, leaf, allow_unused=True)[0] for v in (torch_side, term_side)
    ]
    mine, other = (torch.zeros_like(leaf) if g is None else g for g in gradients)
    assert torch.allclose(mine, other, rtol=1e-12, atol=1e-13 * float(mine.abs().max()))
    return float(mine.abs().max())


@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
@pytest.mark.parametrize(("name", "options", "reduce"), TOKENS, ids=str)
def test_term_and_torch_of_tokens(name: str, options: dict, reduce: str, regime: str) -> None:
    known = reference(name)
    assert known.specification is not None
    for seed in range(2):
        x = families()[known.family].sample(SHAPE, seed, regime)
        leaf = x["logp"].clone().requires_grad_()
        given = {**x, "logp": leaf}
        term = evaluate(known.specification(**options), given)
        value = known.evaluate(given, options)
        assert agree(value, reduce_tokens(term, x["mask"], reduce), leaf) > 0


@pytest.mark.parametrize("regime", ["near", "moderate"])
@pytest.mark.parametrize(("name", "options"), ROWS, ids=str)
def test_term_and_torch_of_responses(name: str, options: dict, regime: str) -> None:
    known = reference(name)
    assert known.specification is not None
    term, largest = known.specification(**options), []
    for seed in range(3):
        x = families()["policy"].sample(SHAPE, seed, regime)
        x["adv"] = x["adv"][:, 0] * torch.tensor([1.0, -1.0, 1.0])
        leaf = x["logp"].clone().requires_grad_()
        given = {**x, "logp": leaf}
        tables = {key: given[key] for key in ("logp", "logp_old", "mask")}
        rows = evaluate_rows(term, {"adv": x["adv"]}, tables)
        largest.append(agree(known.evaluate(given, options), rows.mean(), leaf))
    if options or regime == "near":  # GSPO's own limits clip every response of the others
        assert max(largest) > 0


@pytest.mark.parametrize("name", sorted({name for name, *_ in (*TOKENS, *ROWS)}))
def test_a_reference_passes_and_a_factor_on_it_fails(name: str) -> None:
    known = reference(name)
    report = check(objective(known.function, like=name), seeds=1, only=BASIC)
    assert report.verdict == "pass", report.findings
    wrong = check(objective(scaled(known), like=name), seeds=1, only=BASIC)
    assert {f.property: f.verdict for f in wrong.findings}["matches_the_specification"] == "fail"


def scaled(known: Reference) -> Any:
    """1.001 times a reference, with its signature."""

    @functools.wraps(known.function)
    def loss(**inputs: Tensor) -> Tensor:
        return 1.001 * known.evaluate(inputs, {})

    return loss


def one(ratio: float, adv: float, function: Any, **options: Any) -> float:
    """-d loss / d log pi of the first of two tokens, the other at ratio one."""
    gap = torch.tensor([[ratio, 1.0]], dtype=torch.float64).log()
    logp = (gap - 2.0).requires_grad_()
    ones = torch.ones_like(gap)
    loss = function(logp, 0 * ones - 2.0, adv * ones, ones, **options)
    if not loss.requires_grad:
        return 0.0
    return -float(torch.autograd.grad(loss, logp)[0][0, 0])


def test_cispo_keeps_a_gradient_where_the_clip_has_none() -> None:
    assert one(3.0, 2.0, ppo_clip) == 0.0
    assert one(3.0, 2.0, cispo, highest=1.2) == pytest.approx(1.2 * 2.0 / 2)
    assert one(0.5, -2.0, cispo, lowest=0.8) == pytest.approx(-0.8)


def test_sapo_is_the_policy_gradient_on_policy_and_fades() -> None:
    for adv in (2.0, -2.0):
        assert one(1.0, adv, sapo) == pytest.approx(adv / 2)
    assert 0 < one(8.0, 2.0, sapo) < 0.1 * one(1.0, 2.0, sapo)


def test_gspo_clips_a_whole_response_and_gmpo_its_tokens() -> None:
    assert one(1.5, 2.0, gspo) == 0.0  # the mean ratio is sqrt(1.5), beyond 1.0004
    assert one(1.5, 2.0, gspo, clip_high=0.5) == pytest.approx(1.5**0.5 * 2.0 / 2)
    assert one(1.4, 2.0, gmpo) == pytest.approx(1.4**0.5 * 2.0 / 2)  # log 1.4 < 0.4
    assert one(1.6, 2.0, gmpo) == 0.0
    assert one(0.5, 2.0, gmpo) == pytest.approx(0.5**0.5)  # A > 0 has no lower limit
    assert one(0.5, -2.0, gmpo) == 0.0


def test_the_token_level_of_gspo_differs_only_when_advantages_do() -> None:
    x = families()["policy"].sample(SHAPE, 0, "near")

    def gradient(level: str, adv: Tensor) -> Tensor:
        leaf = x["logp"].clone().requires_grad_()
        loss = gspo(leaf, x["logp_old"], adv, x["mask"], clip=0.5, clip_high=0.5, level=level)
        return torch.autograd.grad(loss, leaf)[0]

    whole = x["adv"][:, 0]
    assert torch.allclose(gradient("sequence", whole), gradient("token", whole), rtol=1e-12)
    difference = gradient("sequence", x["adv"]) - gradient("token", x["adv"])
    assert float(difference.abs().max()) > 1e-3


def test_luspo_is_gspo_with_lengths() -> None:
    x = families()["policy"].sample(SHAPE, 1, "moderate")
    row = [x[key][1:2] for key in ("logp", "logp_old", "adv", "mask")]
    length = float(row[-1].sum())
    assert length > 1
    assert float(luspo(*row)) == pytest.approx(length * float(gspo(*row)), rel=1e-12)


def test_on_policy_the_clip_and_reinforce_agree() -> None:
    x = families()["policy"].sample(SHAPE, 1, "near")
    leaf = x["logp"].clone().requires_grad_()
    losses = (
        ppo_clip(leaf, x["logp"], x["adv"], x["mask"], reduce="seq-mean-token-sum"),
        reinforce(leaf, x["adv"], x["mask"]),
        cispo(leaf, x["logp"], x["adv"], x["mask"], reduce="seq-mean-token-sum"),
        sapo(leaf, x["logp"], x["adv"], x["mask"], reduce="seq-mean-token-sum"),
    )
    first, *others = (torch.autograd.grad(loss, leaf)[0] for loss in losses)
    assert all(torch.allclose(first, other, rtol=1e-12) for other in others)
