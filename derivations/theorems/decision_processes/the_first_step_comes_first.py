"""The states of step t + 1 from x are those of step t from the first successor of x.

And the state marginals are the mixture of the laws from each start.  Chapman and Kolmogorov;
Puterman, Markov Decision Processes (1994), appendix A.
"""

from derivations.language.mdp import (
    P,
    a,
    marginals,
    p0,
    s,
    state_law,
    state_marginal,
    step_law,
    t,
    x,
)
from derivations.language.syntax import Equal, Sum, function, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

pi, m, mu = function("pi", a, s), state_law("m"), state_marginal("mu")
from_each, from_p0 = step_law(m, pi), marginals(mu, pi)
y = members("S", "y")


@theorem(
    says=lambda: {
        "first_step": Equal(m(t + 1, x, s), Sum(pi(a, x) * Sum(P(y, x, a) * m(t, y, s), y), a)),
        "mixture": Equal(mu(t, s), Sum(p0(x) * m(t, x, s), x)),
    },
    given=[from_each, from_p0],
)
def the_first_step_comes_first():
    claim(
        Equal(m(t + 1, x, s), Sum(pi(a, x) * Sum(P(y, x, a) * m(t, y, s), y), a)),
        by(from_each, induct=t),
    )
    claim(Equal(mu(t, s), Sum(p0(x) * m(t, x, s), x)), by(from_each, from_p0, induct=t))
