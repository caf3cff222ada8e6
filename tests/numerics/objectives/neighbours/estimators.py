"""Advantages, rewards per token, accumulation loops and counts, as libraries write them."""

from math import comb, prod

import torch

from tests.numerics.objectives.neighbours import Neighbour


def same(group):
    return group[:, None] == group[None, :]


def rescaled_centering(rewards, group):
    """K / (K - 1) (r - mean); a group of one gets zero."""
    together = same(group).to(rewards.dtype)
    size = together.sum(-1)
    return size / (size - 1).clamp(min=1) * (rewards - together @ rewards / size)


def sum_of_the_others(rewards, group):
    others = (same(group) & ~torch.eye(len(rewards)).bool()).to(rewards.dtype)
    count = others.sum(-1)
    return torch.where(count > 0, rewards - others @ rewards / count.clamp(min=1), 0.0)


def centred_by_scatter(rewards, group):
    _, place = group.unique(return_inverse=True)
    total = torch.zeros(int(place.max()) + 1, dtype=rewards.dtype).index_add(0, place, rewards)
    return rewards - (total / place.bincount())[place]


def scaled_by_loops(rewards, group, mask):
    out = rewards.clone()
    for number in group.unique():
        kept = group == number
        spread = rewards[kept].std() if int(kept.sum()) > 1 else torch.tensor(1.0)
        out[kept] = (rewards[kept] - rewards[kept].mean()) / (spread + 1e-6)
    return out[:, None].expand_as(mask)


def scaled_by_population(rewards, group):
    """E[r^2] - E[r]^2, of centred rewards."""
    together = same(group).to(rewards.dtype)
    apart = rewards - together @ rewards / together.sum(-1)
    spread = (together @ apart**2 / together.sum(-1)).sqrt()
    return apart / (spread + 1e-6)


def gae_recursive(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    """Backwards over columns; the padding is left as it falls out."""
    carried, columns = torch.zeros_like(rewards[:, 0]), []
    steps = rewards.shape[1]
    for t in reversed(range(steps)):
        delta = rewards[:, t] + gamma * next_values[:, t] * (1 - terminated[:, t]) - values[:, t]
        goes_on = (1 - terminated[:, t]) * (1 - truncated[:, t])
        if t + 1 < steps:
            goes_on = goes_on * mask[:, t + 1]
        carried = delta + gamma * lam * goes_on * carried
        columns.insert(0, carried)
    advantages = torch.stack(columns, 1)
    return advantages, advantages + values


def gae_as_a_matrix(rewards, values, mask, gamma, lam):
    """A = sum over later steps of (gamma lambda)^l delta, for one episode a row."""
    steps = rewards.shape[1]
    ahead = torch.arange(steps)[None, :] - torch.arange(steps)[:, None]
    weights = torch.where(ahead >= 0, (gamma * lam) ** ahead.clamp(min=0).double(), 0.0)
    kept = values * mask
    following = torch.cat([kept[:, 1:], torch.zeros_like(kept[:, :1])], 1)
    return ((rewards + gamma * following - values) * mask) @ weights.T


def reward_by_index(logp, logp_ref, score, mask, beta):
    rewards = beta * (logp_ref - logp) * mask
    last = mask.cumsum(-1).argmax(-1)
    rewards[torch.arange(len(score)), last] += score
    return rewards


def reward_by_where(logp, logp_ref, score, mask, beta):
    """What lies in the padding is not cleared."""
    last = (mask.sum(-1) - 1)[:, None] == torch.arange(mask.shape[1])
    return -beta * (logp - logp_ref) + torch.where(last, score[:, None], 0.0)


def whitened_by_moments(x, mask):
    count = mask.sum()
    mean = (x * mask).sum() / count
    variance = (((x - mean) * mask) ** 2).sum() / (count - 1).clamp(min=1)
    return (x - mean) * torch.rsqrt(variance + 1e-8) * mask


def accumulated_in_a_loop(weight, features, targets, mask):
    leaf = weight.clone().requires_grad_()
    for x, y, m in zip(features, targets, mask, strict=True):
        ((((x @ leaf - y) ** 2) * m).sum() / mask.sum()).backward()
    return leaf.grad


def accumulated_by_hand(weight, features, targets, mask):
    """2 X^T (X w - y) over the tokens that count, one product."""
    x, y = features[mask > 0], targets[mask > 0]
    return 2 * x.T @ (x @ weight - y) / len(y)


def accumulated_by_shares(weight, features, targets, mask):
    """Means of micro-batches, each weighted by its share of the tokens."""
    total = torch.zeros_like(weight)
    for x, y, m in zip(features, targets, mask, strict=True):
        leaf = weight.clone().requires_grad_()
        loss = (((x @ leaf - y) ** 2) * m).sum() / m.sum()
        total = total + torch.autograd.grad(loss, leaf)[0] * (m.sum() / mask.sum())
    return total


def pass_by_a_product(n, c, k):
    if n - c < k:
        return 1.0
    return 1.0 - prod((n - c - i) / (n - i) for i in range(k))


def pass_by_the_first_right(n, c, k):
    """The chance that the best of k is at each place, added."""
    return sum(comb(n - i, k - 1) for i in range(1, c + 1) if n - i >= k - 1) / comb(n, k)


def rloo_by_scatter(logp, rewards, group, mask):
    adv = sum_of_the_others(rewards, group)
    return -((logp * mask).sum(-1) * adv.detach()).mean()


def rloo_rescaled(logp, rewards, group, mask):
    adv = rescaled_centering(rewards, group)
    return -(torch.where(mask > 0, logp, 0.0) * adv[:, None]).sum() / len(rewards)


NEIGHBOURS = [
    Neighbour(rescaled_centering, "group_leave_one_out"),
    Neighbour(sum_of_the_others, "group_leave_one_out"),
    Neighbour(centred_by_scatter, "group_mean"),
    Neighbour(scaled_by_loops, "group_normalised", {"guard": 1e-6, "spread": "tokens"}),
    Neighbour(scaled_by_population, "group_normalised", {"guard": 1e-6, "deviation": "population"}),
    Neighbour(gae_recursive, "gae"),
    Neighbour(gae_as_a_matrix, "gae", {"output": "advantages"}),
    Neighbour(reward_by_index, "rlhf_token_reward"),
    Neighbour(reward_by_where, "rlhf_token_reward"),
    Neighbour(whitened_by_moments, "whiten"),
    Neighbour(accumulated_in_a_loop, "accumulated_gradient", {}, {"claims": ("token-mean",)}),
    Neighbour(accumulated_by_hand, "accumulated_gradient", {}, {"claims": ("token-mean",)}),
    Neighbour(accumulated_by_shares, "accumulated_gradient", {}, {"claims": ("token-mean",)}),
    Neighbour(pass_by_a_product, "pass_at_k"),
    Neighbour(pass_by_the_first_right, "pass_at_k"),
    Neighbour(rloo_by_scatter, "rloo"),
    Neighbour(rloo_rescaled, "rloo"),
]
