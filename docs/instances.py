"""One instance of each piece of notation, which the API pages show with its formula typeset.

The author's language and the decision processes have many one-line functions; their examples stand
here, so that those files stay readable. Each is evaluated when the site is built: an expression,
and what is printed of it is every formula that it holds.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from derivations.language.printing import latex
from derivations.language.reasons import Hypothesis
from derivations.language.reasons import flatten as single
from derivations.language.syntax import (
    INFINITY,
    Equal,
    append,
    function,
    functions,
    members,
    naturals,
    reals,
    sequences,
    steps_before,
    words,
)

SYNTAX = {
    "members": 'Equal(*members("S", "s", "s2"))',
    "reals": 'sum(reals("x", "y"))',
    "naturals": '2 ** naturals("n")',
    "words": 'append(words("V", "w"), v)',
    "function": 'function("r", "S", "A")(s, a)',
    "functions": 'functions("p q", "A")[0](a)',
    "term": "term(1 / x)",
    "exp": "exp(x)",
    "log": "log(x)",
    "Sum": "Sum(p(a) * f(a), a)",
    "term_set": "Sum(1, (t, term_set(steps_before(n))))",
    "steps_before": "Sum(gamma**t, (t, steps_before(n)))",
    "sequences": 'Sum(P(w), (w, sequences("V", n)))',
    "series": "series(gamma**t, t)",
    "absolute": "absolute(x)",
    "larger": "larger(x, y)",
    "smaller": "smaller(x, y)",
    "Max": "Max(f(a), a)",
    "delta": "delta(a, b)",
    "size": 'size("A")',
    "empty_word": 'Equal(w, empty_word("V"))',
    "append": "append(w, v)",
    "formula": "formula(x < y)",
    "Equal": "Equal(x, y)",
    "AtMost": "AtMost(x, y)",
    "Less": "Less(x, y)",
    "NotZero": "NotZero(x)",
    "Implies": "Implies(x > 0, y > 0, x * y > 0)",
    "ForAll": "ForAll(x, x**2 >= 0)",
    "Limit": "Limit(1 / (n + 1), n, INFINITY, 0)",
    "Derivative": "Derivative(exp(x), x, y, exp(y))",
}
PROCESSES = {
    "family": 'family("pi", a, s)(theta)(a, s)',
    "for_every_theta": 'for_every_theta(policy(family("pi", a, s)(theta)))',
    "policy": "policy(pi)",
    "transition": "transition()",
    "start": "start()",
    "discount": "discount()",
    "Q": "Q(V, s, a)",
    "Adv": "Adv(V, s, a)",
    "bellman": "bellman(V, pi)",
    "step_law": "step_law(m, pi)",
    "expected_reward": "expected_reward(m, pi, T, x)",
    "discounted_reward": "discounted_reward(m, pi, T, x)",
    "value": "value(V, m, pi)",
    "expected_return": "expected_return(V)",
    "values_to_go": "values_to_go(W, Qk, pi)",
    "steps_to_go": "steps_to_go(left)",
    "discounted_visits": "discounted_visits(mu, T, s)",
    "marginals": "marginals(mu, pi)",
    "visitation": "visitation(d, mu, pi)",
    "state_marginal": 'state_marginal("mu")(T, s)',
    "state_law": 'state_law("m")(T, x, s)',
    "trajectory_law": "trajectory_law(Pr, following, pi)",
    "discounted_sum": "discounted_sum(R, D, r)",
    "over_trajectories": "over_trajectories(Pr, R, T)",
    "on_trajectories": 'on_trajectories("R")(tau)',
}
INSTANCES = {"derivations.language.syntax": SYNTAX, "derivations.language.mdp": PROCESSES}


def instance(full: str) -> tuple[str, list[str]] | None:
    """The expression for a symbol and the formulas that it holds, as LaTeX."""
    module, _, name = full.rpartition(".")
    code = INSTANCES.get(module, {}).get(name)
    if code is None:
        return None
    space = {**_letters(), **vars(importlib.import_module(module))}
    if module.endswith("mdp"):
        space |= _processes(space)
    return code, [latex(x) for x in _formulas(eval(code, space))]


def _formulas(x: Any) -> Iterator[Any]:
    """A term or a formula itself; of hypotheses, the formula of each."""
    reasons = x if isinstance(x, list) else [x] if hasattr(x, "parts") else None
    if isinstance(x, Hypothesis):
        yield x.formula
    elif reasons is None:
        yield x
    else:
        yield from (h.formula for h in single(reasons) if isinstance(h, Hypothesis))


def _letters() -> dict[str, Any]:
    """The names that the instances use."""
    s, (a, b), v, w = members("S", "s"), members("A", "a", "b"), members("V", "v"), words("V", "w")
    (x, y, gamma), (n, t) = reals("x", "y", "gamma"), naturals("n", "t")
    (p, f), P = functions("p f", "A"), function("P", w)
    made = {"s": s, "a": a, "b": b, "v": v, "w": w, "x": x, "y": y, "gamma": gamma, "n": n, "t": t}
    made |= {"p": p, "f": f, "P": P, "INFINITY": INFINITY, "Equal": Equal, "append": append}
    return made | {"sequences": sequences, "steps_before": steps_before}


def _processes(space: dict[str, Any]) -> dict[str, Any]:
    """Functions of states, actions and steps, of the variables that the module has."""
    s, a, t = space["s"], space["a"], space["t"]
    on = space["on_trajectories"]
    made = {"pi": function("pi", a, s), "V": function("V", s), "d": function("d", s)}
    made |= {"m": space["state_law"]("m"), "mu": space["state_marginal"]("mu")}
    made |= {"W": function("W", t, s), "Qk": function("Q", t, s, a), "left": function("left", t, t)}
    return made | {"Pr": on("Pr"), "R": on("R"), "D": on("D"), "following": on("following", s)}
