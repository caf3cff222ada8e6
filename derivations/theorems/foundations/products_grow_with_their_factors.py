"""0 <= x <= X and 0 <= y <= Y give x y <= X Y.  Hardy, Littlewood and Polya, Inequalities, 1.1."""

from derivations.language.reasons import given
from derivations.language.syntax import reals
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem

x, y, X, Y = reals("x", "y", "X", "Y")
x_nonneg, y_nonneg = given(x >= 0, "x ≥ 0"), given(y >= 0, "y ≥ 0")
x_below, y_below = given(x <= X, "x ≤ X"), given(y <= Y, "y ≤ Y")


@theorem(
    says=lambda: {"product": x * y <= X * Y},
    given=[x_nonneg, y_nonneg, x_below, y_below],
)
def products_grow_with_their_factors():
    claim(X >= 0, by(x_nonneg, x_below), "X ≥ 0")
    claim(calc(x * y, ("<=", X * y, by(x_below)), ("<=", X * Y, by(y_below))))
