"""Small decision processes."""

from __future__ import annotations

import math

import torch

from numerics.lessons.divergence import law
from tests.docs.examples.computing import F, bandit, fraction, row


def advantage_has_mean_zero() -> str:
    s = bandit((1, 0), (0.25, 0.75), 0.5)
    v, q, adv = s.value[0], s.action_value[0], s.advantage[0]
    assert abs(float(0.25 * adv[0] + 0.75 * adv[1])) < 1e-12
    return (
        f"One state, r = (1, 0), γ = 1/2, π = (1/4, 3/4): V = {fraction(v)}, Q = {row(q)}, "
        f"A = {row(adv)}, and (1/4)({fraction(adv[0])}) - (3/4)({fraction(-adv[1])}) = 0."
    )


def value_solves_the_bellman_equation() -> str:
    v = bandit((1, 0), (0.25, 0.75), 0.5).value[0]
    terms = [F(1, 4) * F(1, 2) ** t for t in range(60)]
    assert math.isclose(float(sum(terms)), float(v))
    return (
        f"One state, r = (1, 0), γ = 1/2, π = (1/4, 3/4): V = {' + '.join(map(str, terms[:3]))} "
        f"+ ... = {fraction(v)}, and 1/4 + V/2 = {fraction(0.25 + v / 2)}."
    )


def visitation_sums_to_one_over_one_minus_gamma() -> str:
    assert math.isclose(float(bandit((1,), (1,), 0.8).visitation.sum()), 5)
    return "One state: d = 1 + γ + γ² + ... = 1/(1 - γ)."


def discounted_values_telescope() -> str:
    v = (4, 2, 8)
    total = sum(F(1, 2) ** t * (F(1, 2) * v[t + 1] - v[t]) for t in range(2))
    assert total == F(v[2], 4) - v[0]
    return f"γ = 1/2, V = (4, 2, 8, ...), T = 2: (1 - 4) + (4 - 2)/2 = {total} = 8/4 - 4."


def performance_difference() -> str:
    old, new = bandit((0, 1), (1, 0), 0.5), bandit((0, 1), (0, 1), 0.5)
    d, adv = new.visitation[0], old.advantage[0, 1]
    assert float(d * adv) == float(new.value[0] - old.value[0])
    return (
        f"One state, r = (0, 1), γ = 1/2, π = (1, 0), π′ = (0, 1): V′ - V = "
        f"{fraction(new.value[0])} - {fraction(old.value[0])} = d′ A = "
        f"{fraction(d)}·{fraction(adv)}."
    )


def policy_gradient() -> str:
    t = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(t * 1 + (1 - t) * 0, t)
    q = bandit((1, 0), (0.3, 0.7), 0.0).action_value[0]
    assert float(q[0] - q[1]) == float(slope) == 1
    return (
        f"One state, γ = 0, r = (1, 0), π = (θ, 1 - θ): J = θ, and 1·{fraction(q[0])} + "
        f"(-1)·{fraction(q[1])} = {fraction(slope)}."
    )


def policy_gradient_of_a_finite_horizon() -> str:
    t = F(1, 3)
    q1, q2 = (F(1), F(0)), (1 + t, t)
    parts = [q[0] - q[1] for q in (q2, q1)]
    assert sum(parts) == 2  # the slope of J = 2 θ
    return (
        "One state, T = 2, γ = 1, r = (1, 0), π = (θ, 1 - θ): J = 2θ. Q₂ = (1 + θ, θ) and "
        f"Q₁ = {row(q1)} give {parts[0]} + {parts[1]} = {sum(parts)}."
    )


def a_baseline_adds_no_bias() -> str:
    q, b = (3, 1), 10
    assert (q[0] - b) - (q[1] - b) == q[0] - q[1] == 2
    return "One state, ∂π = (1, -1), Q = (3, 1), b = 10: (3 - 10) - (1 - 10) = 2 = 3 - 1."


def importance_weights_correct_the_actions() -> str:
    pi, new, f = (F(1, 2), F(1, 2)), (F(1, 4), F(3, 4)), (2, 4)
    rho = [x / y for x, y in zip(new, pi, strict=True)]
    weighted = sum(p * r * y for p, r, y in zip(pi, rho, f, strict=True))
    assert weighted == sum(p * y for p, y in zip(new, f, strict=True))
    return (
        f"π = (1/2, 1/2), π′ = (1/4, 3/4), f = (2, 4): (1/2)({rho[0]})2 + (1/2)({rho[1]})4 = "
        f"{weighted}."
    )


def importance_weights_leave_the_states() -> str:
    to_y1 = law(0.0, 1.0)  # by action, from y₀
    old, new = (float(p @ to_y1) for p in (law(0.5, 0.5), law(0.0, 1.0)))
    return (
        f"At step 1 the old policy is in y₁ with probability {fraction(old)}, the new one with "
        f"probability {fraction(new)}."
    )


def generalised_advantage_telescopes() -> str:
    gamma = lam = F(1, 2)
    r, v = (1, 0), (2, 4, 12)
    deltas = [r[t] + gamma * v[t + 1] - v[t] for t in (0, 1)]
    adv = deltas[0] + gamma * lam * deltas[1]
    later = deltas[1] + v[1]
    assert r[0] + gamma * ((1 - lam) * v[1] + lam * later) == adv + v[0]
    return (
        f"γ = λ = 1/2, r = (1, 0), V = (2, 4, 12): the residuals are {deltas[0]} and {deltas[1]}, "
        f"the advantage of two steps {deltas[0]} + {deltas[1]}/4 = {adv}; adding V gives the "
        f"λ-return {adv + v[0]} = 1 + (1/2)((1/2) {v[1]} + (1/2) {later})."
    )
