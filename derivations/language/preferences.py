"""Rewards over responses: the tilted reference, Bradley-Terry preferences, the logistic function.

Prompts X, responses Y, both of any finite size; r(y, x) the reward of response y to prompt x. One
prompt at a time where nothing couples the prompts: r(y), p(y).

Source: Rafailov et al., Direct Preference Optimization (2023), sections 3 and 4, unless a symbol
names another.
Shapes: pi(y, x), ref(y, x), reward(y, x) and data(x, y, y') are real; beta, Z and z are numbers.
Units: log-probabilities and losses in nats; rewards and beta in one unit, whose ratio is in
log-odds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr

from derivations.kernel.terms import Fn, Var, reciprocal
from derivations.language.reasons import Bundle, Hypothesis, given
from derivations.language.syntax import (
    Equal,
    Sum,
    append,
    delta,
    empty_word,
    exp,
    log,
    members,
    reals,
    term,
    words,
)

x = members("X", "x")
y, y2, y3 = members("Y", "y", "y2", "y3")
w = words("Y", "w")
beta = reals("beta")
beta_positive = given(beta > 0, "β > 0")


Over = Callable[[Any], Any] | Fn


def responses(pi: Fn) -> Bundle:
    """pi(y|x) >= 0, and the responses to every prompt sum to one.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function
    >>> for h in responses(function("pi", y, x)):
    ...     print(text(h.formula))
    ∀ x, y: π(y|x) ≥ 0
    ∀ x: Σ_y π(y|x) = 1
    """
    return Bundle(
        f"{pi.name} is a policy",
        nonneg=given(pi(y, x) >= 0, f"{pi.name} ≥ 0"),
        total=given(Equal(Sum(pi(y, x), y), 1), f"{pi.name} sums to one"),
    )


def partition(Z: Any, ref: Over, r: Over, y: Var) -> Hypothesis:
    """Z = sum_y ref(y) exp(r(y)/beta).

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions
    >>> print(text(partition(reals("Z"), *functions("ref r", "Y"), y).formula))
    Z = Σ_y π_ref(y) exp(r(y)/β)
    """
    return given(Equal(Z, Sum(ref(y) * exp(r(y) / beta), y)), "partition function")


def tilt(ref: Over, r: Over, Z: Any) -> Callable[[Any], Expr]:
    """p*(y) = ref(y) exp(r(y)/beta)/Z.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions
    >>> print(text(tilt(*functions("ref r", "Y"), reals("Z"))(y)))
    π_ref(y) exp(r(y)/β)/Z
    """
    return lambda y: ref(y) * exp(r(y) / beta) / Z


def bradley_terry(r1: Any, r2: Any) -> Expr:
    """exp(r1)/(exp(r1) + exp(r2)): how often a response of reward r1 is preferred to one of r2.

    Source: Bradley and Terry, Rank analysis of incomplete block designs (1952).

    >>> from derivations.language.printing import text
    >>> print(text(bradley_terry(*reals("r1", "r2"))))
    exp(r₁)/(exp(r′) + exp(r₁))
    """
    return term(exp(r1) / (exp(r1) + exp(r2)))


def preference_loss(data: Callable[..., Any], reward: Callable[[Any, Any], Any]) -> Expr:
    """-sum data(x, y, y') log BT(reward(y, x), reward(y', x)): the negative log-likelihood of
    preferences in which y wins over y' with the weight data(x, y, y'), in nats.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function
    >>> print(text(preference_loss(function("data", x, y, y), function("r", y, x))))
    −Σ_{x, y, y′} data(x, y, y′) log(exp(r(y, x))/(exp(r(y, x)) + exp(r(y′, x))))
    """
    wins = bradley_terry(reward(y, x), reward(y2, x))
    return -Sum(data(x, y, y2) * log(wins), y2, y, x)


def comparison_graph(e: Fn, paths: Fn, route: Fn) -> Bundle:
    """e(y, y', x) >= 0 weighs the comparisons of prompt x; a pair is linked when it was compared in
    either order; paths(y, y', w, x) > 0 when the word w leads from y to y' along links; and the
    graph of every prompt is connected: some word, route(y, y', x), leads from y to y'.

    Source: Ford, Solution of a ranking problem from binary comparisons (1957), for the condition.
    Shapes: e(y, y', x), paths(y, y', w, x) real; route(y, y', x) a word over Y.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function
    >>> e, paths = function("e", y, y, x), function("paths", y, y, w, x)
    >>> for h in comparison_graph(e, paths, function("route", y, y, x, into=w.sort)):
    ...     print(text(h.formula))
    ∀ x, y, y′: e(y, y′, x) ≥ 0
    ∀ x, y, y′: paths(y, y′, ⟨⟩, x) = 1[y = y′]
    ∀ w, x, y, y′, y″: paths(y, y′, w·y″, x) = paths(y, y″, w, x) (e(y′, y″, x) + e(y″, y′, x))
    ∀ x, y, y′: paths(y, y′, route(y, y′, x), x) > 0
    """
    link = e(y3, y2, x) + e(y2, y3, x)
    return Bundle(
        "the comparison graphs are connected",
        nonneg=given(e(y, y2, x) >= 0, f"{e.name} ≥ 0"),
        empty=given(Equal(paths(y, y2, empty_word("Y"), x), delta(y, y2)), "the empty path stays"),
        longer=given(
            Equal(paths(y, y2, append(w, y3), x), paths(y, y3, w, x) * link),
            "a path goes on along a link",
        ),
        joined=given(paths(y, y2, route(y, y2, x), x) > 0, "a path joins every two responses"),
    )


def implicit_reward(pi: Callable[[Any, Any], Any], ref: Fn) -> Callable[[Any, Any], Expr]:
    """beta log(pi(y|x)/ref(y|x)): the reward that pi is optimal for, up to a function of x.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions
    >>> print(text(implicit_reward(*functions("pi ref", y, x))(y, x)))
    β log(π(y|x)/π_ref(y|x))
    """
    return lambda y, x: beta * log(term(pi(y, x)) * reciprocal(ref(y, x)))


def margin(pi: Callable[[Any, Any], Any], ref: Fn) -> Expr:
    """How far the implicit reward of y is above that of y'.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions
    >>> print(text(margin(*functions("pi ref", y, x))))
    β log(π(y|x)/π_ref(y|x)) − β log(π(y′|x)/π_ref(y′|x))
    """
    reward = implicit_reward(pi, ref)
    return reward(y, x) - reward(y2, x)


def dpo_loss(data: Callable[..., Any], pi: Callable[[Any, Any], Any], ref: Fn) -> Expr:
    """-sum data(x, y, y') log sigma(margin): direct preference optimisation, y preferred.

    Source: Rafailov et al. (2023), equation 7.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, functions
    >>> print(text(dpo_loss(function("data", x, y, y), *functions("pi q", y, x))))
    −Σ_{x, y, y′} data(x, y, y′) log(1/(1 + exp(β log(π(y′|x)/q(y′, x)) − β log(π(y|x)/q(y, x)))))
    """
    return -Sum(data(x, y, y2) * log(sigmoid(margin(pi, ref))), y2, y, x)


def sigmoid(z: Any) -> Expr:
    """sigma(z) = 1/(1 + exp(-z)).

    >>> from derivations.language.printing import text
    >>> print(text(sigmoid(reals("z"))))
    1/(1 + exp(−z))
    """
    return term(1 / (1 + exp(-term(z))))


def logistic_loss(z: Any) -> Expr:
    """-log sigma(z), the negative log-likelihood of a preference with margin z, in nats.

    >>> from derivations.language.printing import text
    >>> print(text(logistic_loss(reals("z"))))
    −log(1/(1 + exp(−z)))
    """
    return -log(sigmoid(z))
