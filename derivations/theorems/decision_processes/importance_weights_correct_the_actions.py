"""Importance weights correct the actions, and only the actions.

E_{a ~ pi}[rho f] = E_{a ~ pi'}[f] for rho = pi'/pi, when pi' is zero wherever pi is.  Averaged over
the states of pi, what is left is the shift of the states (`importance_weights_leave_the_states` is
a model where it is not zero).  Precup, Sutton and Singh (2000); Kahn and Marshall (1953).
"""

from derivations.language.mdp import a, policy, s
from derivations.language.reasons import given
from derivations.language.syntax import Equal, Implies, Sum, function, functions
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

pi, pi2 = functions("pi pi2", a, s)
w, w2 = functions("w w2", s)
f = function("f", s, a)
no_new_action = given(Implies(Equal(pi(a, s), 0), Equal(pi2(a, s), 0)), "π′ is zero wherever π is")

rho = pi2(a, s) / pi(a, s)
weighted, wanted = Sum(pi(a, s) * (rho * f(s, a)), a), Sum(pi2(a, s) * f(s, a), a)
over = lambda w, x: Sum(w(s) * x, s)


@theorem(
    says=lambda: {
        "actions": Equal(weighted, wanted),
        "states": Equal(over(w2, wanted) - over(w, weighted), Sum((w2(s) - w(s)) * wanted, s)),
    },
    given=[policy(pi).nonneg, no_new_action],
    why={"π′ is zero wherever π is": "π = (1, 0), π′ = (0, 1): the weighted mean is 0 for every f"},
    example="π = (1/2, 1/2), π′ = (1/4, 3/4), f = (2, 4): (1/2)(1/2)2 + (1/2)(3/2)4 = 7/2.",
)
def importance_weights_correct_the_actions():
    pointwise = claim(
        Equal(pi(a, s) * (rho * f(s, a)), pi2(a, s) * f(s, a)),
        by(no_new_action, split=pi(a, s)),
        "one action",
    )
    actions = claim(Equal(weighted, wanted), by(pointwise), "actions")
    claim(
        Equal(over(w2, wanted) - over(w, weighted), Sum((w2(s) - w(s)) * wanted, s)),
        by(actions),
        "states",
    )
