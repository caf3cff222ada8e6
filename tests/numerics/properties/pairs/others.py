"""Logits, importance weights, accumulation, updates, continuous actions, metrics."""

from math import comb

import torch

from tests.numerics.properties.pairs import Pair


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def gathered(logits, labels):
    return torch.log_softmax(logits, -1).gather(-1, labels[..., None])[..., 0]


def from_logits(logits, labels, logp_old, adv, mask):
    ratio = (gathered(logits, labels) - logp_old).exp()
    return -token_mean(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv), mask)


def labels_shifted(logits, labels, logp_old, adv, mask):
    logp = gathered(logits, labels.roll(-1, 1))
    return -token_mean((logp - logp.detach()).exp() * adv + 0 * logp_old, mask)


def log_of_softmax(logits, labels, logp_old, adv, mask):
    logp = torch.softmax(logits, -1).log().gather(-1, labels[..., None])[..., 0]
    ratio = (logp - logp_old).exp()
    return -token_mean(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv), mask)


def next_token(logits, input_ids, mask, adv):
    logp = gathered(logits[:, :-1], input_ids[:, 1:])
    return -token_mean(logp * adv[:, None], mask[:, 1:])


def mask_not_shifted(logits, input_ids, mask, adv):
    logp = gathered(logits[:, :-1], input_ids[:, 1:])
    return -token_mean(logp * adv[:, None], mask[:, :-1])


def labels_not_shifted(logits, input_ids, mask, adv):
    return -token_mean(gathered(logits, input_ids) * adv[:, None], mask)


def truncated(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp_old - logp_rollout).exp().detach().clamp(max=2.0)
    ratio = (logp - logp_old).exp()
    gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -token_mean(weight * gain, mask)


def rejecting(logp, logp_old, logp_rollout, adv, mask):
    kept = ((logp_old - logp_rollout).abs() < 2.0).to(mask.dtype)
    ratio = (logp - logp_old).exp()
    gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -token_mean(kept * gain, mask)


def current_policy_in_the_weight(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp - logp_rollout).exp().detach().clamp(max=2.0)
    ratio = (logp - logp_old).exp()
    gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -token_mean(weight * gain, mask)


def weight_turned_round(logp, logp_old, logp_rollout, adv, mask):
    return truncated(logp, logp_old, 2 * logp_old - logp_rollout, adv, mask)


def weight_forgotten(logp, logp_old, logp_rollout, adv, mask):
    return truncated(logp, logp_old, logp_old, adv, mask)


def weighted(logp, logp_old, logp_ref, rollout_is_weights, adv, mask):
    ratio, gap = (logp - logp_old).exp(), logp_ref - logp
    gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return token_mean(0.04 * (gap.exp() - 1 - gap) - rollout_is_weights * gain, mask)


def weight_dropped(logp, logp_old, logp_ref, rollout_is_weights, adv, mask):
    ones = torch.ones_like(rollout_is_weights)
    return weighted(logp, logp_old, logp_ref, ones, adv, mask)


def weight_applied_twice(logp, logp_old, logp_ref, rollout_is_weights, adv, mask):
    return weighted(logp, logp_old, logp_ref, rollout_is_weights**2, adv, mask)


def errors_of(weight, features, targets, mask):
    """2 (x . w - y) x summed under the mask of each micro-batch [N,V], and its tokens [N]."""
    error = (features @ weight - targets) * mask
    return 2 * (error[..., None] * features).sum((1, 2)), mask.sum((1, 2))


def one_denominator(weight, features, targets, mask):
    sums, tokens = errors_of(weight, features, targets, mask)
    return sums.sum(0) / tokens.sum()


def mean_of_means(weight, features, targets, mask):
    sums, tokens = errors_of(weight, features, targets, mask)
    return (sums / tokens[:, None]).mean(0)


def sum_of_means(weight, features, targets, mask):
    return mean_of_means(weight, features, targets, mask) * len(mask)


def undone(theta_old, tries, improvement, divergence, delta):
    for one, gain, kl in zip(tries, improvement, divergence, strict=True):
        if gain > 0 and kl <= delta:
            return one
    return theta_old


def kept_after_failure(theta_old, tries, improvement, divergence, delta):
    for one, gain, kl in zip(tries, improvement, divergence, strict=True):
        if gain > 0 and kl <= delta:
            return one
    return tries[-1]


def gain_alone(theta_old, tries, improvement, divergence, delta):
    return undone(theta_old, tries, improvement, 0 * divergence, delta)


def normal(z, mean, log_std):
    return (-0.5 * ((z - mean) / log_std.exp()) ** 2 - log_std).sum(-1)


def correction(z):
    return torch.log1p(-(torch.tanh(z) ** 2)).sum(-1)


def both_corrected(z, mean, mean_old, log_std, log_std_old):
    new, old = normal(z, mean, log_std), normal(z, mean_old, log_std_old)
    return ((new - correction(z)) - (old - correction(z))).exp()


def one_corrected(z, mean, mean_old, log_std, log_std_old):
    return (normal(z, mean, log_std) - correction(z) - normal(z, mean_old, log_std_old)).exp()


def every_one_right(n, c, k):
    return comb(c, k) / comb(n, k)


def power_of_the_rate(n, c, k):
    return (c / n) ** k


def product_damped(logits_p, logits_q, vector):
    p = torch.softmax((logits_p + logits_q) / 2, -1)
    return p * (vector - (p * vector).sum(-1, keepdim=True)) + 0.1 * vector


def product_without_mean(logits_p, logits_q, vector):
    return torch.softmax((logits_p + logits_q) / 2, -1) * vector


def log_softmax_entropy(logits):
    logp = torch.log_softmax(logits, -1)
    return -torch.where(logp > -torch.inf, logp.exp() * logp, 0.0).sum(-1)


def probabilities_entropy(logits):
    p = torch.softmax(logits, -1)
    return -(p * p.log()).sum(-1)


TOKEN_MEAN = {"claims": ("token-mean",)}
PAIRS = (
    Pair("credits_the_sampled_token", labels_shifted, from_logits),
    Pair("stays_finite_at_extremes", log_of_softmax, from_logits),
    Pair("stays_finite_at_extremes", probabilities_entropy, log_softmax_entropy),
    Pair("predicts_the_next_token", mask_not_shifted, next_token),
    Pair("predicts_the_next_token", labels_not_shifted, next_token),
    Pair("telescopes_to_the_sampler", current_policy_in_the_weight, truncated),
    Pair("telescopes_to_the_sampler", weight_turned_round, truncated),
    Pair("telescopes_to_the_sampler", weight_forgotten, rejecting),
    Pair("is_linear_in_the_importance_weight", weight_dropped, weighted),
    Pair("is_linear_in_the_importance_weight", weight_applied_twice, weighted),
    Pair("accumulates_the_same_over_any_split", sum_of_means, mean_of_means),
    Pair("accumulates_the_same_over_any_split", mean_of_means, one_denominator, TOKEN_MEAN),
    Pair(
        "accumulates_the_same_over_any_split",
        one_denominator,
        mean_of_means,
        {"claims": ("mean of micro-batches",)},
    ),
    Pair("stays_in_the_trust_region", kept_after_failure, undone),
    Pair("stays_in_the_trust_region", gain_alone, undone),
    Pair("is_the_ratio_of_one_action", one_corrected, both_corrected),
    Pair("counts_distinct_subsets", power_of_the_rate, every_one_right, {"claims": ("all of k",)}),
    Pair("measures_the_claimed_divergence", product_without_mean, product_damped),
)
