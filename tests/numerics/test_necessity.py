"""A hypothesis that is needed gets a model of the others that breaks the statement; one that the
proof does not use is said to be unused; and nothing is claimed where no model is found."""

import pytest

from derivations import prove
from derivations.kernel import terms as K
from derivations.language import syntax as L
from derivations.language.probability import KL, distribution, full_support
from derivations.language.reasons import Hypothesis, flatten, given
from derivations.library import catalogue
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from numerics.necessity import FAILS, NO_VALUE, NONE, OPEN, UNUSED, need_for, needs

a = L.members("A", "a")
p, q, g = L.functions("p q g", "A")
total = given(L.Equal(L.Sum(p(a), a), 1), "p sums to one")
idle = given(p(a) >= 0, "p ≥ 0")
known = {t.name.rpartition(".")[2]: t for t in catalogue()}


@theorem(says=lambda: {"twice": L.Equal(L.Sum(2 * p(a), a), 2)}, given=[total, idle])
def twice():
    claim(L.Equal(L.Sum(2 * p(a), a), 2), by(total))


def named(*bundles):
    return [(h.name, h.formula) for h in flatten(bundles) if isinstance(h, Hypothesis)]


def answers(name):
    t = known[name]
    return {h.name: n for h, n in zip(t.given, needs(prove(t)), strict=True)}


def test_a_needed_hypothesis_has_a_model_with_both_values():
    needed, unused = needs(prove(twice))
    assert (needed.kind, needed.part) == (FAILS, "twice")
    assert needed.model.startswith("|A| = 1; p = (")
    mass = float(needed.model.split("(")[1].strip(")"))
    assert needed.why == f"its left side is {2 * mass:g}, its right side 2"
    assert unused.kind == UNUSED


def test_pinsker_needs_both_masses_and_the_support():
    found = answers("total_variation_is_bounded_by_relative_entropy")
    assert found["p sums to one"].kind == found["q sums to one"].kind == FAILS
    assert found["q ≥ 0"].kind == FAILS
    support = found["p ≪ q"]
    assert support.kind == NO_VALUE
    assert support.model.startswith("|A| = 2; p = (")
    assert "q = (1, 0)" in support.model or "q = (0, 1)" in support.model


def test_gamma_below_one_is_needed_for_the_limit_and_the_model_shows_it():
    found = answers("powers_of_the_discount_vanish")
    assert found["γ < 1"].kind == FAILS
    assert found["γ < 1"].model == "γ = 1"
    assert "the limit would be 0" in found["γ < 1"].why


def test_where_no_model_breaks_it_nothing_is_claimed():
    """p ≥ 0 follows from the others here, so that no model can break it without."""
    nonneg, same = K.Le(0, p(a)), K.Eq(p(a), q(a) ** 2)
    h, other = (L.formula(L.ForAll([a], x)) for x in (nonneg, same))
    found = need_for(
        h, [("sum", L.formula(L.Sum(p(a), a) >= 0))], [("p is a square", other)], [(2,)]
    )
    assert found.kind == NONE
    assert found.models > 20
    assert not found.model


def test_a_term_that_only_the_hypothesis_defines_is_named():
    (positive,) = named(full_support(q, a))
    masses = named(distribution(p, a), distribution(q, a))
    h = positive[1]
    part = L.formula(KL(p, q, a) >= 0)
    assert need_for(h, [("kl", part)], masses, [(1,)]).kind == OPEN
    assert need_for(h, [("kl", part)], masses, [(1,), (2,)]).kind == NO_VALUE


def test_a_side_without_a_value_is_seen_though_the_inequality_holds_under_every_reading():
    found = answers("relative_entropy_is_nonnegative")["p ≥ 0"]
    assert found.kind == NO_VALUE
    assert "p = (-" in found.model or ", -" in found.model


def test_a_false_certificate_has_no_needs():
    @theorem(says=lambda: {"wrong": L.Equal(L.Sum(p(a), a), 2)}, given=[total])
    def wrong():
        claim(L.Equal(L.Sum(p(a), a), 2), by(total))

    assert needs(prove(wrong)) == ()


@pytest.mark.parametrize("name", ["advantage_has_mean_zero", "score_has_mean_zero"])
def test_the_same_theorem_gives_the_same_models(name):
    proof = prove(known[name])
    assert needs(proof) == needs(proof)
