"""What one proof knows: its hypotheses, its claims, and the lemmas that it cites."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Refused, Term, need
from derivations.language.printing import text
from derivations.language.reasons import Hypothesis, Instance, Law, Reason, Renamed
from derivations.language.syntax import term
from derivations.tactics.explain import explain
from derivations.tactics.sides import side_condition
from derivations.tactics.steps import (
    Step,
    asking,
    assume,
    axiom,
    discharge,
    fresh_of,
    inst,
    instantiate,
    mp,
    symbols_of,
    values_by_name,
)


@dataclass(frozen=True)
class Line:
    """One line of a proof as it was checked, for pages and messages."""

    formula: Term
    reasons: tuple[str, ...]
    how: str
    line: int
    seconds: float
    name: str = ""
    assumed: tuple[Term, ...] = ()


@dataclass
class Context:
    """One proof under construction.  `probe` is shown every line that was proved, with a function
    that tries to prove another formula for the same reason: the mutation tests use it."""

    name: str
    hypotheses: tuple[Hypothesis, ...]
    lemma: Callable[[Any, str], Step]
    known: list[Step] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    assuming: list[Term] = field(default_factory=list)
    cited: dict[Reason, Step] = field(default_factory=dict)
    probe: Callable[[Line, Callable[[Term], Step]], None] | None = None

    def steps(self) -> list[Step]:
        """Everything whose sign later lines may use without naming it."""
        return [*self.assumed, *self.known]

    @cached_property
    def assumed(self) -> list[Step]:
        """The hypotheses as steps, the same steps at every line."""
        return [assume(h.formula) for h in self.hypotheses]


_current: ContextVar[Context | None] = ContextVar("proof", default=None)


def current() -> Context:
    """The proof that is being built; given, claim and calc belong inside one."""
    found = _current.get()
    need(found is not None, "claim and calc are used inside a theorem's proof")
    assert found is not None
    return found


class working_in:
    """with working_in(context): the proof of one theorem."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def __enter__(self) -> Context:
        self._token = _current.set(self.context)
        return self.context

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


class Cited(Reason):
    """A reason that brings its own step: a claim, or a part of a theorem."""

    def step(self) -> Step:
        """The step, as it may be used in the current proof."""
        raise NotImplementedError

    def bare(self) -> Step:
        """The step before its hypotheses are discharged."""
        return self.step()


@dataclass(frozen=True, eq=False)
class Claim(Cited):
    """A proved line."""

    proved: Step
    name: str

    def step(self) -> Step:
        return self.proved

    @property
    def formula(self) -> Term:
        return self.proved.concl


def step_of(r: Reason) -> Step:
    """The proof step behind a reason, in the current proof."""
    cache = current().cited
    if r not in cache:
        cache[r] = _step_of(r)
    return cache[r]


def _step_of(r: Reason) -> Step:
    if isinstance(r, Hypothesis):
        return assume(r.formula)
    if isinstance(r, Law):
        return axiom(r.axiom, r.about)
    if isinstance(r, Instance):
        return inst(step_of(r.of), *[term(v) for v in r.values])
    if isinstance(r, Renamed):
        th = r.of.bare() if isinstance(r.of, Cited) else step_of(r.of)
        symbols = symbols_of([th.concl, *th.hyps])
        sets = {s: _value(s, r.values[n], {}) for n, s in symbols.items() if _is_set(s, n, r)}
        mapped = {n: _value(symbols.get(n), v, sets) for n, v in r.values.items()}
        return discharged(instantiate(th, values_by_name(symbols, mapped)))
    need(isinstance(r, Cited), "{} cannot be cited as one fact", r.name)
    assert isinstance(r, Cited)
    return r.step()


def _is_set(symbol: Term, name: str, r: Renamed) -> bool:
    return isinstance(symbol, K.Fin) and name in r.values


def _value(symbol: Term | None, v: Any, sets: dict[Term, Term]) -> Any:
    """The value of a symbol; a Python function is called with fresh variables of the new sets."""
    if isinstance(symbol, K.Fin) and isinstance(v, str):
        return K.Fin(v)
    if callable(v) and not isinstance(v, Basic) and isinstance(symbol, K.Fn):
        vs = [fresh_of(B.substitute(s, sets)) for s in symbol.domain]
        return (vs, term(v(*vs)))
    if isinstance(symbol, K.Var):
        return term(v)
    return (v[0], term(v[1])) if isinstance(v, tuple) else v


def discharged(th: Step) -> Step:
    """Prove from the context the hypotheses that this theorem does not list."""
    context = current()
    listed = {h.formula for h in context.hypotheses} | {a for s in context.known for a in s.hyps}
    for h in sorted(th.hyps - listed, key=repr):
        known = context.steps()
        norm = asking(known)
        facts = [c.proved for c in context.claims] + [assume(x.formula) for x in context.hypotheses]
        proof = side_condition(h, norm, known, facts, explain, 0)
        if proof is None:
            raise Refused(f"a hypothesis of the cited theorem is not known here: {text(h)}")
        th = mp(discharge(th, h), proof)
    return th


def replace_term(e: Term, t: Term, by: Term) -> Term:
    """e with each occurrence of the closed term t replaced, binders respected."""
    if e == t:
        return by
    if not e.args or isinstance(e, K.Sort) or B.variables(t).isdisjoint(B.variables(e)):
        return e
    return e.func(*[replace_term(x, t, by) for x in e.args])
