"""Preference losses and reward models."""

import torch
from torch.nn.functional import logsigmoid

from tests.numerics.properties.pairs import Pair

B = dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")
SMOOTHED = {"constants": {"label_smoothing": 0.1}, "shapes": B}
LOGISTIC = {"claims": ("logistic",), "constants": {"beta": 0.2}, "shapes": B}
TOKENS = {"claims": ("logistic",)}
SUMMED, AVERAGED = {"claims": ("summed",)}, {"claims": ("averaged",)}


def dpo(logp_w, logp_l, ref_w, ref_l, beta=0.1):
    return -logsigmoid(beta * ((logp_w - ref_w) - (logp_l - ref_l))).mean()


def smoothed(logp_w, logp_l, ref_w, ref_l, label_smoothing=0.0):
    margin = 0.3 * ((logp_w - ref_w) - (logp_l - ref_l))
    mixed = (1 - label_smoothing) * logsigmoid(margin) + label_smoothing * logsigmoid(-margin)
    return -mixed.mean()


def smoothed_with_one_sign(logp_w, logp_l, ref_w, ref_l, label_smoothing=0.0):
    margin = 0.3 * ((logp_w - ref_w) - (logp_l - ref_l))
    mixed = (1 - label_smoothing) * logsigmoid(margin) + label_smoothing * logsigmoid(margin)
    return -mixed.mean() + label_smoothing * 0.01 * margin.mean()


def smoothed_robustly(logp_w, logp_l, ref_w, ref_l, label_smoothing=0.0):
    e, margin = label_smoothing, 0.3 * ((logp_w - ref_w) - (logp_l - ref_l))
    return -(((1 - e) * logsigmoid(margin) - e * logsigmoid(-margin)) / (1 - 2 * e)).mean()


def beta_squared(logp_w, logp_l, ref_w, ref_l, beta=0.1):
    return dpo(logp_w, logp_l, ref_w, ref_l, beta**2)


def divided_by_beta(logp_w, logp_l, ref_w, ref_l, beta=0.1):
    return dpo(logp_w, logp_l, ref_w, ref_l, 1 / beta)


def margin_of(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return ((logp_w - ref_w) * mask_w).sum(-1) - ((logp_l - ref_l) * mask_l).sum(-1)


def dpo_tokens(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return -logsigmoid(0.3 * margin_of(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l)).mean()


def averaged(x, mask):
    return (x * mask).sum(-1) / mask.sum(-1)


def ipo(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    margin = averaged(logp_w - ref_w, mask_w) - averaged(logp_l - ref_l, mask_l)
    return ((margin - 5.0) ** 2).mean()


def ipo_over_the_packed_row(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    tokens = (mask_w.sum() + mask_l.sum()) / len(mask_w)
    margin = margin_of(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l) / tokens
    return ((margin - 5.0) ** 2).mean()


def dpo_averaged(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    margin = averaged(logp_w - ref_w, mask_w) - averaged(logp_l - ref_l, mask_l)
    return -logsigmoid(0.3 * margin).mean()


def one_side_averaged(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    margin = averaged(logp_w - ref_w, mask_w) - ((logp_l - ref_l) * mask_l).sum(-1)
    return -logsigmoid(0.3 * margin).mean()


def log_odds_loss(rest):
    def loss(logp_w, logp_l, mask_w, mask_l):
        w, lo = averaged(logp_w, mask_w), averaged(logp_l, mask_l)
        return (-w - 0.1 * logsigmoid((w - rest(w)) - (lo - rest(lo)))).mean()

    return loss


orpo = log_odds_loss(lambda x: torch.log(-torch.expm1(x)))


def orpo_with_a_guard(logp_w, logp_l, mask_w, mask_l):
    guarded = log_odds_loss(lambda x: torch.log(1.0001 - x.exp()))
    return guarded(logp_w, logp_l, mask_w, mask_l)


def every_pair_of_responses(logp_w, logp_l, ref_w, ref_l):
    margin = (logp_w - ref_w)[:, None] - (logp_l - ref_l)
    return -logsigmoid(0.3 * margin).mean()


def log_of_sigmoid(logp_w, logp_l, ref_w, ref_l):
    return -torch.sigmoid((logp_w - ref_w) - (logp_l - ref_l)).log().mean()


def log_of_sigmoid_of_a_small_beta(logp_w, logp_l, ref_w, ref_l):
    return -torch.sigmoid(0.1 * ((logp_w - ref_w) - (logp_l - ref_l))).log().mean()


def of_the_mean_margin(logp_w, logp_l, ref_w, ref_l):
    return -logsigmoid(0.3 * ((logp_w - ref_w) - (logp_l - ref_l)).mean())


def at_the_end(scores, mask):
    return scores.gather(-1, (mask.sum(-1, keepdim=True) - 1).long())[:, 0]


def last_token(scores_w, scores_l, mask_w, mask_l):
    return -logsigmoid(at_the_end(scores_w, mask_w) - at_the_end(scores_l, mask_l)).mean()


def last_column(scores_w, scores_l, mask_w, mask_l):
    return -logsigmoid(scores_w[:, -1] - scores_l[:, -1]).mean() + 0 * (mask_w + mask_l).sum()


def losers_first(scores_w, scores_l, mask_w, mask_l):
    return last_token(scores_l, scores_w, mask_l, mask_w)


MEAN = {"shapes": B, "claims": ("pair-mean",)}

PAIRS = (
    Pair("smooths_its_labels", smoothed_with_one_sign, smoothed, SMOOTHED),
    Pair("smooths_its_labels", smoothed_with_one_sign, smoothed_robustly, SMOOTHED),
    Pair("turns_round_with_its_pair", one_side_averaged, dpo_tokens, TOKENS),
    Pair("has_the_slope_of_its_beta", beta_squared, dpo, LOGISTIC),
    Pair("has_the_slope_of_its_beta", divided_by_beta, dpo, LOGISTIC),
    Pair("reads_responses_as_claimed", dpo_averaged, dpo_tokens, SUMMED),
    Pair("reads_responses_as_claimed", dpo_tokens, dpo_averaged, AVERAGED),
    Pair("reads_responses_as_claimed", ipo_over_the_packed_row, ipo, AVERAGED),
    Pair("compares_odds_exactly", orpo_with_a_guard, orpo),
    Pair("pairs_each_row_with_itself", every_pair_of_responses, dpo, {"shapes": B}),
    Pair("stays_finite_at_extremes", log_of_sigmoid, dpo, {"shapes": B}),
    Pair("stays_finite_at_extremes", log_of_sigmoid_of_a_small_beta, dpo, {"shapes": B}),
    Pair("ignores_masked_tokens_of_both_responses", last_column, last_token),
    Pair("averages_pairs_as_claimed", of_the_mean_margin, dpo, MEAN),
    Pair("prefers_the_preferred", losers_first, last_token),
)
