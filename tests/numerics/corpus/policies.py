"""Policy losses: ratio, clip, alignment, shapes, weights of the sampler."""

import torch

from tests.numerics.corpus import Case

ON_POLICY, LINEAR = "has_the_policy_gradient_on_policy", "is_linear_in_the_advantages"
CLIP, MASKED = "keeps_the_clip_region", "ignores_masked_tokens"
PER_TOKEN = {"claims": ("per token",)}
ROWS = {"shapes": {"adv": "B"}}


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def surrogate(logp, logp_old, adv, low=0.8, high=1.2):
    ratio = (logp - logp_old).exp()
    return torch.minimum(ratio * adv, ratio.clamp(low, high) * adv)


def ppo(logp, logp_old, adv, mask):
    return -token_mean(surrogate(logp, logp_old, adv), mask)


def lower_bound_at_eps(logp, logp_old, adv, mask, eps=0.2):
    return -token_mean(surrogate(logp, logp_old, adv, eps, 1 + eps), mask)


def dual(logp, logp_old, adv, mask, c=5.0):
    plain = surrogate(logp, logp_old, adv)
    return -token_mean(torch.where(adv < 0, torch.maximum(plain, c * adv), plain), mask)


def dual_for_every_sign(logp, logp_old, adv, mask, c=5.0):
    return -token_mean(torch.maximum(surrogate(logp, logp_old, adv), c * adv), mask)


def cispo(logp, logp_old, adv, mask, eps_high=0.28):
    cap = (logp - logp_old).exp().detach().clamp(max=1 + eps_high)
    return -token_mean(cap * adv * logp, mask)


def cispo_without_logp(logp, logp_old, adv, mask, eps_high=0.28):
    return -token_mean((logp - logp_old).exp().clamp(max=1 + eps_high) * adv, mask)


def normalised(adv, mask):
    mean = token_mean(adv, mask)
    squares = ((adv - mean) ** 2 * mask).sum() / (mask.sum() - 1).clamp(min=1.0)
    return (adv - mean) / (squares + 1e-12).sqrt()


def ppo_normalised(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, normalised(adv, mask), mask)


def normalised_after_the_first_term(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    clipped = ratio.clamp(0.8, 1.2) * normalised(adv, mask)
    return -token_mean(torch.minimum(ratio * adv, clipped), mask)


def advantages_as_mask(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * adv * mask).sum() / (adv * mask).sum()


def mask_one_early(logp, logp_old, adv, mask):
    early = torch.cat([torch.ones_like(mask[:, :1]), mask[:, :-1]], -1)
    return -token_mean(surrogate(logp, logp_old, adv), early)


def next_token_logp(logits, input_ids):
    """log p of tokens 1, 2, ...: [B,T-1]."""
    logp = torch.log_softmax(logits[:, :-1], -1)
    return logp.gather(-1, input_ids[:, 1:, None])[..., 0]


def last_positions(logits, input_ids, mask):
    return -(next_token_logp(logits, input_ids) * mask[:, 1:]).sum()


def first_positions(logits, input_ids, mask):
    """As many log-probabilities as the response has tokens, from the front of the sequence."""
    logp = next_token_logp(logits, input_ids)
    first = torch.arange(logp.shape[1]) < mask[:, 1:].sum(-1, keepdim=True)
    return -(logp * first).sum()


def per_row(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv[:, None].expand_as(logp), mask)


def along_tokens(logp, logp_old, adv, mask):
    """adv [B] against [B,T]: silent where B = T; here its first entries are repeated."""
    wide = adv.repeat(logp.shape[1])[: logp.shape[1]]
    return ppo(logp, logp_old, wide.expand_as(logp), mask)


def every_row_with_every_advantage(logp, adv, mask):
    """(B,1) against (B,): all pairs."""
    return -((logp * mask).sum(-1, keepdim=True) * adv).mean()


def own_row_with_own_advantage(logp, adv, mask):
    return -((logp * mask).sum(-1) * adv).mean()


def filtered(logp, logp_old, adv, mask, index):
    """The kept responses only, in the order of the filter, under a plain importance ratio."""
    ratio = (logp[index] - logp_old).exp()
    return -(ratio * adv[index][:, None] * mask[index]).sum() / mask[index].sum()


def best_first(adv):
    return adv.argsort(descending=True)


def gfpo(logp, logp_old, adv, mask, keep=best_first):
    return filtered(logp, logp_old[keep(adv)], adv, mask, keep(adv))


def gfpo_old_in_original_order(logp, logp_old, adv, mask, keep=best_first):
    index = keep(adv)
    return filtered(logp, logp_old[: len(index)], adv, mask, index)


def reinforce(logp, adv, mask):
    return -(logp * adv * mask).sum()


def first_return_for_all(logp, adv, mask):
    return -(logp * adv[:, :1] * mask).sum()


def mean_logp_times_sum(logp, adv, mask):
    mean = (logp * mask).sum(-1) / mask.sum(-1)
    return -(mean * (adv * mask).sum(-1)).sum()


def gspo(logp, logp_old, adv, mask):
    gap = ((logp - logp_old) * mask).sum(-1) / mask.sum(-1)
    ratio = gap.exp()
    return -torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()


def gspo_centred_by_columns(logp, logp_old, adv, mask):
    gap = logp - logp_old
    gap = gap - gap.mean(0, keepdim=True)
    return -token_mean(gap.exp() * adv[:, None], mask)


def penalty_under_the_mask(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    gap = logp_ref - logp
    return ppo(logp, logp_old, adv, mask) + beta * token_mean(gap.exp() - 1 - gap, mask)


def charged_in_the_loss(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    ratio = (logp - logp_old).exp()
    return token_mean(ratio * (beta * (logp - logp_ref) - adv), mask)


def charged_in_reward_and_loss(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    shaped = adv - beta * (logp - logp_ref).detach()
    return charged_in_the_loss(logp, logp_old, logp_ref, shaped, mask, beta)


def sampler_of_the_old_policy(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp_old - logp_rollout).exp().detach()
    return -token_mean(weight * surrogate(logp, logp_old, adv), mask)


def sampler_of_the_current_policy(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp - logp_rollout).exp().detach()
    return -token_mean(weight * surrogate(logp, logp_old, adv), mask)


def weighted(logp, logp_old, rollout_is_weights, adv, mask):
    return -token_mean(rollout_is_weights * surrogate(logp, logp_old, adv), mask)


def weight_dropped(logp, logp_old, rollout_is_weights, adv, mask):
    return ppo(logp, logp_old, adv, mask)


def ratio_over_padding(logp, logp_old, adv, mask):
    """The mean ratio of a whole row, padding included, as a weight of the row."""
    ratio = (logp - logp_old).exp().mean(-1, keepdim=True)
    return -token_mean(ratio * adv, mask)


CASES = {
    "rl2-21-lower-clip-bound": Case(lower_bound_at_eps, ppo, CLIP),
    "tianshou-433-dual-clip-positive-adv": Case(dual_for_every_sign, dual, CLIP),
    "open-instruct-1269-cispo-no-logprob": Case(cispo_without_logp, cispo, CLIP),
    "torchrl-1033-normalise-after-first-term": Case(
        normalised_after_the_first_term, ppo_normalised, LINEAR
    ),
    "verl-2506-mask-is-advantages": Case(advantages_as_mask, ppo, ON_POLICY),
    "trlx-509-mask-shift": Case(mask_one_early, ppo, MASKED),
    "palm-rlhf-31-wrong-token-slice": Case(
        first_positions, last_positions, "predicts_the_next_token"
    ),
    "trl-4db63af98-advantage-not-unsqueezed": Case(along_tokens, per_row, ON_POLICY, ROWS),
    "tianshou-155-logprob-shape": Case(
        every_row_with_every_advantage, own_row_with_own_advantage, ON_POLICY, ROWS
    ),
    "trl-4454-gfpo-filter-misaligned": Case(
        gfpo_old_in_original_order, gfpo, "has_a_ratio_of_one_on_policy", ROWS
    ),
    "deep-rl-class-95-g0-for-all-steps": Case(
        first_return_for_all, reinforce, ON_POLICY, PER_TOKEN
    ),
    "gymnasium-1336-mean-logprob-times-sum": Case(
        mean_logp_times_sum, reinforce, ON_POLICY, PER_TOKEN
    ),
    "soup-723-gspo-column-centering": Case(gspo_centred_by_columns, gspo, MASKED, ROWS),
    "nemo-2530-double-kl": Case(
        charged_in_reward_and_loss,
        charged_in_the_loss,
        "weighs_its_penalty_by_beta",
        {"claims": ("E[r]", "KL(pi||ref)"), "constants": {"beta": 0.1}},
    ),
    "slime-179-tis-uses-current-policy": Case(
        sampler_of_the_current_policy, sampler_of_the_old_policy, "telescopes_to_the_sampler"
    ),
    "trl-5031-is-weight-dropped": Case(
        weight_dropped, weighted, "is_linear_in_the_importance_weight"
    ),
    "trlx-108-ratio-over-padding": Case(ratio_over_padding, ppo, MASKED),
}


def g_form(logp, logp_old, adv, mask):
    bound = torch.where(adv > 0, 1.2 * adv, 0.8 * adv)
    return -token_mean(torch.minimum((logp - logp_old).exp() * adv, bound), mask)


def one_sided(logp, logp_old, adv, mask):
    ratio = (logp - logp_old).exp()
    clipped = torch.where(adv >= 0, ratio.clamp(max=1.2), ratio.clamp(min=0.8))
    return -token_mean(torch.minimum(ratio * adv, clipped * adv), mask)


CASES |= {
    "control-ray-37334-unbounded-negative": Case(ppo, ppo, ""),
    "control-spinningup-315-g-form": Case(g_form, ppo, ""),
    "control-torchrl-786-one-sided-clamp": Case(one_sided, ppo, ""),
    "control-trl-2703-zero-loss-at-start": Case(penalty_under_the_mask, penalty_under_the_mask, ""),
}
