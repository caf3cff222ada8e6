"""Steps, controllers, and what the other files' functions leave to compare."""

import torch
from torch.nn.functional import logsigmoid

from tests.numerics.properties.pairs import Pair

LOGISTIC = {"claims": ("logistic",)}
SIMPO = {
    "claims": ("logistic",),
    "constants": {"gamma": 0.5},
    "shapes": {"logp_w": "B", "logp_l": "B"},
}
WEIGHED = {"claims": ("E[r]", "KL(pi||ref)"), "constants": {"beta": 0.1}}


def natural(gradient, fisher, delta):
    along = torch.linalg.solve(fisher, gradient)
    return (2 * delta / (gradient @ along)).sqrt() * along


def two_missing(gradient, fisher, delta):
    return natural(gradient, fisher, delta / 2)


def scaled_by_the_gradient(gradient, fisher, delta):
    """g . g in place of g . F^-1 g."""
    along = torch.linalg.solve(fisher, gradient)
    return (2 * delta / (gradient @ gradient)).sqrt() * along


def plain_gradient(gradient, fisher, delta):
    return (2 * delta / (gradient @ fisher @ gradient)).sqrt() * gradient


def downhill(gradient, fisher, delta):
    return -natural(gradient, fisher, delta)


def proportional(beta, kl, target):
    return beta * (1 + 0.1 * min(max(kl / target - 1, -0.2), 0.2))


def stepwise(beta, kl, target):
    return 2 * beta if kl > 1.5 * target else beta / 2 if kl < target / 1.5 else beta


def quotient_turned_round(beta, kl, target):
    return proportional(beta, target, kl)


def never_at_rest(beta, kl, target):
    return beta * (1 + 0.1 * min(max(kl / target, -0.2), 0.2))


def mean_entropy(logits, mask):
    logp = torch.log_softmax(logits, -1)
    return -0.01 * (-(logp.exp() * logp).sum(-1) * mask).sum() / mask.sum()


def mean_of_row_means(logits, mask):
    logp = torch.log_softmax(logits, -1)
    rows = (-(logp.exp() * logp).sum(-1) * mask).sum(-1) / mask.sum(-1)
    return -0.01 * rows.mean()


def bradley_terry(score_w, score_l):
    return -logsigmoid(score_w - score_l).mean()


def each_score_alone(score_w, score_l):
    return -(logsigmoid(score_w) + logsigmoid(-score_l)).mean() / 2


def simpo(logp_w, logp_l, gamma=0.0):
    return -logsigmoid(2.0 * (logp_w - logp_l) - gamma).mean()


def margin_added(logp_w, logp_l, gamma=0.0):
    return -logsigmoid(2.0 * (logp_w - logp_l) + gamma).mean()


def whitened(x, mask):
    mean = (x * mask).sum() / mask.sum()
    var = (((x - mean) ** 2) * mask).sum() / mask.sum()
    return (x - mean) / (var + 1e-8).sqrt() * mask


def unguarded(x, mask):
    mean = (x * mask).sum() / mask.sum()
    var = (((x - mean) ** 2) * mask).sum() / mask.sum()
    return torch.where(mask > 0, (x - mean) / var.sqrt(), 0.0)


def logp_of(log_of_sum):
    def loss(logits, labels, logp_old, adv, mask):
        picked = logits.gather(-1, labels[..., None])[..., 0]
        ratio = (picked - log_of_sum(logits) - logp_old).exp()
        gain = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        return -(gain * mask).sum() / mask.sum()

    return loss


stable = logp_of(lambda logits: torch.logsumexp(logits, -1))


def sum_of_exponentials(logits, labels, logp_old, adv, mask):
    plain = logp_of(lambda logits: logits.exp().sum(-1).log())
    return plain(logits, labels, logp_old, adv, mask)


def truncated(logp, logp_old, logp_rollout, adv, mask):
    weight = (logp_old - logp_rollout).exp().detach().clamp(max=2.0)
    return -(weight * (logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def bounded_from_below(logp, logp_old, logp_rollout, adv, mask):
    """clamp(min=2) for clamp(max=2): two near the engine, and without an end beyond."""
    weight = (logp_old - logp_rollout).exp().detach().clamp(min=2.0)
    return -(weight * (logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def k2_in_the_loss(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    values = beta * 0.5 * (logp - logp_ref) ** 2 - (logp - logp_old).exp() * adv
    return (values * mask).sum() / mask.sum()


def square_without_half(logp, logp_old, logp_ref, adv, mask, beta=0.04):
    return k2_in_the_loss(logp, logp_old, logp_ref, adv, mask, 2 * beta)


def penalty(logp, logp_ref, mask):
    gap = logp_ref - logp
    return ((gap.exp() - 1 - gap) * mask).sum() / mask.sum()


def penalty_turned_round(logp, logp_ref, mask):
    return -penalty(logp, logp_ref, mask)


PAIRS = (
    Pair("pulls_to_the_reference", penalty_turned_round, penalty),
    Pair("takes_the_largest_step_allowed", two_missing, natural),
    Pair("takes_the_largest_step_allowed", scaled_by_the_gradient, natural),
    Pair("takes_the_largest_step_allowed", plain_gradient, natural),
    Pair("takes_the_largest_step_allowed", downhill, natural),
    Pair("steers_to_its_target", quotient_turned_round, proportional),
    Pair("steers_to_its_target", never_at_rest, stepwise),
    Pair("weighs_tokens_as_claimed", mean_of_row_means, mean_entropy, {"claims": ("token-mean",)}),
    Pair("is_neutral_where_both_sides_agree", each_score_alone, bradley_terry, LOGISTIC),
    Pair("shifts_the_logit_by_its_margin", margin_added, simpo, SIMPO),
    Pair("normalises_under_the_mask", unguarded, whitened),
    Pair("stays_finite_at_extremes", sum_of_exponentials, stable),
    Pair("telescopes_to_the_sampler", bounded_from_below, truncated),
    Pair("follows_its_claim", square_without_half, k2_in_the_loss, WEIGHED),
)
