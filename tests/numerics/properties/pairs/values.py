"""Critics, returns, rewards per token, actor and critic together."""

import torch

from tests.numerics.properties.pairs import Pair

HOT = {"constants": {"temperature": 0.5}}


def mean(values, mask):
    return (values * mask).sum() / mask.sum()


def squared(value, returns, mask):
    return mean((value - returns) ** 2, mask)


def gained(value, returns, mask):
    return -squared(value, returns, mask)


def detached(value, value_old, returns, mask):
    near = value_old + (value - value_old).clamp(-0.2, 0.2)
    return mean((near - returns) ** 2 * ((value - value_old).abs() > 0.2), mask)


def clipped(value, value_old, returns, mask):
    near = value_old + (value - value_old).clamp(-0.2, 0.2)
    return mean(torch.maximum((value - returns) ** 2, (near - returns) ** 2), mask)


def every_value_with_every_target(value, returns):
    return ((value[:, None] - returns) ** 2).mean()


def own_targets(value, returns):
    return ((value - returns) ** 2).mean()


def scaled_by_temperature(value, returns, mask, temperature=1.0):
    return squared(value / temperature, returns, mask)


def free_of_temperature(value, returns, mask, temperature=1.0):
    return squared(value, returns, mask)


def both(entropy_sign, pick):
    def loss(logp, logp_old, adv, value, value_old, returns, entropy, mask):
        ratio = (logp - logp_old).exp()
        gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        near = value_old + (value - value_old).clamp(-0.2, 0.2)
        error = pick((value - returns) ** 2, (near - returns) ** 2)
        return mean(-gain + 0.5 * error + entropy_sign * 0.01 * entropy, mask)

    return loss


actor_critic = both(-1, torch.maximum)


def entropy_punished(logp, logp_old, adv, value, value_old, returns, entropy, mask):
    loss = both(1, torch.maximum)
    return loss(logp, logp_old, adv, value, value_old, returns, entropy, mask)


def smaller_error(logp, logp_old, adv, value, value_old, returns, entropy, mask):
    loss = both(-1, torch.minimum)
    return loss(logp, logp_old, adv, value, value_old, returns, entropy, mask)


def ratio_turned_round(logp, logp_old, adv, value, value_old, returns, entropy, mask):
    return actor_critic(
        2 * logp_old - logp, logp_old, adv, value, value_old, returns, entropy, mask
    )


def denormalised(returns, value_normalised, value_mean, value_std):
    return returns - (value_mean + value_std * value_normalised)


def normalised_as_it_is(returns, value_normalised, value_mean, value_std):
    return returns - value_normalised


def mean_forgotten(returns, value_normalised, value_mean, value_std):
    return returns - value_std * value_normalised


def to_come(rewards, terminated, mask, gamma):
    out, last = torch.zeros_like(rewards), torch.zeros_like(rewards[:, 0])
    for t in reversed(range(rewards.shape[1])):
        last = (rewards[:, t] + gamma * (1 - terminated[:, t]) * last) * mask[:, t]
        out[:, t] = last
    return out


def from_the_start(rewards, terminated, mask, gamma):
    return to_come(rewards, terminated, mask, gamma)[:, :1].expand_as(rewards) * mask


def across_episodes(rewards, terminated, mask, gamma):
    return to_come(rewards, 0 * terminated, mask, gamma)


def discounted_from_zero(rewards, terminated, mask, gamma):
    """gamma^t r_t summed from t on: the discount counts from the start of the row."""
    weights = gamma ** torch.arange(rewards.shape[1], dtype=rewards.dtype)
    return to_come(rewards * weights, terminated, mask, 1.0)


def last(mask):
    return (mask.cumsum(-1) == mask.sum(-1, keepdim=True)) * mask


def shaped(logp, logp_ref, score, mask, beta):
    return (-beta * (logp - logp_ref) + last(mask) * score[:, None]) * mask


def score_in_the_last_column(logp, logp_ref, score, mask, beta):
    out = -beta * (logp - logp_ref) * mask
    return out + torch.nn.functional.pad(score[:, None], (mask.shape[1] - 1, 0))


def score_at_every_token(logp, logp_ref, score, mask, beta):
    return (-beta * (logp - logp_ref) + score[:, None]) * mask


def k3_charged(logp, logp_ref, score, mask, beta):
    gap = logp_ref - logp
    return (-beta * (gap.exp() - 1 - gap) + last(mask) * score[:, None]) * mask


def k3_paid(logp, logp_ref, score, mask, beta):
    return k3_charged(logp, logp_ref, score, mask, -beta)


def estimated(carry):
    def advantages(rewards, values, mask, gamma, lam):
        values = values * mask
        out, last = torch.zeros_like(values), torch.zeros_like(values[:, 0])
        after = torch.cat([values[:, 1:], 0 * values[:, :1]], -1)
        for t in reversed(range(values.shape[1])):
            last = (rewards[:, t] + gamma * after[:, t] - values[:, t]) * mask[:, t] + (
                carry(gamma, lam) * last
            )
            out[:, t] = last
        kept = out[mask > 0]
        return (out - kept.mean()) / (kept.std() + 1e-8) * mask

    return advantages


estimated_and_whitened = estimated(lambda gamma, lam: gamma * lam)


def lambda_forgotten(rewards, values, mask, gamma, lam):
    return estimated(lambda gamma, lam: gamma)(rewards, values, mask, gamma, lam)


def up_to_the_end(is_end):
    return ((is_end.cumsum(-1) - is_end) == 0).double()


def end_left_out(is_end):
    return (is_end.cumsum(-1) == 0).double()


def one_token_more(is_end):
    before = torch.nn.functional.pad(up_to_the_end(is_end)[:, :-1], (1, 0), value=1.0)
    return before


PAIRS = (
    Pair("agrees_with_advantages_summed_backwards", lambda_forgotten, estimated_and_whitened),
    Pair("counts_tokens_up_to_the_end", end_left_out, up_to_the_end),
    Pair("counts_tokens_up_to_the_end", one_token_more, up_to_the_end),
    Pair("pulls_values_to_their_targets", gained, squared),
    Pair("pulls_values_to_their_targets", detached, clipped),
    Pair("pairs_each_row_with_itself", every_value_with_every_target, own_targets),
    Pair("ignores_the_temperature_of_the_sampler", scaled_by_temperature, free_of_temperature, HOT),
    Pair("raises_the_entropy", entropy_punished, actor_critic),
    Pair("is_pessimistic", smaller_error, actor_critic),
    Pair("has_the_policy_gradient_on_policy", ratio_turned_round, actor_critic),
    Pair("keeps_the_clip_region", ratio_turned_round, actor_critic),
    Pair("gives_a_perfect_critic_no_advantage", normalised_as_it_is, denormalised),
    Pair("gives_a_perfect_critic_no_advantage", mean_forgotten, denormalised),
    Pair("sums_the_rewards_to_come", from_the_start, to_come),
    Pair("sums_the_rewards_to_come", across_episodes, to_come),
    Pair("sums_the_rewards_to_come", discounted_from_zero, to_come),
    Pair("adds_the_score_once", score_in_the_last_column, shaped),
    Pair("adds_the_score_once", score_at_every_token, shaped),
    Pair("charges_the_divergence_once", k3_paid, k3_charged),
)
