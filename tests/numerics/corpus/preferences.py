"""Comparisons: preference losses and reward models."""

import torch
from torch.nn.functional import logsigmoid

from tests.numerics.corpus import Case

BETA = 0.3
PAIRS = dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")
LOGISTIC = {"claims": ("logistic",), "shapes": PAIRS}
SIGN, NEUTRAL = "prefers_the_preferred", "is_neutral_where_both_sides_agree"
BOTH = "ignores_masked_tokens_of_both_responses"


def dpo(logp_w, logp_l, ref_w, ref_l):
    return -logsigmoid(BETA * ((logp_w - ref_w) - (logp_l - ref_l))).mean()


def reference_free(logp_w, logp_l, ref_w, ref_l):
    return -logsigmoid(BETA * (logp_w - logp_l) + 0 * (ref_w + ref_l)).mean()


def negated(logp_w, logp_l, ref_w, ref_l):
    return -dpo(logp_w, logp_l, ref_w, ref_l)


def type_forwarded(logp_w, logp_l, ref_w, ref_l, loss_type="sigmoid"):
    margin = BETA * ((logp_w - ref_w) - (logp_l - ref_l))
    return (torch.relu(1 - margin) if loss_type == "hinge" else -logsigmoid(margin)).mean()


def type_not_forwarded(logp_w, logp_l, ref_w, ref_l, loss_type="sigmoid"):
    return type_forwarded(logp_w, logp_l, ref_w, ref_l)


def margins(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return ((logp_w - ref_w) * mask_w).sum(-1) - ((logp_l - ref_l) * mask_l).sum(-1)


def dpo_tokens(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return -logsigmoid(BETA * margins(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l)).mean()


def unmasked(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    ones = torch.ones_like(mask_w)
    return dpo_tokens(logp_w, logp_l, ref_w, ref_l, ones, ones) + 0 * (mask_w + mask_l).sum()


def one_side_unmasked(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    ones = torch.ones_like(mask_l)
    return dpo_tokens(logp_w, logp_l, ref_w, ref_l, mask_w, ones) + 0 * mask_l.sum()


def orpo_nll(logp_w, logp_l, mask_w, mask_l):
    ratio = (logp_w * mask_w).sum(-1) - (logp_l * mask_l).sum(-1)
    nll = -(logp_w * mask_w).sum(-1) / mask_w.sum(-1)
    return (nll - 0.1 * logsigmoid(ratio)).mean()


def orpo_nll_over_all(logp_w, logp_l, mask_w, mask_l):
    ratio = (logp_w * mask_w).sum(-1) - (logp_l * mask_l).sum(-1)
    return (-logp_w.mean(-1) - 0.1 * logsigmoid(ratio)).mean()


def public_prefix(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, by_place):
    """LD-DPO: tokens up to the shorter response's length count fully, later ones by half."""
    shorter = torch.minimum(mask_w.sum(-1), mask_l.sum(-1))[:, None]
    total = 0.0
    for sign, logp, ref, mask in ((1, logp_w, ref_w, mask_w), (-1, logp_l, ref_l, mask_l)):
        place = torch.arange(mask.shape[1]).expand_as(mask) + 1
        count = place if by_place else mask.cumsum(-1)
        kept = (count <= shorter) if by_place else (count <= shorter) & (mask > 0)
        weight = torch.where(kept, 1.0, 0.5 * mask)
        total = total + sign * ((logp - ref) * weight).sum(-1)
    return -logsigmoid(BETA * total).mean()


def ld_dpo(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return public_prefix(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, False)


def ld_dpo_absolute(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return public_prefix(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, True)


def bradley_terry(score_w, score_l):
    return -logsigmoid(score_w - score_l).mean()


def log_of_sigmoid(score_w, score_l):
    return -torch.log(torch.sigmoid(score_w - score_l)).mean()


CASES = {
    "liger-405-dpo-reference-free": Case(reference_free, dpo, NEUTRAL, LOGISTIC),
    "liger-481-dpo-sign": Case(negated, dpo, SIGN, LOGISTIC),
    "swift-10167-loss-type-ignored": Case(
        type_not_forwarded,
        type_forwarded,
        "changes_with_every_option",
        {"constants": {"loss_type": "hinge"}, "shapes": PAIRS},
    ),
    "trl-3346-liger-dpo-mask": Case(unmasked, dpo_tokens, BOTH),
    "dpo-ref-21fd7fe-label-padding": Case(unmasked, dpo_tokens, BOTH),
    "openrlhf-294-dpo-rejected-prompt-unmasked": Case(one_side_unmasked, dpo_tokens, BOTH),
    "trl-2502-orpo-nll-over-prompt": Case(orpo_nll_over_all, orpo_nll, BOTH),
    "swift-6945-ld-dpo-absolute-positions": Case(ld_dpo_absolute, ld_dpo, BOTH),
    "control-openrlhf-235-prompt-cancels": Case(dpo, dpo, "", LOGISTIC),
    "deepspeed-501-log-of-sigmoid": Case(log_of_sigmoid, bradley_terry, "stays_finite_at_extremes"),
}
