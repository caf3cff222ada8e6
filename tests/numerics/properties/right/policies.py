"""Policy losses of several kinds: clips, truncations, penalties on the ratio, chosen tokens."""

import torch

ROWS = {"shapes": {"adv": "B"}}


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def surrogate(ratio, adv, low=0.8, high=1.2):
    return torch.minimum(ratio * adv, ratio.clamp(low, high) * adv)


def limited_and_dual(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).clamp(-20, 20).exp()
    plain = torch.maximum(-adv * ratio, -adv * ratio.clamp(0.8, 1.2))
    return token_mean(torch.where(adv < 0, torch.minimum(-3.0 * adv, plain), plain), mask)


def guarded_row_means(logp, logp_old, logp_ref, adv, mask):
    ratio, gap = (logp - logp_old).exp(), logp_ref - logp
    values = 0.04 * (gap.exp() - gap - 1) - surrogate(ratio, adv, 0.8, 1.28)
    return ((values * mask).sum(-1) / mask.sum(-1).clamp(min=1.0)).mean()


def own_logp_as_old(logp, adv, mask):
    return -token_mean(surrogate((logp - logp.detach()).exp(), adv), mask)


def penalty_in_the_reward(logp, logp_old, logp_ref, adv, mask):
    shaped = adv - 0.05 * (logp - logp_ref).detach()
    return -token_mean(surrogate((logp - logp_old).exp(), shaped), mask)


def squared_regression(logp, logp_ref, adv, mask):
    return token_mean((adv - 0.5 * (logp - logp_ref)) ** 2, mask)


def weighted_imitation(logp, adv, mask):
    return -token_mean(adv.exp().clamp(max=20.0) * logp, mask)


def quadratic_in_the_ratio(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    return -token_mean(ratio * adv - adv.abs() / 0.4 * (ratio - 1) ** 2, mask)


def truncated_for_the_worse(logp, logp_old, adv, mask):
    weight = (logp - logp_old).exp().detach().clamp(0, 1)
    return -token_mean(torch.where(adv > 0, logp * adv, weight * logp * adv), mask)


def inverse_ratio_for_the_better(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    better = logp * adv / ratio.clamp(min=0.05).detach()
    return -token_mean(torch.where(adv > 0, better, surrogate(ratio, adv)), mask)


def sequence_ratio(logp, logp_old, adv, mask):
    ratio = (((logp - logp_old) * mask).sum(-1) / mask.sum(-1)).exp()
    return -surrogate(ratio, adv).mean()


def sequence_ratio_per_token(logp, logp_old, adv, mask):
    mean = (((logp - logp_old) * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)).detach()
    return -token_mean(surrogate((logp - logp.detach() + mean).exp(), adv), mask)


def without_high_covariance(logp, logp_old, adv, mask):
    covariance = (adv - token_mean(adv, mask)) * (logp - token_mean(logp, mask))
    kept = mask * (covariance < 1.5)
    return -(surrogate((logp - logp_old).exp(), adv) * kept).sum() / mask.sum()


def unlikely_tokens_only(logp, logp_old, adv, mask):
    kept = mask * (logp < -0.5)
    return -(surrogate((logp - logp_old).exp(), adv) * kept).sum() / mask.sum()


def engine_truncated(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp_old - logp_rollout).exp().clamp(max=2.0).detach()
    return -token_mean(weight * surrogate((logp - logp_old).exp(), adv), mask)


def engine_of_the_sequence(logp, logp_old, logp_rollout, adv, mask):
    weight = ((logp_old - logp_rollout) * mask).sum(-1, keepdim=True).exp().clamp(max=2.0)
    return -token_mean(weight * surrogate((logp - logp_old).exp(), adv), mask)


def engine_masked(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp_old - logp_rollout).exp()
    kept = weight * ((weight > 0.5) & (weight < 5.0))
    return -token_mean(kept * surrogate((logp - logp_old).exp(), adv), mask)


def weights_over_their_mean(logp, logp_old, rollout_is_weights, adv, mask):
    weight = rollout_is_weights / token_mean(rollout_is_weights, mask)
    return -token_mean(weight * surrogate((logp - logp_old).exp(), adv), mask)


def normalised_in_the_loss(logp, logp_old, adv, value, returns, entropy):
    adv = (adv - adv.mean()) / (((adv - adv.mean()) ** 2).mean().sqrt() + 1e-8)
    gain = surrogate((logp - logp_old).exp(), adv).mean()
    return -gain + 0.5 * ((value - returns) ** 2).mean() - 0.01 * entropy.mean()


def from_logits_with_a_bonus(logits, labels, logp_old, adv, mask):
    logp = torch.log_softmax(logits, -1)
    ratio = (logp.gather(-1, labels[..., None])[..., 0] - logp_old).exp()
    entropy = -(logp.exp() * logp).sum(-1)
    return -token_mean(surrogate(ratio, adv) + 0.01 * entropy, mask)


def smoothed_labels(logits, input_ids, mask):
    labels = torch.where(mask[:, 1:] > 0, input_ids[:, 1:], -100).reshape(-1)
    scores = logits[:, :-1].reshape(-1, logits.shape[-1])
    return torch.nn.functional.cross_entropy(scores, labels, ignore_index=-100, label_smoothing=0.1)


RIGHT = (
    *((f, {}) for f in (limited_and_dual, guarded_row_means, own_logp_as_old)),
    *((f, {}) for f in (penalty_in_the_reward, squared_regression, weighted_imitation)),
    *((f, {}) for f in (quadratic_in_the_ratio, truncated_for_the_worse)),
    *((f, {}) for f in (inverse_ratio_for_the_better, sequence_ratio_per_token)),
    *((f, {}) for f in (without_high_covariance, unlikely_tokens_only)),
    *((f, {}) for f in (engine_truncated, engine_of_the_sequence, engine_masked)),
    (weights_over_their_mean, {}),
    *((f, {}) for f in (normalised_in_the_loss, from_logits_with_a_bonus, smoothed_labels)),
    (sequence_ratio, ROWS),
)
