"""Policy losses: ratio, penalty, bounds, padding, rows."""

import torch

from tests.numerics.properties.pairs import Pair

KL = {"claims": ("E[r]", "KL(pi||ref)"), "constants": {"beta": 0.04}}
BOUNDS = {"claims": ("clip 0.8 to 1.28", "dual 3")}
ROWS = {"shapes": {"adv": "B"}}


def token_mean(values, mask):
    return (values * mask).sum() / mask.sum()


def surrogate(ratio, adv, low=0.8, high=1.2):
    return torch.minimum(ratio * adv, ratio.clamp(low, high) * adv)


def ppo(logp, logp_old, adv, mask):
    return -token_mean(surrogate((logp - logp_old).exp(), adv), mask)


def old_of_other_tokens(logp, logp_old, adv, mask):
    return ppo(logp, logp_old.roll(1, -1), adv, mask)


def old_untempered(logp, logp_old, adv, mask):
    """Log-probabilities at temperature 1/2 against log-probabilities at 1."""
    return ppo(logp, 0.5 * logp_old, adv, mask)


def capped_without_detach(logp, logp_old, adv, mask):
    return -token_mean((logp - logp_old).exp().clamp(max=1.2) * adv * logp, mask)


def penalised(penalty, weight=lambda beta: beta):
    def loss(logp, logp_old, logp_ref, adv, mask, beta=0.04):
        ratio = (logp - logp_old).exp()
        values = weight(beta) * penalty(logp, logp_ref, ratio) - surrogate(ratio, adv)
        return token_mean(values, mask)

    return loss


def k2(logp, logp_ref, ratio):
    return 0.5 * (logp - logp_ref) ** 2


def k3(logp, logp_ref, ratio):
    return (logp_ref - logp).exp() - 1 - (logp_ref - logp)


def k2_with_beta(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    return penalised(k2)(logp, logp_old, logp_ref, adv, mask, beta)


def rewarded_distance(logp, logp_old, logp_ref, adv, mask):
    return penalised(k3, lambda beta: -beta)(logp, logp_old, logp_ref, adv, mask)


def k1_turned_round(logp, logp_old, logp_ref, adv, mask):
    return penalised(lambda p, q, r: q - p)(logp, logp_old, logp_ref, adv, mask)


def penalty_without_gradient(logp, logp_old, logp_ref, adv, mask):
    held = penalised(lambda p, q, r: k3(p, q, r).detach())
    return held(logp, logp_old, logp_ref, adv, mask)


def k3_in_the_loss(logp, logp_old, logp_ref, adv, mask):
    return penalised(k3)(logp, logp_old, logp_ref, adv, mask)


def charged_twice(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    return penalised(k2, lambda b: 2 * b)(logp, logp_old, logp_ref, adv, mask, beta)


def beta_squared(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    return penalised(k2, lambda b: b**2)(logp, logp_old, logp_ref, adv, mask, beta)


def bounded(low, high, dual):
    def loss(logp, logp_old, adv, mask):
        plain = surrogate((logp - logp_old).exp(), adv, low, high)
        values = torch.where(adv < 0, torch.maximum(plain, dual * adv), plain)
        return -token_mean(values, mask)

    return loss


as_claimed = bounded(0.8, 1.28, 3.0)


def bounds_swapped(logp, logp_old, adv, mask):
    return bounded(0.72, 1.2, 3.0)(logp, logp_old, adv, mask)


def dual_of_another_size(logp, logp_old, adv, mask):
    return bounded(0.8, 1.28, 2.0)(logp, logp_old, adv, mask)


def clipped_log_ratio(logp, logp_old, adv, mask):
    """Bounds on the logarithm: exp(0.28) is not 1.28."""
    ratio = (logp - logp_old).exp()
    near = (logp - logp_old).clamp(-0.2, 0.28).exp()
    return -token_mean(torch.minimum(ratio * adv, near * adv), mask)


def all_cells_in_the_denominator(logp, logp_old, adv, mask):
    values = surrogate((logp - logp_old).exp(), adv) * mask
    return -values.sum() / (mask.sum() + 0.5 * (1 - mask).sum())


def mean_over_cells(logp, logp_old, adv, mask):
    return -(surrogate((logp - logp_old).exp(), adv) * mask).mean()


def bonus_of_a_filler(logp, logp_old, adv, mask):
    """exp(0) = 1 of a row without tokens, times its number of columns."""
    rows = (((logp - logp_old) * mask).sum(-1, keepdim=True)).exp()
    ratio = (logp - logp_old).exp()
    return (
        ppo(logp, logp_old, adv, mask) * rows.numel() / (rows.sum() / rows.mean()).detach()
        - (0.1 * (1 - mask) * ratio).sum() / mask.numel()
    )


def root_of_the_batch(logp, logp_old, adv, mask):
    rows = (surrogate((logp - logp_old).exp(), adv) * mask).sum(-1)
    return -rows.sum() / len(rows) ** 0.5


def every_row_with_every_advantage(logp, logp_old, adv, mask):
    rows = ((logp - logp_old) * mask).sum(-1, keepdim=True).exp()
    return -(rows * adv).mean()


def each_row_with_its_advantage(logp, logp_old, adv, mask):
    rows = ((logp - logp_old) * mask).sum(-1).exp()
    return -(rows * adv).mean()


def quotient_of_probabilities(logp, logp_old, adv, mask):
    """Of tokens so unlikely that both round to zero."""
    ratio = logp.exp() / logp_old.exp()
    return -(torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv) * mask).sum() / mask.sum()


def nothing_learnt(logp, logp_old, adv, mask):
    return ppo(logp.detach() + 0 * logp, logp_old, adv, mask) + 0 * logp.sum()


def ratio_to_the_reference(logp, logp_old, logp_ref, adv, mask):
    return ppo(logp, logp_ref, adv, mask) + 0 * logp_old.sum()


def ratio_of_the_batch(logp, logp_old, adv, mask):
    """One ratio for all tokens of all rows: every row follows every advantage."""
    ratio = token_mean(logp - logp_old, mask).exp()
    return -token_mean(ratio * adv, mask)


PAIRS = (
    Pair("leaves_the_reference_to_the_penalty", ratio_to_the_reference, k3_in_the_loss),
    Pair("has_the_policy_gradient_on_policy", ratio_of_the_batch, ppo),
    Pair("stays_finite_at_extremes", quotient_of_probabilities, ppo, {"claims": ("any token",)}),
    Pair("has_the_policy_gradient_on_policy", nothing_learnt, ppo),
    Pair("has_a_ratio_of_one_on_policy", old_of_other_tokens, ppo),
    Pair("has_a_ratio_of_one_on_policy", old_untempered, ppo),
    Pair("has_a_ratio_of_one_on_policy", capped_without_detach, ppo),
    Pair("pulls_to_the_reference", rewarded_distance, k3_in_the_loss),
    Pair("pulls_to_the_reference", k1_turned_round, k3_in_the_loss),
    Pair("passes_a_gradient_through_its_penalty", penalty_without_gradient, k3_in_the_loss),
    Pair("weighs_its_penalty_by_beta", charged_twice, k2_with_beta, KL),
    Pair("weighs_its_penalty_by_beta", beta_squared, k2_with_beta, KL),
    Pair("clips_where_claimed", bounds_swapped, as_claimed, BOUNDS),
    Pair("clips_where_claimed", dual_of_another_size, as_claimed, BOUNDS),
    Pair("clips_where_claimed", clipped_log_ratio, as_claimed, BOUNDS),
    Pair("keeps_its_value_in_wider_padding", all_cells_in_the_denominator, ppo),
    Pair("keeps_its_value_in_wider_padding", mean_over_cells, ppo, {"claims": ("token-mean",)}),
    Pair("ignores_filler_rows", bonus_of_a_filler, ppo),
    Pair("keeps_its_scale_in_a_repeated_batch", root_of_the_batch, ppo),
    Pair(
        "pairs_each_row_with_itself",
        every_row_with_every_advantage,
        each_row_with_its_advantage,
        ROWS,
    ),
)
