"""Terms against direct computation, and formulas against what is known of them."""

import math

import pytest
import torch
from sympy import Rational

from derivations.kernel import terms as K
from derivations.kernel.binding import close_body, substitute
from derivations.language import syntax as L
from numerics.bridge import TOP, Evaluator, Scope
from numerics.instances import OFF, batches
from numerics.instances.draws import Dice
from numerics.instances.model import Model
from numerics.instances.shapes import Plan
from numerics.judgement import judge, judged_twice

x, y = L.reals("x", "y")
a, b = L.members("A", "a", "b")
n = L.naturals("n")
w = L.words("A", "w")
f, g = L.functions("f g", "A")
P = L.function("P", w)


def made(sizes=None, horizon=8, styles=("generic", "small", "generic")):
    model = Model(Plan(), Dice(1, styles), {"A": 3, "*": 2, **(sizes or {})}, horizon, 4)
    return model, Evaluator(model, OFF[0])


def number(term, **values):
    _, ev = made()
    env = {L.reals(k): torch.tensor(float(v), dtype=torch.float64) for k, v in values.items()}
    return float(ev.real(L.term(term), TOP.assign(env)))


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (x**2 - 3 * x + Rational(1, 3), 4 - 6 + 1 / 3),
        (L.exp(x), math.exp(2)),
        (L.log(x), math.log(2)),
        (1 / x, 0.5),
        (1 / (x - 2), 0.0),
        (L.absolute(-x), 2),
        (L.smaller(x, 5), 2),
        (L.size("A"), 3),
    ],
)
def test_scalar_heads(term, value):
    assert number(term, x=2) == pytest.approx(value, rel=1e-15)


def test_sums_maxima_and_deltas_over_a_set():
    model, ev = made()
    table = torch.as_tensor(ev.model.apply(f, [ev.axis(0, 3, 1)], ev))
    assert torch.allclose(ev.real(L.Sum(f(a), a)), table.sum(0), rtol=1e-15)
    assert torch.equal(ev.real(L.Max(f(a), a)), table.amax(0))
    nested = L.Sum(L.Sum(L.delta(a, b) * f(a) * f(b), b), a)
    assert torch.allclose(ev.real(nested), (table**2).sum(0), rtol=1e-14)
    twice = L.Sum(L.Sum(f(a), b), a)  # b does not occur: it counts
    assert torch.allclose(ev.real(twice), model.extent(K.Fin("A")) * table.sum(0), rtol=1e-14)


def test_sums_over_steps_may_vary_in_length():
    _, ev = made()
    lengths = ev.axis(0, 5, 1)
    m = L.naturals("m")
    term = L.Sum(L.Sum(f(a), a) * 0 + m, (m, L.steps_before(n)))
    found = ev.real(term, Scope(2, (), {n: lengths}))
    assert found[..., 0].flatten().tolist() == [k * (k - 1) / 2 for k in range(5)]


def test_words_of_a_length_are_all_enumerated_once():
    _, ev = made()
    for length in range(4):
        count = L.Sum(1 + 0 * P(w), (w, L.sequences("A", length)))
        assert ev.real(L.term(count)).flatten()[0] == 3**length


def test_snoc_and_the_empty_word_have_different_numbers():
    _, ev = made()
    letters = ev.axis(0, 3, 1)
    sc = Scope(2, (), {a: letters})
    ones = torch.as_tensor(ev.index(K.Snoc(K.Nil(K.Fin("A")), a), sc))
    assert sorted({0, *ones.flatten().tolist()}) == [0, 1, 2, 3]


def test_what_depends_on_the_logarithm_off_the_positives_is_unknown():
    model, first = made()
    second = Evaluator(model, OFF[1])
    minus = L.Equal(L.log(-1 - x**2), 0)
    assert judged_twice(minus, first, second).unknown.all()
    model, first = made()
    zero = L.Equal(0 * L.log(-1 - x**2) + (x - x) * L.log(-x * x), 0)
    assert judged_twice(zero, first, Evaluator(model, OFF[1])).holds.all()


def test_entropy_at_zero_probability_needs_no_reading_of_the_logarithm():
    p = L.function("p", "A")
    (batch,) = batches([], [L.Equal(L.Sum(p(a), a), 0)], sizes=((3,),), styles=("zero",))
    term = L.Sum(p(a) * L.log(p(a)), a)
    assert (batch.judge(L.Equal(term, 0))[0] == 0).all()


def test_le_and_lt_and_ties():
    _, ev = made()
    assert judge(L.AtMost(x, x), ev).holds.all()
    assert not judge(L.Less(x, x), ev).holds.any()
    assert judge(L.Less(x, x + 1), ev).holds.all()
    assert (judge(L.AtMost(x + 1, x), ev).violation > 0).all()


def test_an_implication_is_vacuous_where_its_antecedent_fails():
    _, ev = made()
    found = judge(L.Implies(L.Less(x, x), L.Less(x, x)), ev)
    assert (found.violation < 0).all()
    assert not found.unknown.any()
    assert not judge(L.NotZero(x - x), ev).holds.any()


def test_derivatives_are_autograd_and_agree_with_central_differences():
    _, ev = made()
    term = L.exp(x) * x**2 / (1 + x**2)
    slope = L.exp(x) * (x**2 / (1 + x**2) + 2 * x / (1 + x**2) ** 2)
    found = judge(L.Derivative(term, x, y, _at(slope)), ev)
    assert (found.violation <= 1e-14).all()
    at = ev.real(y)
    h = 1e-5
    near = [ev.real(L.term(term), TOP.assign({x: at + s * h})) for s in (1, -1)]
    central = (near[0] - near[1]) / (2 * h)
    assert torch.allclose(central, ev.real(L.term(slope), TOP.assign({x: at})), rtol=1e-7)


def _at(term):
    return substitute(L.term(term), {x: y})


def test_a_wrong_derivative_is_a_violation():
    _, ev = made()
    assert (judge(L.Derivative(x**3, x, y, 2 * y**2), ev).violation[[0, 2]] > 1e-3).all()


def test_a_kink_is_unknown():
    _, ev = made()
    assert judge(L.Derivative(L.absolute(x), x, 0, 1), ev).unknown.all()


@pytest.mark.parametrize(
    ("limit", "holds"),
    [
        (L.Limit(1 / (n + 1), n, L.INFINITY, 0), True),
        (L.Limit(1 / (n + 1), n, L.INFINITY, Rational(1, 50)), False),
        (L.Limit(Rational(1, 2) ** n, n, L.INFINITY, 0), True),
        (L.Limit((L.exp(x) - 1) / x, x, 0, 1), True),
        (L.Limit((L.exp(x) - 1) / x, x, 0, 2), False),
        (L.Limit((L.exp(x) - 1 - x) / x**2, x, 0, Rational(1, 2)), True),
        (L.Limit(L.exp(-1 / x), x, L.ZERO_RIGHT, 0), True),
        (L.Limit(L.exp(-1 / x), x, 0, 0), False),
    ],
)
def test_limits_are_followed(limit, holds):
    _, ev = made(horizon=50)
    found = judge(limit, ev)
    assert bool(found.holds.all()) is holds


def test_a_series_has_a_number_only_when_its_terms_die_out():
    _, ev = made(horizon=60)
    half = L.Equal(K.Series(_series(Rational(1, 2) ** n)), 2)
    assert judge(half, ev).holds.all()
    ones = L.Equal(K.Series(_series(1 + 0 * n)), 60)
    assert judge(ones, ev).unknown.all()


def _series(term):
    return close_body(n, L.term(term))


def test_an_index_beyond_the_tables_gives_no_number():
    _, ev = made()
    h = L.function("h", K.NAT)
    assert torch.isnan(ev.real(L.term(h(1000)))).all()
