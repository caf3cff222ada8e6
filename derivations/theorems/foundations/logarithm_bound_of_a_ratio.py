"""y (log x - log y + z) <= x exp(z) - y for positive x and y: the bound log t <= t - 1 at
t = x exp(z)/y, without a quotient.  Hardy, Littlewood and Polya, Inequalities, 142.
"""

from derivations.language.probability import log_bound
from derivations.language.syntax import ForAll, Implies, exp, log, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

x, y, z = reals("x", "y", "z")
bound = y * (log(x) - log(y) + z) <= x * exp(z) - y


@theorem(says=lambda: {"bound": ForAll([x, y, z], Implies(x > 0, y > 0, bound))})
def logarithm_bound_of_a_ratio():
    with assuming(x > 0, y > 0, name="x > 0, y > 0") as positive:
        ratio = claim(bound, by(log_bound(x * exp(z) / y), positive))
    conclude(positive, ratio, forall=(x, y, z))
