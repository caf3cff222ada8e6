"""Proof steps under construction.  Untrusted: only the kernel's `replay` says what they prove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.certificate import apply
from derivations.kernel.normal import Normaliser
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import Eq, Imp, Term, Var
from derivations.language.reasons import index_variables


@dataclass(frozen=True, eq=False)
class Step:
    """One application of a kernel rule."""

    rule: str
    args: Mapping[str, Any]
    premises: tuple[Step, ...]
    sequent: Sequent = field(repr=False)

    @property
    def concl(self) -> Term:
        return self.sequent.concl

    @property
    def hyps(self) -> frozenset[Term]:
        return self.sequent.hyps


class _Names:
    """The numbers of the fresh names of one proof, and the formulas that were opened by them."""

    def __init__(self) -> None:
        self.numbers = count(1)
        self.opened: dict[Term, tuple[tuple[Var, ...], tuple[Term, ...], Term]] = {}


_names: ContextVar[_Names | None] = ContextVar("names", default=None)


@contextmanager
def naming() -> Iterator[None]:
    """Number fresh names from 1 in here, so that a proof is the same text every time; a proof that
    is interrupted by the proof of a lemma goes on with its own numbers."""
    token = _names.set(_Names())
    try:
        yield
    finally:
        _names.reset(token)


def _mine() -> _Names:
    names = _names.get()
    if names is None:
        _names.set(names := _Names())
    return names


def fresh_like(v: K.Variable) -> Var:
    """A new variable of the sort of v; the tilde keeps it apart from authors' names."""
    stem = v.tag.split("~")[0] if isinstance(v.tag, str) else "i"
    return Var(f"{stem}~{next(_mine().numbers)}", v.sort)


def fresh_of(sort: Term, stem: str = "i") -> Var:
    """A new variable of a sort."""
    return fresh_like(Var(stem, sort))


def step(rule: str, *premises: Step, **args: Any) -> Step:
    """Apply a rule now; `Refused` when it does not follow."""
    made = apply(rule, [p.sequent for p in premises], args)
    return Step(rule, args, premises, made)


# ------------------------------------------------------------------ short names for rules


def assume(p: Term) -> Step:
    return step("assume", formula=p)


def discharge(th: Step, *hyps: Term) -> Step:
    """Turn hypotheses into antecedents, the first outermost."""
    for p in reversed(hyps):
        th = step("discharge", th, formula=p)
    return th


def mp(th: Step, *given: Step) -> Step:
    """Modus ponens with each of the given in turn."""
    for p in given:
        th = step("modus_ponens", th, p)
    return th


def gen(th: Step, *vs: Var) -> Step:
    """For all vs, the first outermost."""
    for v in reversed(vs):
        th = step("generalise", th, variable=v)
    return th


def inst(th: Step, *ts: Term) -> Step:
    """Specialise the leading quantifiers."""
    for t in ts:
        th = step("specialise", th, term=t)
    return th


def instantiate(th: Step, values: Mapping[Term, Term]) -> Step:
    """Give values to schematic symbols; nothing happens when none occurs."""
    return step("instantiate", th, values=dict(values)) if values else th


EVENTUALLY = ("limit_keeps_order", "limit_by_squeezing", "limit_is_local")


def axiom(name: str, about: Term | None = None, **values: Any) -> Step:
    """An axiom with its symbols replaced by name: x=term, f=(variables, body) or f=symbol.

    The kernel states laws of limits at its own point c; `about=Near(t)` moves c to t.  "Eventually"
    means from the start, or within 1 of the point, unless N or delta is given."""
    if name in EVENTUALLY:
        late = {"N": 0} if isinstance(about, K.Infinity) else {"delta": 1}
        values = {**late, **values}
    if isinstance(about, K.Near):
        values["c"], about = about.args[0], K.Near(Var("c", K.REAL))
    th = step("axiom", name=name, about=about)
    return instantiate(th, values_by_name(symbols_of([th.concl]), values))


def lam(vs: Sequence[Var], body: Term) -> Term:
    """The function vs -> body."""
    for v in reversed(vs):
        body = K.Lam(v.sort, B.close_body(v, body))
    return body


def symbols_of(formulas: Iterable[Term]) -> dict[str, Term]:
    """The schematic symbols of some formulas by name: functions, sets and free variables."""
    out: dict[str, Term] = {}
    for p in formulas:
        for e in B.subterms(p):
            if isinstance(e, (K.Fn, K.Fin)):
                out.setdefault(e.name, e)
            elif isinstance(e, K.Variable):
                for s in [x for x in B.subterms(e.sort) if isinstance(x, K.Fin)]:
                    out.setdefault(s.name, s)
                if isinstance(e, Var):
                    out.setdefault(str(e.tag), e)
    return out


def values_by_name(symbols: Mapping[str, Term], values: Mapping[str, Any]) -> dict[Term, Term]:
    """Kernel values for symbols given by name; an unknown name is refused with what there is."""
    out: dict[Term, Term] = {}
    for name, value in values.items():
        K.need(name in symbols, "no symbol {} to replace; there are {}", name, sorted(symbols))
        if isinstance(value, tuple):
            vs = value[0] if isinstance(value[0], (tuple, list)) else (value[0],)
            value = lam(vs, K.as_term(value[1]))
        out[symbols[name]] = K.as_term(value)
    return out


# ------------------------------------------------------------------ relations


def is_relation(p: Term) -> bool:
    return isinstance(p, (K.Eq, K.Le, K.Lt))


def innermost(p: Term) -> Term:
    """What stands behind the quantifiers and hypotheses of p, unopened: enough to see its kind."""
    while isinstance(p, (K.All, Imp)):
        if isinstance(p, Imp) and p.args[1] == K.Lt(0, 0):
            break
        p = p.args[1]
    return p


def strip(p: Term) -> tuple[tuple[Var, ...], tuple[Term, ...], Term]:
    """for all vs: hyps -> body, with the quantifiers opened by readable fresh variables.

    A proof opens a formula by the same variables each time: what is found out of them is kept."""
    opened = _mine().opened
    return opened.get(p) or opened.setdefault(p, _strip(p))


def _strip(p: Term) -> tuple[tuple[Var, ...], tuple[Term, ...], Term]:
    vs: list[Var] = []
    hyps: list[Term] = []
    while isinstance(p, (K.All, Imp)):
        if isinstance(p, Imp):
            if p.args[1] == K.Lt(0, 0):
                break
            hyps.append(p.args[0])
            p = p.args[1]
        else:
            if hyps:
                break
            vs.append(fresh_of(p.args[0]))
            p = B.open_body(p.args[1], vs[-1])
    return tuple(vs), tuple(hyps), p


def closed(th: Step, keep: frozenset[Term] = frozenset()) -> Step:
    """Quantify over the free index variables that no hypothesis fixes; `keep` stays free."""
    fixed = keep.union(*map(B.variables, th.hyps))
    return gen(th, *[v for v in index_variables(th.concl) if v not in fixed])


def equal(left: Term, right: Term, facts: Sequence[Step] = ()) -> Step:
    """left = right by normal form, with only the sign facts that are needed."""
    return _with_signs(lambda given: step("normal_form", *given, left=left, right=right), facts)


def restate(th: Step, formula: Term, facts: Sequence[Step] = ()) -> Step:
    """The same relation in another normal form, with only the sign facts that are needed."""
    if th.concl == formula:
        return th
    return _with_signs(lambda given: step("restate", th, *given, formula=formula), facts)


def _with_signs(make: Any, facts: Sequence[Step]) -> Step:
    try:
        return make(())
    except K.Refused:
        if not facts:
            raise
    return make(tuple(facts))


def arith(
    goal: Term,
    *terms: tuple[Any, Step],
    signs: Sequence[Step] = (),
    squares: Sequence[tuple[Any, Any]] = (),
    nonneg: Sequence[Any] = (),
) -> Step:
    """goal from sum c (r - l) + sum c t^2 + sum t; only the sign facts that are used are kept."""
    for _, th in terms:
        if th.concl == goal:
            return th
    combination = [(K.as_term(c), i) for i, (c, _) in enumerate(terms)]
    sq = [(K.as_term(c), K.as_term(t)) for c, t in squares]
    nn = [K.as_term(t) for t in nonneg]
    kept = needed_signs(goal, terms, signs, sq, nn)
    args = {"goal": goal, "combination": combination, "squares": sq, "signs": nn}
    return step("arithmetic", *[th for _, th in terms], *kept, **args)


@lru_cache(maxsize=256)
def _normaliser(facts: tuple[Term, ...]) -> Normaliser:
    return Normaliser(facts)


def asking(known: Iterable[Step]) -> Normaliser:
    """Normal forms under what is known, shared between questions: never ask what it has used."""
    return _normaliser(tuple(k.concl for k in known))


def needed_signs(
    goal: Term,
    terms: Sequence[tuple[Any, Step]],
    signs: Sequence[Step],
    squares: Sequence[tuple[Term, Term]],
    nonneg: Sequence[Term],
) -> list[Step]:
    """Which of the sign facts the kernel's arithmetic rule will ask for."""
    if not signs:
        return []
    norm = Normaliser([th.concl for _, th in terms] + [s.concl for s in signs])
    total: Any = Integer(0)
    for c, th in terms:
        c = K.as_term(c)
        total += c * (th.concl.args[1] - th.concl.args[0])
        if not isinstance(th.concl, Eq):
            norm.signs.nonneg(c)
            norm.signs.positive(c) if isinstance(goal, K.Lt) else None
    for c, t in [*squares, *[(t, Integer(1)) for t in nonneg]]:
        norm.signs.nonneg(c)
        norm.signs.positive(c) if isinstance(goal, K.Lt) else None
        total += c * t**2
    sides: Term = goal.args
    norm.is_zero(sides[1] - sides[0] - total)
    return [s for s in signs if s.concl in norm.signs.cited]
