"""Strict goals, contradictions and denominators: what the search must find and must not find."""

import pytest

from derivations.kernel.terms import Refused
from derivations.language.probability import distribution
from derivations.language.reasons import Hypothesis
from derivations.language.syntax import Equal, Less, Sum, formula, functions, members, reals, term
from derivations.tactics.explain import explain
from derivations.tactics.steps import assume

a = members("A", "a")
x, y = reals("x", "y")
p, q = functions("p q", "A")
law = [assume(h.formula) for h in distribution(p, a) if isinstance(h, Hypothesis)]
POSITIVE, ZERO = assume(formula(q(a) > 0)), assume(Equal(q(a), 0))


def explained(goal, facts):
    return explain(formula(goal), facts, facts).concl == formula(goal)


def test_something_strict_is_looked_for_beyond_the_first_solution():
    assert explained(Sum(p(a), a) > 0, law)


def test_non_negative_terms_alone_give_nothing_strict():
    with pytest.raises(Refused):
        explained(Sum(p(a), a) > 0, law[:1])


def test_a_contradiction_is_found_in_the_facts():
    assert explained(Less(0, 0), [POSITIVE, ZERO])


@pytest.mark.parametrize("facts", [[POSITIVE], [ZERO]])
def test_no_contradiction_comes_from_consistent_facts(facts):
    with pytest.raises(Refused):
        explained(Less(0, 0), facts)


def test_a_fact_is_multiplied_by_its_positive_denominator():
    nonneg, bound = assume(formula(y >= 0)), assume(formula(x / (1 + y) <= 1))
    assert explained(x <= 1 + y, [nonneg, bound])
    with pytest.raises(Refused):
        explained(x <= 1 + y, [bound])


def test_the_goal_is_cleared_of_two_denominators():
    u = term(1) / (1 + y**2) + term(1) / (2 + y**2)
    assert explained(Equal(u, (3 + 2 * y**2) / ((1 + y**2) * (2 + y**2))), [])
    with pytest.raises(Refused):
        explained(Equal(u, (2 + 2 * y**2) / ((1 + y**2) * (2 + y**2))), [])
