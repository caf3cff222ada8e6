# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 5. From group advantages to the tilted reference
#
# - `rloo_advantages`: each reward minus the mean of the others, `[K]`.
# - `grpo_advantages`: centred and divided by the population standard deviation, `[K]`.
# - `closed_form`: the best law for `E[r] - beta KL(pi || reference)`.
# - `train`: start from the two-token model `model` (`first` `[2]`, `second` `[2, 2]`) as the
#   reference, and train its logits with RLOO. The reward of a word is
#   `r - beta log(pi / reference)`, detached. Return the law of the words 00, 01, 10, 11, `[4]`.
#
# The advantages vanish at the optimum, so the training comes to rest there although it samples. The
# check wants `KL(pi || pi*) <= 1e-4` with `beta = 0.5`, for two references.

# %% tags=["setup"]
import torch

from numerics.lessons.exercises import group_training

# %% tags=["exercise"]


def rloo_advantages(rewards):
    """Each reward minus the mean of the others, [K]."""


def grpo_advantages(rewards):
    """Centred rewards over their population standard deviation, [K]."""


def closed_form(reference, rewards, beta):
    """The optimal law, [N]."""


def train(model, rewards, beta, seed):
    """The trained law of the four words, [4]."""


# %% tags=["check"]
print(group_training.check(rloo_advantages, grpo_advantages, closed_form, train))

# %% [markdown] tags=["solution"]
# ## Solution
#
# Plain gradient ascent with a constant rate is enough: the noise of the sampled gradient shrinks
# with the advantages.

# %% tags=["solution"] jupyter={"source_hidden": true}


def rloo_advantages(rewards):
    """Each reward minus the mean of the others, [K]."""
    size = len(rewards)
    return rewards - (rewards.sum() - rewards) / (size - 1)


def grpo_advantages(rewards):
    """Centred rewards over their population standard deviation, [K]."""
    return (rewards - rewards.mean()) / rewards.std(correction=0)


def closed_form(reference, rewards, beta):
    """The optimal law, [N]."""
    return torch.softmax(reference.log() + rewards / beta, -1)


def train(model, rewards, beta, seed):
    """The trained law of the four words, [4]."""
    first = model.first.log().requires_grad_()
    second = model.second.log().requires_grad_()
    log_reference = (model.first[:, None] * model.second).flatten().log()
    rng = torch.Generator().manual_seed(seed)
    for _ in range(150):
        log_policy = (first.log_softmax(-1)[:, None] + second.log_softmax(-1)).flatten()
        held = log_policy.detach()
        words = torch.multinomial(held.exp(), 8, replacement=True, generator=rng)
        advantages = rloo_advantages((rewards - beta * (held - log_reference))[words])
        gradients = torch.autograd.grad((advantages * log_policy[words]).mean(), (first, second))
        with torch.no_grad():
            first += 1.2 * gradients[0]
            second += 1.2 * gradients[1]
    return log_policy.detach().exp()
