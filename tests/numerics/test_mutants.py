"""Mutants are systematic and well-formed; models refute them; the kernel accepts no false one."""

import random

import pytest

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.rules import Sequent
from derivations.language import mdp as M
from derivations.language import syntax as L
from derivations.language.probability import KL, distribution, full_support
from derivations.library import catalogue, find
from derivations.tactics.steps import Step
from derivations.tactics.theorem import Proof, theorem
from numerics.crosscheck import FAIL, PASS, laboratory
from numerics.mutants import Mutant, mutants
from numerics.power import fate_of, full_check, power, refutes
from numerics.step_mutants import Accepted, step_mutants, verdict_on

a, b = L.members("A", "a", "b")
p, q = L.functions("p q", "A")
x = L.reals("x")
pi, pi2, V = L.function("pi", M.a, M.s), L.function("pi2", M.a, M.s), L.function("V", M.s)


def kinds(formula, *symbols):
    return {m.kind for m in mutants(L.formula(formula), symbols)}


def stated(says, hypotheses=()):
    return Proof(theorem(says=says, given=hypotheses)(lambda: None), "refused")


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        (L.Equal(x + 1, 2 * x), "sign of a term"),
        (L.Equal(x + 1, 2 * x), "dropped term"),
        (L.Equal(x + 1, 2 * x), "dropped factor"),
        (L.Equal(x + 1, 2 * x), "constant"),
        (L.AtMost(x, x**2), "reversed inequality"),
        (L.AtMost(x, x**2), "exponent"),
        (L.Equal(1 / x, L.exp(x)), "lost reciprocal"),
        (L.Equal(1 / x, L.exp(x)), "sign of an exponent"),
        (L.Equal(L.log(x), 0), "lost logarithm"),
        (L.Implies(L.Less(0, x), L.Equal(x, 1)), "dropped antecedent"),
        (L.Equal(KL(p, q, a), 0), "p for q"),
        (L.Equal(L.Sum(pi(M.a, M.s), M.a), V(M.s2)), "wrong index"),
        (L.Equal(L.Sum(L.Sum(M.P(M.s2, M.s, M.a), M.s2), M.s), V(M.s)), "exchanged indices"),
    ],
)
def test_every_kind_of_mutant_occurs(formula, kind):
    assert kind in kinds(formula)


def test_a_symbol_of_the_hypotheses_may_be_swapped_in():
    formula = L.Equal(L.Sum(pi(M.a, M.s), M.a), 1)
    assert "pi for pi2" in kinds(formula, pi2)
    assert "pi for V" not in kinds(formula, V), "another type"


def test_mutants_differ_from_the_formula_and_are_kernel_formulas():
    formula = find("advantage_has_mean_zero").statement()["mean"]
    made = [m.formula for m in mutants(formula)]
    assert formula not in made
    assert len(set(made)) == len(made) > 10
    assert all(B.check(m) is m and B.loose(m) == 0 for m in made)


def test_all_mutants_of_an_equation_are_refuted():
    found = power(find("advantage_has_mean_zero"))
    assert found.mutants >= 10
    assert found.refuted == found.mutants


def test_a_weaker_inequality_is_listed_as_true():
    masses = (distribution(p, a), distribution(q, a), full_support(q, a))
    found = power(stated(lambda: {"bound": KL(p, q, a) + 1 >= 0}, masses))
    assert any("constant" in m for m in found.true), found.true
    assert any("dropped term" in m for m in found.survivors), "KL >= 0 says more, not less"


def test_what_nothing_refutes_and_nothing_proves_survives():
    """x^4 + 1 >= 2 x^2 holds in every model, and no algebra of x^2 >= 0 gives it."""
    proof = stated(lambda: {"it": x**2 >= 0})
    lab = laboratory(proof)
    true = L.formula(x**4 + 1 >= 2 * x**2)
    assert not refutes(true, lab.others[0], lab)
    assert fate_of(Mutant("by hand", true), lab.others[0], proof, lab) == "survives"


def test_an_ill_defined_mutant_is_no_statement():
    found = power(stated(lambda: {"it": L.Implies(L.Less(0, x), L.AtMost(L.log(x), x - 1))}))
    assert any("dropped antecedent" in m for m in found.ill_defined)


def test_the_cross_check_carries_its_power():
    found = full_check(find("visitation_sums_to_one_over_one_minus_gamma"))
    assert found.verdict == PASS
    assert found.as_json()["mutants"] >= 40
    assert found.refuted / found.mutants >= 0.98, found.survivors


def test_what_the_kernel_accepts_among_step_mutants_is_true():
    found = step_mutants(find("zero_sum_has_zero_terms"))
    assert found.tried >= 10
    assert found.accepted, "some mutants are true and the kernel proves them"
    assert all(x.shown for x in found.accepted)
    assert {x.verdict for x in found.accepted} == {PASS}


def test_an_accepted_false_step_would_be_seen():
    """The alarm: a step whose conclusion a model violates, as a faulty kernel would make it."""

    claimed = K.Le(L.term(L.Sum(q(b), b)), L.term(p(a)))
    forged = Step("forged", {}, (), Sequent(frozenset(), claimed, frozenset()))
    lab = laboratory(
        stated(lambda: {"it": L.Equal(0, 0)}, (distribution(p, a), distribution(q, a)))
    )
    found = verdict_on(forged, lab)
    assert found.verdict == FAIL
    assert not Accepted(1, "by hand", "", found.verdict, found.models).shown


PARTS = 4  # of the mutants of each line, so that two processes share the largest proofs


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", [t.name for t in catalogue()])
def test_no_false_step_mutant_of_the_catalogue_is_accepted(name, part):
    found = step_mutants(find(name), lambda ms: ms[part::PARTS])
    assert found.tried or part
    assert not [x for x in found.accepted if not x.shown]


@pytest.mark.parametrize(
    "name", ["relative_entropy_with_zeros_is_nonnegative", "score_has_mean_zero"]
)
def test_a_sample_of_step_mutants(name):
    pick = random.Random(5)
    found = step_mutants(find(name), lambda ms: pick.sample(list(ms), min(2, len(ms))))
    assert found.tried >= 4
    assert not [x for x in found.accepted if not x.shown]
