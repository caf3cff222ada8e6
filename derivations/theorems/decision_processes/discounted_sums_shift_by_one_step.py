"""A discounted sum from x is its first term plus gamma times the mean discounted sum from y.

c(t + 1, x) is the mean of c(t, y) over the next state y; any weights pi and P will do.
Puterman, Markov Decision Processes (1994), section 6.1.
"""

from derivations.language.mdp import P, T, a, gamma, s, steps_before, t, x
from derivations.language.reasons import given
from derivations.language.syntax import Equal, Sum, function, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

pi, c = function("pi", a, s), function("c", t, s)
y = members("S", "y")


def following(f):
    """sum_{a, y} pi(a|x) P(y|x, a) f(y)."""
    return Sum(pi(a, x) * Sum(P(y, x, a) * f(y), y), a)


until = lambda n: lambda x: Sum(gamma**t * c(t, x), (t, steps_before(n)))
backward = given(Equal(c(T + 1, x), following(lambda y: c(T, y))), "c looks one step ahead")


@theorem(
    says=lambda: {"sum": Equal(until(T + 1)(x), c(0, x) + gamma * following(until(T)))},
    given=[backward],
)
def discounted_sums_shift_by_one_step():
    claim(Equal(until(T + 1)(x), c(0, x) + gamma * following(until(T))), by(backward, induct=T))
