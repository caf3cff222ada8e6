"""The primitive rules.  Each public function here is one rule, and there are no others.

A rule takes the sequents of its premises and its arguments, and returns the sequent it allows or
raises `Refused`.  In the figures, G |- p means: under the hypotheses G, p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sympy import Add, Basic, Expr, Integer, Rational

from derivations.kernel import axioms as _axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.signs import match
from derivations.kernel.terms import All, Eq, Imp, Le, Lt, Var, need


class Sequent(NamedTuple):
    """hyps |- concl, using the named axioms."""

    hyps: frozenset[Basic]
    concl: Basic
    axioms: frozenset[str]


Premises = Sequence[Sequent]


def _from(premises: Premises, concl: Basic, drop: Sequence[Basic] = (), ax: set[str] | None = None):
    hyps = frozenset().union(*[p.hyps for p in premises]) - frozenset(drop)
    used = frozenset().union(ax or (), *[p.axioms for p in premises])
    return Sequent(hyps, concl, used)


def _take(premises: Premises, n: int) -> Premises:
    need(len(premises) == n, "{} premises wanted, {} given", n, len(premises))
    return premises


# ------------------------------------------------------------------ logic


def assume(premises: Premises, formula: Basic) -> Sequent:
    """p |- p."""
    _take(premises, 0)
    need(isinstance(formula, K.Formula), "{} is not a formula", formula)
    return Sequent(frozenset([formula]), formula, frozenset())


def discharge(premises: Premises, formula: Basic) -> Sequent:
    """G |- q  gives  G - {p} |- p -> q."""
    (q,) = _take(premises, 1)
    need(isinstance(formula, K.Formula), "{} is not a formula", formula)
    return _from(premises, Imp(formula, q.concl), [formula])


def modus_ponens(premises: Premises) -> Sequent:
    """G |- p -> q  and  H |- p  give  G, H |- q."""
    imp, p = _take(premises, 2)
    need(isinstance(imp.concl, Imp), "{} is not an implication", imp.concl)
    need(imp.concl.args[0] == p.concl, "wanted {}, got {}", imp.concl.args[0], p.concl)
    return _from(premises, imp.concl.args[1])


def generalise(premises: Premises, variable: Var) -> Sequent:
    """G |- p  gives  G |- for all v: p, when v is not free in G."""
    (p,) = _take(premises, 1)
    need(isinstance(variable, Var), "{} is not a variable", variable)
    need(all(variable not in B.variables(h) for h in p.hyps), "{} is free in a hyp", variable)
    return _from(premises, B.for_all([variable], p.concl))


def specialise(premises: Premises, term: Basic) -> Sequent:
    """G |- for all v: p  gives  G |- p[v := t], when t has the sort of v."""
    (p,) = _take(premises, 1)
    need(isinstance(p.concl, All), "{} is not universal", p.concl)
    need(K.fits(term, p.concl.args[0]), "{} is not of sort {}", term, p.concl.args[0])
    return _from(premises, B.open_body(p.concl.args[1], term))


def instantiate(premises: Premises, values: Mapping[Basic, Basic]) -> Sequent:
    """G |- p  gives  G[m] |- p[m]: m maps free variables, function symbols and Fin sets."""
    (p,) = _take(premises, 1)
    sets = {k: v for k, v in values.items() if isinstance(k, K.Fin)}
    for k, v in values.items():
        if isinstance(k, K.Fin):
            need(isinstance(v, (K.Fin, K.Prod)), "{} may stand for a Fin or a Prod", k)
        elif isinstance(k, Var):
            need(K.fits(v, B.substitute(k.sort, sets)), "{} is not of the sort of {}", v, k)
        else:
            need(isinstance(k, K.Fn), "{} is not schematic", k)
            _same_type(B.substitute(k, sets), v)
    concl = B.substitute(p.concl, values)
    hyps = frozenset(B.substitute(h, values) for h in p.hyps)
    return Sequent(hyps, concl, p.axioms)


def _same_type(f: K.Fn, value: Basic) -> None:
    if isinstance(value, K.Fn):
        need(value.args[1:] == f.args[1:], "{} has another type than {}", value, f)
        return
    for sort in f.domain:
        need(isinstance(value, K.Lam) and value.args[0] == sort, "{}: wrong domain", value)
        value = B.open_body(value.args[1], B.fresh(sort))
    need(K.fits(value, f.codomain), "{} is not of sort {}", value, f.codomain)


def contradiction(premises: Premises, formula: Basic) -> Sequent:
    """G |- l < r  gives  G |- p for every formula p, when r - l is a number and at most 0."""
    (p,) = _take(premises, 1)
    need(isinstance(p.concl, Lt), "{} is not a strict inequality", p.concl)
    norm = Normaliser()
    gap = norm.term(p.concl.args[1] - p.concl.args[0])
    need(isinstance(gap, Rational) and gap <= 0, "{} is not absurd", p.concl)
    need(isinstance(formula, K.Formula), "{} is not a formula", formula)
    return _from(premises, formula, ax=norm.used)


def axiom(premises: Premises, name: str, about: Basic | None = None) -> Sequent:
    """|- the named formula of axioms.py, tagged with its name."""
    _take(premises, 0)
    return Sequent(frozenset(), _axioms.formula(name, about), frozenset([name]))


# ------------------------------------------------------------------ equality and order


def normal_form(premises: Premises, left: Basic, right: Basic) -> Sequent:
    """|- l = r, when l - r has the normal form 0 under the signs that the premises state."""
    norm = Normaliser(p.concl for p in premises)
    need(norm.is_zero(left - right), "not equal in normal form: {} and {}", left, right)
    return _from(premises, Eq(left, right), ax=norm.used)


def restate(premises: Premises, formula: Basic) -> Sequent:
    """G |- p  gives  G |- q, when the real terms of p and q have equal normal forms."""
    need(len(premises) > 0, "nothing to restate")
    norm = Normaliser(p.concl for p in premises[1:])
    need(_same(premises[0].concl, formula, norm), "{} is not {}", premises[0].concl, formula)
    return _from(premises, formula, ax=norm.used)


def _same(p: Basic, q: Basic, norm: Normaliser) -> bool:
    if p == q:
        return True
    if (
        isinstance(p, Expr)
        and isinstance(q, Expr)
        and {K.sort_of(p), K.sort_of(q)}
        <= {
            K.REAL,
            K.NAT,
        }
    ):
        return norm.is_zero(p - q)
    if p.func != q.func or len(p.args) != len(q.args) or not p.args or isinstance(p, (Var, K.Fn)):
        return False
    under = B.binds(p)
    if any(under) and B.scope_sort(p) != B.scope_sort(q):
        return False
    v = B.fresh(B.scope_sort(p)) if any(under) else None
    for x, y, b in zip(p.args, q.args, under, strict=True):
        pair = (B.open_body(x, v), B.open_body(y, v)) if b and v is not None else (x, y)
        if not _same(*pair, norm):
            return False
    return True


def substitute_equals(premises: Premises, variable: Var, formula: Basic) -> Sequent:
    """l = r  and  p[z := l]  give  p[z := r]."""
    eq, p = _take(premises, 2)
    need(isinstance(eq.concl, Eq), "{} is not an equation", eq.concl)
    left, right = (B.substitute(formula, {variable: t}) for t in eq.concl.args)
    need(p.concl == left, "{} is not {}", p.concl, left)
    return _from(premises, right)


def rewrite(premises: Premises) -> Sequent:
    """G |- p  and  for all vs: l = r  give  G |- p with the instances of l replaced, under binders
    too.  Each equation is used once, outermost instances first, in the order given."""
    need(len(premises) > 1, "an equation to rewrite with is wanted")
    concl = premises[0].concl
    for e in premises[1:]:
        vs, q = B.strip_all(e.concl)
        need(isinstance(q, Eq), "{} is not an equation", e.concl)
        need(set(vs) <= B.variables(q.args[0]), "its left side does not fix the variables")
        concl = _replace(concl, q.args[0], q.args[1], frozenset(vs))
    return _from(premises, concl)


def _replace(e: Basic, left: Basic, right: Basic, vs: frozenset[Basic]) -> Basic:
    found = match(left, e, vs, {}) if isinstance(e, Expr) else None
    if found is not None:
        return B.substitute(right, found)
    under = B.binds(e)
    if not any(under):
        new = [_replace(x, left, right, vs) for x in e.args]
        return e if all(x is y for x, y in zip(new, e.args, strict=True)) else e.func(*new)
    v = B.fresh(B.scope_sort(e))
    return e.func(
        *[
            B.close_body(v, _replace(B.open_body(x, v), left, right, vs))
            if b
            else _replace(x, left, right, vs)
            for x, b in zip(e.args, under, strict=True)
        ]
    )


def arithmetic(
    premises: Premises,
    goal: Basic,
    combination: Sequence[tuple[Basic, int]] = (),
    squares: Sequence[tuple[Basic, Basic]] = (),
    signs: Sequence[Basic] = (),
) -> Sequent:
    """l_i R_i r_i  give  l R r, when  r - l = sum c_i (r_i - l_i) + sum c t^2 + sum t.

    c_i >= 0 unless premise i is an equation; c and t >= 0; R is < only when some strict premise has
    c_i > 0 or some t > 0; an equation needs equations only."""
    need(isinstance(goal, (Eq, Le, Lt)), "{} is not a relation", goal)
    norm = Normaliser(p.concl for p in premises)
    strict, total = False, Integer(0)
    for c, i in combination:
        p = premises[i].concl if 0 <= i < len(premises) else None
        need(isinstance(p, (Eq, Le, Lt)), "premise {} is no relation", i)
        if not isinstance(p, Eq):
            need(not isinstance(goal, Eq), "an equation does not follow from an inequality")
            need(norm.signs.nonneg(c), "the multiplier {} is not known to be >= 0", c)
            strict |= isinstance(p, Lt) and norm.signs.positive(c)
        total += c * (p.args[1] - p.args[0])
    for c, t in [*squares, *[(t, Integer(1)) for t in signs]]:
        need(not isinstance(goal, Eq), "an equation does not follow from a sign")
        need(norm.signs.nonneg(c), "{} is not known to be >= 0", c)
        strict |= t == 1 and norm.signs.positive(c)
        total += c * t**2
    need(strict or not isinstance(goal, Lt), "nothing strict supports {}", goal)
    rest = goal.args[1] - goal.args[0] - total
    need(norm.is_zero(rest), "left over: {}", rest)
    return _from(premises, goal, ax=norm.used)


def sum_of_members(premises: Premises, over: Basic) -> Sequent:
    """for all v: f R g  gives  sum_X f R sum_X g for R in =, <=, <; strict only when X is a Fin
    or a Prod.  For Range(n) the premise may assume v < n."""
    (p,) = _take(premises, 1)
    sort = K.member_sort(B.check(over))
    need(isinstance(p.concl, All) and p.concl.args[0] == sort, "not for all members of {}", over)
    v = B.fresh(sort)
    q = B.open_body(p.concl.args[1], v)
    if isinstance(over, K.Range) and isinstance(q, Imp) and q.args[0] == Lt(v, over.args[0]):
        q = q.args[1]
    need(isinstance(q, (Eq, Le, Lt)), "{} is not a relation", q)
    need(not isinstance(q, Lt) or isinstance(over, (K.Fin, K.Prod)), "{} may be empty", over)
    return _from(premises, q.func(*[B.bind_sum(x, v, over) for x in q.args]))


def antisymmetry(premises: Premises) -> Sequent:
    """t <= u  and  u <= t  give  t = u."""
    p, q = _take(premises, 2)
    need(isinstance(p.concl, Le) and isinstance(q.concl, Le), "two inequalities are wanted")
    need(p.concl.args == q.concl.args[::-1], "not opposite: {} and {}", p.concl, q.concl)
    return _from(premises, Eq(*p.concl.args))


# ------------------------------------------------------------------ cases


def by_order(premises: Premises, left: Basic, right: Basic) -> Sequent:
    """G, t <= u |- p  and  H, u < t |- p  give  G, H |- p."""
    p, q = _take(premises, 2)
    need(p.concl == q.concl, "the two cases conclude different things")
    hyps = (p.hyps - {Le(left, right)}) | (q.hyps - {Lt(right, left)})
    return Sequent(hyps, p.concl, p.axioms | q.axioms)


def by_letters(premises: Premises, variable: Var, other: Basic) -> Sequent:
    """G |- p[i := j]  and  H, delta(i, j) = 0 |- p  give  G, H |- p."""
    p, q = _take(premises, 2)
    need(isinstance(variable, Var), "{} is not a variable", variable)
    need(K.sort_of(other) == variable.sort, "{} and {} differ in sort", variable, other)
    need(B.substitute(q.concl, {variable: other}) == p.concl, "not the case of equal letters")
    return Sequent(
        p.hyps | (q.hyps - {Eq(K.Delta(variable, other), 0)}), q.concl, p.axioms | q.axioms
    )


def by_pairs(premises: Premises, variable: Var, first: Var, second: Var, formula: Basic) -> Sequent:
    """G |- p[z := (x, y)]  gives  G |- for all z: p, when x, y are free neither in G nor in p."""
    (p,) = _take(premises, 1)
    need(K.sort_of(K.Pair(first, second)) == variable.sort, "{} is not a pair", variable)
    _eigenvariables([first, second], [*p.hyps, formula])
    need(first != second, "one variable for two letters")
    whole = B.substitute(formula, {variable: K.Pair(first, second)})
    need(p.concl == whole, "{} is not {}", p.concl, whole)
    return _from(premises, B.for_all([variable], formula))


def larger(premises: Premises, left: Basic, right: Basic) -> Sequent:
    """|- t <= max(t, u)."""
    _take(premises, 0)
    return Sequent(frozenset(), Le(left, K.Max2(left, right)), frozenset())


def by_larger(
    premises: Premises, variable: Var, formula: Basic, left: Basic, right: Basic
) -> Sequent:
    """p[z := t]  and  p[z := u]  give  p[z := max(t, u)]."""
    p, q = _take(premises, 2)
    need(p.concl == B.substitute(formula, {variable: left}), "the first case is not {}", formula)
    need(q.concl == B.substitute(formula, {variable: right}), "the second case is not {}", formula)
    return _from(premises, B.substitute(formula, {variable: K.Max2(left, right)}))


def by_maximum(premises: Premises, variable: Var, formula: Basic, maximum: Basic) -> Sequent:
    """for all a: p[z := f(a)]  gives  p[z := max_X f]."""
    (p,) = _take(premises, 1)
    need(isinstance(maximum, K.Max), "{} is not a maximum", maximum)
    v = B.fresh(B.scope_sort(maximum))
    each = B.for_all([v], B.substitute(formula, {variable: B.opened(maximum, v)}))
    need(p.concl == each, "{} is not {}", p.concl, each)
    whole = B.substitute(formula, {variable: maximum})
    return _from(premises, whole, ax={"finite_maximum_is_attained"})


# ------------------------------------------------------------------ induction


def _eigenvariables(vs: Sequence[Basic], formulas: Sequence[Basic]) -> None:
    for v in vs:
        need(isinstance(v, Var), "{} is not a variable", v)
        need(all(v not in B.variables(h) for h in formulas), "{} is not fresh", v)


def induction(premises: Premises, variable: Var, formula: Basic) -> Sequent:
    """G |- p[n := 0]  and  H, p |- p[n := n+1]  give  G, H |- for all n: p, n not free in H."""
    base, step = _take(premises, 2)
    need(isinstance(variable, Var) and variable.sort == K.NAT, "{} is not a natural", variable)
    need(base.concl == B.substitute(formula, {variable: Integer(0)}), "the base is not p(0)")
    need(step.concl == B.substitute(formula, {variable: Add(variable, 1)}), "not p(n + 1)")
    rest = step.hyps - {formula}
    _eigenvariables([variable], [*rest])
    hyps = base.hyps | rest
    return Sequent(hyps, B.for_all([variable], formula), base.axioms | step.axioms)


def word_induction(premises: Premises, variable: Var, letter: Var, formula: Basic) -> Sequent:
    """G |- p[w := empty]  and  H, p |- p[w := w x]  give  G, H |- for all w: p, w, x not free in H
    and x not free in p."""
    base, step = _take(premises, 2)
    need(variable.sort == K.WordsOf(letter.sort), "{} does not fit {}", letter, variable)
    empty, longer = K.Nil(letter.sort), K.Snoc(variable, letter)
    need(base.concl == B.substitute(formula, {variable: empty}), "the base is not p(empty)")
    need(step.concl == B.substitute(formula, {variable: longer}), "the step is not p(w x)")
    rest = step.hyps - {formula}
    _eigenvariables([variable], [*rest])
    _eigenvariables([letter], [*rest, formula])
    hyps = base.hyps | rest
    return Sequent(hyps, B.for_all([variable], formula), base.axioms | step.axioms)
