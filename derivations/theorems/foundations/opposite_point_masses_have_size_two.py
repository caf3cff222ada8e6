"""Two opposite point masses have size two: sum_i |f(i)| = 2 c.

f = c (1[i = j] - 1[i = k]) with j != k and c >= 0.  A term is at most the sum, twice.
"""

from derivations.language.reasons import given
from derivations.language.syntax import (
    AtMost,
    Equal,
    Sum,
    absolute,
    delta,
    function,
    members,
    reals,
)
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem

i = members("X", "i")
j, k = (function(name, into=i)() for name in ("j", "k"))
c, f = reals("c"), function("f", i)
dipole = given(Equal(f(i), c * (delta(i, j) - delta(i, k))), "f has c at j and -c at k")
c_nonneg, apart = given(c >= 0, "c ≥ 0"), given(Equal(delta(j, k), 0), "j and k differ")
size = Sum(absolute(f(i)), i)


@theorem(says=lambda: {"size": Equal(size, 2 * c)}, given=[dipole, c_nonneg, apart])
def opposite_point_masses_have_size_two():
    one = claim(delta(i, j) <= 1, by(letters=(i, j)), "an indicator is at most 1")
    claim(1 - delta(i, j) - delta(i, k) >= 0, by(one, apart, letters=(i, k)), "so is their sum")
    others = claim(
        (1 - delta(i, j) - delta(i, k)) * absolute(f(i)) >= 0, by(), "the other terms are ≥ 0"
    )
    upper = claim(absolute(f(i)) <= c * (delta(i, j) + delta(i, k)), by(dipole))
    at_most = claim(AtMost(size, 2 * c), by(upper), "at most")
    at_least = claim(
        calc(
            2 * c,
            ("=", f(j) - f(k), by(dipole, apart)),
            ("<=", absolute(f(j)) + absolute(f(k)), by()),
            ("<=", size, by(others)),
        ),
        name="at least",
    )
    claim(Equal(size, 2 * c), by(at_most, at_least), "size")
