"""The indicator of x != 0 is printed as one, and a fraction times its denominator is not."""

from derivations.kernel.normal import Normaliser
from derivations.language.printing import latex, text
from derivations.language.probability import mass_where_zero, nonzero
from derivations.language.syntax import formula, functions, members, term

a = members("A", "a")
p, q = functions("p q", "A")


def test_it_is_printed_as_an_indicator():
    assert text(nonzero(q(a))) == "1[q(a) ≠ 0]"
    assert text(p(a) * nonzero(q(a))) == "p(a) 1[q(a) ≠ 0]"
    assert latex(nonzero(q(a))).replace(" ", "") == r"\mathbf{1}[q(a)\ne0]"
    assert text(mass_where_zero(p, q, a)) == "Σ_a p(a) (1 − 1[q(a) ≠ 0])"


def test_a_fraction_times_its_denominator_stays_a_fraction():
    assert text(q(a) * (p(a) / q(a))) == "p(a) q(a)/q(a)"


def test_it_is_the_indicator_and_not_one():
    same, one = nonzero(q(a)) - q(a) / term(q(a)), nonzero(q(a)) - 1
    assert Normaliser().is_zero(same)
    assert not Normaliser().is_zero(one)
    assert Normaliser([formula(q(a) > 0)]).is_zero(one)
