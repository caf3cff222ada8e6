"""Advantages: over time, in groups, whitened."""

import torch

from tests.numerics.corpus import Case

GAE = "agrees_with_advantages_summed_backwards"


def backwards(delta, carry, gamma, lam):
    """A_t = delta_t + gamma lam carry_t A_{t+1}."""
    out, last = torch.zeros_like(delta), torch.zeros_like(delta[:, 0])
    for t in reversed(range(delta.shape[1])):
        last = delta[:, t] + gamma * lam * carry[:, t] * last
        out[:, t] = last
    return out


def following(x):
    return torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], -1)


def full(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    delta = rewards + gamma * next_values * (1 - terminated) - values
    done = torch.maximum(terminated, truncated)
    return backwards(delta * mask, (1 - done) * following(mask), gamma, lam)


def truncation_as_termination(
    rewards, values, next_values, terminated, truncated, mask, gamma, lam
):
    done = torch.maximum(terminated, truncated)
    return full(rewards, values, next_values, done, truncated, mask, gamma, lam)


def done_read_one_step_late(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    return full(rewards, values, next_values, following(terminated), truncated, mask, gamma, lam)


def bootstrap_from_the_last_stored(
    rewards, values, next_values, terminated, truncated, mask, gamma, lam
):
    stored = torch.where(truncated > 0, values, next_values)
    return full(rewards, values, stored, terminated, truncated, mask, gamma, lam)


def value_after_the_reset(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    stored = following(values * mask)
    return full(rewards, values, stored, terminated, truncated, mask, gamma, lam)


def masked(rewards, values, mask, gamma, lam):
    kept = values * mask
    delta = rewards * mask + gamma * following(kept) - kept
    return backwards(delta, torch.ones_like(mask), gamma, lam) * mask


def values_unmasked(rewards, values, mask, gamma, lam):
    delta = rewards * mask + gamma * following(values) - values
    return backwards(delta, torch.ones_like(mask), gamma, lam) * mask


def values_masked_one_late(rewards, values, mask, gamma, lam):
    late = torch.cat([torch.ones_like(mask[:, :1]), mask[:, :-1]], -1)
    return values_unmasked(rewards * mask, values * late, mask, gamma, lam)


def traced(rewards, values, next_values, gamma, lam, own_next):
    """V-trace with weights of one: A_t = r_t + gamma target_{t+1} - V_t; the target is V and what
    lambda keeps of the trace behind it. `own_next` says where it is V(s_{t+1}) of the step's own.
    """
    out, trace = torch.zeros_like(values), torch.zeros_like(values[:, 0])
    after = following(values)
    for t in reversed(range(values.shape[1])):
        bootstrap = torch.where(own_next[:, t] > 0, next_values[:, t], after[:, t] + lam * trace)
        out[:, t] = trace = rewards[:, t] + gamma * bootstrap - values[:, t]
    return out


def vtrace(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    done = torch.maximum(torch.maximum(terminated, truncated), 1 - following(mask))
    kept = next_values * (1 - terminated)
    return traced(rewards, values, kept, gamma, lam, done)


def vtrace_of_the_next_episode(
    rewards, values, next_values, terminated, truncated, mask, gamma, lam
):
    """At a truncation inside the batch the target of the following row's step is taken."""
    inside = truncated * following(mask)
    done = torch.maximum(torch.maximum(terminated, truncated), 1 - following(mask))
    kept = next_values * (1 - terminated)
    return traced(rewards, values, kept, gamma, lam, done * (1 - inside))


def group_stat(rewards, group, leave_out, scaled):
    out = torch.zeros_like(rewards)
    for i in range(len(rewards)):
        members = group == group[i]
        if int(members.sum()) < 2:
            continue
        if leave_out:
            members = members.clone()
            members[i] = False
        out[i] = rewards[i] - rewards[members].mean()
        if scaled:
            spread = rewards[members].std() if int(members.sum()) > 1 else torch.zeros(())
            out[i] = out[i] / (spread + 1e-6) if scaled == "always" or spread > 1e-6 else out[i]
    return out


def by_group(rewards, group):
    return group_stat(rewards, group, False, "")


def by_group_scaled(rewards, group):
    out = group_stat(rewards, group, False, "where it varies")
    equal = torch.stack([(rewards[group == g] == rewards[group == g][0]).all() for g in group])
    return torch.where(equal, 0.0, out)


def by_batch(rewards, group):
    return (rewards - rewards.mean()) / (rewards.std() + 1e-4)


def by_neighbours(rewards, group):
    """Consecutive pairs, whatever prompt they answer."""
    padded = torch.cat([rewards, rewards[-1:]]) if len(rewards) % 2 else rewards
    pairs = padded.view(-1, 2)
    return (pairs - pairs.mean(1, keepdim=True)).reshape(-1)[: len(rewards)]


def uneven_falls_back_to_one_group(rewards, group):
    sizes = torch.stack([(group == g).sum() for g in group.unique()])
    return by_group(rewards, group) if bool((sizes == sizes[0]).all()) else rewards - rewards.mean()


def first_rollout_statistics(rewards, group):
    out = torch.zeros_like(rewards)
    for g in group.unique():
        members = group == g
        out[members] = rewards[members] - rewards[members][0]
    return out


def loo_scaled_always(rewards, group):
    return group_stat(rewards, group, True, "always")


def loo_scaled_where_it_varies(rewards, group):
    return group_stat(rewards, group, True, "where it varies")


def moments(x, mask, spent):
    """Mean and variance of what counts; `spent` degrees of freedom."""
    mean = (x * mask).sum() / mask.sum()
    return mean, (((x - mean) ** 2) * mask).sum() / (mask.sum() - spent).clamp(min=1.0)


def whitened(x, mask, spent=1):
    mean, var = moments(x, mask, spent)
    return (x - mean) / (var + 1e-12).sqrt() * mask


def whitened_population(x, mask):
    return whitened(x, mask, 0)


def pads_not_zeroed(x, mask):
    mean, var = moments(x, mask, 1)
    return (x * mask - mean) / (var + 1e-12).sqrt()


def mean_over_padding(x, mask):
    mean = x.mean()
    var = (((x - mean) ** 2) * mask).sum() / mask.sum()
    return (x - mean) / (var + 1e-12).sqrt() * mask


def deviation_of_one(x, mask):
    mean = (x * mask).sum() / mask.sum()
    var = (((x - mean) ** 2) * mask).sum() / (mask.sum() - 1)
    return (x - mean) / (var.sqrt() + 1e-8) * mask


def whitened_unless_single(x, mask):
    return x * mask if int(mask.sum()) == 1 else deviation_of_one(x, mask)


def in_two_halves(x, mask):
    """Each half of a row with statistics of its own, as two ranks that share a sequence."""
    middle = (x.shape[1] + 1) // 2
    halves = [whitened(x[:, s], mask[:, s]) for s in (slice(0, middle), slice(middle, None))]
    return torch.cat(halves, -1)


def row_wise(x, mask):
    counts = mask.sum(-1, keepdim=True)
    mean = (x * mask).sum(-1, keepdim=True) / counts
    var = (((x - mean) ** 2) * mask).sum(-1, keepdim=True) / counts
    return (x - mean) / (var + 1e-12).sqrt() * mask


def row_statistics_on_the_wrong_axis(x, mask):
    """Statistics [B] meet the tokens; silent where B = T, here they are repeated to fit."""
    counts, places = mask.sum(-1), torch.arange(x.shape[1]) % len(x)
    mean = (x * mask).sum(-1) / counts
    centred = x - mean[places]
    var = ((centred**2) * mask).sum(-1) / counts
    return centred / (var[places] + 1e-12).sqrt() * mask


CASES = {
    "cleanrl-198-timeout": Case(truncation_as_termination, full, GAE),
    "sb3-633-timeout-treated-as-terminal": Case(truncation_as_termination, full, GAE),
    "roboverse-814-done-buffer-shifted": Case(done_read_one_step_late, full, GAE),
    "sb3-185-last-value-off-by-one": Case(bootstrap_from_the_last_stored, full, GAE),
    "torchrl-3771-compact-next-value": Case(value_after_the_reset, full, GAE),
    "torchrl-4209-vtrace-next-episode": Case(vtrace_of_the_next_episode, vtrace, GAE),
    "verl-50-values-unmasked-before-gae": Case(values_unmasked, masked, GAE),
    "verl-1758-critic-mask-offset": Case(values_masked_one_late, masked, GAE),
    "grpo-flat-2-batch-statistics": Case(by_batch, by_group, "sees_its_own_group_only"),
    "prime-rl-600-group-order": Case(by_neighbours, by_group, "sees_its_own_group_only"),
    "slime-2230-uneven-groups": Case(
        uneven_falls_back_to_one_group, by_group, "sees_its_own_group_only"
    ),
    "pipelinerl-54-first-rollout-stats": Case(
        first_rollout_statistics, by_group, "sums_to_zero_in_a_group"
    ),
    "nemo-1518-loo-zero-std": Case(
        loo_scaled_always, loo_scaled_where_it_varies, "gives_equal_rewards_no_advantage"
    ),
    "control-slime-233-std-after-centering": Case(by_group_scaled, by_group_scaled, ""),
    "verl-1527-whitened-pads-nonzero": Case(pads_not_zeroed, whitened, "normalises_under_the_mask"),
    "skyrl-1305-mean-over-padding": Case(
        mean_over_padding, whitened_population, "ignores_masked_tokens"
    ),
    "sb3-1028-minibatch-of-one": Case(
        deviation_of_one, whitened_unless_single, "normalises_under_the_mask"
    ),
    "slime-2235-whiten-per-cp-rank": Case(in_two_halves, whitened, "normalises_under_the_mask"),
    "openrlhf-1250-masked-normalize-broadcast": Case(
        row_statistics_on_the_wrong_axis, row_wise, "follows_the_order_of_rows"
    ),
}
