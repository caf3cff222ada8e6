"""Every reference objective with other options is identified as itself or as an equal one, in every
family; a wrong one is none of them.
"""

import pytest
import torch
from torch.nn.functional import logsigmoid

from numerics import objective
from numerics.check.identify import Identification, identify
from numerics.objectives import references

OPTIONS: dict[str, dict] = {
    "accumulated_gradient": {"reduce": "seq-mean-token-sum"},
    "bnpo": {"clip": 0.1, "clip_high": 0.3},
    "bradley_terry": {"margin": 0.7, "pairs": "none"},
    "cispo": {"lowest": 0.3, "highest": 2.5, "reduce": "seq-mean-token-mean"},
    "dapo": {"clip": 0.15, "clip_high": 0.35},
    "dpo": {"beta": 0.23, "label_smoothing": 0.1},
    "dr_grpo": {"clip": 0.1},
    "dual_clip": {"clip": 0.1, "clip_high": 0.3, "dual": 2.2, "reduce": "seq-mean-token-sum"},
    "entropy_bonus": {"coefficient": 0.07, "reduce": "seq-mean-token-sum"},
    "gae": {"output": "returns"},
    "gmpo": {"clip": 0.3, "clip_high": 0.5},
    "gpg": {"reduce": "seq-mean-token-mean"},
    "group_leave_one_out": {"alone": "reward"},
    "group_mean": {"spread": "tokens"},
    "group_normalised": {"deviation": "population", "guard": 1e-4},
    "grpo": {"clip": 0.15, "clip_high": 0.25, "dual": 2.5, "beta": 0.3, "kind": "k2"},
    "gspo": {"clip": 0.01, "clip_high": 0.02},
    "ipo": {"beta": 0.3, "pairs": "none"},
    "kl_penalty": {"ratio": "frozen", "value_clamp": 10.0},
    "kto": {"beta": 0.3, "point": 0.2, "weight_w": 1.5, "weight_l": 0.8},
    "luspo": {"clip": 0.01, "clip_high": 0.02},
    "orpo": {"weight": 0.3},
    "pass_at_k": {},
    "ppo_clip": {"clip": 0.1, "clip_high": 0.4, "reduce": "seq-mean-token-mean"},
    "ppo_full": {"clip": 0.15, "value_limit": 0.3, "value_weight": 0.7, "entropy_weight": 0.03},
    "reinforce": {"reduce": "token-mean"},
    "rlhf_token_reward": {},
    "rloo": {"reduce": "token-mean"},
    "sapo": {"tau_pos": 0.8, "tau_neg": 1.3},
    "simpo": {"beta": 1.7, "gamma": 0.6},
    "trpo_surrogate": {"log_ratio_clamp": 20.0, "reduce": "seq-mean-token-sum"},
    "value_clip": {"clip": 0.3, "scale": 0.7},
    "whiten": {"deviation": "population", "guard": 1e-6},
}


def found(name: str, **constants) -> Identification:
    return identify(objective(references()[name].function, constants=constants))


def test_no_reference_is_left_out() -> None:
    assert set(OPTIONS) == set(references())


SLOW = ("rloo", "trpo_surrogate", "gmpo", "luspo", "dapo", "dr_grpo", "ipo", "bnpo", "dual_clip")
SLOW += ("cispo", "gpg", "kto")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n in SLOW)) for n in OPTIONS]
)
def test_a_reference_is_identified_with_its_options(name: str) -> None:
    answer = found(name, **OPTIONS[name])
    assert answer.equal, (answer.closest.text, answer.difference)
    itself = [c for c in (answer.closest, *answer.also) if c.reference == name]
    assert any(c.changed == OPTIONS[name] and c.scale == 1.0 for c in itself)


def gae_of_one_episode(gamma: float, lam: float):
    def estimate(rewards, values, mask):
        advantages, last, following = torch.zeros_like(rewards), 0.0, 0.0
        for t in reversed(range(rewards.shape[1])):
            delta = rewards[:, t] + gamma * following - values[:, t]
            last = (delta + gamma * lam * last) * mask[:, t]
            following = values[:, t] * mask[:, t]
            advantages[:, t] = last
        return advantages

    return estimate


def whitened_gae(rewards, values, mask):
    advantages = gae_of_one_episode(0.99, 0.95)(rewards, values, mask)
    kept = advantages[mask > 0]
    return (advantages - kept.mean()) / (kept.var() + 1e-8).sqrt() * mask


def rewards_per_token(logp, logp_ref, score, mask):
    last = mask * (mask.cumsum(-1) == mask.sum(-1, keepdim=True))
    return score[:, None] * last - 0.07 * (logp - logp_ref) * mask


def plain_value_error(value, returns, mask):
    return 1.5 * ((value - returns) ** 2 * mask).sum() / mask.sum()


def dpo_per_response(logp_w, logp_l, ref_w, ref_l):
    return -0.5 * logsigmoid(0.3 * (logp_w - logp_l - ref_w + ref_l)).mean()


def entropy(logits, mask):
    return (torch.distributions.Categorical(logits=logits).entropy() * mask).sum() / mask.sum()


EQUAL = [
    (gae_of_one_episode(0.99, 0.95), "gae(output='advantages', gamma=0.99, lam=0.95)"),
    (gae_of_one_episode(1.0, 0.9), "gae(output='advantages', gamma=1.0)"),
    (whitened_gae, "gae, whitened(gamma=0.99, lam=0.95)"),
    (rewards_per_token, "rlhf_token_reward(beta=0.07)"),
    (plain_value_error, "value_clip(clip=None, scale=1.5)"),
    (dpo_per_response, "0.5 * dpo(beta=0.3)"),
    (entropy, "entropy_bonus(coefficient=-1.0)"),
]


@pytest.mark.parametrize(("function", "text"), EQUAL, ids=[text for _, text in EQUAL])
def test_numbers_inside_a_function_are_fitted(function, text: str) -> None:
    answer = identify(objective(function))
    assert answer.equal, answer.difference
    assert answer.closest.text == text


def a_step_forgotten(rewards, values, mask):
    return gae_of_one_episode(0.99, 0.95)(rewards, values, mask) + 0.01 * rewards.flip(-1) * mask


def penalty_added(logp, logp_ref, score, mask):
    return rewards_per_token(logp, logp_ref, score, mask) + 0.07 * (logp - logp_ref) ** 2 * mask


def optimistic_value_error(value, value_old, returns, mask):
    limited = value_old + (value - value_old).clamp(-0.2, 0.2)
    error = torch.minimum((value - returns) ** 2, (limited - returns) ** 2)
    return 0.5 * (error * mask).sum() / mask.sum()


def reference_added(logp_w, logp_l, ref_w, ref_l):
    return -logsigmoid(0.1 * (logp_w - logp_l + ref_w - ref_l)).mean()


def hinge(score_w, score_l):
    return (1 - score_w + score_l).clamp(min=0.0).mean()


def over_the_batch(rewards, group):
    return rewards - rewards.mean()


def with_padding(x, mask):
    return (x - x.mean()) / x.std() * mask


def plug_in(n, c, k):
    return 1 - (1 - c / n) ** k


def entropy_of_two(logits, mask):
    p = torch.softmax(logits, -1)
    return ((1 - (p**2).sum(-1)) * mask).sum() / mask.sum()


@pytest.mark.parametrize(
    ("function", "closest"),
    [
        (a_step_forgotten, "gae"),
        (penalty_added, "rlhf_token_reward"),
        (optimistic_value_error, "value_clip"),
        (reference_added, ""),
        (hinge, "bradley_terry"),
        (over_the_batch, "group_"),
        (with_padding, "whiten"),
        (plug_in, "pass_at_k"),
        (entropy_of_two, "entropy_bonus"),
    ],
)
def test_a_wrong_one_is_none_of_them(function, closest: str) -> None:
    answer = identify(objective(function))
    assert not answer.equal
    assert closest in answer.closest.reference
    assert answer.closest.misfit > 1e-3
    assert answer.difference.startswith("sample (")
    assert " here, " in answer.difference and "regime" in answer.difference


def group_relative(logp, logp_old, rewards, group, mask):
    """Leave-one-out written as K/(K-1) times the mean's, one-sided clamps, half the loss."""
    same = (group[:, None] == group[None, :]).double()
    size = same.sum(-1)
    adv = (rewards - same @ rewards / size) * torch.where(size > 1, size / (size - 1), 0.0)
    adv = torch.where(size > 1, adv, 0.0)[:, None]
    ratio = (logp - logp_old).exp()
    kept = torch.where(adv > 0, ratio.clamp(max=1.28), ratio.clamp(min=0.8)) * adv
    return -0.5 * (kept * mask).sum() / mask.sum()


@pytest.mark.long
def test_an_estimator_and_a_loss_are_found_together() -> None:
    answer = identify(objective(group_relative))
    assert answer.equal, answer.difference
    texts = [candidate.text for candidate in (answer.closest, *answer.also)]
    assert "0.5 * group_leave_one_out, then dapo()" in texts
    wrong = lambda logp, logp_old, rewards, group, mask: group_relative(
        logp, logp_old, rewards, torch.zeros_like(group), mask
    )
    assert not identify(objective(wrong)).equal


@pytest.mark.long
def test_a_guard_of_the_deviation_is_found() -> None:
    known = references()

    def loss(logp, logp_old, logp_ref, rewards, group, mask):
        adv = known["group_normalised"].function(rewards, group, mask, guard=1e-4)
        return known["grpo"].function(logp, logp_old, logp_ref, adv, mask, beta=0.02)

    answer = identify(objective(loss))
    assert answer.closest.text == "group_normalised, then grpo(beta=0.02, group_guard=0.0001)"


@pytest.mark.long
def test_clamps_and_guards_are_found_together() -> None:
    answer = found("grpo", kl_value_clamp=10.0, guard=1e-8, beta=0.1)
    assert answer.equal, answer.difference
    assert answer.closest.changed == {"kl_value_clamp": 10.0, "guard": 1e-8, "beta": 0.1}
