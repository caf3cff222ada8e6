"""Case tables: exact bounds, kinks and decisions; autograd of the torch code agrees."""

import pytest
import torch

from derivations.language.syntax import exp, larger, log, smaller
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


def test_a_clip_without_the_minimum_is_flat_on_both_sides_of_both_signs() -> None:
    found = table(spec=-between(RHO, decimal(0.8), decimal(1.2)) * X["adv"])
    for sign in (1, -1):
        assert [flat for *_, flat in bounds(found, sign)] == [True, False, True]
    assert not found.decided[0].holds


def test_a_clip_on_the_wrong_sides_is_seen() -> None:
    """Limits swapped between the signs: flat where the policy should still be pulled back."""
    rho, adv = RHO, X["adv"]
    high, low = smaller(rho, decimal(1.2)), larger(rho, decimal(0.8))
    wrong = table(spec=-(low * larger(adv, 0) + high * smaller(adv, 0)))
    assert bounds(wrong, 1) == [("0", "4/5", True), ("4/5", "oo", False)]
    assert bounds(wrong, -1) == [("0", "6/5", False), ("6/5", "oo", True)]
    assert wrong.decided[0].witness == "A = 1, rho = 0.4: L = 0.8 > 0.4 = rho A"
    right = table(spec=-(high * larger(adv, 0) + low * smaller(adv, 0)))
    assert [d.holds for d in right.decided] == [True, True, True]


def test_a_penalty_is_left_out_and_said() -> None:
    found = table(like="grpo", clip=0.2, beta=0.04)
    assert found.regions == table(like="ppo_clip", clip=0.2).regions
    assert found.notes[0].startswith("the penalty in logp_ref is left out")
    assert not table(like="grpo", beta=0.0).notes


def test_the_ratio_of_a_response() -> None:
    found = table(like="gspo", clip=0.1, clip_high=0.2)
    assert bounds(found, 1) == [("0", "6/5", False), ("6/5", "oo", True)]
    assert bounds(found, -1) == [("0", "9/10", True), ("9/10", "oo", False)]
    assert "of a response" in found.notes[0]
    assert all(d.holds for d in found.decided)


def test_limits_of_the_log_ratio_become_ratios() -> None:
    found = table(like="gmpo", clip=0.4)
    assert bounds(found, 1) == [("0", "exp(2/5)", False), ("exp(2/5)", "oo", True)]
    assert bounds(found, -1) == [("0", "exp(-2/5)", True), ("exp(-2/5)", "oo", False)]


def test_a_clamp_of_the_log_ratio_is_found_far_away() -> None:
    found = table(like="ppo_clip", log_ratio_clamp=20.0)
    assert bounds(found, 1)[0] == ("0", "exp(-20)", True)
    assert bounds(found, -1)[-1] == ("exp(20)", "oo", True)
    assert not found.decided[0].holds


def test_a_smooth_gate_has_exact_slopes_and_a_counterexample() -> None:
    found = table(like="sapo", tau_neg=1.0)
    assert [(r.sign, str(r.low), str(r.high), r.flat) for r in found.regions] == [
        (1, "0", "oo", False),
        (-1, "0", "oo", False),
    ]
    assert not found.kinks
    assert [d.holds for d in found.decided] == [False, True, True]
    assert "on-policy" in found.decided[1].statement


def test_what_no_counterexample_refutes_is_not_called_true() -> None:
    """-(rho A) exp(-rho) - below rho A for A > 0 everywhere, above it for A < 0."""
    adv = X["adv"]
    gate = RHO * exp(-RHO)
    above = table(spec=-gate * adv).decided[0]
    assert above.holds is False
    below = table(spec=-(gate * larger(adv, 0) + RHO * smaller(adv, 0))).decided[0]
    assert below.holds is None
    assert "no counterexample" in below.witness


def test_a_value_that_holds_logp_has_no_pessimism() -> None:
    found = table(like="cispo", highest=5.0)
    assert found.decided[0].holds is None
    assert [str(r.weight) for r in found.regions if r.sign == 1] == ["A*rho", "5*A"]


def test_a_quotient_of_ratios_is_decided() -> None:
    found = table(spec=-smaller(2 / (1 + RHO), RHO) * X["adv"])
    assert bounds(found, 1) == [("0", "1", False), ("1", "oo", False)]
    assert [(str(k.at), str(k.left), str(k.right)) for k in found.kinks if k.sign == 1] == [
        ("1", "A", "-A/2")
    ]


ONE_TOKEN = ["ppo_clip", "dual_clip", "dapo", "bnpo", "dr_grpo", "cispo", "sapo", "gspo", "gmpo"]
ONE_TOKEN += ["luspo", "gpg", "reinforce", "trpo_surrogate"]


@pytest.mark.parametrize("name", ONE_TOKEN)
def test_every_region_agrees_with_autograd(name: str) -> None:
    found = table(like=name)
    for region in found.regions:
        high = float(region.low) + 2 if str(region.high) == "oo" else float(region.high)
        for share in (0.1, 0.5, 0.9):
            rho = float(region.low) + share * (high - float(region.low))
            logp = torch.tensor([[rho]], dtype=torch.float64).log().requires_grad_()
            adv = torch.tensor([[1.7 * region.sign]], dtype=torch.float64)
            old, mask = torch.zeros_like(adv), torch.ones_like(adv)
            known = reference(name)
            data = {"logp": logp, "logp_old": old, "adv": adv, "mask": mask}
            value = known.evaluate({n: data[n] for n in known.arguments}, {})
            slope = torch.autograd.grad(value, logp)[0].item()
            put = {"rho": rho, "sg(rho)": rho, "A": adv.item(), "logp": logp.item()}
            numbers = [
                float(e.subs({s: put[str(s)] for s in e.free_symbols}))
                for e in (region.value, region.weight)
            ]
            assert numbers == pytest.approx([-value.item(), -slope], abs=1e-12)


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ({"like": "kl_penalty"}, "logp_ref"),
        ({}, "identify"),
        ({"spec": smaller(RHO * X["adv"], 1)}, "size of A"),
        ({"spec": log(RHO) * X["adv"]}, "cannot be decided"),
        ({"spec": X["adv"] / (RHO - 1)}, "denominator may be 0"),
        ({"spec": -smaller(exp(RHO), 2 * RHO) * X["adv"]}, "no quotient of polynomials"),
        ({"spec": larger(X["logp"], X["adv"])}, "depends on logp beyond rho"),
    ],
)
def test_what_is_no_function_of_ratio_and_sign_is_refused(claims, told: str) -> None:
    with pytest.raises(UnusableInput, match=told):
        table(**claims)


def test_a_gate_of_a_clamped_ratio_is_flat_beyond_the_clamp() -> None:
    """Its numbers are exponentials of exponentials: too small to write down, and no zeros."""
    found = table(like="sapo", log_ratio_clamp=20.0)
    assert [flat for *_, flat in bounds(found, 1)] == [True, False, True]
    assert len(found.kinks) == 4
    assert [d.holds for d in found.decided] == [False, True, True]
