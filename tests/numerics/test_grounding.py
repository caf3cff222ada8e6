"""V, Q, A, d, J, E and KL of the language against enumeration of every trajectory or sequence.

The enumeration knows nothing of the bridge: plain Python over itertools, with a model's tables.
"""

import itertools
import math

import pytest
import torch

from derivations.kernel import terms as K
from derivations.language import mdp as M
from derivations.language import syntax as L
from derivations.language.probability import (
    KL,
    distribution,
    entropy,
    expectation,
    full_support,
    total_variation,
)
from derivations.language.reasons import Hypothesis, flatten
from numerics.instances import batches

pi, V, d = L.function("pi", M.a, M.s), L.function("V", M.s), L.function("d", M.s)
m, mu = M.state_law("m"), M.state_marginal("mu")
HORIZON = 4  # trajectories are enumerated so far; the rest is bounded by the discount


def named(*bundles):
    return [(h.name, h.formula) for h in flatten(bundles) if isinstance(h, Hypothesis)]


@pytest.fixture(scope="module")
def process():
    """One small process: tables as nested lists, and a function that evaluates terms in it."""
    bundles = (
        *(M.policy(pi), M.transition(), M.start(), M.discount()),
        *(M.value(V, m, pi), M.visitation(d, mu, pi)),
    )
    (batch,) = batches(named(*bundles), [], sizes=((2, 2),), styles=("generic",) * 3)
    assert bool(batch.good.all()), batch.blame
    ev, k = batch.first, 1

    def table(f, *sizes):
        axes = [ev.axis(0, n, len(sizes) - i) for i, n in enumerate(sizes)]
        return torch.as_tensor(ev.model.apply(f, axes, ev)).expand((*sizes, 3))[..., k].tolist()

    def number(term):
        return float(ev.real(L.term(term)).expand(3)[k])

    names = {"pi": table(pi, 2, 2), "P": table(M.P, 2, 2, 2), "p0": table(M.p0, 2)}
    names |= {"r": table(M.r, 2, 2), "gamma": number(M.gamma)}
    return names, number, table


def trajectories(t, starts):
    """Every (probability, states, actions) of `starts` followed for so many steps."""
    names, start = starts
    for states in itertools.product(range(2), repeat=t + 1):
        for actions in itertools.product(range(2), repeat=t):
            weight = start[states[0]]
            for i, act in enumerate(actions):
                weight *= names["pi"][act][states[i]]
                weight *= names["P"][states[i + 1]][states[i]][act]
            yield weight, states, actions


def expected_reward(names, start, t):
    """E[r_t] by enumeration of all trajectories of t + 1 steps."""
    return sum(
        w * names["r"][states[t]][actions[t]]
        for w, states, actions in trajectories(t + 1, (names, start))
    )


def point(s):
    return [1.0 if i == s else 0.0 for i in range(2)]


def test_the_expected_rewards_are_those_of_all_trajectories(process):
    names, _, table = process
    law = table(m, HORIZON, 2, 2)  # m[t][x][s]
    for x, t in itertools.product(range(2), range(HORIZON)):
        by_law = sum(
            law[t][x][s] * names["pi"][act][s] * names["r"][s][act]
            for s in range(2)
            for act in range(2)
        )
        assert by_law == pytest.approx(expected_reward(names, point(x), t), abs=1e-13)


def test_v_is_the_expected_discounted_reward(process):
    """The first steps by enumeration; what is left is the discounted value of where they end."""
    names, _, table = process
    values, gamma = table(V, 2), names["gamma"]
    for x in range(2):
        first = sum(gamma**t * expected_reward(names, point(x), t) for t in range(HORIZON))
        rest = gamma**HORIZON * sum(
            w * values[states[-1]] for w, states, _ in trajectories(HORIZON, (names, point(x)))
        )
        assert values[x] == pytest.approx(first + rest, abs=1e-12)
        largest = max(abs(r) for row in names["r"] for r in row)
        assert abs(values[x] - first) <= gamma**HORIZON * largest / (1 - gamma) + 1e-12


def test_q_and_the_advantage_take_the_first_action_as_given(process):
    names, number, table = process
    values, gamma = table(V, 2), names["gamma"]
    for s, act in itertools.product(range(2), range(2)):
        by_hand = names["r"][s][act]
        for s2 in range(2):
            first = sum(gamma**t * expected_reward(names, point(s2), t) for t in range(HORIZON))
            tail = gamma**HORIZON * sum(
                w * values[states[-1]] for w, states, _ in trajectories(HORIZON, (names, point(s2)))
            )
            by_hand += gamma * names["P"][s2][s][act] * (first + tail)
        at = lambda f, s=s, act=act: number(
            L.Sum(_here(M.s, s) * _here(M.a, act) * f(V, M.s, M.a), M.a, M.s)
        )
        assert at(M.Q) == pytest.approx(by_hand, abs=1e-12)
        assert at(M.Adv) == pytest.approx(by_hand - values[s], abs=1e-12)


def _here(v, i):
    """1 at the member number i of a two-member set: the i-th of the members in order."""
    name = L.function(f"is{i}", v)
    return name(v)


@pytest.fixture(autouse=True)
def indicators(process):
    """is0 and is1 are the indicators of the first and the second member."""
    _, number, _ = process
    ev = number.__closure__[0].cell_contents
    for i, sort in itertools.product(range(2), (M.s.sort, M.a.sort)):
        column = torch.zeros(2, 3, dtype=torch.float64)
        column[i] = 1
        ev.model.fixed[K.Fn(f"is{i}", K.REAL, sort)] = column
    return ev


def test_d_counts_discounted_visits(process):
    names, _, table = process
    gamma, visits = names["gamma"], table(d, 2)
    for s in range(2):
        first = sum(
            gamma**t * w
            for t in range(HORIZON)
            for w, states, _ in trajectories(t, (names, names["p0"]))
            if states[t] == s
        )
        assert first <= visits[s] <= first + gamma**HORIZON / (1 - gamma) + 1e-12
    assert sum(visits) == pytest.approx(1 / (1 - gamma), abs=1e-12)


def test_j_is_the_mean_value_of_the_start(process):
    names, number, table = process
    by_hand = sum(p * v for p, v in zip(names["p0"], table(V, 2), strict=True))
    assert number(M.expected_return(V)) == pytest.approx(by_hand, abs=1e-14)
    first = sum(
        names["gamma"] ** t * expected_reward(names, names["p0"], t) for t in range(HORIZON)
    )
    left = names["gamma"] ** HORIZON / (1 - names["gamma"])
    largest = max(abs(r) for row in names["r"] for r in row)
    assert abs(by_hand - first) <= left * largest + 1e-12


def test_the_return_along_trajectories_is_enumerated_by_words(process):
    """over_trajectories sums over the same paths as the nested loops here."""
    Pr, following = M.on_trajectories("Pr"), M.on_trajectories("next", M.s)
    R, D = M.on_trajectories("R"), M.on_trajectories("D")
    bundles = (
        *(M.policy(pi), M.transition(), M.start(), M.discount()),
        *(M.trajectory_law(Pr, following, pi), M.discounted_sum(R, D, M.r)),
    )
    (batch,) = batches(named(*bundles), [], sizes=((2, 2),), styles=("generic",) * 3)
    names = {**process[0], "gamma": float(batch.first.real(M.gamma)[1])}
    mean = batch.first.real(L.term(M.over_trajectories(Pr, R, 3)))[1]
    by_hand = sum(names["gamma"] ** t * expected_reward(names, names["p0"], t) for t in range(3))
    assert float(mean) == pytest.approx(by_hand, abs=1e-13)


# ------------------------------------------------------------------ distributions and sequences

v = L.members("V", "v")
p, q, f = L.functions("p q f", "V")


@pytest.fixture(scope="module")
def masses():
    bundles = (distribution(p, v), distribution(q, v), full_support(q, v))
    (batch,) = batches(named(*bundles), [], sizes=((3,),), styles=("generic", "sparse", "point"))
    ev = batch.first
    found = [torch.as_tensor(ev.model.apply(g, [ev.axis(0, 3, 1)], ev)) for g in (p, q, f)]
    tables = [t.T.tolist() for t in found]
    return ev, tables


@pytest.mark.parametrize("k", range(3))
def test_expectation_entropy_divergence_and_distance(masses, k):
    ev, (ps, qs, fs) = masses
    row = list(zip(ps[k], qs[k], fs[k], strict=True))
    mean = sum(x * z for x, _, z in row)
    divergence = sum(x * math.log(x / y) for x, y, _ in row if x > 0)
    uncertainty = -sum(x * math.log(x) for x, _, _ in row if x > 0)
    distance = max(
        sum(row[i][0] - row[i][1] for i in event)
        for n in range(4)
        for event in itertools.combinations(range(3), n)
    )
    number = lambda term: float(ev.real(L.term(term))[k])
    assert number(expectation(p, f, v)) == pytest.approx(mean, abs=1e-14)
    assert number(KL(p, q, v)) == pytest.approx(divergence, abs=1e-14)
    assert number(entropy(p, v)) == pytest.approx(uncertainty, abs=1e-14)
    assert number(total_variation(p, q, v)) == pytest.approx(distance, abs=1e-14)


def test_the_divergence_of_independent_sequences_adds_up(masses):
    """KL of the laws of all words of length 3 against 3 KL, the words enumerated here."""
    ev, (ps, qs, _) = masses
    total = 0.0
    for word in itertools.product(range(3), repeat=3):
        x = math.prod(ps[0][i] for i in word)
        total += x * math.log(x / math.prod(qs[0][i] for i in word))
    assert total == pytest.approx(3 * float(ev.real(L.term(KL(p, q, v)))[0]), abs=1e-13)
