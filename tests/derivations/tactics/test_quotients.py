"""Limits and derivatives of functions written otherwise, difference quotients, dominated series."""

import pytest

from derivations.language.reasons import Law, given
from derivations.language.syntax import (
    INFINITY,
    Derivative,
    Equal,
    ForAll,
    Limit,
    Sum,
    absolute,
    function,
    naturals,
    reals,
    series,
    steps_before,
)
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import prove, theorem

v, c, k = reals("v", "c", "k")
n, t = naturals("n", "t")
f, g = function("f", v), function("g", v)
h, u = function("h", n), function("u", n)

doubled = given(ForAll(v, Equal(f(v), 2 * v)), "f doubles")
constant = given(ForAll(v, Equal(f(v), 3)), "f is constant")
small = given(absolute(h(n)) <= 1 / (n + 1), "h is small")
reciprocal = Law("1/(n + 1) → 0", "limit_of_reciprocal_count")
slope = given(Derivative(f(v), v, c, k), "f has a slope")
quotient = given(Limit((f(v) - f(c)) / (v - c), v, c, k), "quotient")
below = given(absolute(h(t)) <= u(t), "h is dominated")
summable = given(Limit(Sum(u(t), (t, steps_before(n))), n, INFINITY, k), "u is summable")
partial = Sum(h(t), (t, steps_before(n)))

TRUE = {
    "limit via another form": (Limit(f(v), v, c, 2 * c), by(doubled, via=(v, 2 * v))),
    "derivative via another form": (Derivative(f(v), v, c, 2), by(doubled, via=(v, 2 * v))),
    "derivative via a constant": (Derivative(f(v), v, c, 0), by(constant, via=(v, 3))),
    "squeeze": (Limit(h(n), n, INFINITY, 0), by(small, reciprocal, squeeze=(n, 1 / (n + 1)))),
    "dominated": (
        Limit(partial, n, INFINITY, series(h(t), t)),
        by(below, summable, dominated=(t, u(t))),
    ),
    "slope to quotient": (Limit((f(v) - f(c)) / (v - c), v, c, k), by(slope)),
    "slope to continuity": (Limit(f(v), v, c, f(c)), by(slope)),
    "quotient in a product": (Limit(2 * v * (f(v) - f(c)) / (v - c), v, c, 2 * c * k), by(slope)),
    "quotient to slope": (Derivative(f(v), v, c, k), by(quotient)),
}
FALSE = {
    "another limit": (Limit(f(v), v, c, 3 * c), by(doubled, via=(v, 2 * v))),
    "another form": (Limit(f(v), v, c, 3 * c), by(doubled, via=(v, 3 * v))),
    "another derivative": (Derivative(f(v), v, c, 3), by(doubled, via=(v, 2 * v))),
    "no constant": (Derivative(f(v), v, c, 0), by(doubled, via=(v, 3))),
    "no bound": (Limit(h(n), n, INFINITY, 0), by(reciprocal, squeeze=(n, 1 / (n + 1)))),
    "not small": (Limit(h(n), n, INFINITY, 0), by(small, squeeze=(n, 1 + 1 / (n + 1)))),
    "another limit to squeeze": (
        Limit(h(n), n, INFINITY, 1),
        by(small, reciprocal, squeeze=(n, 1 / (n + 1))),
    ),
    "not dominated": (
        Limit(partial, n, INFINITY, series(h(t), t)),
        by(summable, dominated=(t, u(t))),
    ),
    "not summable": (
        Limit(partial, n, INFINITY, series(h(t), t)),
        by(below, dominated=(t, u(t))),
    ),
    "another series": (
        Limit(partial, n, INFINITY, series(u(t), t)),
        by(below, summable, dominated=(t, u(t))),
    ),
    "another point": (Limit(f(v), v, 0, f(0)), by(slope)),
    "another slope": (Derivative(f(v), v, c, 2 * k), by(quotient)),
    "slope of another function": (Derivative(g(v), v, c, k), by(quotient)),
}
EVERYTHING = [doubled, constant, small, slope, quotient, below, summable]


def _prove(goal, reason):
    hypotheses = [x for x in EVERYTHING if x in reason.facts]

    @theorem(says=lambda: {"goal": goal}, given=hypotheses)
    def one_line():
        claim(goal, reason)

    return prove(one_line)


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name):
    proof = _prove(*TRUE[name])
    assert proof.status == "proved", proof.refusal


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_follow_is_refused(name):
    proof = _prove(*FALSE[name])
    assert proof.status == "refused" and proof.lines == ()
