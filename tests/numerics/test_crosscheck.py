"""The cross-check passes what is true, fails what is false and says where; never a silent pass."""

from dataclasses import replace

import pytest

from derivations import prove
from derivations.kernel import terms as K
from derivations.language import syntax as L
from derivations.language.probability import KL, distribution, full_support
from derivations.language.reasons import given
from derivations.library import find
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import Proof, theorem
from numerics.crosscheck import FAIL, INCONCLUSIVE, PASS, crosscheck

a, b = L.members("A", "a", "b")
p, q, f = L.functions("p q f", "A")
x, y = L.reals("x", "y")
masses = (distribution(p, a), distribution(q, a), full_support(q, a))


def stated(says, hypotheses=()):
    """A theorem without a proof: the statement alone is judged."""
    made = theorem(says=says, given=hypotheses)(lambda: None)
    return Proof(made, "refused")


def test_a_true_statement_passes_on_models_of_four_sizes():
    found = crosscheck(stated(lambda: {"gibbs": KL(p, q, a) >= 0}, masses))
    assert found.verdict == PASS
    assert found.models >= 30
    assert found.worst_residual <= 1e-9


@pytest.mark.parametrize(
    "says",
    [
        lambda: KL(p, q, a) <= 0,
        lambda: KL(p, q, a) >= KL(q, p, a),
        lambda: L.Equal(L.Sum(p(a) * f(a), a), L.Sum(q(a) * f(a), a)),
        lambda: L.ForAll(x, L.Implies(L.AtMost(0, x), L.Less(0, x))),
    ],
)
def test_a_false_statement_fails(says):
    found = crosscheck(stated(lambda: {"it": says()}, masses))
    assert found.verdict == FAIL
    assert "part it" in found.why


def test_zeros_reach_the_statement():
    """p(a) > 0 does not follow from p >= 0: only an edge model shows it."""
    assert crosscheck(stated(lambda: {"it": L.Less(0, p(a))}, masses)).verdict == FAIL


def test_a_false_derivative_fails_and_a_true_one_passes():
    true = crosscheck(stated(lambda: {"it": L.Derivative(L.exp(x**2), x, y, _slope(2))}))
    false = crosscheck(stated(lambda: {"it": L.Derivative(L.exp(x**2), x, y, _slope(3))}))
    assert (true.verdict, false.verdict) == (PASS, FAIL)


def _slope(n):
    return n * y * L.exp(y**2)


def test_no_model_is_inconclusive_and_names_the_hypothesis():
    never = given(L.Less(L.Sum(p(a), a), 0), "a negative mass")
    found = crosscheck(stated(lambda: {"it": L.Equal(0, 0)}, (*masses, never)))
    assert found.verdict == INCONCLUSIVE
    assert "a negative mass" in found.why
    assert found.models == 0


def test_a_vacuous_implication_is_inconclusive():
    found = crosscheck(stated(lambda: {"it": L.Implies(L.Less(x**2, 0), L.Equal(x, 1))}))
    assert found.verdict == INCONCLUSIVE
    assert found.vacuous > 0
    assert "vacuous" in found.why


def test_an_equality_in_the_antecedent_gets_models_of_its_own():
    says = lambda: {"it": L.Implies(L.Equal(L.Sum(f(a) * q(a), a), 7), L.Equal(f(b), f(b) + 1))}
    assert crosscheck(stated(says, masses)).verdict == FAIL


def test_what_depends_on_the_logarithm_of_a_negative_number_is_inconclusive():
    found = crosscheck(stated(lambda: {"it": L.AtMost(L.log(-1 - x**2), 0)}))
    assert found.verdict == INCONCLUSIVE


def test_every_line_of_a_proof_is_judged():
    proof = prove(find("advantage_has_mean_zero"))
    found = crosscheck(proof)
    assert found.verdict == PASS
    assert len(found.steps) == len(proof.lines) > 0
    assert all(s.models > 0 for s in found.steps)


def test_a_planted_disagreement_is_located():
    proof = prove(find("zero_sum_has_zero_terms"))
    at = 1
    broken = replace(proof.lines[at], formula=K.Le(f(b), L.Sum(f(a), a) / 2))
    lines = (*proof.lines[:at], broken, *proof.lines[at + 1 :])
    found = crosscheck(replace(proof, lines=lines))
    assert found.verdict == FAIL
    assert f"line {broken.line}" in found.why
    assert [s.verdict for s in found.steps].count(FAIL) == 1
    assert found.steps[at].verdict == FAIL


def test_a_line_under_an_assumption_is_judged_where_it_holds():
    found = crosscheck(find("zero_sum_has_zero_terms"))
    conditional = [s for s in found.steps if s.conditional]
    assert found.verdict == PASS
    assert conditional
    assert all(s.models and s.vacuous for s in conditional)


@theorem(says=lambda: {"it": L.Equal(x + x, 2 * x)})
def doubled():
    claim(L.Equal(x + x, 2 * x), by())


def test_the_json_has_the_agreed_fields():
    found = crosscheck(doubled).as_json()
    assert set(found) == {"verdict", "models", "worst_residual", "mutants", "refuted"}
    assert found["verdict"] == PASS


def test_more_seeds_are_more_models():
    one, two = crosscheck(doubled), crosscheck(doubled, seeds=(0, 1))
    assert two.models == 2 * one.models > 0
