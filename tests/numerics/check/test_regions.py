"""Case tables: exact bounds, kinks and decisions; autograd of the torch code agrees."""

import pytest
import torch

from derivations.language.syntax import exp, larger, smaller
from numerics import objective
from numerics.check.regions import regions
from numerics.errors import UnusableInput
from numerics.objectives import reference
from numerics.token_terms import between, decimal, token_variables

X = token_variables()
RHO = exp(X["logp"] - X["logp_old"])


def loss(logp, logp_old, adv, mask):
    raise AssertionError("a case table needs the specification only")


def table(**claims):
    return regions(objective(loss, **claims))


def bounds(found, sign):
    return [(str(r.low), str(r.high), r.flat) for r in found.regions if r.sign == sign]


def test_the_clip_has_four_regions_and_two_kinks() -> None:
    found = table(like="ppo_clip", clip=0.2, clip_high=0.28)
    assert bounds(found, 1) == [("0", "32/25", False), ("32/25", "oo", True)]
    assert bounds(found, -1) == [("0", "4/5", True), ("4/5", "oo", False)]
    assert [(k.sign, str(k.at), str(k.left), str(k.right)) for k in found.kinks] == [
        (1, "32/25", "32*A/25", "0"),
        (-1, "4/5", "0", "4*A/5"),
    ]
    assert all(d.holds for d in found.decided)


def test_the_dual_clip_is_not_pessimistic_and_says_where() -> None:
    found = table(like="dual_clip", dual=3.0)
    assert bounds(found, -1) == [("0", "4/5", True), ("4/5", "3", False), ("3", "oo", True)]
    assert not found.decided[0].holds
    assert found.decided[0].witness == "A = -1, rho = 4: L = -3 > -4 = rho A"


def test_a_maximum_for_the_minimum_is_not_pessimistic() -> None:
    adv = X["adv"]
    clipped = between(RHO, decimal(0.8), decimal(1.2))
    assert not table(spec=-larger(RHO * adv, clipped * adv)).decided[0].holds


def test_a_wrong_lower_bound_loses_the_flat_region() -> None:
    adv = X["adv"]
    clipped = between(RHO, decimal(0.2), decimal(1.2))
    assert bounds(table(spec=-smaller(RHO * adv, clipped * adv)), -1)[0] == ("0", "1/5", True)


def test_a_sign_error_is_seen_in_the_slope() -> None:
    decided = table(spec=RHO * X["adv"]).decided[1:]
    assert [(d.holds, d.witness) for d in decided] == [(False, "it is -A"), (False, "it is -A")]


def test_a_frozen_ratio_keeps_its_weight() -> None:
    cap = smaller(X["rho"], decimal(1.2))
    found = table(spec=-cap * X["adv"] * X["logp"])
    assert [str(r.weight) for r in found.regions if r.sign == 1] == ["A*rho", "6*A/5"]
    assert not any(r.flat for r in found.regions)


def test_roots_beyond_linear_are_exact() -> None:
    found = table(spec=-smaller(RHO * RHO, 2) * X["adv"])
    assert bounds(found, 1) == [("0", "sqrt(2)", False), ("sqrt(2)", "oo", True)]


@pytest.mark.parametrize("name", ["ppo_clip", "dual_clip"])
def test_every_region_agrees_with_autograd(name: str) -> None:
    found = table(like=name)
    for region in found.regions:
        high = float(region.low) + 2 if str(region.high) == "oo" else float(region.high)
        for share in (0.1, 0.5, 0.9):
            rho = float(region.low) + share * (high - float(region.low))
            logp = torch.tensor([[rho]], dtype=torch.float64).log().requires_grad_()
            adv = torch.tensor([[1.7 * region.sign]], dtype=torch.float64)
            old, mask = torch.zeros_like(adv), torch.ones_like(adv)
            value = reference(name).evaluate(
                {"logp": logp, "logp_old": old, "adv": adv, "mask": mask}, {}
            )
            slope = torch.autograd.grad(value, logp)[0].item()
            put = {"rho": rho, "A": adv.item()}
            numbers = [
                float(e.subs({s: put[str(s)] for s in e.free_symbols}))
                for e in (region.value, region.weight)
            ]
            assert numbers == pytest.approx([-value.item(), -slope], abs=1e-12)


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ({"like": "grpo"}, "logp_ref"),
        ({}, "identify"),
        ({"spec": smaller(RHO * X["adv"], 1)}, "size of A"),
        ({"spec": 1 / RHO * X["adv"]}, "cannot be decided"),
    ],
)
def test_what_is_no_function_of_ratio_and_sign_is_refused(claims, told: str) -> None:
    with pytest.raises(UnusableInput, match=told):
        table(**claims)
