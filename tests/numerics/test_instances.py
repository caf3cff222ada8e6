"""Models satisfy the hypotheses they were made for, or the hypothesis to blame is named."""

import pytest
import torch
from sympy import Rational

from derivations.kernel import terms as K
from derivations.language import mdp as M
from derivations.language import syntax as L
from derivations.language.probability import distribution, dominated, full_support
from derivations.language.reasons import Hypothesis, flatten, given
from numerics.bridge import TOP
from numerics.instances import STYLES, batches
from numerics.instances.reading import plan
from numerics.instances.shapes import FixedPoint, LimitOf, Projection, Recursion, Slope, Witness

a, b = L.members("A", "a", "b")
x, c, lo = L.reals("x", "c", "lo")
p, q, f = L.functions("p q f", "A")
pi, V = L.function("pi", M.a, M.s), L.function("V", M.s)


def named(*bundles):
    return [(h.name, h.formula) for h in flatten(bundles) if isinstance(h, Hypothesis)]


def rule_of(symbol, *bundles):
    return type(plan([p for _, p in named(*bundles)]).rules[symbol])


def satisfied(*bundles, at_least=4):
    """Batches in which every hypothesis holds on several models, judged once more here."""
    hyps = named(*bundles)
    made = batches(hyps, [])
    for batch in made:
        assert int(batch.good.sum()) >= at_least, batch.blame
        for name, formula in hyps:
            violation, unknown = batch.judge(formula)
            assert float(violation[batch.good].max()) <= 1e-9, name
            assert not unknown[batch.good].any(), name
    return made


def column(batch, style):
    return batch.model.dice.styles.index(style)


def values(batch, term):
    return batch.first.real(L.term(term)).detach()


def masses(batch, f):
    """The values of a function of A, the models along the last axis."""
    n = batch.model.extent(K.Fin("A"))
    return torch.as_tensor(batch.model.apply(f, [batch.first.axis(0, n, 1)], batch.first))


def test_a_distribution_may_have_zeros_and_be_a_point_mass():
    made = satisfied(distribution(p, a))
    table = masses(made[-1], p)
    assert torch.allclose(table.sum(0), torch.ones(len(STYLES), dtype=torch.float64))
    assert sorted(table[:, column(made[-1], "point")].tolist()) == [0, 0, 0, 1]
    assert (table[:, column(made[-1], "equal")] == 0.25).all()
    assert (table[:, column(made[-1], "generic")] > 0).all()


def test_full_support_has_no_zeros():
    for batch in satisfied(distribution(p, a), full_support(p, a)):
        assert (masses(batch, p) > 0).all()


def test_domination_keeps_the_zeros_of_the_reference():
    made = satisfied(distribution(p, a), distribution(q, a), dominated(p, q, a))
    squares = [values(m, L.Sum(q(a) ** 2, a))[m.good] for m in made]
    assert any((z == 1).any() for z in squares[1:]), "some reference is a point mass"


def test_a_discount_may_be_zero_and_is_below_one():
    (batch, *_) = satisfied(M.discount())
    gamma = values(batch, M.gamma)
    assert (gamma < 1).all()
    assert gamma[column(batch, "edge")] == 0
    assert gamma[column(batch, "generic")] > 0


def test_a_value_function_solves_its_bellman_equation():
    bundles = (M.policy(pi), M.transition(), M.discount(), M.bellman(V, pi))
    assert rule_of(V, *bundles) is FixedPoint
    satisfied(*bundles)


def test_marginals_are_a_recursion_and_the_visitation_its_limit():
    mu, d = M.state_marginal("mu"), L.function("d", M.s)
    bundles = (M.policy(pi), M.transition(), M.start(), M.discount(), M.visitation(d, mu, pi))
    assert rule_of(mu, *bundles) is Recursion
    assert rule_of(d, *bundles) is LimitOf
    for batch in satisfied(*bundles):
        total = values(batch, L.Sum(d(M.s), M.s)) * (1 - values(batch, M.gamma))
        assert torch.allclose(total[batch.good], torch.ones(1, dtype=torch.float64), atol=1e-12)


def test_trajectories_are_a_recursion_on_words_of_pairs():
    Pr, following = M.on_trajectories("Pr"), M.on_trajectories("next", M.s)
    bundles = (M.policy(pi), M.transition(), M.start(), M.trajectory_law(Pr, following, pi))
    assert rule_of(Pr, *bundles) is Recursion
    for batch in satisfied(*bundles):
        mass = values(batch, M.over_trajectories(Pr, lambda w: 1 + 0 * Pr(w), 2))
        assert torch.allclose(mass[batch.good], torch.ones(1, dtype=torch.float64))


def test_a_derivative_symbol_is_autograds():
    family = L.function("pf", K.REAL, a)
    slope = L.function("dpf", K.REAL, a)
    bundles = (
        given(L.ForAll(x, L.Equal(L.Sum(family(x, a), a), 1)), "total"),
        given(L.ForAll(x, L.Less(0, family(x, a))), "positive"),
        given(L.ForAll(c, L.Derivative(family(x, a), x, c, slope(c, a))), "slope"),
    )
    assert rule_of(slope, *bundles) is Slope
    for batch in satisfied(*bundles):
        n, at, h = batch.model.extent(K.Fin("A")), batch.first.real(c), 1e-5
        index = batch.first.axis(0, n, 1)
        value = lambda f, z, i=index, b=batch: torch.as_tensor(b.model.apply(f, [z, i], b.first))
        up, down = value(family, at + h), value(family, at - h)
        exact = value(slope, at)
        assert torch.allclose((up - down) / (2 * h), exact, atol=1e-8)


def test_a_linear_condition_under_a_sum_is_solved_by_projection():
    bundles = (distribution(p, a), given(L.Equal(L.Sum(p(a) * f(a), a), 0), "mean zero"))
    assert rule_of(f, *bundles) is Projection
    made = satisfied(*bundles)
    assert (values(made[-1], L.Sum(f(a) ** 2, a))[:2] > 0).all(), "not only the zero solution"


def test_an_index_is_chosen_to_meet_its_condition():
    one, two = (L.function(k, into=a)() for k in ("one", "two"))
    different = given(L.Equal(L.delta(one, two), 0), "two members")
    assert rule_of(one.fn, different) is Witness or rule_of(two.fn, different) is Witness
    made = batches(named(different), [], sizes=((2,), (3,)))
    assert all(bool(m.good.any()) for m in made)


def test_independent_samples_have_the_product_law():
    o, (i, j), (u, v) = L.members("O", "o"), L.members("K", "i", "j"), L.members("Y", "u", "v")
    w, mass, y = L.function("w", o), L.function("mass", u), L.function("y", i, o, into=u)
    mean = lambda t: L.Sum(w(o) * t, o)
    apart = 1 - L.delta(i, j)
    both = L.delta(y(i, o), u) * L.delta(y(j, o), v)
    bundles = (
        given(L.Less(1, L.size("K")), "two samples at least"),
        given(L.Equal(mean(L.delta(y(i, o), v)), mass(v)), "each has the law"),
        given(L.Equal(apart * mean(both), apart * mass(u) * mass(v)), "pairs are independent"),
    )
    made = batches(named(*bundles), [])
    used = [m for m in made if bool(m.good.any())]
    assert len(used) == 3, [m.blame for m in made]
    for m in used:
        assert m.model.extent(K.Fin("O")) == m.model.extent(u.sort) ** m.model.extent(i.sort)
        assert int(m.good.sum()) >= 6
    same = given(L.Equal(mean(both), mass(u) * mass(v)), "a sample is independent of itself")
    for m in batches(named(*bundles, same), [])[1:]:
        assert not m.good[column(m, "generic")], "only a point mass is independent of itself"


def test_a_real_respects_a_bound_over_all_members():
    for batch in satisfied(given(L.AtMost(L.absolute(f(a)), lo), "bounded")):
        worst = values(batch, L.Max(L.absolute(f(a)), a))
        assert (worst <= values(batch, lo) + 1e-12).all()


def test_an_impossible_hypothesis_is_named():
    bundles = (distribution(p, a), given(L.Equal(L.Sum(p(a) ** 2, a), 2), "too much"))
    assert {m.blame for m in batches(named(*bundles), [])} == {"too much"}
    assert not any(bool(m.good.any()) for m in batches(named(*bundles), []))


def test_a_model_that_violates_a_hypothesis_is_not_used():
    (batch,) = batches(named(given(x**2 <= Rational(1, 4), "small")), [])
    assert 0 < int(batch.good.sum()) < len(STYLES)
    assert (values(batch, x)[batch.good].abs() <= 0.5).all()


def test_models_are_seeded():
    twice = [batches(named(distribution(p, a)), [], seed=s)[1] for s in (3, 3, 4)]
    first, same, other = (values(m, L.Sum(p(a) ** 2, a)) for m in twice)
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("size", [(1,), (2,), (3,), (4,)])
def test_sizes_are_as_asked(size):
    (batch,) = batches(named(distribution(p, a)), [], sizes=(size,))
    assert batch.model.extent(K.Fin("A")) == size[0]
    assert batch.first.real(L.term(L.Sum(1 + 0 * p(a), a)), TOP).flatten()[0] == size[0]
