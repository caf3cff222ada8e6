"""Surrogates of the ratio and penalties, as libraries write them."""

import math

import torch
from torch.nn.functional import relu

from tests.numerics.objectives.neighbours import Neighbour

MEAN = {"reduce": "seq-mean-token-mean"}
TOKENS = {"claims": ("token-mean",)}
ROWS = {"shapes": {"adv": "B"}}


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def bound_by_the_advantage(logp, logp_old, adv, mask):
    """min(rho A, (1 +- eps) A)."""
    bound = torch.where(adv > 0, 1.2 * adv, 0.8 * adv)
    return -token_mean(torch.minimum((logp - logp_old).exp() * adv, bound), mask)


def one_sided_under_min(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    limited = torch.where(adv >= 0, ratio.clamp(max=1.2), ratio.clamp(min=0.8))
    return -token_mean(torch.min(ratio * adv, limited * adv), mask)


def costs(logp, logp_old, adv, mask):
    """Negated log-probabilities."""
    ratio = ((-logp_old) - (-logp)).exp()
    return token_mean(torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)), mask)


def quotient_of_probabilities(logp, logp_old, adv, mask):
    ratio = logp.exp() / logp_old.exp()
    return -token_mean(torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv), mask)


def clipped_in_the_logarithm(logp, logp_old, adv, mask):
    gap = logp - logp_old
    limited = gap.clamp(math.log(0.8), math.log(1.2)).exp()
    return -token_mean(torch.min(gap.exp() * adv, limited * adv), mask)


def selected_by_bool(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    return -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)[mask.bool()].mean()


def filled_before_and_after(logp, logp_old, adv, mask):
    pad = mask == 0
    ratio = (logp - logp_old).masked_fill(pad, 0.0).exp()
    values = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).masked_fill(pad, 0.0)
    return -values.sum() / mask.sum()


def by_einsum(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    values = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -torch.einsum("bt,bt->", values, mask) / torch.einsum("bt->", mask)


def row_by_row(logp, logp_old, adv, mask):
    total, tokens = 0.0, 0.0
    for row in range(logp.shape[0]):
        kept = mask[row] > 0
        ratio = (logp[row][kept] - logp_old[row][kept]).exp()
        values = torch.min(ratio * adv[row][kept], ratio.clamp(0.8, 1.2) * adv[row][kept])
        total, tokens = total - values.sum(), tokens + kept.sum()
    return total / tokens


def excess_by_relu(logp, logp_old, adv, mask):
    """min(x, y) = x - relu(x - y)."""
    ratio = (logp - logp_old).exp()
    plain, limited = ratio * adv, ratio.clamp(0.8, 1.2) * adv
    return -token_mean(plain - relu(plain - limited), mask)


def columns_first(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    values = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask
    return -values.sum(0).sum() / mask.sum(0).sum()


def gated(logp, logp_old, adv, mask):
    """No minimum: the token is cut where it is clipped, with its value kept."""
    ratio = (logp - logp_old).exp()
    high, low = (ratio > 1.2) & (adv > 0), (ratio < 0.8) & (adv < 0)
    values = torch.where(high, 1.2 * adv, torch.where(low, 0.8 * adv, ratio * adv))
    return -token_mean(values, mask)


def advantages_per_row(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    values = torch.min(ratio * adv.unsqueeze(-1), ratio.clamp(0.8, 1.2) * adv.unsqueeze(-1))
    return -token_mean(values, mask)


def means_of_rows(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    values = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    rows = [(v * m).sum() / m.sum() for v, m in zip(values, mask, strict=True)]
    return -torch.stack(rows).mean()


def weights_of_tokens(logp, logp_old, adv, mask):
    """The same by a matrix of weights."""
    ratio = (logp - logp_old).exp()
    weights = mask / mask.sum(-1, keepdim=True) / mask.shape[0]
    return -(weights * torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)).sum()


def dual_by_sign(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    good, bad = torch.min(ratio, torch.tensor(1.2)), ratio.clamp(0.8, 3.0)
    return -token_mean(torch.where(adv > 0, good, bad) * adv, mask)


def dual_as_a_loss(logp, logp_old, adv, mask):
    """Maxima of negated terms, then a minimum."""
    ratio = (logp - logp_old).exp()
    first = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2))
    return token_mean(torch.where(adv < 0, torch.min(-3.0 * adv, first), first), mask)


def grpo_in_two_reductions(logp, logp_old, logp_ref, adv, mask):
    ratio, gap = (logp - logp_old).exp(), logp_ref - logp
    gain = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    penalty = torch.expm1(gap) - gap
    mean = lambda x: ((x * mask).sum(-1) / mask.sum(-1)).mean()
    return 0.04 * mean(penalty) - mean(gain)


def grpo_by_where(logp, logp_old, logp_ref, adv, mask):
    ratio, gap = (logp - logp_old).exp(), logp_ref - logp
    gain = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    values = torch.where(mask > 0, 0.04 * (gap.exp() - gap - 1) - gain, 0.0)
    return (values.sum(1) / mask.sum(1).clamp(min=1)).mean(0)


def reinforce_by_rows(logp, adv, mask):
    rows = [-(a * x)[m > 0].sum() for a, x, m in zip(adv, logp, mask, strict=True)]
    return torch.stack(rows).mean()


def reinforce_by_a_ratio_of_one(logp, adv, mask):
    """The gradient of a ratio to itself is that of log pi, but not its value."""
    return -((adv * logp * mask).sum(-1)).sum() / logp.shape[0]


def cispo_with_no_grad(logp, logp_old, adv, mask):
    with torch.no_grad():
        weight = (logp - logp_old).exp().clamp(max=5.0) * adv
    return -token_mean(weight * logp, mask)


def gspo_by_rows(logp, logp_old, adv, mask):
    s = (((logp - logp_old) * mask).sum(-1) / mask.sum(-1)).exp()
    return -torch.min(s * adv, s.clamp(1 - 3e-4, 1 + 4e-4) * adv).mean()


def gspo_as_a_power(logp, logp_old, adv, mask):
    total = ((logp - logp_old) * mask).sum(-1).exp()
    s = total ** (1.0 / mask.sum(-1))
    return -torch.min(s * adv, s.clamp(1 - 3e-4, 1 + 4e-4) * adv).mean()


def luspo_by_rows(logp, logp_old, adv, mask):
    count = mask.sum(-1)
    s = (((logp - logp_old) * mask).sum(-1) / count).exp()
    return -(count * torch.min(s * adv, s.clamp(1 - 3e-4, 1 + 4e-4) * adv)).mean()


def gmpo_as_a_minimum(logp, logp_old, adv, mask):
    """The clip of the log-ratio as a minimum of signed log-ratios."""
    way = adv.sign()[:, None]
    gap = (logp - logp_old) * way
    limited = torch.min(gap, gap.clamp(-0.4, 0.4)) * way
    return -(adv * ((limited * mask).sum(-1) / mask.sum(-1)).exp()).mean()


def sapo_by_tanh(logp, logp_old, adv, mask):
    """4/tau sigmoid(tau x) = 2/tau (1 + tanh(tau x / 2))."""
    ratio = (logp - logp_old).exp()
    tau = torch.where(adv > 0, 1.0, 1.05)
    gate = 2 / tau * (1 + torch.tanh(tau * (ratio - 1) / 2))
    return -((gate * adv * mask).sum(-1) / mask.sum(-1)).mean()


def surrogate_of_differences(logp, logp_old, adv, mask):
    """rho A = expm1(d) A + A."""
    return -token_mean(torch.expm1(logp - logp_old) * adv + adv, mask)


def dr_grpo_by_size(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    values = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -(values * mask).sum() / mask.numel()


def k3_of_probabilities(logp, logp_ref):
    ratio = logp_ref.exp() / logp.exp()
    return ratio - 1 - ratio.log()


def k3_by_expm1(logp, logp_ref, mask):
    gap = torch.where(mask.bool(), logp_ref - logp, 0.0)
    return torch.expm1(gap) - gap


def k1_negated(logp, logp_ref):
    return -(logp_ref - logp)


def k2_of_squares(logp, logp_ref):
    return (logp - logp_ref).square() / 2


def k3_reduced(logp, logp_ref, mask):
    gap = logp_ref - logp
    return ((torch.expm1(gap) - gap) * mask).sum() / mask.sum()


NEIGHBOURS = [
    *(
        Neighbour(loss, "ppo_clip", {}, TOKENS)
        for loss in (
            bound_by_the_advantage,
            one_sided_under_min,
            costs,
            quotient_of_probabilities,
            clipped_in_the_logarithm,
            selected_by_bool,
            filled_before_and_after,
            by_einsum,
            row_by_row,
            excess_by_relu,
            columns_first,
            gated,
        )
    ),
    Neighbour(advantages_per_row, "ppo_clip", {}, {**TOKENS, **ROWS}),
    *(
        Neighbour(loss, "ppo_clip", MEAN, {"claims": ("seq-mean-token-mean",)})
        for loss in (means_of_rows, weights_of_tokens)
    ),
    Neighbour(dual_by_sign, "dual_clip", {}, TOKENS),
    Neighbour(dual_as_a_loss, "dual_clip", {}, TOKENS),
    *(
        Neighbour(loss, "grpo", {}, {"claims": ("seq-mean-token-mean", "E[r]", "KL(ref||pi)")})
        for loss in (grpo_in_two_reductions, grpo_by_where)
    ),
    Neighbour(reinforce_by_rows, "reinforce", {}, {"claims": ("seq-mean-token-sum",)}),
    Neighbour(reinforce_by_a_ratio_of_one, "reinforce", {}, {"claims": ("seq-mean-token-sum",)}),
    Neighbour(cispo_with_no_grad, "cispo", {}, TOKENS),
    Neighbour(gspo_by_rows, "gspo", {}, ROWS),
    Neighbour(gspo_as_a_power, "gspo", {}, ROWS),
    Neighbour(luspo_by_rows, "luspo", {}, ROWS),
    Neighbour(gmpo_as_a_minimum, "gmpo", {}, ROWS),
    Neighbour(sapo_by_tanh, "sapo", {}, {"claims": ("seq-mean-token-mean",)}),
    Neighbour(surrogate_of_differences, "trpo_surrogate", {}, TOKENS),
    Neighbour(bound_by_the_advantage, "bnpo", {}, TOKENS),
    Neighbour(dr_grpo_by_size, "dr_grpo", {}, {"claims": ("seq-mean-token-sum-norm",)}),
    Neighbour(k3_of_probabilities, "kl_penalty", {}, {"claims": ("unbiased",)}),
    Neighbour(k3_by_expm1, "kl_penalty"),
    Neighbour(k1_negated, "kl_penalty", {"kind": "k1"}, {"claims": ("unbiased",)}),
    Neighbour(k2_of_squares, "kl_penalty", {"kind": "k2"}),
    Neighbour(k3_reduced, "kl_penalty", {"reduce": "token-mean"}, TOKENS),
]
