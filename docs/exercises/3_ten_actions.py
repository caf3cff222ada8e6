# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 3. Ten epochs on one batch
#
# A bandit has ten actions; the old policy is uniform, and the batch holds each action once. Train a
# softmax policy from logits zero (float64) for ten epochs, each one full-batch step of
# `torch.optim.Adam` with learning rate 0.1, on the mean of the clipped terms.
#
# `train(advantages, clip)` returns two lists of ten numbers, one pair an epoch, taken after its
# step: `KL(old || new)`, and the share of the ten ratios off `[0.8, 1.2]`. With `clip=math.inf` the
# objective is the mean of `rho A`.
#
# Predict first: does a clip of 0.2 keep the ratios within 0.2 of one?

# %% tags=["setup"]
import torch

from numerics.lessons.exercises import ten_actions

# %% tags=["exercise"]


def train(advantages, clip):
    """KL(old || new) and the share of ratios off [0.8, 1.2], after each of ten epochs."""


# %% tags=["check"]
print(ten_actions.check(train))

# %% [markdown] tags=["solution"]
# ## Solution
#
# It does not. A sample that has passed its clip stops pushing, but Adam's momentum and the other
# samples still move the shared normalisation.

# %% tags=["solution"] jupyter={"source_hidden": true}


def train(advantages, clip):
    """KL(old || new) and the share of ratios off [0.8, 1.2], after each of ten epochs."""
    old = torch.full_like(advantages, 1 / len(advantages))
    logits = torch.zeros_like(advantages, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=0.1)
    divergences, shares = [], []
    for _ in range(10):
        rho = torch.softmax(logits, -1) / old
        terms = torch.minimum(rho * advantages, rho.clamp(1 - clip, 1 + clip) * advantages)
        optimiser.zero_grad()
        (-terms.mean()).backward()
        optimiser.step()
        rho = torch.softmax(logits, -1).detach() / old
        divergences.append(float(-(old * rho.log()).sum()))
        shares.append(sum(abs(r - 1) > 0.2 for r in rho.tolist()) / len(rho))
    return divergences, shares
