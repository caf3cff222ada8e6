"""log x = x - 1 for a positive x only at x = 1.

Write x = y^2 with y = exp(log(x)/2).  Then 2 log y = y^2 - 1, while log y <= y - 1, so that
(y - 1)^2 <= 0.  Hardy, Littlewood and Polya, Inequalities, 142.
"""

from derivations.language.probability import log_bound
from derivations.language.syntax import Equal, ForAll, Implies, exp, log, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.square_is_zero_only_at_zero import (
    square_is_zero_only_at_zero as zero_square,
)

x, y = reals("x", "y")
root = exp(log(x) / 2)


@theorem(says=lambda: {"only_at_one": ForAll(x, Implies(x > 0, Equal(log(x), x - 1), Equal(x, 1)))})
def logarithm_bound_is_strict():
    with assuming(y > 0, Equal(log(y**2), y**2 - 1), name="equality at y²") as square:
        near = claim((y - 1) ** 2 <= 0, by(log_bound(y), square), "the bound at y leaves no room")
        one = claim(Equal(y, 1), by(zero_square(y - 1), near), "y is one")
        one = claim(Equal(y**2, 1), by(one))
    square_case = conclude(square, one, "the case of a square", forall=(y,))
    with assuming(x > 0, Equal(log(x), x - 1), name="log x = x − 1") as touching:
        only = claim(Equal(x, 1), by(square_case(root), touching), "so is x")
    conclude(touching, only, forall=(x,))
