"""A refused line gets the smallest model in which its sides differ, or an honest "none found"."""

from sympy import Rational

from derivations import prove
from derivations.language import mdp as M
from derivations.language import syntax as L
from derivations.language.probability import KL, distribution, full_support, total_variation
from derivations.language.reasons import Hypothesis, flatten, given
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import Proof, theorem
from numerics.refute import Counterexample, NoneFound, counterexample, refute, shown

a, b = L.members("A", "a", "b")
p, q = L.functions("p q", "A")
x, y = L.reals("x", "y")
pi, pi2, V = L.function("pi", M.a, M.s), L.function("pi2", M.a, M.s), L.function("V", M.s)


def named(*bundles):
    return [(h.name, h.formula) for h in flatten(bundles) if isinstance(h, Hypothesis)]


def test_the_swapped_policy_has_a_one_state_counterexample():
    goal = L.Equal(L.Sum(pi2(M.a, M.s) * M.Adv(V, M.s, M.a), M.a), 0)
    hyps = named(M.policy(pi), M.policy(pi2), M.transition(), M.discount(), M.bellman(V, pi))
    found = refute(goal, hyps)
    assert isinstance(found, Counterexample)
    assert dict(found.sizes) == {"A": 2, "S": 1}
    assert abs(found.left - found.right) > 1e-6
    assert shown(found.left) in str(found)
    assert shown(found.right) in str(found)


def test_a_one_member_set_suffices_when_it_does():
    found = refute(L.Equal(L.Sum(p(a), a), 2), named(distribution(p, a)))
    assert isinstance(found, Counterexample)
    assert dict(found.sizes) == {"A": 1}
    assert (found.left, found.right) == (1.0, 2.0)


def test_the_numbers_are_small_rationals_when_they_can_be():
    found = refute(L.AtMost(x**2, x), [])
    assert isinstance(found, Counterexample)
    assert (dict(found.values)["x"], found.left, found.right) in [("2", 4, 2), ("-1", 1, -1)]


def test_the_place_is_shown_for_a_goal_with_free_indices():
    found = refute(L.Equal(p(a), p(b)), named(distribution(p, a)))
    assert isinstance(found, Counterexample)
    assert len(found.at) == 2
    assert {v for _, v in found.at} == {"0", "1"}


def test_a_wrong_derivative_shows_both_slopes():
    found = refute(L.Derivative(x**2, x, y, y), [])
    assert isinstance(found, Counterexample)
    assert found.left == 2 * found.right


def test_a_wrong_limit_is_refuted():
    n = L.naturals("n")
    found = refute(L.Limit(1 / (n + 1), n, L.INFINITY, 1), [])
    assert isinstance(found, Counterexample)
    assert found.right == 1


def test_an_inequality_that_fails_only_for_unequal_masses():
    found = refute(KL(p, q, a) <= total_variation(p, q, a), named(*_masses()))
    assert isinstance(found, Counterexample)
    assert found.left > found.right
    assert dict(found.sizes) == {"A": 2}


def _masses():
    return distribution(p, a), distribution(q, a), full_support(q, a)


def test_a_true_goal_has_none_and_says_what_that_means():
    found = refute(KL(p, q, a) >= 0, named(*_masses()))
    assert isinstance(found, NoneFound)
    assert found.models > 20
    assert "may be true" in str(found)


def test_impossible_hypotheses_are_not_taken_for_truth():
    found = refute(L.Equal(x, y), named(given(L.Less(x**2, 0), "x² < 0")))
    assert isinstance(found, NoneFound)
    assert found.models == 0
    assert "x² < 0" in str(found)


@theorem(
    says=lambda: {"mean": L.Equal(L.Sum(pi2(M.a, M.s) * M.Adv(V, M.s, M.a), M.a), 0)},
    given=[M.policy(pi).total, M.policy(pi2).total, M.bellman(V, pi)],
)
def swapped_policy():
    claim(says["mean"], by(M.policy(pi).total, M.policy(pi2).total, M.bellman(V, pi)))


says = swapped_policy.says()


def test_a_refused_proof_is_answered_with_both_values():
    proof = prove(swapped_policy)
    assert proof.status == "refused"
    found = counterexample(proof)
    assert isinstance(found, Counterexample)
    assert abs(found.left - found.right) > 1e-6


def test_an_assumption_around_the_line_counts():
    proof = prove(swapped_policy)
    same = L.ForAll([M.a, M.s], L.Equal(pi2(M.a, M.s), pi(M.a, M.s)))
    assert isinstance(counterexample(proof, (same,)), NoneFound)


def test_a_proof_that_is_not_refused_has_nothing_to_refute():
    assert counterexample(Proof(swapped_policy, "proved")) is None


def test_numbers_are_shown_as_fractions_or_short_decimals():
    assert [shown(v) for v in (0.5, -1.0, 1 / 3, 2.0**0.5)] == ["1/2", "-1", "1/3", "1.4142"]
    assert shown(float(Rational(5, 7))) == "5/7"


# ------------------------------------------------------------------ assumptions that seldom hold


def test_a_model_has_a_zero_where_the_goal_assumes_one():
    goal = L.Implies(L.Equal(p(a), 0), L.Equal(q(a), 0))
    found = refute(goal, named(distribution(p, a), distribution(q, a)))
    assert isinstance(found, Counterexample)
    values = {name: value.strip("()").split(", ") for name, value in found.values}
    place = int(dict(found.at)["a"])
    assert values["p"][place] == "0"
    assert values["q"][place] != "0"
    assert (found.left > 0, found.right) == (True, 0)


def test_two_assumed_zeros_in_one_distribution():
    both = L.Implies(L.Equal(p(a), 0), L.Implies(L.Equal(p(b), 0), L.Equal(q(a), q(b))))
    found = refute(both, named(distribution(p, a), distribution(q, a)))
    assert isinstance(found, Counterexample)
    assert dict(found.sizes) == {"A": 3}


def test_a_value_that_no_style_draws_is_met_at_one_place():
    goal = L.Implies(L.Equal(p(a), Rational(3, 17)), p(b) <= Rational(3, 17))
    found = refute(goal, [])
    assert isinstance(found, Counterexample)
    assert "3/17" in dict(found.values)["p"]


def test_a_true_implication_of_a_zero_has_none():
    goal = L.Implies(L.Equal(p(a), 0), p(a) * q(a) <= 0)
    assert isinstance(refute(goal, named(distribution(p, a), distribution(q, a))), NoneFound)


@theorem(
    says=lambda: {"zero": L.ForAll([a], L.Implies(L.Equal(p(a), 0), L.Equal(q(a), 0)))},
    given=[distribution(p, a), distribution(q, a)],
)
def zeros_are_shared():
    with assuming(L.Equal(p(a), 0), name="p(a) = 0") as inside:
        wrong = claim(L.Equal(q(a), 0), by(inside))
    conclude(inside, wrong, "zero")


def test_a_refused_line_under_an_assumed_zero_gets_its_counterexample():
    proof = prove(zeros_are_shared)
    assert proof.refusal is not None
    found = counterexample(proof, proof.refusal.assumed)
    assert isinstance(found, Counterexample)
    assert found.left > found.right == 0
