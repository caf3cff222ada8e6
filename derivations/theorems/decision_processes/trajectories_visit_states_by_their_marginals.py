"""The expected discounted sum over trajectories is a sum over steps, states and actions.

E_tau[sum_{t < T} gamma^t f(s_t, a_t)]
    = sum_{t < T} gamma^t sum_s Pr(s_t = s) sum_a pi(a|s) f(s, a),
with trajectories as words of state-action pairs.  Sutton and Barto, 2nd ed., section 3.3.
"""

from derivations.language.mdp import (
    T,
    a,
    discounted_sum,
    gamma,
    marginals,
    on_trajectories,
    over_trajectories,
    policy,
    s,
    start,
    state_marginal,
    steps_before,
    t,
    tau,
    trajectory_law,
    transition,
)
from derivations.language.syntax import Equal, Sum, function
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

pi, mu, f = function("pi", a, s), state_marginal("mu"), function("f", s, a)
Pr, following = on_trajectories("Pr"), on_trajectories("next", s)
R, D = on_trajectories("R"), on_trajectories("D")

policy_, kernel, start_ = policy(pi), transition(), start()
states, law = marginals(mu, pi), trajectory_law(Pr, following, pi)
collected = discounted_sum(R, D, f)
per_step = Sum(gamma**t * Sum(mu(t, s) * Sum(pi(a, s) * f(s, a), a), s), (t, steps_before(T)))


@theorem(
    says=lambda: {
        "next_state": Equal(
            over_trajectories(Pr, lambda w: D(w) * following(w, s), T), gamma**T * mu(T, s)
        ),
        "sum": Equal(over_trajectories(Pr, R, T), per_step),
    },
    given=[policy_.total, kernel.total, start_.total, states, law, collected],
)
def trajectories_visit_states_by_their_marginals():
    next_state = claim(
        Equal(over_trajectories(Pr, lambda w: D(w) * following(w, s), T), gamma**T * mu(T, s)),
        by(law, collected.no_discount, collected.discount, states, induct=T),
        "law of the next state",
    )
    certain = claim(
        Equal(Sum(following(tau, s), s), 1),
        by(law.begin, law.move, start_.total, kernel.total, induct=tau),
        "some state comes next",
    )
    claim(
        Equal(over_trajectories(Pr, R, T), per_step),
        by(law.empty, law.append, collected, next_state, certain, policy_.total, induct=T),
        "expected discounted sum",
    )
