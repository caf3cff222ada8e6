"""What the audits say of other libraries, in plain torch and a few lines each: the conventions that
properties refuse, and where a function is not the reference that it is named after.
"""

import importlib
import warnings
from math import exp
from typing import Any

import numpy as np
import pytest
import torch

from numerics.audits.audit import Audit, audited
from numerics.audits.trl import grpo
from numerics.audits.verl import actor, at_the_last_token, estimator, penalty
from numerics.check import check
from numerics.objective import objective

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def verl() -> Any:
    """Its module of algorithms; importing it warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("verl.trainer.ppo.core_algos")


def tokens(rows: int, length: int = 2) -> torch.Tensor:
    return torch.ones(rows, length, dtype=torch.float64)


def test_advantages_whitened_over_the_batch_are_not_zero_in_an_equal_group(verl) -> None:
    """REINFORCE++ with a baseline: whitening is over all tokens, so rows of unequal length shift
    every advantage. That is its design.
    """
    rewards = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 3.0], [0.0, 0.0]]).double()
    mask = torch.tensor([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]).double()
    index = np.array([0, 0, 1, 1])
    found = verl.compute_reinforce_plus_plus_baseline_outcome_advantage(rewards, mask, index)[0]
    plain = torch.tensor([0.0, 0.0, 1.5, -1.5]).double()[:, None] * mask
    kept = plain[mask > 0]
    assert torch.allclose(found, (plain - kept.mean()) / kept.std() * mask, rtol=1e-6)
    assert float(found[0, 0].abs()) > 0.1  # rewards 1 and 1


def test_sapo_has_one_reduction(verl) -> None:
    """Whatever `loss_agg_mode` says, the mean over responses of their means."""
    old, mask = -tokens(2), torch.tensor([[1.0, 1.0], [1.0, 0.0]]).double()
    adv = torch.tensor([[1.0, 2.0], [4.0, 0.0]]).double()
    config = actor()
    losses = [
        verl.compute_policy_loss_sapo(old, old, adv, mask, mode, config)[0]
        for mode in ("token-mean", "seq-mean-token-mean", "seq-mean-token-sum")
    ]
    # at ratio one a gate is 2 / tau: (1 + 2) / 2 and 4, times 2, halved
    assert [float(x) for x in losses] == pytest.approx([-5.5, -5.5, -5.5])


def test_the_two_leave_one_outs_differ_for_a_response_alone(verl) -> None:
    """One keeps the reward of a group of one, the other gives it nothing."""
    rewards, index = at_the_last_token(torch.tensor([3.0]).double(), tokens(1)), np.array([5])
    first = verl.compute_rloo_outcome_advantage(rewards, tokens(1), index)[0]
    second = verl.compute_rloo_vectorized_outcome_advantage(rewards, tokens(1), index)[0]
    assert first.tolist() == [[3.0, 3.0]]
    assert second.tolist() == [[0.0, 0.0]]


def test_a_response_alone_is_divided_by_one_and_the_guard(verl) -> None:
    """Why the group advantage is no reference of ours: r / (1 + 1e-6), in float32, for a group of
    one.
    """
    rewards = at_the_last_token(torch.tensor([3.0]).double(), tokens(1))
    found = verl.compute_grpo_outcome_advantage(rewards, tokens(1), np.array([0]))[0]
    assert float(found[0, 0]) == pytest.approx(3.0 / float(torch.tensor(1.0) + 1e-6), rel=1e-9)


def test_the_vectorised_advantages_are_float32(verl) -> None:
    """Their weights agree with the law to 1e-6, not to 1e-9."""
    rewards = at_the_last_token(torch.tensor([1.0, 0.0, 0.3]).double(), tokens(3))
    index = np.array([0, 0, 0])
    found = verl.compute_grpo_vectorized_outcome_advantage(rewards, tokens(3), index)[0][:, 0]
    r = torch.tensor([1.0, 0.0, 0.3]).double()
    exact = (r - r.mean()) / (r.std() + 1e-6)
    assert torch.allclose(found.double(), exact, rtol=1e-5)
    assert not torch.allclose(found.double(), exact, rtol=1e-9, atol=0.0)


def test_the_straight_through_penalty_keeps_a_gradient_beyond_its_clamp(verl) -> None:
    """Why k3+ is not the ratio times k3, which it equals nearer the reference."""
    logp, ref = torch.tensor([[-4.0]]).double().requires_grad_(), torch.zeros(1, 1).double()
    value = verl.kl_penalty(logp, ref, "k3+")
    (slope,) = torch.autograd.grad(value.sum(), logp)
    assert float(value.detach()) == 10.0
    assert float(slope) == -4.0


def test_the_absolute_log_ratio_has_the_gradient_of_a_sign(verl) -> None:
    """Why it follows no divergence."""
    logp = torch.tensor([[-1.0, -3.0]]).double().requires_grad_()
    value = verl.kl_penalty(logp, torch.full((1, 2), -2.0).double(), "abs")
    (slope,) = torch.autograd.grad(value.sum(), logp)
    assert slope.tolist() == [[1.0, -1.0]]


def test_the_ratio_of_a_whole_response_is_clipped_in_rloo() -> None:
    """Why TRL's RLOO loss is no token objective: exp of the summed log-ratio."""
    from numerics.audits.trl import rloo

    logp = torch.tensor([[-1.0, -1.0]]).double()
    loss = rloo().judged
    adv, mask = torch.tensor([1.0]).double(), tokens(1)
    inside = float(loss(logp=logp, logp_old=logp - 0.05, adv=adv, mask=mask))
    beyond = float(loss(logp=logp, logp_old=logp - 0.2, adv=adv, mask=mask))
    assert inside == pytest.approx(-float(torch.tensor(0.1).exp()), rel=1e-6)
    assert beyond == pytest.approx(-1.28)


def test_trl_grpo_at_one_token() -> None:
    """-min(rho A, clip A) + beta k3 by hand, through the stub."""
    loss = grpo(loss_type="grpo", beta=0.5).judged
    logp, old, ref = (torch.tensor([[x]], dtype=torch.float64) for x in (-1.0, -1.1, -1.3))
    value = loss(
        logp=logp, logp_old=old, logp_ref=ref, adv=torch.tensor([2.0]).double(), mask=tokens(1, 1)
    )
    expected = -2 * exp(0.1) + 0.5 * (exp(-0.3) - 1 + 0.3)
    assert float(value) == pytest.approx(expected, rel=1e-12)


def test_a_planted_fault_in_a_librarys_function_is_refused(verl) -> None:
    """The audit can fail: verl's own loss with the sign of its log-ratio turned."""

    def turned(old_log_prob, log_prob, advantages, response_mask, **rest):
        return verl.compute_policy_loss(log_prob, old_log_prob, advantages, response_mask, **rest)

    names = {"logp": "log_prob", "logp_old": "old_log_prob", "adv": "advantages"}
    declared = objective(
        turned,
        args={**names, "mask": "response_mask"},
        constants={"cliprange": 0.2},
        returns=0,
        family="policy",
    )
    row = audited(Audit("verl", "turned", lambda: declared))
    assert "has_the_policy_gradient_on_policy" in row.failed
    assert row.follows.startswith("grad L = 1 grad E[r]")
    assert row.equals.startswith("none; closest")
    assert row.judged.startswith("fail: ")


def test_an_estimator_with_another_groups_rewards_is_refused() -> None:
    right = estimator("grpo", norm_adv_by_std_in_grpo=False)

    def mixed(rewards, group, mask):
        return right.judged(rewards=rewards, group=torch.zeros_like(group), mask=mask)

    report = check(objective(mixed), seeds=2)
    assert "sees_its_own_group_only" in [f.property for f in report.findings if f.verdict == "fail"]


def test_k1_as_a_loss_follows_nothing() -> None:
    row = audited(Audit("verl", "kl_penalty k1", lambda: penalty("k1")))
    assert row.follows == "grad L = 0"
    assert row.equals == "kl_penalty(kind='k1')"
