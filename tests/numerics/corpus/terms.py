"""Divergences, rewards per token, values, entropies, metrics."""

from math import comb

import torch

from tests.numerics.corpus import Case

AVERAGE, CLAIM = "averages_to_a_divergence", "follows_its_claim"
REVERSE = {"claims": ("E[r]", "KL(pi||ref)")}
ONCE, VALUE, DIRECTION = (
    "charges_the_divergence_once",
    "is_pessimistic",
    "measures_the_claimed_divergence",
)


def k3(logp, logp_ref):
    return (logp_ref - logp).exp() - 1 - (logp_ref - logp)


def k3_upside_down(logp, logp_ref):
    return (logp - logp_ref).exp() - 1 - (logp - logp_ref)


def k1(logp, logp_ref):
    return logp - logp_ref


def k1_other_direction(logp, logp_ref):
    """Samples of the other policy under the label KL(pi||ref): the sign is turned."""
    return logp_ref - logp


def penalised(penalty):
    def loss(logp, logp_old, logp_ref, adv, mask, beta=0.04):
        ratio = (logp - logp_old).exp()
        tokens = beta * penalty(logp, logp_ref, ratio) - ratio * adv
        return (tokens * mask).sum(-1).mean()

    return loss


k3_in_the_loss = penalised(lambda p, q, r: k3(p, q))
k1_in_the_loss = penalised(lambda p, q, r: p - q)
k2_in_the_loss = penalised(lambda p, q, r: 0.5 * (p - q) ** 2)
k2_weighted = penalised(lambda p, q, r: r.detach() * 0.5 * (p - q) ** 2)
k3_weighted = penalised(lambda p, q, r: r * k3(p, q))
score_form = penalised(lambda p, q, r: (p - q).detach() * p)


def filled(logp, logp_ref, mask):
    return torch.where(mask > 0, k3(logp, torch.where(mask > 0, logp_ref, logp)), 0.0)


def mask_after_exp(logp, logp_ref, mask):
    return k3(logp, logp_ref) * mask


def last(mask):
    return (mask.cumsum(-1) == mask.sum(-1, keepdim=True)) * mask


def shaped(logp, logp_ref, score, mask, beta):
    return (-beta * (logp - logp_ref) + last(mask) * score[:, None]) * mask


def plus_beta(logp, logp_ref, score, mask, beta):
    return (beta * (logp - logp_ref) + last(mask) * score[:, None]) * mask


def no_coefficient(logp, logp_ref, score, mask, beta):
    return ((logp - logp_ref) + last(mask) * score[:, None] + 0 * beta) * mask


def clipped_value(pick):
    def loss(value, value_old, returns, mask):
        near = value_old + (value - value_old).clamp(-0.2, 0.2)
        errors = pick((value - returns) ** 2, (near - returns) ** 2)
        return (errors * mask).sum() / mask.sum()

    return loss


value_max, value_min = clipped_value(torch.maximum), clipped_value(torch.minimum)


def squared(value, returns, mask):
    return (((value - returns) ** 2) * mask).sum() / mask.sum()


def squared_by_micro_batches(value, returns, mask):
    return ((((value - returns) ** 2) * mask).sum(-1) / mask.sum(-1)).sum()


def entropy(logits):
    logp = torch.log_softmax(logits, -1)
    return -(logp.exp() * logp).sum(-1)


def minus_mean(logits, mask):
    return -(entropy(logits) * mask).sum() / mask.sum()


def plus_mean(logits, mask):
    """The estimate +H as a term of a loss that is minimised."""
    return -minus_mean(logits, mask)


def minus_sum(logits, mask):
    return -(entropy(logits) * mask).sum()


def subsets(n, c, k):
    return 1.0 - comb(n - c, k) / comb(n, k)


def with_replacement(n, c, k):
    return 1.0 - (1.0 - c / n) ** k


def pooled(n, c, k, problems=3):
    """n and c counted over all problems together: here as many alike as `problems`."""
    return subsets(problems * n, problems * c, k)


def kl(logits_p, logits_q):
    p, q = torch.log_softmax(logits_p, -1), torch.log_softmax(logits_q, -1)
    return (p.exp() * (p - q)).sum(-1)


def swapped(logits_p, logits_q):
    return kl(logits_q, logits_p)


def product_of(sampler):
    """The Hessian of KL(sampler || q) in the logits of q, times the vector, by two backwards."""

    def product(logits_p, logits_q, vector):
        with torch.enable_grad():
            q = logits_q if logits_q.requires_grad else logits_q.detach().requires_grad_()
            divergence = kl(sampler(logits_p, q), q).sum()
            (slope,) = torch.autograd.grad(divergence, q, create_graph=True)
            (found,) = torch.autograd.grad((slope * vector).sum(), q, create_graph=True)
        return found + 0 * logits_p

    return product


product = product_of(lambda p, q: p.detach())
product_of_identical = product_of(lambda p, q: q)


FORWARD = {"claims": ("KL(p||q)",)}
CASES = {
    "colossalai-3696-k3-direction": Case(k3_upside_down, k3, AVERAGE, {"claims": ("unbiased",)}),
    "swift-7145-kl-metric-direction": Case(k1_other_direction, k1, AVERAGE),
    "verl-2953-k3-gradient": Case(k3_in_the_loss, k2_in_the_loss, CLAIM, REVERSE),
    "trl-2277-nash-md-k1-direct": Case(k1_in_the_loss, score_form, CLAIM, REVERSE),
    "openrlhf-1309-k-estimators-off-policy": Case(
        k2_in_the_loss, k2_weighted, CLAIM, {"claims": (*REVERSE["claims"], "off-policy")}
    ),
    "trl-6503-differentiable-ratio-not-noop": Case(k3_in_the_loss, k3_weighted, CLAIM, REVERSE),
    "swift-9767-mask-after-exp": Case(
        mask_after_exp, filled, "stays_finite_at_extremes", {"claims": ("any padding",)}
    ),
    "torchrl-2908-kl-reward-sign": Case(plus_beta, shaped, ONCE),
    "slime-373-kl-reward-no-coefficient": Case(no_coefficient, shaped, ONCE),
    "cleanrl-15-value-clip-min": Case(value_min, value_max, VALUE),
    "control-baselines-91-value-max": Case(value_max, value_max, ""),
    "verl-6957-critic-microbatch": Case(
        squared_by_micro_batches, squared, "weighs_tokens_as_claimed", {"claims": ("token-mean",)}
    ),
    "sb3-127-entropy-estimate-sign": Case(
        plus_mean, minus_mean, "raises_the_entropy", {"claims": ("bonus",)}
    ),
    "ray-34779-entropy-sum": Case(
        minus_sum, minus_mean, "raises_the_entropy", {"claims": ("bonus", "mean")}
    ),
    "verl-7240-best-of-k-with-replacement": Case(
        with_replacement, subsets, "counts_distinct_subsets"
    ),
    "aprender-2118-passk-problems-as-samples": Case(pooled, subsets, "counts_distinct_subsets"),
    "rlax-15-gaussian-kl-order": Case(swapped, kl, DIRECTION, FORWARD),
    "cleanrl-7dc0baef-ppg-kl-direction": Case(swapped, kl, DIRECTION, FORWARD),
    "deep-rl-5-kl-of-identical-policies": Case(product_of_identical, product, DIRECTION),
}
