"""The value, defined as the limit of expected discounted rewards, solves the Bellman equation.

The states of step t + 1 from x are the states of step t from the first successor of x (Chapman and
Kolmogorov), so the partial sums satisfy the equation with one step less on the right, and both
sides converge.  It holds for any weights pi and P: nothing has to be a distribution.  Puterman,
Markov Decision Processes (1994), section 6.1; Sutton and Barto, 2nd ed., section 3.5.
"""

from derivations.language.mdp import (
    P,
    Q,
    T,
    a,
    discounted_reward,
    expected_reward,
    gamma,
    r,
    s,
    state_law,
    value,
    x,
)
from derivations.language.syntax import Equal, Sum, function, members
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.discounted_sums_shift_by_one_step import (
    discounted_sums_shift_by_one_step as discounted_sum,
)
from derivations.theorems.decision_processes.the_first_step_comes_first import (
    the_first_step_comes_first as first_comes_first,
)

pi, V, m = function("pi", a, s), function("V", s), state_law("m")
value_ = value(V, m, pi)
y, a2 = members("S", "y"), members("A", "a2")

mean_Q = lambda y: Sum(pi(a2, y) * Q(V, y, a2), a2)
reward = lambda n, x: expected_reward(m, pi, n, x)
until = lambda n, x: discounted_reward(m, pi, n, x)


@theorem(
    says=lambda: {
        "bellman": Equal(V(s), Sum(pi(a, s) * Q(V, s, a), a)),
        "action_value": Equal(Q(V, s, a), r(s, a) + gamma * Sum(P(y, s, a) * mean_Q(y), y)),
    },
    given=[value_],
    why={
        "definition of V": (
            "one state, γ = 1/2, reward 1: V = 2 is the limit and solves V = 1 + V/2; no other "
            "number does"
        ),
    },
    example=(
        "One state, r = (1, 0), γ = 1/2, π = (1/4, 3/4): V = 1/4 + 1/8 + 1/16 + ... = 1/2, and "
        "1/4 + V/2 = 1/2."
    ),
)
def value_solves_the_bellman_equation():
    claim(
        Equal(reward(T + 1, x), Sum(pi(a, x) * Sum(P(y, x, a) * reward(T, y), y), a)),
        by(first_comes_first["first_step"]),
        "a reward of step T + 1 is one of step T after the first step",
    )
    partial = claim(
        calc(
            until(T + 1, x),
            (
                "=",
                reward(0, x) + gamma * Sum(pi(a, x) * Sum(P(y, x, a) * until(T, y), y), a),
                by(discounted_sum.at(c=reward)),
            ),
            (
                "=",
                Sum(pi(a, x) * (r(x, a) + gamma * Sum(P(y, x, a) * until(T, y), y)), a),
                by(value_.first),
            ),
        ),
        name="Bellman equation of the partial sums",
    )
    bellman = claim(
        Equal(V(s), Sum(pi(a, s) * Q(V, s, a), a)),
        by(partial, value_.limit, limit=T),
        "Bellman equation",
    )
    claim(
        Equal(Q(V, s, a), r(s, a) + gamma * Sum(P(y, s, a) * mean_Q(y), y)),
        by(bellman),
        "Bellman equation of Q",
    )
