"""The return changes by the old advantage, collected along the new policy.

J(pi') - J(pi) = E_{tau ~ pi'}[sum_t gamma^t A_pi(s_t, a_t)]
               = sum_s d_pi'(s) sum_a pi'(a|s) A_pi(s, a),
for an infinite horizon and any start distribution.  The first T steps collect the rewards, and what
V promises after step T, less J(pi): this remainder is carried, not assumed away.  (That V is the
value of pi is what makes A its advantage; the equalities do not need it.)  Kakade and Langford
(2002), lemma 6.1; Schulman et al., Trust Region Policy Optimization (2015), lemma 1.
"""

from derivations.language.mdp import (
    Adv,
    Q,
    T,
    a,
    discount,
    discounted_sum,
    discounted_visits,
    expected_return,
    gamma,
    on_trajectories,
    over_trajectories,
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
)
from derivations.language.syntax import INFINITY, Equal, Limit, Sum, functions
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.trajectories_visit_states_by_their_marginals import (
    trajectories_visit_states_by_their_marginals as along_trajectories,
)
from derivations.theorems.decision_processes.value_solves_the_bellman_equation import (
    value_solves_the_bellman_equation as bellman,
)
from derivations.theorems.decision_processes.visitation_sums_to_one_over_one_minus_gamma import (
    visitation_sums_to_one_over_one_minus_gamma as visits,
)

pi, pi2 = functions("pi pi2", a, s)
V, V2, d2 = functions("V V2 d2", s)
m, m2, mu2 = state_law("m"), state_law("m2"), state_marginal("mu2")
Pr, following = on_trajectories("Pr"), on_trajectories("next", s)
R, D = on_trajectories("R"), on_trajectories("D")

old, value_old = policy(pi), value(V, m, pi)
new, value_new, visits_new = policy(pi2), value(V2, m2, pi2), visitation(d2, mu2, pi2)
law = trajectory_law(Pr, following, pi2)
collected = discounted_sum(R, D, lambda s, a: Adv(V, s, a))

gain = lambda s: V2(s) - V(s)
mean = lambda f: lambda s: Sum(pi2(a, s) * f(s, a), a)
advantage, rewards = mean(lambda s, a: Adv(V, s, a)), mean(r)
until = lambda n: lambda s: discounted_visits(mu2, n, s)
difference = expected_return(V2) - expected_return(V)
promised = gamma**T * Sum(mu2(T, s) * V(s), s)
along = over_trajectories(Pr, R, T)


over = lambda visits, f: Sum(visits(s) * f(s), s)
remainder = over(until(T), rewards) + promised - expected_return(V)
gain_of_a_step = mean(lambda s, a: Q(V2, s, a) - Q(V, s, a))
old_values = mean(lambda s, a: Q(V, s, a))


@theorem(
    says=lambda: {
        "trajectories": Limit(along, T, INFINITY, difference),
        "visitation": Equal(difference, over(d2, advantage)),
        "remainder": Equal(along, remainder),
    },
    given=[
        *(old, new, transition(), start(), discount()),
        *(value_old, value_new, visits_new, law, collected),
    ],
    why={
        "γ < 1": "one state, reward 1, γ = 1: no value exists",
        "pi2 sums to one": "one state, π′ = 0: the right side is 0, the left side -V",
        "pi ≥ 0": "convenience: the proof does not use that π is a policy or V its value",
    },
    example="One state, r = (0, 1), γ = 1/2, π = (1, 0), π′ = (0, 1): V′ - V = 2 - 0 = d′ A = 2·1.",
)
def performance_difference():
    by_states = claim(
        Equal(along, over(until(T), advantage)),
        by(along_trajectories["sum"].at(f=lambda s, a: Adv(V, s, a), mu=mu2, pi=pi2)),
        "trajectories visit states by their marginals",
    )
    claim(
        Equal(along, remainder),
        by(by_states, visits["partial_sums"].at(mu=mu2, pi=pi2), new.total),
        "the remainder",
    )
    flow = visits["flow"].at(d=d2, mu=mu2, pi=pi2)
    by_visits = claim(
        calc(
            difference,
            ("=", over(d2, gain) - over(d2, gain_of_a_step), by(flow)),
            (
                "=",
                over(d2, old_values) - over(d2, V),
                by(bellman["bellman"].at(V=V2, m=m2, pi=pi2)),
            ),
            ("=", over(d2, advantage), by(new.total)),
        ),
        name="visitation",
    )
    claim(
        Limit(along, T, INFINITY, difference),
        by(by_states, visits_new.limit, by_visits, via=(T, over(until(T), advantage))),
        "trajectories",
    )
