"""Policy losses: ratio, clip, alignment, shapes, reductions."""

import torch

from tests.numerics.corpus import Case

ON_POLICY, LINEAR = "has_the_policy_gradient_on_policy", "is_linear_in_the_advantages"
CLIP, MASKED, WEIGHTS = "keeps_the_clip_region", "ignores_masked_tokens", "weighs_tokens_as_claimed"
TOKEN_MEAN, SEQ_SUM = {"claims": ("token-mean",)}, {"claims": ("seq-mean-token-sum",)}
PER_TOKEN, NORM = {"claims": ("per token",)}, {"claims": ("seq-mean-token-sum-norm",)}
SEQ_MEAN = {"claims": ("seq-mean-token-mean",)}
ROWS = {"shapes": {"adv": "B"}}


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def surrogate(logp, logp_old, adv, low=0.8, high=1.2):
    ratio = (logp - logp_old).exp()
    return torch.minimum(ratio * adv, ratio.clamp(low, high) * adv)


def ppo(logp, logp_old, adv, mask):
    return -token_mean(surrogate(logp, logp_old, adv), mask)


def lower_bound_at_eps(logp, logp_old, adv, mask):
    return -token_mean(surrogate(logp, logp_old, adv, 0.2, 1.2), mask)


def dual(logp, logp_old, adv, mask):
    plain = surrogate(logp, logp_old, adv)
    return -token_mean(torch.where(adv < 0, torch.maximum(plain, 3 * adv), plain), mask)


def dual_for_every_sign(logp, logp_old, adv, mask):
    return -token_mean(torch.maximum(surrogate(logp, logp_old, adv), 3 * adv), mask)


def cispo(logp, logp_old, adv, mask):
    cap = (logp - logp_old).exp().detach().clamp(max=1.2)
    return -token_mean(cap * adv * logp, mask)


def cispo_without_logp(logp, logp_old, adv, mask):
    return -token_mean((logp - logp_old).exp().clamp(max=1.2) * adv, mask)


def normalised(adv, mask):
    mean = token_mean(adv, mask)
    return (adv - mean) / (token_mean((adv - mean) ** 2, mask) + 1e-12).sqrt()


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
    return -(surrogate(logp, logp_old, adv) * early).sum() / mask.sum()


def first_positions(logp, logp_old, adv, mask):
    """Losses of the first positions under the advantages of the response."""
    return -token_mean(surrogate(logp.roll(1, -1), logp_old.roll(1, -1), adv), mask)


def per_row(logp, logp_old, adv, mask):
    return ppo(logp, logp_old, adv[:, None].expand_as(logp), mask)


def along_tokens(logp, logp_old, adv, mask):
    """adv [B] against [B,T]: silent where B = T; here its first entries are repeated."""
    wide = adv.repeat(logp.shape[1])[: logp.shape[1]]
    return ppo(logp, logp_old, wide.expand_as(logp), mask)


def every_row_with_every_advantage(logp, logp_old, adv, mask):
    """(B,1) against (B,): all pairs."""
    summed = (logp * mask).sum(-1, keepdim=True) + 0 * logp_old.sum()
    return -(summed * adv).mean()


def old_in_another_order(logp, logp_old, adv, mask):
    return ppo(logp, logp_old.roll(1, 0), adv, mask)


def reinforce(logp, adv, mask):
    return -(logp * adv * mask).sum()


def first_return_for_all(logp, adv, mask):
    return -(logp * adv[:, :1] * mask).sum()


def mean_logp_times_sum(logp, adv, mask):
    mean = (logp * mask).sum(-1) / mask.sum(-1)
    return -(mean * (adv * mask).sum(-1)).sum()


def seq_sum(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask).sum(-1).mean()


def seq_mean(logp, logp_old, adv, mask):
    return -((surrogate(logp, logp_old, adv) * mask).sum(-1) / mask.sum(-1)).mean()


def dr_grpo(logp, logp_old, adv, mask):
    return seq_sum(logp, logp_old, adv, mask) / mask.shape[1]


def dr_grpo_without_rows(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask).sum() / mask.shape[1]


def in_micro_batches(combine):
    """One micro-batch a row; `combine` joins their sums, tokens and counts."""

    def loss(logp, logp_old, adv, mask):
        sums = -(surrogate(logp, logp_old, adv) * mask).sum(-1)
        return combine(sums, mask.sum(-1), len(sums))

    return loss


mean_of_means = in_micro_batches(lambda s, n, k: (s / n).mean())
sum_of_means = in_micro_batches(lambda s, n, k: (s / n).sum())
global_mean = in_micro_batches(lambda s, n, k: s.sum() / n.sum())
averaged_again = in_micro_batches(lambda s, n, k: s.sum() / n.sum() / k)
per_sequences = in_micro_batches(lambda s, n, k: s.sum() / k)
never_divided = in_micro_batches(lambda s, n, k: s.sum() / n.sum().clamp(max=1))
half_window = in_micro_batches(lambda s, n, k: s.sum() / (2 * n.sum()))


def truncated_tokens_in_the_denominator(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask).sum() / mask.numel()


def gspo(logp, logp_old, adv, mask):
    gap = ((logp - logp_old) * mask).sum(-1) / mask.sum(-1)
    ratio = gap.exp()
    return -torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()


def gspo_centred_by_columns(logp, logp_old, adv, mask):
    gap = logp - logp_old
    gap = gap - gap.mean(0, keepdim=True) + 0 * mask
    return -(gap.mean(-1).exp() * adv).mean()


def luspo(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask).sum(-1).mean()


def luspo_mask_after_broadcast(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask.sum(-1, keepdim=True)).mean()


def penalty_over_all_cells(logp, logp_old, logp_ref, adv, mask):
    gap = logp_ref - logp
    return ppo(logp, logp_old, adv, mask) + 0.04 * (gap.exp() - 1 - gap).mean()


def penalty_under_the_mask(logp, logp_old, logp_ref, adv, mask):
    gap = logp_ref - logp
    return ppo(logp, logp_old, adv, mask) + 0.04 * token_mean(gap.exp() - 1 - gap, mask)


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
    "palm-rlhf-31-wrong-token-slice": Case(first_positions, ppo, ON_POLICY),
    "trl-4db63af98-advantage-not-unsqueezed": Case(along_tokens, per_row, ON_POLICY, ROWS),
    "tianshou-155-logprob-shape": Case(every_row_with_every_advantage, per_row, ON_POLICY, ROWS),
    "trl-4454-gfpo-filter-misaligned": Case(old_in_another_order, ppo, ON_POLICY),
    "deep-rl-class-95-g0-for-all-steps": Case(
        first_return_for_all, reinforce, ON_POLICY, PER_TOKEN
    ),
    "gymnasium-1336-mean-logprob-times-sum": Case(
        mean_logp_times_sum, reinforce, ON_POLICY, PER_TOKEN
    ),
    "verl-931-seq-mean-token-sum": Case(seq_mean, seq_sum, WEIGHTS, SEQ_SUM),
    "trl-2995-grpo-token-vs-seq-mean": Case(global_mean, seq_mean, WEIGHTS, SEQ_MEAN),
    "trl-3138-drgrpo-missing-batch-factor": Case(dr_grpo_without_rows, dr_grpo, WEIGHTS, NORM),
    "trl-2647-grpo-grad-accum-scaling": Case(sum_of_means, mean_of_means, WEIGHTS, SEQ_MEAN),
    "open-instruct-1161-token-accum": Case(mean_of_means, global_mean, WEIGHTS, TOKEN_MEAN),
    "openrlhf-1249-token-loss-global": Case(mean_of_means, global_mean, WEIGHTS, TOKEN_MEAN),
    "verl-5625-token-mean-sample-scale": Case(mean_of_means, global_mean, WEIGHTS, TOKEN_MEAN),
    "transformers-37474-multi-gpu-average": Case(averaged_again, global_mean, WEIGHTS, TOKEN_MEAN),
    "prime-rl-2034-custom-loss-batch-size": Case(per_sequences, global_mean, WEIGHTS, TOKEN_MEAN),
    "prime-rl-816-min-instead-of-max": Case(never_divided, global_mean, WEIGHTS, TOKEN_MEAN),
    "trl-6024-dapo-steps-per-generation": Case(half_window, global_mean, WEIGHTS, TOKEN_MEAN),
    "trl-6369-dapo-truncated-denominator": Case(
        truncated_tokens_in_the_denominator, ppo, WEIGHTS, TOKEN_MEAN
    ),
    "soup-723-gspo-column-centering": Case(gspo_centred_by_columns, gspo, MASKED, ROWS),
    "trl-6654-luspo-mask-after-broadcast": Case(luspo_mask_after_broadcast, luspo, MASKED),
    "open-instruct-535-unmasked-kl-mean": Case(
        penalty_over_all_cells, penalty_under_the_mask, MASKED
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
