"""Comparisons: preference losses and reward models."""

import torch
from torch.nn.functional import logsigmoid

from tests.numerics.corpus import Case

PAIRS = dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")
LOGISTIC = {"claims": ("logistic",), "shapes": PAIRS}
SIGN, NEUTRAL = "prefers_the_preferred", "is_neutral_where_both_sides_agree"
BOTH = "ignores_masked_tokens_of_both_responses"


def dpo(logp_w, logp_l, ref_w, ref_l, beta=0.3):
    return -logsigmoid(beta * ((logp_w - ref_w) - (logp_l - ref_l))).mean()


def reference_free(logp_w, logp_l, ref_w, ref_l, beta=0.3):
    return -logsigmoid(beta * (logp_w - logp_l)).mean()


def negated(logp_w, logp_l, ref_w, ref_l, beta=0.3):
    return -dpo(logp_w, logp_l, ref_w, ref_l, beta)


def type_forwarded(logp_w, logp_l, ref_w, ref_l, loss_type="sigmoid", beta=0.3):
    margin = (logp_w - ref_w) - (logp_l - ref_l)
    if loss_type == "ipo":
        return ((margin - 1 / (2 * beta)) ** 2).mean()
    hinge, logistic = torch.relu(1 - beta * margin), -logsigmoid(beta * margin)
    return (hinge if loss_type == "hinge" else logistic).mean()


def type_not_forwarded(logp_w, logp_l, ref_w, ref_l, loss_type="sigmoid", beta=0.3):
    return type_forwarded(logp_w, logp_l, ref_w, ref_l, beta=beta)


def margins(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l):
    return ((logp_w - ref_w) * mask_w).sum(-1) - ((logp_l - ref_l) * mask_l).sum(-1)


def dpo_tokens(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, beta=0.3):
    return -logsigmoid(beta * margins(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l)).mean()


def unmasked(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, beta=0.3):
    one_w, one_l = torch.ones_like(mask_w), torch.ones_like(mask_l)
    return dpo_tokens(logp_w, logp_l, ref_w, ref_l, one_w, one_l, beta)


def one_side_unmasked(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, beta=0.3):
    return dpo_tokens(logp_w, logp_l, ref_w, ref_l, mask_w, torch.ones_like(mask_l), beta)


def averaged(x, mask):
    return (x * mask).sum(-1) / mask.sum(-1)


def log_of_the_rest(logp):
    return torch.log(-torch.expm1(logp))


def log_of_the_rest_guarded(logp):
    return torch.log(1.0001 - logp.exp())


def odds_term(w, lo, rest=log_of_the_rest):
    """-log sigmoid of the difference of the log-odds."""
    return -logsigmoid((w - rest(w)) - (lo - rest(lo)))


def orpo(logp_w, logp_l, mask_w, mask_l, weight=0.1, nll=1.0, rest=log_of_the_rest):
    w, lo = averaged(logp_w, mask_w), averaged(logp_l, mask_l)
    return (-nll * w + weight * odds_term(w, lo, rest)).mean()


def orpo_guarded(logp_w, logp_l, mask_w, mask_l, weight=0.1, nll=1.0):
    return orpo(logp_w, logp_l, mask_w, mask_l, weight, nll, log_of_the_rest_guarded)


def orpo_nll_over_all(logp_w, logp_l, mask_w, mask_l, weight=0.1):
    w, lo = averaged(logp_w, mask_w), averaged(logp_l, mask_l)
    return (-logp_w.mean(-1) + weight * odds_term(w, lo)).mean()


def public_prefix(logp, ref, mask, shorter, alpha, place):
    """LD-DPO: the first `shorter` tokens count fully, the rest of the response by alpha."""
    last = mask.sum(-1, keepdim=True)
    inside = (place >= 1) & (place <= last)
    weight = torch.where(inside, torch.where(place <= shorter, 1.0, alpha), 0.0)
    return ((logp - ref) * weight).sum(-1)


def ld_dpo_of(place):
    def loss(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, alpha=0.5, beta=0.3):
        shorter = torch.minimum(mask_w.sum(-1), mask_l.sum(-1))[:, None]
        better = public_prefix(logp_w, ref_w, mask_w, shorter, alpha, place(mask_w))
        worse = public_prefix(logp_l, ref_l, mask_l, shorter, alpha, place(mask_l))
        return -logsigmoid(beta * (better - worse)).mean()

    return loss


ld_dpo = ld_dpo_of(lambda mask: mask.cumsum(-1) * mask)
ld_dpo_absolute = ld_dpo_of(lambda mask: torch.arange(mask.shape[1]).expand_as(mask) + 1)


def ipo(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, beta=0.1):
    margin = averaged(logp_w - ref_w, mask_w) - averaged(logp_l - ref_l, mask_l)
    return ((margin - 1 / (2 * beta)) ** 2).mean()


def ipo_over_the_packed_row(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l, beta=0.1):
    """Both responses of a pair in one row: its tokens are those of both."""
    tokens = mask_w.sum(-1) + mask_l.sum(-1)
    margin = margins(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l) / tokens
    return ((margin - 1 / (2 * beta)) ** 2).mean()


def score_at_the_end(scores, mask):
    return scores.gather(-1, (mask.sum(-1, keepdim=True) - 1).long())[:, 0]


def end_of_sequence(scores_w, scores_l, mask_w, mask_l):
    better, worse = score_at_the_end(scores_w, mask_w), score_at_the_end(scores_l, mask_l)
    return -logsigmoid(better - worse).mean()


def end_of_row(scores_w, scores_l, mask_w, mask_l):
    return -logsigmoid(scores_w[:, -1] - scores_l[:, -1]).mean()


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
    "trl-2502-orpo-nll-over-prompt": Case(orpo_nll_over_all, orpo, BOTH),
    "colossalai-6407-orpo-biased-constant": Case(orpo_guarded, orpo, "compares_odds_exactly"),
    "swift-9925-ipo-packed-denominator": Case(
        ipo_over_the_packed_row, ipo, "reads_responses_as_claimed", {"claims": ("averaged",)}
    ),
    "gpt-neox-1285-rm-off-by-one": Case(end_of_row, end_of_sequence, BOTH),
    "swift-6945-ld-dpo-absolute-positions": Case(ld_dpo_absolute, ld_dpo, BOTH),
    "control-openrlhf-235-prompt-cancels": Case(dpo, dpo, "", LOGISTIC),
    "deepspeed-501-log-of-sigmoid": Case(log_of_sigmoid, bradley_terry, "stays_finite_at_extremes"),
}
