# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 4. Rewards per token, and the chain rule
#
# A model writes two tokens from {0, 1}. `model.first` `[2]` is the law of the first token,
# `model.second` `[2, 2]` that of the second, a row for each first token.
#
# - `token_rewards`: the two rewards of a word such as `(0, 1)`: `-beta` times the log-ratio of each
#   token, and `score` added at the last.
# - `kl_by_tokens`: `KL(policy || reference)` of whole words, as the first token's KL plus the
#   expected KL of the second.
# - `kl_by_words`: the same from its definition, over the four words.

# %% tags=["setup"]
import torch

from numerics.lessons.exercises import chain_rule

# %% tags=["exercise"]


def token_rewards(policy, reference, word, score, beta):
    """The rewards of the two tokens, [2]."""


def kl_by_tokens(policy, reference):
    """KL of the first token plus the expected KL of the second."""


def kl_by_words(policy, reference):
    """KL over the four words."""


# %% tags=["check"]
print(chain_rule.check(token_rewards, kl_by_tokens, kl_by_words))

# %% [markdown] tags=["solution"]
# ## Solution
#
# The second token's divergence is weighted by the *policy's* law of the first token: the samples
# come from the policy.

# %% tags=["solution"] jupyter={"source_hidden": true}


def token_rewards(policy, reference, word, score, beta):
    """The rewards of the two tokens, [2]."""
    a, b = word
    first = (policy.first[a] / reference.first[a]).log()
    second = (policy.second[a, b] / reference.second[a, b]).log()
    return torch.stack([-beta * first, score - beta * second])


def kl_by_tokens(policy, reference):
    """KL of the first token plus the expected KL of the second."""
    first = (policy.first * (policy.first / reference.first).log()).sum()
    second = (policy.second * (policy.second / reference.second).log()).sum(-1)
    return first + (policy.first * second).sum()


def kl_by_words(policy, reference):
    """KL over the four words."""
    p, q = (model.first[:, None] * model.second for model in (policy, reference))
    return (p * (p / q).log()).sum()
