"""Preferences identify rewards up to a constant per prompt exactly when comparisons connect all.

Two rewards with the same Bradley-Terry probabilities on every compared pair have the same
difference there; along a path these add up.  If instead some k is constant along all compared pairs
of a prompt without being constant (the indicator of one side of a cut that no comparison crosses),
then r + k fits the data exactly as well as r does.
Ford, Solution of a ranking problem from binary comparisons (1957), on connectedness.
"""

from derivations.kernel.terms import WordsOf
from derivations.language.preferences import (
    bradley_terry,
    comparison_graph,
    preference_loss,
    w,
    x,
    y,
    y2,
)
from derivations.language.syntax import (
    Equal,
    ForAll,
    Implies,
    delta,
    exp,
    function,
    functions,
    log,
)
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.exponential_is_injective import exponential_is_injective

r, r2, k = functions("r r2 k", y, x)
e, paths = function("D", y, y2, x), function("paths", y, y2, w, x)
route = function("route", y, y2, x, into=WordsOf(y.sort))
graph = comparison_graph(e, paths, route)
wins = lambda r: bradley_terry(r(y, x), r(y2, x))
lead = lambda r: r(y, x) - r(y2, x)
gap = lead(r2) - lead(r)
raised = lambda y, x: r(y, x) + k(y, x)
data = lambda x, y, y2: e(y, y2, x)
same_preferences = Implies(e(y, y2, x) > 0, Equal(wins(r), wins(r2)))
level = Implies(e(y, y2, x) > 0, Equal(k(y, x), k(y2, x)))


@theorem(
    says=lambda: {
        "identified_when_connected": Implies(
            ForAll([y, y2, x], same_preferences), Equal(lead(r2), lead(r))
        ),
        "not_across_a_cut": Implies(
            ForAll([y, y2, x], level),
            Equal(preference_loss(data, raised), preference_loss(data, r)),
        ),
    },
    given=[graph],
    why={
        "a path joins every two responses": "three responses, one compared pair: the third is free",
    },
    example=(
        "Three responses with r(1) - r(2) = 1 and r(2) - r(3) = 2 known from comparisons: r(1) - "
        "r(3) = 3. Without the second pair r = (1, 0, -2) and r = (1, 0, 5) fit equally."
    ),
)
def connected_comparisons_identify_rewards():
    with assuming(ForAll([y, y2, x], same_preferences), name="the same preferences") as same:
        with assuming(e(y, y2, x) > 0, name="y and y2 are compared") as compared:
            odds = claim(
                Equal(exp(r(y, x) + r2(y2, x)), exp(r2(y, x) + r(y2, x))),
                by(same, compared),
                "the same odds",
            )
            equal = claim(
                Equal(lead(r2), lead(r)),
                by(exponential_is_injective(r(y, x) + r2(y2, x), r2(y, x) + r(y2, x)), odds),
                "the same lead",
            )
        pair = conclude(compared, equal, "compared pairs")
        weighted = claim(
            Equal(e(y, y2, x) * gap, 0), by(pair(x, y, y2), split=e(y, y2, x)), "one order"
        )
        link = claim(Equal((e(y, y2, x) + e(y2, y, x)) * gap, 0), by(weighted), "both orders")
        at_rest = claim(Equal(delta(y, y2) * gap, 0), by(letters=(y, y2)), "the empty path")
        along = claim(
            Equal(paths(y, y2, w, x) * gap, 0),
            by(graph.empty, graph.longer, link, at_rest, induct=w),
            "paths",
        )
        everywhere = claim(
            Equal(lead(r2), lead(r)), by(along, divide=paths(y, y2, route(y, y2, x), x))
        )
    conclude(same, everywhere)

    with assuming(ForAll([y, y2, x], level), name="k is constant on compared pairs") as cut:
        with assuming(e(y, y2, x) > 0, name="y and y2 are compared") as compared:
            ends = claim(Equal(k(y, x), k(y2, x)), by(cut, compared), "equal ends")
            fit = claim(Equal(wins(raised), wins(r)), by(ends), "the same preference")
        fit = conclude(compared, fit, "compared pairs")
        term = claim(
            Equal(e(y, y2, x) * log(wins(raised)), e(y, y2, x) * log(wins(r))),
            by(fit(x, y, y2), split=e(y, y2, x)),
            "every term",
        )
        total = claim(Equal(preference_loss(data, raised), preference_loss(data, r)), by(term))
    conclude(cut, total)
