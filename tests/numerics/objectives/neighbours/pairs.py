"""Losses of pairs, values and entropies, as libraries write them."""

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss, softplus

from tests.numerics.objectives.neighbours import Neighbour

PAIRS = {"claims": ("pair-mean",)}
LOGISTIC = {"claims": ("logistic", "beta^0", "pair-mean")}
TOKENS = {"claims": ("token-mean",)}


def log_of_one_plus_exp(score_w, score_l):
    gap = score_l - score_w
    return (gap.clamp(min=0.0) + torch.log1p(torch.exp(-gap.abs()))).mean()


def by_softplus(score_w, score_l):
    return softplus(score_l - score_w).mean()


def by_cross_entropy(score_w, score_l):
    both = torch.stack([score_w, score_l], -1)
    return -torch.log_softmax(both, -1)[:, 0].mean()


def by_logits_of_a_win(score_w, score_l):
    gap = score_w - score_l
    return binary_cross_entropy_with_logits(gap, torch.ones_like(gap))


def ratios_of_policies(logp_w, logp_l, ref_w, ref_l):
    """(w - l) of the policy minus (w - l) of the reference."""
    h = (logp_w - logp_l) - (ref_w - ref_l)
    return softplus(-0.1 * h).mean()


def implicit_rewards(logp_w, logp_l, ref_w, ref_l):
    chosen, rejected = 0.1 * (logp_w - ref_w), 0.1 * (logp_l - ref_l)
    return -torch.log_softmax(torch.stack([chosen, rejected]), 0)[0].mean()


def tokens_selected(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    rows = []
    for b in range(logp_w.shape[0]):
        w, lo = mask_w[b].bool(), mask_l[b].bool()
        h = (logp_w[b][w] - ref_w[b][w]).sum() - (logp_l[b][lo] - ref_l[b][lo]).sum()
        rows.append(softplus(-0.1 * h))
    return sum(rows) / len(rows)


def tokens_by_einsum(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    h = torch.einsum("bt,bt->b", logp_w - ref_w, mask_w)
    h = h - torch.einsum("bt,bt->b", logp_l - ref_l, mask_l)
    return softplus(-0.1 * h).sum() / h.numel()


def one_loss_a_pair(logp_w, logp_l, ref_w, ref_l):
    return softplus(-0.1 * ((logp_w - ref_w) - (logp_l - ref_l)))


def smoothed_by_cross_entropy(logp_w, logp_l, ref_w, ref_l):
    h = 0.1 * ((logp_w - ref_w) - (logp_l - ref_l))
    return binary_cross_entropy_with_logits(h, torch.full_like(h, 0.9))


def smoothed_as_a_shift(logp_w, logp_l, ref_w, ref_l):
    """-log sigmoid(h) + e h is the same mixture."""
    h = 0.1 * ((logp_w - ref_w) - (logp_l - ref_l))
    return (softplus(-h) + 0.1 * h).mean()


def squared_distance(logp_w, logp_l, ref_w, ref_l):
    h = (logp_w - ref_w) - (logp_l - ref_l)
    return mse_loss(h, torch.full_like(h, 5.0))


def squared_in_units_of_beta(logp_w, logp_l, ref_w, ref_l):
    h = 0.1 * ((logp_w - ref_w) - (logp_l - ref_l))
    return ((h - 0.5) ** 2).mean() / 0.01


def one_minus_sigmoid(logp_w, logp_l, ref_w, ref_l):
    wanted = 1 - torch.sigmoid(0.1 * (logp_w - ref_w))
    return (wanted + 1 - torch.sigmoid(-0.1 * (logp_l - ref_l))).mean() / 2


def kto_of_one_list(logp_w, logp_l, ref_w, ref_l):
    """Desired and undesired responses in one list."""
    h = torch.cat([logp_w - ref_w, -(logp_l - ref_l)])
    return torch.sigmoid(-0.1 * h).mean()


def simpo_of_means(logp_w, logp_l):
    return softplus(-2.0 * (logp_w - logp_l - 0.5)).mean()


def simpo_by_rows(logp_w, logp_l, mask_w, mask_l):
    gap = (logp_w * mask_w).sum(-1) / mask_w.sum(-1) - (logp_l * mask_l).sum(-1) / mask_l.sum(-1)
    return -torch.nn.functional.logsigmoid(2.0 * gap - 1.0).mean()


def orpo_by_log1p(logp_w, logp_l):
    odds = (logp_w - logp_l) - (torch.log1p(-logp_w.exp()) - torch.log1p(-logp_l.exp()))
    return -logp_w.mean() + 0.1 * softplus(-odds).mean()


def value_by_max(value, value_old, returns, mask):
    near = value_old + torch.clamp(value - value_old, -0.2, 0.2)
    worst = torch.max((value - returns) ** 2, (near - returns) ** 2)
    return 0.5 * (worst * mask).sum() / mask.sum()


def value_in_a_band(value, value_old, returns, mask):
    """The clip as a band around the old value; the larger distance, then squared."""
    near = torch.min(torch.max(value, value_old - 0.2), value_old + 0.2)
    far = torch.maximum((value - returns).abs(), (near - returns).abs())
    return (0.5 * far**2)[mask.bool()].mean()


def plain_value(value, returns, mask):
    return 0.5 * mse_loss(value[mask.bool()], returns[mask.bool()])


def entropy_of_a_distribution(logits, mask):
    law = torch.distributions.Categorical(logits=logits)
    return -0.01 * (law.entropy() * mask).sum() / mask.sum()


def entropy_by_logsumexp(logits, mask):
    """H = logsumexp(z) - sum p z."""
    entropy = logits.logsumexp(-1) - (logits.softmax(-1) * logits).sum(-1)
    return -0.01 * entropy[mask.bool()].mean()


def whole_ppo(logp, logp_old, adv, value, returns, entropy, mask):
    """Three means, added."""
    mean = lambda x: (x * mask).sum() / mask.sum()
    ratio = (logp - logp_old).exp()
    policy = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2))
    return mean(policy) + 0.5 * mean((returns - value) ** 2) - 0.01 * mean(entropy)


NEIGHBOURS = [
    *(
        Neighbour(loss, "bradley_terry", {}, PAIRS)
        for loss in (by_softplus, by_cross_entropy, by_logits_of_a_win, log_of_one_plus_exp)
    ),
    *(
        Neighbour(loss, "dpo", {}, LOGISTIC)
        for loss in (ratios_of_policies, implicit_rewards, tokens_selected, tokens_by_einsum)
    ),
    Neighbour(one_loss_a_pair, "dpo", {"pairs": "none"}, {"claims": ("logistic",)}),
    Neighbour(smoothed_by_cross_entropy, "dpo", {"label_smoothing": 0.1}, PAIRS),
    Neighbour(smoothed_as_a_shift, "dpo", {"label_smoothing": 0.1}, PAIRS),
    Neighbour(squared_distance, "ipo", {}, PAIRS),
    Neighbour(squared_in_units_of_beta, "ipo", {}, PAIRS),
    Neighbour(one_minus_sigmoid, "kto", {}, PAIRS),
    Neighbour(kto_of_one_list, "kto", {}, PAIRS),
    Neighbour(simpo_of_means, "simpo", {}, PAIRS),
    Neighbour(simpo_by_rows, "simpo", {}, PAIRS),
    Neighbour(orpo_by_log1p, "orpo", {}, PAIRS),
    Neighbour(value_by_max, "value_clip", {}, {"claims": ("token-mean", "half")}),
    Neighbour(value_in_a_band, "value_clip", {}, {"claims": ("token-mean", "half")}),
    Neighbour(plain_value, "value_clip", {"clip": None}, {"claims": ("token-mean", "half")}),
    Neighbour(entropy_of_a_distribution, "entropy_bonus", {}, {"claims": ("bonus", "mean")}),
    Neighbour(entropy_by_logsumexp, "entropy_bonus", {}, {"claims": ("bonus", "mean")}),
    Neighbour(whole_ppo, "ppo_full", {}, TOKENS),
]
