"""Claims about the estimators k1 and k3."""

from collections.abc import Callable

import torch
from torch import Tensor

from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law, moments, relative_entropy
from numerics.lessons.two_token import POLICY, REFERENCE, sequence_divergence
from numerics.objectives.kl_penalty import estimator


@claim(
    6,
    "k3 usually has the lower variance, by a factor of two hundred; it is small and positive when "
    "the policies nearly agree.",
    "Near equality the ratio of the variances even tends to zero. Far apart k3 can have the larger "
    "one. k3 is never negative, near or far.",
    "divergence_estimators.k3_variance_vanishes_faster_near_equality",
    "divergence_estimators.k3_can_have_larger_variance_than_k1",
    "divergence_estimators.k3_is_half_the_squared_deviation_to_leading_order",
)
def near_and_far() -> Example:
    near, far = (law(0.5, 0.3, 0.2), law(0.4, 0.4, 0.2)), (law(0.01, 0.99), law(0.5, 0.5))
    variance = {
        f"{kind} {name}": moments(kind, q, p, q).variance
        for name, (q, p) in (("near", near), ("far", far))
        for kind in ("k1", "k3")
    }
    factor = variance["k1 near"] / variance["k3 near"]
    terms = [estimator(q.log(), p.log(), "k3") for q, p in (near, far)]
    lowest = float(torch.cat(terms).min())
    text = f"(.5,.3,.2) against (.4,.4,.2): Var k1 / Var k3 = {factor:.1f}. (.01,.99) against "
    text += f"(.5,.5): Var k3 = {variance['k3 far']:.2f}, Var k1 = {variance['k1 far']:.3f}. "
    text += f"Smallest k3: {abs(lowest):g}."
    holds = factor > 100 and variance["k3 far"] > variance["k1 far"] and lowest >= 0
    return Example(text, variance | {"factor": factor, "smallest k3": lowest}, holds)


def penalty_gradient(logits: Tensor, reference: Tensor, kind: str) -> Tensor:
    """The expected gradient of an estimator used as a loss, samples on-policy and held fixed."""
    at = logits.clone().requires_grad_()
    log_policy = torch.log_softmax(at, -1)
    loss = (log_policy.detach().exp() * estimator(log_policy, reference.log(), kind)).sum()
    return torch.autograd.grad(loss, at)[0]


def slope_of_divergence(logits: Tensor, divergence: Callable[[Tensor], Tensor]) -> Tensor:
    """The gradient in the logits of a divergence that is a function of the policy."""
    at = logits.clone().requires_grad_()
    return torch.autograd.grad(divergence(torch.softmax(at, -1)), at)[0]


@claim(
    7,
    "k3 is an unbiased estimator of the divergence.",
    "Its value is, with equal supports and samples from the first law of KL(pi || ref). Samples of "
    "another law bias it; on unequal supports it misses the mass of ref where pi has none; a token "
    "sum estimates the sequence KL and a token mean does not; as a loss it follows KL(ref || pi).",
    "divergence_estimators.k3_is_unbiased_and_nonnegative",
    "divergence_estimators.k3_as_a_loss_follows_the_forward_divergence",
)
def of_what_and_from_whom() -> Example:
    pi, ref, other = law(0.7, 0.3), law(0.5, 0.5), law(0.4, 0.6)
    values = {
        "KL": float(relative_entropy(pi, ref)),
        "k3 from pi": moments("k3", pi, ref, pi).mean,
        "k3 from another": moments("k3", pi, ref, other).mean,
        "k3 on part of the support": moments("k3", law(1.0), law(0.5), law(1.0)).mean,
        "KL there": float(relative_entropy(law(1.0, 0.0), ref)),
        "sequence KL": float(sequence_divergence(POLICY, REFERENCE)),
    }
    values["token mean"] = values["sequence KL"] / 2  # two tokens in every sequence
    followed = penalty_gradient(pi.log(), ref, "k3")
    forward = slope_of_divergence(pi.log(), lambda policy: relative_entropy(ref, policy))
    reverse = slope_of_divergence(pi.log(), lambda policy: relative_entropy(policy, ref))
    values |= {"loss slope": float(followed[0]), "forward slope": float(forward[0])}
    values["reverse slope"] = float(reverse[0])
    text = f"pi = (.7,.3), ref = (.5,.5): KL {values['KL']:.4f}; k3 from pi "
    text += f"{values['k3 from pi']:.4f}, from (.4,.6) {values['k3 from another']:.4f}. As a loss "
    text += f"its slope is {followed[0]:.4f}: KL(ref||pi) has {forward[0]:.4f}, KL(pi||ref) "
    text += f"{reverse[0]:.4f}. pi = (1,0): KL {values['KL there']:.4f}, mean of k3 "
    text += f"{values['k3 on part of the support']:.4f}."
    holds = (
        abs(values["k3 from pi"] - values["KL"]) < 1e-12
        and values["k3 from another"] > values["KL"] + 0.03
        and abs(values["KL there"] - values["k3 on part of the support"] - 0.5) < 1e-12
        and bool(torch.allclose(followed, forward, atol=1e-12))
        and float((followed - reverse).norm()) > 0.01
    )
    return Example(text, values, holds)
