"""The policy gradient of an episode of T steps weighs Q with the steps that are left.

grad J = sum_{t < T} gamma^t sum_s Pr(s_t = s) sum_a grad pi(a|s) Q_{T-t}(s, a), where Q_k has k
steps to go (one stationary Q would be false here).  The Bellman recursion is differentiated step by
step: every W_k is a polynomial in the policy.  Sutton, McAllester, Singh and Mansour (1999);
Williams (1992).
"""

from derivations.language.mdp import (
    P,
    T,
    a,
    family,
    for_every_theta,
    gamma,
    marginals,
    p0,
    r,
    s,
    s2,
    state_law,
    state_marginal,
    step_law,
    steps_before,
    steps_to_go,
    t,
    theta,
    theta0,
    values_to_go,
    x,
)
from derivations.language.syntax import Derivative, ForAll, Sum, function
from derivations.tactics.book import by, by_induction, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.policy_changes_sum_to_zero import (
    differentiable,
    dpi,
    pi,
)
from derivations.theorems.decision_processes.sums_over_steps_split_at_the_first import (
    sums_over_steps_split_at_the_first as first_term,
)
from derivations.theorems.decision_processes.the_first_step_comes_first import (
    the_first_step_comes_first as laws,
)

W, Q = family("W", t, s), family("Q", t, s, a)
m, mu, left = state_law("m"), state_marginal("mu"), function("left", t, t, into=t)

values = for_every_theta(values_to_go(W(theta), Q(theta), pi(theta)))
from_each, from_p0, to_go = step_law(m, pi(theta0)), marginals(mu, pi(theta0)), steps_to_go(left)

J = lambda T: Sum(p0(s) * W(theta)(T, s), s)
push = lambda n, s: Sum(dpi(a, s) * Q(theta0)(n, s, a), a)
gradient = lambda law, n: Sum(
    gamma**t * Sum(law(t, s) * push(left(n, t), s), s), (t, steps_before(n))
)
lookahead = lambda W, n: lambda s, a: r(s, a) + gamma * Sum(P(s2, s, a) * W(n, s2), s2)
from_state = lambda n, x: gradient(lambda t, s: m(t, x, s), n)
later = lambda n, x: Sum(pi(theta0)(a, x) * Sum(P(s2, x, a) * from_state(n, s2), s2), a)


@theorem(
    says=lambda: {"gradient": Derivative(J(T), theta, theta0, gradient(mu, T))},
    given=[*values, from_each, from_p0, to_go, differentiable],
    why={
        "π is differentiable at θ₀": (
            "one state, T = 1, r = (1, 0), π = (1/2 + |θ|, 1/2 - |θ|), θ₀ = 0: J has a kink"
        ),
        "one step less, one step later": "with Q_T at every step the formula is false",
    },
    example=(
        "One state, T = 2, γ = 1, r = (1, 0), π = (θ, 1 - θ): J = 2θ. Q₂ = (1 + θ, θ) and Q₁ = "
        "(1, 0) give 1 + 1 = 2."
    ),
)
def policy_gradient_of_a_finite_horizon():
    step = laws["first_step"].at(pi=pi(theta0))
    next_push = Sum(
        gamma ** (t + 1) * Sum(m(t + 1, x, s) * push(left(T, t), s), s), (t, steps_before(T))
    )
    summand = lambda t: gamma**t * Sum(m(t, x, s) * push(left(T + 1, t), s), s)
    unrolled = claim(
        calc(
            from_state(T + 1, x),
            ("=", summand(0) + next_push, by(first_term.at(f=summand), to_go.later)),
            ("=", push(T + 1, x) + next_push, by(from_each.first, to_go.first)),
            ("=", push(T + 1, x) + gamma * later(T, x), by(step)),
        ),
        name="the first step, then the others",
    )
    nothing, one_step, mean = values
    each_state = by_induction(
        ForAll(x, Derivative(W(theta)(T, x), theta, theta0, from_state(T, x))),
        T,
        base=claim(Derivative(W(theta)(0, x), theta, theta0, 0), by(nothing, mean, via=(theta, 0))),
        grow=lambda ih: claim(
            Derivative(W(theta)(T + 1, x), theta, theta0, from_state(T + 1, x)),
            by(
                *(ih, differentiable, one_step, mean, unrolled),
                via=(theta, Sum(pi(theta)(a, x) * lookahead(W(theta), T)(x, a), a)),
            ),
        ),
        name="gradient from each state",
    )
    claim(
        Derivative(J(T), theta, theta0, gradient(mu, T)),
        by(each_state, laws["mixture"].at(pi=pi(theta0))),
    )
