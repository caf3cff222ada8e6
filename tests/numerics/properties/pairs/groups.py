"""Advantages of groups, and losses that compute them."""

import torch

from tests.numerics.properties.pairs import Pair


def each_group(estimate):
    def advantages(rewards, group):
        out = torch.zeros_like(rewards)
        for number in group.unique():
            members = group == number
            out[members] = estimate(rewards[members])
        return out

    return advantages


def centred(r):
    return r - r.mean()


def others(r):
    """The mean of the others; a single one has no others."""
    return (r - r.mean()) * len(r) / max(len(r) - 1, 1)


mean_baseline, leave_one_out = each_group(centred), each_group(others)


def over_deviation(rewards, group):
    def scaled(r):
        equal = len(r) < 2 or bool((r == r[0]).all())
        return 0 * r if equal else centred(r) / (r.std() + 1e-6)

    return each_group(scaled)(rewards, group)


def no_baseline(rewards, group):
    return each_group(lambda r: r)(rewards, group)


def over_variance(rewards, group):
    def scaled(r):
        equal = len(r) < 2 or bool((r == r[0]).all())
        return 0 * r if equal else centred(r) / (r.var() + 1e-6)

    return each_group(scaled)(rewards, group)


def sign_turned(rewards, group):
    return -mean_baseline(rewards, group)


def deviation_of_one(rewards, group):
    def scaled(r):
        return centred(r) / (((centred(r) ** 2).sum() / (len(r) - 1)).sqrt() + 1e-6)

    return each_group(scaled)(rewards, group)


def mean_with_itself(rewards, group):
    return mean_baseline(rewards, group)


def factor_turned_round(rewards, group):
    return each_group(lambda r: centred(r) * max(len(r) - 1, 1) / len(r))(rewards, group)


def policy_of(advantages):
    def loss(logp, logp_old, rewards, group, mask):
        adv = advantages(rewards, group)[:, None]
        ratio = (logp - logp_old).exp()
        values = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        return -(values * mask).sum() / mask.sum()

    return loss


grouped = policy_of(over_deviation)


def grouped_over_the_batch(logp, logp_old, rewards, group, mask):
    whole = policy_of(lambda r, g: (r - r.mean()) / (r.std() + 1e-6))
    return whole(logp, logp_old, rewards, group, mask)


def grouped_without_guard(logp, logp_old, rewards, group, mask):
    return policy_of(no_baseline)(logp, logp_old, rewards, group, mask)


def guarded(epsilon):
    def with_an_epsilon(rewards, group):
        scaled = each_group(lambda r: centred(r) / (r.std(correction=0) + epsilon))
        return scaled(rewards, group)

    return with_an_epsilon


def from_the_median(rewards, group):
    return each_group(lambda r: r - r.median())(rewards, group)


def from_the_largest(rewards, group):
    return each_group(lambda r: r - r.max())(rewards, group)


def in_rows(rewards, group_size):
    rows = rewards.view(-1, group_size)
    return (rows - rows.mean(1, keepdim=True)).reshape(-1)


def in_columns(rewards, group_size):
    """Prompts tiled, not repeated."""
    rows = rewards.view(group_size, -1)
    return (rows - rows.mean(0, keepdim=True)).reshape(-1)


PAIRS = (
    Pair("sees_its_own_group_only", in_columns, in_rows),
    Pair("ignores_a_shift_of_its_rewards", guarded(2.0), guarded(1e-4)),
    Pair("sums_to_zero_in_a_group", from_the_largest, from_the_median),
    Pair("ignores_a_shift_of_its_rewards", no_baseline, mean_baseline),
    Pair("ignores_a_shift_of_its_rewards", over_variance, over_deviation),
    Pair("keeps_the_order_of_rewards", sign_turned, mean_baseline),
    Pair("stays_finite_in_a_group_of_one", deviation_of_one, over_deviation),
    Pair(
        "leaves_itself_out_as_claimed",
        mean_with_itself,
        leave_one_out,
        {"claims": ("leave-one-out",)},
    ),
    Pair(
        "leaves_itself_out_as_claimed",
        factor_turned_round,
        leave_one_out,
        {"claims": ("leave-one-out",)},
    ),
    Pair("sees_its_own_group_only", grouped_over_the_batch, grouped),
    Pair("gives_equal_rewards_no_advantage", grouped_without_guard, grouped),
)
