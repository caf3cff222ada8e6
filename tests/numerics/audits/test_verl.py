"""verl's own functions, called through argument mapping (`make test-peers`).

Every difference that the check reports is repeated here in plain torch.
"""

import importlib
import warnings

import pytest
import torch

from numerics import check, descend, objective
from numerics.families import sample

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]

CLIP = {
    "args": {
        "logp": "log_prob",
        "logp_old": "old_log_prob",
        "adv": "advantages",
        "mask": "response_mask",
    },
    "returns": 0,
}
PENALTY = {"args": {"logp": "logprob", "logp_ref": "ref_logprob"}}


@pytest.fixture(scope="module")
def verl():
    """Its module of algorithms; importing it warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("verl.trainer.ppo.core_algos")


def policy_loss(verl, mode: str = "token-mean", **claim):
    constants = {"cliprange": 0.2, "loss_agg_mode": mode}
    return objective(verl.compute_policy_loss, constants=constants, **CLIP, **claim)


def penalty(verl, name: str, **claim):
    return objective(verl.kl_penalty, constants={"kl_penalty": name}, **PENALTY, **claim)


@pytest.mark.parametrize("reduce", ["token-mean", "seq-mean-token-mean", "seq-mean-token-sum"])
def test_the_policy_loss_is_the_dual_clip_with_its_clamp(verl, reduce: str) -> None:
    claim = {"like": "dual_clip", "log_ratio_clamp": 20.0, "reduce": reduce}
    report = check(policy_loss(verl, reduce, **claim))
    assert report.verdict == "pass", report.findings


def test_it_is_not_the_plain_clip(verl) -> None:
    report = check(policy_loss(verl, like="ppo_clip", log_ratio_clamp=20.0))
    assert report.verdict == "fail"
    ones, old = torch.ones(1, 1).double(), torch.full((1, 1), -3.0).double()
    theirs = verl.compute_policy_loss(old, 0 * ones, -ones, ones, cliprange=0.2)[0]
    assert float(theirs) == pytest.approx(3.0)  # the plain clip has e^3 = 20.1


def test_the_policy_loss_follows_the_reward(verl) -> None:
    answer = descend(policy_loss(verl))
    assert [(t.gradient, pytest.approx(t.coefficient)) for t in answer.terms] == [("E[r]", -1.0)]
    assert answer.residual < 1e-10


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("k1", {"kind": "k1"}),
        ("k2", {"kind": "k2"}),
        ("k3", {"kind": "k3", "log_ratio_clamp": 20.0, "value_clamp": 10.0}),
        ("low_var_kl", {"kind": "k3", "log_ratio_clamp": 20.0, "value_clamp": 10.0}),
    ],
)
def test_penalties_match_with_their_clamps(verl, kind: str, options: dict) -> None:
    assert check(penalty(verl, kind, like="kl_penalty", **options)).verdict == "pass"


def test_the_clamp_of_k3_is_found_and_real(verl) -> None:
    report = check(penalty(verl, "k3", like="kl_penalty", kind="k3"))
    (found,) = [f for f in report.findings if f.property == "matches_the_specification"]
    assert found.verdict == "fail"
    assert "it would be equal with value_clamp=10.0" in found.notes
    logp, ref = torch.tensor([[-4.0]]).double().requires_grad_(), torch.tensor([[0.0]]).double()
    value = verl.kl_penalty(logp, ref, "k3")
    assert float(value.detach()) == 10.0  # e^4 - 1 - 4 = 49.6
    assert float(torch.autograd.grad(value.sum(), logp)[0]) == 0.0


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("k1", []),
        ("k2", ["KL(pi||ref)"]),
        ("k3", ["KL(ref||pi)"]),
        ("k1+", ["KL(pi||ref)"]),
        ("k3+", ["KL(pi||ref)"]),
    ],
)
def test_what_each_penalty_follows(verl, kind: str, expected: list) -> None:
    answer = descend(penalty(verl, kind))
    assert [t.gradient for t in answer.terms] == expected
    assert all(t.coefficient == pytest.approx(1.0) for t in answer.terms)
    assert answer.residual < 1e-10


def test_the_straight_through_penalty_reports_what_it_freezes(verl) -> None:
    report = check(penalty(verl, "k3+"), only=("reports_frozen_sites", "gradient_is_consistent"))
    by_name = {f.property: f for f in report.findings}
    assert by_name["gradient_is_consistent"].verdict == "pass"
    assert "core_algos.py" in by_name["reports_frozen_sites"].message
    x = sample("kl", seed=0, B=2, T=3)
    logp = x["logp"].clone().requires_grad_()
    value = verl.kl_penalty(logp, x["logp_ref"], "k3+")
    gradient = torch.autograd.grad(value.sum(), logp)[0]
    assert torch.allclose(gradient, x["logp"] - x["logp_ref"])  # the gradient of k2
