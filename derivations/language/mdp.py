"""Finite decision processes: policies, transitions, values, visitations.

States S, actions A, both of any finite size; P(s'|s, a), start distribution p0, reward r(s, a),
discount 0 <= gamma < 1.  d(s) = sum_t gamma^t Pr(s_t = s) is *unnormalised*.

Source: Sutton and Barto (2018), chapter 3; for horizons and limits Puterman (1994), chapters 4 to
6.
Shapes: pi(a, s), P(s', s, a), p0(s), r(s, a), V(s), d(s), mu(t, s), m(t, x, s) are real, s, x in S.
Units: rewards and values share one unit; probabilities and visits are plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Expr

from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, Fn
from derivations.language.reasons import Bundle, Hypothesis, flatten, given
from derivations.language.syntax import (
    INFINITY,
    Equal,
    ForAll,
    Limit,
    Sum,
    delta,
    function,
    members,
    naturals,
    reals,
    steps_before,
    words,
)

s, s2 = members("S", "s", "s2")
x = members("S", "x")
a = members("A", "a")
t, T = naturals("t", "T")
gamma = reals("gamma")
P, p0, r = function("P", s, s, a), function("p0", s), function("r", s, a)


# ------------------------------------------------------------------ families in a parameter

theta, theta0 = reals("theta", "theta0")


@dataclass(frozen=True)
class Member:
    """The member f(at, ...) of a family of functions f; it is used like a function symbol."""

    f: Fn
    at: Any

    def __call__(self, *args: Any) -> Expr:
        return self.f(self.at, *args)

    @property
    def name(self) -> str:
        """The name of the family's symbol."""
        return self.f.name


Symbol = Fn | Member


def family(name: str, *domain: Any) -> Callable[[Any], Member]:
    """f(theta, ...), along one coordinate: family("pi", a, s)(theta) is a member."""
    f = function(name, theta, *domain)
    return lambda at: Member(f, at)


def for_every_theta(*bundles: Any) -> list[Hypothesis]:
    """The hypotheses of the bundles, for every value of theta."""
    return [
        given(ForAll(theta, h.formula), h.name)
        for h in flatten(bundles)
        if isinstance(h, Hypothesis)
    ]


# ------------------------------------------------------------------ bundles


def policy(pi: Symbol) -> Bundle:
    """pi(a|s) >= 0, and the actions of every state sum to one."""
    return Bundle(
        f"{pi.name} is a policy",
        nonneg=given(pi(a, s) >= 0, f"{pi.name} ≥ 0"),
        total=given(Equal(Sum(pi(a, s), a), 1), f"{pi.name} sums to one"),
    )


def transition() -> Bundle:
    """P(s'|s, a) >= 0 and sums to one over s'."""
    return Bundle(
        "P is a transition kernel",
        nonneg=given(P(s2, s, a) >= 0, "P ≥ 0"),
        total=given(Equal(Sum(P(s2, s, a), s2), 1), "P sums to one"),
    )


def start() -> Bundle:
    """p0(s) >= 0 and sums to one."""
    return Bundle(
        "p0 is a start distribution",
        nonneg=given(p0(s) >= 0, "p0 ≥ 0"),
        total=given(Equal(Sum(p0(s), s), 1), "p0 sums to one"),
    )


def discount() -> Bundle:
    """0 <= gamma < 1."""
    return Bundle(
        "gamma is a discount",
        nonneg=given(gamma >= 0, "γ ≥ 0"),
        below_one=given(gamma < 1, "γ < 1"),
    )


def Q(V: Symbol, s: Any, a: Any) -> Expr:
    """Q(s, a) = r(s, a) + gamma sum_s' P(s'|s, a) V(s')."""
    return r(s, a) + gamma * Sum(P(s2, s, a) * V(s2), s2)


def Adv(V: Symbol, s: Any, a: Any) -> Expr:
    """A(s, a) = Q(s, a) - V(s)."""
    return Q(V, s, a) - V(s)


def bellman(V: Symbol, pi: Symbol) -> Hypothesis:
    """V(s) = sum_a pi(a|s) Q(s, a), as `value_solves_the_bellman_equation` proves of the value."""
    right = Sum(pi(a, s) * Q(V, s, a), a)
    return given(Equal(V(s), right), f"Bellman equation of {V.name}")


def step_law(m: Symbol, pi: Symbol) -> Bundle:
    """m(t, x, s) = Pr(s_t = s | s_0 = x): x itself, then one Markov step after another."""
    following = Sum(m(T, x, s) * pi(a, s) * P(s2, s, a), a, s)
    return Bundle(
        f"{m.name} is the law of the states of {pi.name} from each start",
        first=given(Equal(m(0, x, s), delta(x, s)), f"{m.name} starts at x"),
        step=given(Equal(m(T + 1, x, s2), following), f"Markov step of {m.name}"),
    )


def expected_reward(m: Symbol, pi: Symbol, n: Any, x: Any) -> Expr:
    """E[r_n | s_0 = x] = sum_s m(n, x, s) sum_a pi(a|s) r(s, a)."""
    return Sum(m(n, x, s) * Sum(pi(a, s) * r(s, a), a), s)


def discounted_reward(m: Symbol, pi: Symbol, n: Any, x: Any) -> Expr:
    """sum_{t < n} gamma^t E[r_t | s_0 = x]."""
    return Sum(gamma**t * expected_reward(m, pi, t, x), (t, steps_before(n)))


def value(V: Symbol, m: Symbol, pi: Symbol) -> Bundle:
    """V(x) is the limit of the expected discounted reward of the first T steps from x.

    Theorems: `values_and_visitations_exist`, `value_solves_the_bellman_equation`.
    """
    law = step_law(m, pi)
    return Bundle(
        f"{V.name} is the value of {pi.name}",
        first=law.first,
        step=law.step,
        limit=given(
            Limit(discounted_reward(m, pi, T, x), T, INFINITY, V(x)), f"definition of {V.name}"
        ),
    )


def expected_return(V: Symbol) -> Expr:
    """J = sum_s p0(s) V(s)."""
    return Sum(p0(s) * V(s), s)


def values_to_go(W: Symbol, Q: Symbol, pi: Symbol) -> Bundle:
    """W(k, s) and Q(k, s, a): expected discounted rewards of the last k steps of an episode."""
    following = r(s, a) + gamma * Sum(P(s2, s, a) * W(t, s2), s2)
    return Bundle(
        f"{W.name} is the value of {pi.name} with k steps to go",
        nothing=given(Equal(Q(0, s, a), 0), "without steps there is no reward"),
        step=given(Equal(Q(t + 1, s, a), following), f"one step, then {W.name}"),
        mean=given(
            Equal(W(t, s), Sum(pi(a, s) * Q(t, s, a), a)), f"{W.name} is the mean of {Q.name}"
        ),
    )


def steps_to_go(left: Fn) -> Bundle:
    """left(T, t) = T - t for t <= T, by recursion."""
    return Bundle(
        "steps to go",
        first=given(Equal(left(T, 0), T), "at step 0 there are T steps to go"),
        later=given(Equal(left(T + 1, t + 1), left(T, t)), "one step less, one step later"),
    )


def discounted_visits(mu: Symbol, n: Any, x: Any) -> Expr:
    """sum_{t < n} gamma^t mu(t, x)."""
    return Sum(gamma**t * mu(t, x), (t, steps_before(n)))


def marginals(mu: Symbol, pi: Symbol) -> Bundle:
    """mu(t, s) = Pr(s_t = s): the start distribution, then one Markov step after another."""
    following = Sum(mu(T, s) * pi(a, s) * P(s2, s, a), a, s)
    return Bundle(
        f"{mu.name} are the state marginals of {pi.name}",
        first=given(Equal(mu(0, s), p0(s)), f"{mu.name} starts at p0"),
        step=given(Equal(mu(T + 1, s2), following), f"Markov step of {mu.name}"),
    )


def visitation(d: Symbol, mu: Symbol, pi: Symbol) -> Bundle:
    """d(s) is the limit of sum_{t < T} gamma^t mu(t, s)."""
    law = marginals(mu, pi)
    return Bundle(
        f"{d.name} is the visitation of {pi.name}",
        first=law.first,
        step=law.step,
        limit=given(
            Limit(discounted_visits(mu, T, s), T, INFINITY, d(s)), f"definition of {d.name}"
        ),
    )


def state_marginal(name: str) -> Fn:
    """A function symbol mu(t, s)."""
    return function(name, NAT, s)


def state_law(name: str) -> Fn:
    """A function symbol m(t, x, s)."""
    return function(name, NAT, x, s)


# ------------------------------------------------------------------ trajectories

steps = K.Prod(s.sort, a.sort)
tau = words(steps, "tau")


def trajectory_law(Pr: Symbol, following: Symbol, pi: Symbol) -> Bundle:
    """Pr(tau) for a word tau = (s_0, a_0) ... (s_{T-1}, a_{T-1}) over pairs; following(tau, s) is
    the law of the next state: p0 first, then P given the last pair.
    """
    last = K.Snoc(tau, K.Pair(s, a))
    return Bundle(
        f"{Pr.name} is the trajectory law of {pi.name}",
        begin=given(Equal(following(K.Nil(steps), s), p0(s)), "the first state is drawn from p0"),
        move=given(Equal(following(last, s2), P(s2, s, a)), "the next state is drawn from P"),
        empty=given(Equal(Pr(K.Nil(steps)), 1), "the empty trajectory has probability 1"),
        append=given(
            Equal(Pr(last), Pr(tau) * following(tau, s) * pi(a, s)),
            f"the next action is drawn from {pi.name}",
        ),
    )


def discounted_sum(R: Symbol, D: Symbol, f: Callable[[Any, Any], Expr]) -> Bundle:
    """R(tau) = sum_{t < T} gamma^t f(s_t, a_t) and D(tau) = gamma^T, by recursion on tau."""
    last = K.Snoc(tau, K.Pair(s, a))
    return Bundle(
        f"{R.name} is a discounted sum along the trajectory",
        no_discount=given(Equal(D(K.Nil(steps)), 1), f"{D.name} begins with 1"),
        discount=given(Equal(D(last), gamma * D(tau)), f"{D.name} gains a factor γ"),
        nothing=given(Equal(R(K.Nil(steps)), 0), f"{R.name} begins with 0"),
        gain=given(Equal(R(last), R(tau) + D(tau) * f(s, a)), f"{R.name} gains a term"),
    )


def over_trajectories(Pr: Symbol, x: Callable[[Any], Expr] | Fn, n: Any) -> Expr:
    """E[x(tau)] over the trajectories of n steps."""
    return Sum(Pr(tau) * x(tau), (tau, K.Words(steps, n)))


def on_trajectories(name: str, *more: Any) -> Fn:
    """A function symbol of a trajectory."""
    return function(name, tau, *more)
