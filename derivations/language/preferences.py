"""Rewards over responses: the tilted reference, Bradley-Terry preferences, the logistic function.

Prompts X, responses Y, both of any finite size; r(y, x) the reward of response y to prompt x.
One prompt at a time where nothing couples the prompts: r(y), p(y).
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
    """pi(y|x) >= 0, and the responses to every prompt sum to one."""
    return Bundle(
        f"{pi.name} is a policy",
        nonneg=given(pi(y, x) >= 0, f"{pi.name} ≥ 0"),
        total=given(Equal(Sum(pi(y, x), y), 1), f"{pi.name} sums to one"),
    )


def partition(Z: Any, ref: Over, r: Over, y: Var) -> Hypothesis:
    """Z = sum_y ref(y) exp(r(y)/beta)."""
    return given(Equal(Z, Sum(ref(y) * exp(r(y) / beta), y)), "partition function")


def tilt(ref: Over, r: Over, Z: Any) -> Callable[[Any], Expr]:
    """p*(y) = ref(y) exp(r(y)/beta)/Z."""
    return lambda y: ref(y) * exp(r(y) / beta) / Z


def bradley_terry(r1: Any, r2: Any) -> Expr:
    """exp(r1)/(exp(r1) + exp(r2)): how often a response of reward r1 is preferred to one of r2."""
    return term(exp(r1) / (exp(r1) + exp(r2)))


def preference_loss(data: Callable[..., Any], reward: Callable[[Any, Any], Any]) -> Expr:
    """-sum data(x, y, y') log BT(reward(y, x), reward(y', x)): the negative log-likelihood of
    preferences in which y wins over y' with the weight data(x, y, y'), in nats."""
    wins = bradley_terry(reward(y, x), reward(y2, x))
    return -Sum(data(x, y, y2) * log(wins), y2, y, x)


def comparison_graph(e: Fn, paths: Fn, route: Fn) -> Bundle:
    """e(y, y', x) >= 0 weighs the comparisons of prompt x; a pair is linked when it was compared in
    either order; paths(y, y', w, x) > 0 when the word w leads from y to y' along links; and the
    graph of every prompt is connected: some word, route(y, y', x), leads from y to y'."""
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
    """beta log(pi(y|x)/ref(y|x)): the reward that pi is optimal for, up to a function of x."""
    return lambda y, x: beta * log(term(pi(y, x)) * reciprocal(ref(y, x)))


def margin(pi: Callable[[Any, Any], Any], ref: Fn) -> Expr:
    """How far the implicit reward of y is above that of y'."""
    reward = implicit_reward(pi, ref)
    return reward(y, x) - reward(y2, x)


def dpo_loss(data: Callable[..., Any], pi: Callable[[Any, Any], Any], ref: Fn) -> Expr:
    """-sum data(x, y, y') log sigma(margin): direct preference optimisation, y preferred."""
    return -Sum(data(x, y, y2) * log(sigmoid(margin(pi, ref))), y2, y, x)


def sigmoid(z: Any) -> Expr:
    """sigma(z) = 1/(1 + exp(-z))."""
    return term(1 / (1 + exp(-term(z))))


def logistic_loss(z: Any) -> Expr:
    """-log sigma(z), the negative log-likelihood of a preference with margin z, in nats."""
    return -log(sigmoid(z))
