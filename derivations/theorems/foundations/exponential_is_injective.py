"""exp(x) = exp(y) only for x = y.

x - y = log exp(x - y) <= exp(x - y) - 1 = 0, and the same with x and y exchanged.
Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 8.6 (monotony).
"""

from derivations.language.probability import log_bound
from derivations.language.syntax import Equal, ForAll, Implies, exp, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

x, y = reals("x", "y")


@theorem(says=lambda: {"injective": ForAll([x, y], Implies(Equal(exp(x), exp(y)), Equal(x, y)))})
def exponential_is_injective():
    with assuming(Equal(exp(x), exp(y)), name="equal exponentials") as equal:
        below = claim(x <= y, by(log_bound(exp(x - y)), equal, divide=exp(y)))
        above = claim(y <= x, by(log_bound(exp(y - x)), equal, divide=exp(x)))
        same = claim(Equal(x, y), by(below, above))
    conclude(equal, same, forall=(x, y))
