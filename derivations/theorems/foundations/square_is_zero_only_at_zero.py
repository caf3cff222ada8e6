"""A real number whose square is at most zero is zero.

Were x > 0, dividing x^2 <= 0 by x would give x <= 0; the same for -x.  Rudin, Principles of
Mathematical Analysis, 3rd ed., proposition 1.18 (d).
"""

from derivations.language.syntax import AtMost, Equal, ForAll, Implies, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

x, y = reals("x", "y")


@theorem(says=lambda: {"zero": ForAll(x, Implies(AtMost(x**2, 0), Equal(x, 0)))})
def square_is_zero_only_at_zero():
    with assuming(AtMost(y**2, 0), name="y² ≤ 0") as small:
        half = claim(y <= 0, by(small, order=(y, 0)), "y is not positive")
    half = conclude(small, half, "a small square", forall=(y,))
    with assuming(AtMost(x**2, 0), name="x² ≤ 0") as small:
        zero = claim(Equal(x, 0), by(half(x), half(-x), small))
    conclude(small, zero, forall=(x,))
