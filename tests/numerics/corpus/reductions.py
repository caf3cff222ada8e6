"""Policy losses: how losses of tokens become one number."""

import torch

from tests.numerics.corpus import Case
from tests.numerics.corpus.policies import penalty_under_the_mask, ppo, surrogate

MASKED, WEIGHTS = "ignores_masked_tokens", "weighs_tokens_as_claimed"
TOKEN_MEAN, SEQ_SUM = {"claims": ("token-mean",)}, {"claims": ("seq-mean-token-sum",)}
SEQ_MEAN, NORM = {"claims": ("seq-mean-token-mean",)}, {"claims": ("seq-mean-token-sum-norm",)}


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


def truncated_tokens_in_the_denominator(logp, logp_old, adv, mask, sampled=None):
    """`sampled` is the mask before truncated responses were taken out; here every cell."""
    sampled = torch.ones_like(mask) if sampled is None else sampled
    return -(surrogate(logp, logp_old, adv) * mask).sum() / sampled.sum()


def luspo(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask).sum(-1).mean()


def luspo_mask_after_broadcast(logp, logp_old, adv, mask):
    return -(surrogate(logp, logp_old, adv) * mask.sum(-1, keepdim=True)).mean()


def penalty_over_all_cells(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    gap = logp_ref - logp
    return ppo(logp, logp_old, adv, mask) + beta * (gap.exp() - 1 - gap).mean()


CASES = {
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
    "trl-6654-luspo-mask-after-broadcast": Case(luspo_mask_after_broadcast, luspo, MASKED),
    "open-instruct-535-unmasked-kl-mean": Case(
        penalty_over_all_cells, penalty_under_the_mask, MASKED
    ),
}
