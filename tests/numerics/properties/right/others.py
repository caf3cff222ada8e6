"""Preference losses, estimators, penalties, rewards and critics."""

import math

import torch
from torch.nn.functional import logsigmoid, smooth_l1_loss

B = {"shapes": dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")}
POLICY = {"shapes": {"logp_w": "B", "logp_l": "B"}}


def rewards_of(logp_w, logp_l, ref_w, ref_l):
    return 0.1 * (logp_w - ref_w), 0.1 * (logp_l - ref_l)


def against_a_batch_mean(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    point = torch.cat([a, b]).mean().clamp(min=0).detach()
    return (1 - torch.sigmoid(a - point)).mean() + (1 - torch.sigmoid(point - b)).mean()


def classifier_against_a_mean(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    point = torch.cat([a, b]).mean().detach()
    return -(logsigmoid(a - point) + logsigmoid(point - b)).mean()


def reversed_divergence(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    m, e = a - b, 1e-3
    wins = torch.sigmoid(m) * (logsigmoid(m) - math.log(1 - e))
    return (wins + torch.sigmoid(-m) * (logsigmoid(-m) - math.log(e))).mean()


def noise_contrastive(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    return (-logsigmoid(a) - 0.5 * logsigmoid(-a) - 0.5 * logsigmoid(-b)).mean()


def anchored(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    return (1 - torch.sigmoid(a) + torch.sigmoid(b)).mean()


def sorted_quantiles(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    return -logsigmoid(a.sort().values - b.sort().values).mean()


def noise_taken_off(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    return ((0.1 * logsigmoid(b - a) - 0.9 * logsigmoid(a - b)) / 0.8).mean()


def positive_penalty(logp_w, logp_l, ref_w, ref_l):
    a, b = rewards_of(logp_w, logp_l, ref_w, ref_l)
    return -logsigmoid(a - b - 0.5 * torch.relu(ref_w - logp_w)).mean()


def hinge_with_likelihood(logp_w, logp_l):
    return torch.relu(1 - (logp_w - logp_l)).mean() - 0.1 * logp_w.mean()


def centred_scores(score_w, score_l):
    return -logsigmoid(score_w - score_l).mean() + 0.01 * ((score_w + score_l) ** 2).mean()


def common_tokens(scores_w, scores_l, mask_w, mask_l):
    mask = mask_w * mask_l
    return -(logsigmoid(scores_w - scores_l) * mask).sum() / mask.sum()


def huber(value, returns, mask):
    return (smooth_l1_loss(value, returns, reduction="none") * mask).sum() / mask.sum()


def clamped_twice(logp, logp_ref):
    gap = (logp_ref - logp).clamp(-20, 20)
    return (gap.exp() - gap - 1).clamp(-10, 10)


def straight_through(logp, logp_ref):
    gap = logp_ref - logp
    return 0.5 * gap**2 + (gap.exp() - 1 - gap - 0.5 * gap**2).detach()


def absolute(logp, logp_ref):
    return (logp - logp_ref).abs()


def whitened(x, mask):
    kept = x[mask > 0]
    return (x - kept.mean()) / (kept.std() + 1e-8) * mask


def whitened_returns(rewards, mask, gamma):
    out, last = torch.zeros_like(rewards), torch.zeros_like(rewards[:, 0])
    for t in reversed(range(rewards.shape[1])):
        last = (rewards[:, t] + gamma * last) * mask[:, t]
        out[:, t] = last
    return whitened(out, mask)


def estimated_over_padding(rewards, values, mask, gamma, lam):
    """The recursion waits in the padding; advantages whitened, targets not."""
    following, last = torch.zeros_like(rewards[:, 0]), torch.zeros_like(rewards[:, 0])
    out = torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[1])):
        there = mask[:, t]
        step = rewards[:, t] + gamma * following - values[:, t] + gamma * lam * last
        following = values[:, t] * there + (1 - there) * following
        out[:, t] = last = step * there + (1 - there) * last
    return whitened(out, mask), out + values


def each_group(estimate):
    def advantages(rewards, group):
        out = torch.zeros_like(rewards)
        for number in group.unique():
            out[group == number] = estimate(rewards[group == number])
        return out

    return advantages


def lead_of_the_best(rewards, group):
    def lead(r):
        out = torch.zeros_like(r)
        if len(r) > 1:
            best = r.topk(2)
            out[best.indices[0]] = best.values[0] - best.values[1]
        return out

    return each_group(lead)(rewards, group)


def length_weighted_baseline(rewards, group, mask):
    out, lengths = torch.zeros_like(rewards), mask.sum(-1)
    for number in group.unique():
        i = group == number
        out[i] = rewards[i] - (rewards[i] * lengths[i]).sum() / lengths[i].sum()
    return out[:, None] * mask


def deviation_of_the_batch(rewards, group_size):
    rows = rewards.view(-1, group_size)
    centred = (rows - rows.mean(1, keepdim=True)).reshape(-1)
    return centred / (rewards.std() + 1e-4)


def charged_at_the_end(logp, logp_ref, score, mask, beta):
    last = (mask.cumsum(-1) == mask.sum(-1, keepdim=True)) * mask
    return last * (score - beta * ((logp - logp_ref) * mask).sum(-1))[:, None]


RIGHT = (
    *((f, B) for f in (against_a_batch_mean, classifier_against_a_mean, reversed_divergence)),
    *((f, B) for f in (noise_contrastive, anchored, sorted_quantiles, noise_taken_off)),
    (positive_penalty, B),
    (hinge_with_likelihood, POLICY),
    *((f, {}) for f in (centred_scores, common_tokens, huber, clamped_twice, straight_through)),
    *((f, {}) for f in (absolute, whitened_returns, estimated_over_padding, lead_of_the_best)),
    *((f, {}) for f in (length_weighted_baseline, deviation_of_the_batch, charged_at_the_end)),
)
