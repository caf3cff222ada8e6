"""Two states, of which one is left for good."""

from __future__ import annotations

import math

from numerics.lessons.tabular import solve, surrogate
from tests.docs.examples.computing import F, bandit, fraction, leaving, row, shift


def surrogate_agrees_to_first_order() -> str:
    old = bandit((1, 0), (0.3, 0.7), 0.5)
    new = bandit((1, 0), (0.8, 0.2), 0.5)
    predicted = old.visitation[0] * (0.8 * old.advantage[0, 0] + 0.2 * old.advantage[0, 1])
    assert math.isclose(float(new.objective), 2 * 0.8)
    assert math.isclose(float(predicted), 2 * (0.8 - 0.3))
    return "One state, γ = 1/2, r = (1, 0), π = (θ, 1 - θ): J = 2θ and L = 2(θ - θ₀)."


def surrogate_error_is_exactly_the_visitation_shift() -> str:
    process, stay, leave = leaving(0.5, 1.0)
    old, new = solve(process, stay), solve(process, leave)
    d, d2, adv = old.visitation, new.visitation, old.advantage[:, 1]
    change, guess = new.objective - old.objective, surrogate(process, stay, leave)
    error = ((d2 - d) * adv).sum()
    assert math.isclose(float(change - guess), float(error))
    terms = [f"({fraction(d2[s])} - {fraction(d[s])}) {fraction(adv[s])}" for s in (0, 1)]
    return (
        "Two states; a₁ leads to y₁ for good, a₀ stays; reward 1 in y₁, γ = 1/2, start in y₀, π "
        f"takes a₀, π′ takes a₁: J(π′) - J(π) = {fraction(change)}, L = {fraction(guess)}, and "
        f"{terms[0]} + {terms[1]} = {fraction(error)}."
    )


def visitation_shift_is_bounded_by_total_variation() -> str:
    process, stay, leave = leaving(0.5, 0.5)
    d, d2 = (solve(process, p).visitation for p in (stay, leave))
    average = 2 * 0.5 / (1 - 0.5) * float(d.sum()) * 0.5
    largest = 2 * 0.5 / (1 - 0.5) ** 2 * 0.5
    assert average == largest
    return (
        "The new policy leaves y₀ for good with probability 1/2, the old one never, γ = 1/2: "
        f"d = {row(d)}, d′ = {row(d2)}, so the shift is {fraction(shift(0.5, 0.5))} and the bound "
        f"is {largest:g}."
    )


def visitation_shift_has_a_sharp_bound() -> str:
    found = fraction(shift(0.5, 0.5))
    return (
        "The new policy leaves y₀ for good with probability 1/2, the old one never, γ = 1/2: "
        f"the shift is {found}, and 2 (1/2)(1/2)/((1/2)(3/4)) = "
        f"{2 * F(1, 2) * F(1, 2) / (F(1, 2) * F(3, 4))}."
    )


def the_sharp_visitation_bound_is_attained() -> str:
    bound = 2 * F(9, 10) * F(1, 2) / (F(1, 10) * F(11, 20))
    assert math.isclose(float(bound), shift(0.9, 0.5))
    return f"γ = 9/10, α = 1/2: the shift is 2 (9/10)(1/2)/((1/10)(11/20)) = {shift(0.9, 0.5):.2f}."
