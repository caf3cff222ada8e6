"""A model in which corrected actions are not enough: the states of the old policy remain.

From y0, action a1 leads to y1 and every other action back to y0.  The old policy mixes a0 and a1
evenly, the new one always takes a1, and f(s, a) is 1 in y1.  At step 1 the states of the old policy
give 1/2 whatever the weights of the actions there; the new policy gives 1.
"""

from derivations.language.mdp import P, a, marginals, p0, s, s2, state_marginal
from derivations.language.reasons import given
from derivations.language.syntax import Equal, Sum, delta, function, functions
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

pi, pi2 = functions("pi pi2", a, s)
mu, mu2 = state_marginal("mu"), state_marginal("mu2")
y0, y1 = (function(name, into=s)() for name in ("y0", "y1"))
a0, a1 = (function(name, into=a)() for name in ("a0", "a1"))

states = given(Equal(delta(y0, y1), 0), "y₀ and y₁ are two states")
actions = given(Equal(delta(a0, a1), 0), "a₀ and a₁ are two actions")
begin = given(Equal(p0(s), delta(s, y0)), "the start is y₀")
move = given(
    Equal(P(s2, s, a), delta(a, a1) * delta(s2, y1) + (1 - delta(a, a1)) * delta(s2, y0)),
    "a₁ leads to y₁, other actions to y₀",
)
even = given(Equal(pi(a, s), (delta(a, a0) + delta(a, a1)) / 2), "π mixes a₀ and a₁")
always = given(Equal(pi2(a, s), delta(a, a1)), "π′ takes a₁")
law, law2 = marginals(mu, pi), marginals(mu2, pi2)

mean = lambda mu: Sum(mu(1, s) * Sum(pi2(a, s) * delta(s, y1), a), s)


@theorem(
    says=lambda: {
        "old_states": Equal(2 * mean(mu), 1),
        "new_states": Equal(mean(mu2), 1),
    },
    given=[states, actions, begin, move, even, always, law, law2],
    why={
        "π mixes a₀ and a₁": "π = π′ would visit the same states",
        "the start is y₀": "from y₁ the states at step 1 would be others",
    },
    example=(
        "At step 1 the old policy is in y₁ with probability 1/2, the new one with probability 1."
    ),
)
def importance_weights_leave_the_states():
    old = claim(
        Equal(2 * mu(1, s), delta(s, y0) + delta(s, y1)), by(law, begin, move, even, actions)
    )
    new = claim(Equal(mu2(1, s), delta(s, y1)), by(law2, begin, move, always))
    claim(Equal(2 * mean(mu), 1), by(old, always, states), "states of the old policy")
    claim(Equal(mean(mu2), 1), by(new, always), "states of the new policy")
