# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 1. The clipped objective and its slope
#
# A sample has a ratio `rho = pi / pi_old` and an advantage `A`. PPO's objective for it is
# `min(rho A, clip(rho, 1 - clip, 1 + clip) A)`.
#
# Write two functions of tensors `rho` and `adv` of one shape `[N]`:
#
# - `ppo_clip_objective`: the term of each sample (no mean);
# - `ppo_clip_grad`: the derivative of each term with respect to its own `log pi`, by hand, without
#   autograd. Remember that `d rho / d log pi = rho`.

# %% tags=["setup"]
import torch

from numerics.lessons.exercises import clip_objective

# %% tags=["exercise"]


def ppo_clip_objective(rho, adv, clip):
    """The term of each sample, [N]."""


def ppo_clip_grad(rho, adv, clip):
    """Its slope in log pi, [N]."""


# %% [markdown]
# The cell below compares both with the project's reference at ratios on every side of the clips and
# both signs of the advantage, then runs `numerics.check` on the loss made of your objective: finite
# differences, padding, and equality with the specification.

# %% tags=["check"]
print(clip_objective.check(ppo_clip_objective, ppo_clip_grad))

# %% [markdown] tags=["solution"]
# ## Solution
#
# The minimum picks the clipped constant exactly where `rho A` is the larger of the two, and there
# the slope is zero. Elsewhere it is `rho A`.

# %% tags=["solution"] jupyter={"source_hidden": true}


def ppo_clip_objective(rho, adv, clip):
    """The term of each sample, [N]."""
    return torch.minimum(rho * adv, rho.clamp(1 - clip, 1 + clip) * adv)


def ppo_clip_grad(rho, adv, clip):
    """Its slope in log pi, [N]."""
    flat = ((adv > 0) & (rho > 1 + clip)) | ((adv < 0) & (rho < 1 - clip))
    return torch.where(flat, 0.0, rho * adv)
