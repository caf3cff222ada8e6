# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 2. Two estimators of one divergence
#
# `KL(p || other)` is the mean of `log p(x) - log other(x)` over samples `x` of `p`. With
# `r = other(x) / p(x)` there are two estimators of it: `k1 = -log r` and `k3 = r - 1 - log r`.
#
# - `approx_kl`: from log-probabilities of the same samples under both laws, the pair `(k1, k3)`,
#   each with the shape of its input.
# - `sampled_means`: draw `count` samples of the law `p` with a generator of the given seed, and
#   return the means of `k1` and of `k3`.

# %% tags=["setup"]
import torch

from numerics.lessons.exercises import divergence_estimators

# %% tags=["exercise"]


def approx_kl(logp, logp_other):
    """(k1, k3) of KL(p || other) at samples of p."""


def sampled_means(p, other, count, seed):
    """The means of k1 and of k3 over `count` samples of p."""


# %% [markdown]
# The check sums over all outcomes, so that "unbiased" is an equation; it lets `numerics.check`
# compare both with the reference penalties; and it wants your sampled means within five standard
# errors of the divergence.

# %% tags=["check"]
print(divergence_estimators.check(approx_kl, sampled_means))

# %% [markdown] tags=["solution"]
# ## Solution
#
# `E_p[r] = 1`, so `r - 1` adds nothing to the mean; and `log r <= r - 1` keeps `k3` from being
# negative.

# %% tags=["solution"] jupyter={"source_hidden": true}


def approx_kl(logp, logp_other):
    """(k1, k3) of KL(p || other) at samples of p."""
    log_r = logp_other - logp
    return -log_r, log_r.exp() - 1 - log_r


def sampled_means(p, other, count, seed):
    """The means of k1 and of k3 over `count` samples of p."""
    rng = torch.Generator().manual_seed(seed)
    drawn = torch.multinomial(p, count, replacement=True, generator=rng)
    k1, k3 = approx_kl(p.log()[drawn], other.log()[drawn])
    return k1.mean(), k3.mean()
