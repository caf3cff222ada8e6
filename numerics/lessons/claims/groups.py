"""Claims about advantages within a group of responses."""

from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor

from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law
from numerics.lessons.group_advantages import centred, leave_one_out, normalised, prompt_weight


def expected_step(
    policy: Tensor, rewards: Tensor, advantages: Callable[[Tensor], Tensor], size: int
) -> Tensor:
    """E[(1/K) sum_i A_i grad log pi(y_i)] in the logits, over all groups of K responses."""
    scores = torch.eye(len(policy), dtype=torch.float64) - policy  # e_y - pi, a row a response
    total = torch.zeros_like(policy)
    for drawn in product(range(len(policy)), repeat=size):
        chosen = list(drawn)
        total += policy[chosen].prod() * (advantages(rewards[chosen]) @ scores[chosen]) / size
    return total


def true_gradient(policy: Tensor, rewards: Tensor) -> Tensor:
    """grad E[r] in the logits."""
    return policy * (rewards - policy @ rewards)


@claim(
    12,
    "RLOO's gradient is unbiased.",
    "For K >= 2 samples of the current policy, without a clip and without a division by the "
    "length of the response.",
    "groups.leave_one_out_is_unbiased",
    "groups.length_normalisation_follows_another_objective",
)
def lengths_matter() -> Example:
    policy, rewards, lengths = law(0.1, 0.5, 0.4), law(1.0, 0.0, 0.0), law(4.0, 1.0, 8.0)
    true = true_gradient(policy, rewards)
    plain = expected_step(policy, rewards, leave_one_out, 2)
    scores = torch.eye(3, dtype=torch.float64) - policy
    divided = torch.zeros_like(policy)
    for i, j in product(range(3), repeat=2):
        a = leave_one_out(rewards[[i, j]])
        both = a[0] * scores[i] / lengths[i] + a[1] * scores[j] / lengths[j]
        divided += policy[i] * policy[j] * both / 2
    text = "pi = (1/10, 1/2, 2/5), lengths (4, 1, 8), r = (1, 0, 0), K = 2: the slope in the third "
    text += f"logit is {true[2]:.3f}; RLOO's mean {plain[2]:.3f}, divided by the length "
    text += f"{divided[2]:+.3f}."
    values = {"true": float(true[2]), "RLOO": float(plain[2]), "divided": float(divided[2])}
    holds = float((plain - true).abs().max()) < 1e-12 and abs(float(divided[2]) - 1 / 125) < 1e-12
    return Example(text, values, holds)


@claim(
    13,
    "Dividing by the standard deviation gives more weight to prompts whose rewards vary little.",
    "For rewards 0 and 1 this begins at K = 4; at K = 2 and 3 it is a constant factor. Centring "
    "alone already shrinks the gradient, by (K - 1)/K, for every prompt alike.",
    "groups.group_standard_deviation_reweights_prompts",
    "groups.group_mean_baseline_shrinks_the_gradient",
)
def from_four_on() -> Example:
    values = {f"w_{size}({p:g})": prompt_weight(size, p) for size in (2, 3, 4) for p in (0.5, 0.05)}
    policy, rewards = law(0.3, 0.7), law(1.0, 0.0)
    true = true_gradient(policy, rewards)
    mean = expected_step(policy, rewards, centred, 3)[0] / true[0]
    by_weight = expected_step(policy, rewards, normalised, 4)[0] / true[0]
    values["centred, K = 3"] = float(mean)
    text = "Weights at success rates 0.5 and 0.05: " + "; ".join(
        f"K = {k}: {values[f'w_{k}(0.5)']:.3f} and {values[f'w_{k}(0.05)']:.3f}" for k in (2, 3, 4)
    )
    text += f". Centred with K = 3: {float(mean):.3f} of the gradient."
    constant = all(abs(values[f"w_{k}(0.5)"] - values[f"w_{k}(0.05)"]) < 1e-12 for k in (2, 3))
    agrees = abs(float(by_weight) - prompt_weight(4, 0.3)) < 1e-12
    holds = constant and values["w_4(0.05)"] > values["w_4(0.5)"] + 0.05 and agrees
    return Example(text, values, holds and abs(float(mean) - 2 / 3) < 1e-12)


@claim(
    17,
    "Normalised advantages do not depend on the scale of the reward.",
    "Without a guard in the denominator. With one they shrink as the rewards do, although a "
    "constant added to all rewards still changes nothing.",
    "groups.group_normalisation_ignores_shift_and_scale",
)
def the_guard_sees_the_scale() -> Example:
    rewards, guard = law(1.0, 0.0), 0.01
    values = {
        "no guard": float(normalised(rewards)[0]),
        "no guard, rewards / 100": float(normalised(rewards / 100)[0]),
        "guard": float(normalised(rewards, guard=guard)[0]),
        "guard, rewards / 100": float(normalised(rewards / 100, guard=guard)[0]),
        "guard, rewards + 5": float(normalised(rewards + 5, guard=guard)[0]),
    }
    text = f"Rewards (1, 0) and (0.01, 0): first advantage {values['no guard']:.2f} and "
    text += f"{values['no guard, rewards / 100']:.2f} without a guard, {values['guard']:.2f} and "
    text += f"{values['guard, rewards / 100']:.2f} with a guard of {guard:g}."
    same = abs(values["no guard"] - values["no guard, rewards / 100"]) < 1e-9
    shifted = abs(values["guard"] - values["guard, rewards + 5"]) < 1e-9
    return Example(text, values, same and shifted and values["guard, rewards / 100"] < 0.5)
