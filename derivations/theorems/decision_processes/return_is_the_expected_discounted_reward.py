"""J = sum_s p0(s) V(s) is the expected discounted reward of a trajectory, and a visitation average.

E_tau[sum_{t < T} gamma^t r(s_t, a_t)] -> J = sum_s d(s) sum_a pi(a|s) r(s, a).  Kakade and Langford
(2002), section 2; Sutton and Barto, 2nd ed., section 13.2.
"""

from derivations.language.mdp import (
    T,
    a,
    discounted_reward,
    discounted_sum,
    discounted_visits,
    expected_return,
    on_trajectories,
    over_trajectories,
    p0,
    policy,
    r,
    s,
    start,
    state_law,
    state_marginal,
    trajectory_law,
    transition,
    value,
    visitation,
    x,
)
from derivations.language.syntax import INFINITY, Equal, Limit, Sum, function, functions
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.the_first_step_comes_first import (
    the_first_step_comes_first as laws,
)
from derivations.theorems.decision_processes.trajectories_visit_states_by_their_marginals import (
    trajectories_visit_states_by_their_marginals as along_trajectories,
)

pi, (V, d) = function("pi", a, s), functions("V d", s)
m, mu = state_law("m"), state_marginal("mu")
Pr, following = on_trajectories("Pr"), on_trajectories("next", s)
R, D = on_trajectories("R"), on_trajectories("D")

policy_, value_, visits = policy(pi), value(V, m, pi), visitation(d, mu, pi)
law, collected = trajectory_law(Pr, following, pi), discounted_sum(R, D, r)

along = over_trajectories(Pr, R, T)
rewards = lambda s: Sum(pi(a, s) * r(s, a), a)
by_starts = Sum(p0(x) * discounted_reward(m, pi, T, x), x)
by_visits = Sum(discounted_visits(mu, T, s) * rewards(s), s)
visited = Sum(d(s) * rewards(s), s)


@theorem(
    says=lambda: {
        "trajectories": Limit(along, T, INFINITY, expected_return(V)),
        "visitation": Equal(expected_return(V), visited),
    },
    given=[policy_, transition(), start(), value_, visits, law, collected],
)
def return_is_the_expected_discounted_reward():
    states = claim(Equal(along, by_visits), by(along_trajectories["sum"].at(f=r)), "state by state")
    starts = claim(
        Equal(by_visits, by_starts), by(laws["mixture"]), "each start with its own states"
    )
    claim(
        Limit(along, T, INFINITY, expected_return(V)),
        by(states, starts, value_.limit, via=(T, by_starts)),
        "trajectories",
    )
    claim(
        Equal(expected_return(V), visited),
        by(starts, visits.limit, value_.limit, limit=T),
        "visitation",
    )
