"""The primitive rules.  Each public function here is one rule, and there are no others.

A rule takes the sequents of its premises and its arguments, and returns the sequent it allows or
raises `Refused`.  In the figures, G |- p means: under the hypotheses G, p.  Every use goes through
`certificate.apply`, which checks that arguments and conclusion are well-formed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sympy import Add, Basic, Integer, Rational

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


Given = Sequence[Sequent]


def _from(premises: Given, concl: Basic, used: Iterable[str] = ()) -> Sequent:
    """The conclusion under all hypotheses and axioms of the premises."""
    hyps = frozenset[Basic]().union(*[p.hyps for p in premises])
    return Sequent(hyps, concl, frozenset(used).union(*[p.axioms for p in premises]))


def _without(p: Sequent, *dropped: Basic) -> Sequent:
    return p._replace(hyps=p.hyps.difference(dropped))


def _take(premises: Given, n: int) -> Any:
    need(len(premises) == n, "{} premises wanted, {} given", n, len(premises))
    return premises[0] if n == 1 else premises


def _want(p: Sequent, formula: Basic) -> None:
    need(p.concl == formula, "wanted {}, got {}", formula, p.concl)


def _put(formula: Basic, variable: Basic, term: Basic) -> Basic:
    """formula[variable := term], for a term of the variable's sort."""
    need(isinstance(variable, Var), "{} is not a variable", variable)
    need(K.fits(term, variable.sort), "{} is not of sort {}", term, variable.sort)
    return B.substitute(formula, {variable: term})


def _fresh_for(variable: Basic, formulas: Iterable[Basic]) -> None:
    """The side condition of every rule that generalises a variable."""
    need(isinstance(variable, Var), "{} is not a variable", variable)
    need(all(variable not in B.variables(p) for p in formulas), "{} is not fresh", variable)


# ------------------------------------------------------------------ logic


def assume(premises: Given, formula: Basic) -> Sequent:
    """p |- p."""
    _take(premises, 0)
    return Sequent(frozenset([formula]), formula, frozenset())


def discharge(premises: Given, formula: Basic) -> Sequent:
    """G |- q  gives  G - {p} |- p -> q."""
    q = _take(premises, 1)
    return _without(_from(premises, Imp(formula, q.concl)), formula)


def modus_ponens(premises: Given) -> Sequent:
    """G |- p -> q  and  H |- p  give  G, H |- q."""
    imp, p = _take(premises, 2)
    need(isinstance(imp.concl, Imp), "{} is not an implication", imp.concl)
    _want(p, imp.concl.args[0])
    return _from(premises, imp.concl.args[1])


def generalise(premises: Given, variable: Var) -> Sequent:
    """G |- p  gives  G |- for all v: p, when v is not free in G."""
    p = _take(premises, 1)
    _fresh_for(variable, p.hyps)
    return _from(premises, B.for_all([variable], p.concl))


def specialise(premises: Given, term: Basic) -> Sequent:
    """G |- for all v: p  gives  G |- p[v := t], when t has the sort of v."""
    p = _take(premises, 1)
    need(isinstance(p.concl, All), "{} is not universal", p.concl)
    need(K.fits(term, p.concl.args[0]), "{} is not of sort {}", term, p.concl.args[0])
    return _from(premises, B.open_body(p.concl.args[1], term))


def instantiate(premises: Given, values: Mapping[Any, Basic]) -> Sequent:
    """G |- p  gives  G[m] |- p[m]: m maps free variables, function symbols and Fin sets."""
    p = _take(premises, 1)
    sets = {k: v for k, v in values.items() if isinstance(k, K.Fin)}
    for k, v in values.items():
        if isinstance(k, K.Fin):
            need(isinstance(v, (K.Fin, K.Prod)), "{} may stand for a Fin or a Prod", k)
        elif isinstance(k, K.Fn):
            _has_type(v, B.substitute(k, sets))
        else:
            _put(k, k, k)
            need(K.fits(v, B.substitute(k.sort, sets)), "{} is not of the sort of {}", v, k)
    hyps = frozenset(B.check(B.substitute(h, values)) for h in p.hyps)
    return Sequent(hyps, B.substitute(p.concl, values), p.axioms)


def _has_type(value: Any, f: Any) -> None:
    """A value for a function symbol: a symbol of the same type, or nested `Lam`s."""
    for sort in () if isinstance(value, K.Fn) else f.domain:
        need(isinstance(value, K.Lam) and value.args[0] == sort, "{}: wrong domain", value)
        value = B.open_body(value.args[1], B.fresh(sort))
    same = value.args[1:] == f.args[1:] if isinstance(value, K.Fn) else K.fits(value, f.codomain)
    need(same, "{} has another type than {}", value, f)


def contradiction(premises: Given, formula: Basic) -> Sequent:
    """G |- l < r  gives  G |- p for every formula p, when r - l is a number and at most 0."""
    p = _take(premises, 1)
    need(isinstance(p.concl, Lt), "{} is not a strict inequality", p.concl)
    norm = Normaliser()
    gap = norm.term(p.concl.args[1] - p.concl.args[0])
    need(isinstance(gap, Rational) and bool(gap <= 0), "{} is not absurd", p.concl)
    return _from(premises, formula, norm.used)


def axiom(premises: Given, name: str, about: Basic | None = None) -> Sequent:
    """|- the named formula of axioms.py, tagged with its name."""
    _take(premises, 0)
    return Sequent(frozenset(), _axioms.formula(name, about), frozenset([name]))


# ------------------------------------------------------------------ equality and order


def normal_form(premises: Given, left: Any, right: Any) -> Sequent:
    """|- l = r, when l - r has the normal form 0 under the signs that the premises state."""
    norm = Normaliser(p.concl for p in premises)
    need(norm.is_zero(left - right), "not equal in normal form: {} and {}", left, right)
    return _from(premises, Eq(left, right), norm.used)


def restate(premises: Given, formula: Basic) -> Sequent:
    """G |- p  gives  G |- q, when the real terms of p and q have equal normal forms."""
    need(len(premises) > 0, "nothing to restate")
    norm = Normaliser(p.concl for p in premises[1:])
    need(_same(premises[0].concl, formula, norm), "{} is not {}", premises[0].concl, formula)
    return _from(premises, formula, norm.used)


def _same(p: Any, q: Any, norm: Normaliser) -> bool:
    if p == q or (K.is_real(p) and K.is_real(q)):
        return p == q or norm.is_zero(p - q)
    if p.func != q.func or len(p.args) != len(q.args) or not p.args or isinstance(p, K.Sort):
        return False
    v = B.fresh(B.scope_sort(p)) if any(B.binds(p)) else None
    if v is not None and B.scope_sort(q) != v.sort:
        return False
    pairs = zip(p.args, q.args, B.binds(p), strict=True)
    opened = [(B.open_body(x, v), B.open_body(y, v)) if b and v else (x, y) for x, y, b in pairs]
    return all(_same(x, y, norm) for x, y in opened)


def substitute_equals(premises: Given, variable: Var, formula: Basic) -> Sequent:
    """l = r  and  p[z := l]  give  p[z := r]."""
    eq, p = _take(premises, 2)
    need(isinstance(eq.concl, Eq), "{} is not an equation", eq.concl)
    _want(p, _put(formula, variable, eq.concl.args[0]))
    return _from(premises, _put(formula, variable, eq.concl.args[1]))


def rewrite(premises: Given) -> Sequent:
    """G |- p  and  for all vs: l = r  give  G |- p with the instances of l replaced, under binders
    too.  Each equation is used once, outermost instances first, in the order given."""
    need(len(premises) > 1, "an equation to rewrite with is wanted")
    concl = premises[0].concl
    for e in premises[1:]:
        vs, q = B.strip_all(e.concl)
        need(isinstance(q, Eq), "{} is not an equation", e.concl)
        need(B.variables(q.args[0]) >= {*vs}, "its left side does not fix the variables")
        concl = _replace(concl, q.args[0], q.args[1], frozenset(vs))
    return _from(premises, concl)


def _replace(e: Basic, left: Basic, right: Basic, vs: frozenset[Var]) -> Basic:
    found = match(left, e, vs, {}) if isinstance(e, K.Expr) else None
    if found is not None:
        return B.substitute(right, found)
    v = B.fresh(B.scope_sort(e)) if any(B.binds(e)) else None
    new: list[Basic] = []
    for x, b in zip(e.args, B.binds(e), strict=True):
        made = _replace(B.open_body(x, v) if b and v else x, left, right, vs)
        new.append(B.close_body(v, made) if b and v else made)
    return e if all(x == y for x, y in zip(new, e.args, strict=True)) else e.func(*new)


def arithmetic(
    premises: Given, goal: Basic, combination: Any = (), squares: Any = (), signs: Any = ()
) -> Sequent:
    """l_i R_i r_i  give  l R r, when  r - l = sum c_i (r_i - l_i) + sum c t^2 + sum t.

    c_i >= 0 unless premise i is an equation; c and t >= 0; R is < only when some strict premise has
    c_i > 0 or some t > 0; an equation needs equations only."""
    need(isinstance(goal, (Eq, Le, Lt)), "{} is not a relation", goal)
    norm = Normaliser(p.concl for p in premises)
    strict, total = False, Integer(0)
    for c, i in combination:
        p: Any = premises[i].concl if 0 <= i < len(premises) else None
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
    return _from(premises, goal, norm.used)


def sum_of_members(premises: Given, over: Basic) -> Sequent:
    """for all v: f R g  gives  sum_X f R sum_X g for R in =, <=, <; strict only when X is a Fin
    or a Prod.  For Range(n) the premise may assume v < n."""
    p = _take(premises, 1)
    v = B.fresh(K.member_sort(over))
    need(isinstance(p.concl, All) and p.concl.args[0] == v.sort, "not for all members of {}", over)
    q = B.open_body(p.concl.args[1], v)
    if isinstance(over, K.Range) and isinstance(q, Imp) and q.args[0] == Lt(v, over.args[0]):
        q = q.args[1]
    need(isinstance(q, (Eq, Le, Lt)), "{} is not a relation", q)
    need(not isinstance(q, Lt) or isinstance(over, (K.Fin, K.Prod)), "{} may be empty", over)
    return _from(premises, q.func(*[B.bind_sum(x, v, over) for x in q.args]))


def antisymmetry(premises: Given) -> Sequent:
    """t <= u  and  u <= t  give  t = u."""
    p, q = _take(premises, 2)
    need(isinstance(p.concl, Le), "{} is not an inequality", p.concl)
    _want(q, Le(*p.concl.args[::-1]))
    return _from(premises, Eq(*p.concl.args))


# ------------------------------------------------------------------ cases


def by_order(premises: Given, left: Basic, right: Basic) -> Sequent:
    """G, t <= u |- p  and  H, u < t |- p  give  G, H |- p."""
    p, q = _take(premises, 2)
    _want(q, p.concl)
    return _from([_without(p, Le(left, right)), _without(q, Lt(right, left))], p.concl)


def by_letters(premises: Given, variable: Var, other: Basic) -> Sequent:
    """G |- p[i := j]  and  H, delta(i, j) = 0 |- p  give  G, H |- p."""
    p, q = _take(premises, 2)
    _want(p, _put(q.concl, variable, other))
    return _from([p, _without(q, Eq(K.Delta(variable, other), 0))], q.concl)


def by_pairs(premises: Given, variable: Var, first: Var, second: Var, formula: Basic) -> Sequent:
    """G |- p[z := (x, y)]  gives  G |- for all z: p, when x, y are free neither in G nor in p."""
    p = _take(premises, 1)
    _fresh_for(first, [*p.hyps, formula, second])
    _fresh_for(second, [*p.hyps, formula])
    _want(p, _put(formula, variable, K.Pair(first, second)))
    return _from(premises, B.for_all([variable], formula))


def larger(premises: Given, left: Basic, right: Basic) -> Sequent:
    """|- t <= max(t, u)."""
    return _from(_take(premises, 0), Le(left, K.Max2(left, right)))


def by_larger(premises: Given, variable: Var, formula: Basic, left: Basic, right: Basic) -> Sequent:
    """p[z := t]  and  p[z := u]  give  p[z := max(t, u)]."""
    p, q = _take(premises, 2)
    _want(p, _put(formula, variable, left))
    _want(q, _put(formula, variable, right))
    return _from(premises, _put(formula, variable, K.Max2(left, right)))


def by_maximum(premises: Given, variable: Var, formula: Basic, maximum: Basic) -> Sequent:
    """for all a: p[z := f(a)]  gives  p[z := max_X f]."""
    p = _take(premises, 1)
    need(isinstance(maximum, K.Max), "{} is not a maximum", maximum)
    v = B.fresh(B.scope_sort(maximum))
    _want(p, B.for_all([v], _put(formula, variable, B.opened(maximum, v))))
    return _from(premises, _put(formula, variable, maximum), ["finite_maximum_is_attained"])


# ------------------------------------------------------------------ induction


def induction(premises: Given, variable: Var, formula: Basic) -> Sequent:
    """G |- p[n := 0]  and  H, p |- p[n := n+1]  give  G, H |- for all n: p, n not free in H."""
    base, step = _take(premises, 2)
    _want(base, _put(formula, variable, Integer(0)))
    need(variable.sort == K.NAT, "{} is not a natural number", variable)
    _want(step, _put(formula, variable, Add(variable, 1)))
    rest = _without(step, formula)
    _fresh_for(variable, rest.hyps)
    return _from([base, rest], B.for_all([variable], formula))


def word_induction(premises: Given, variable: Var, letter: Var, formula: Basic) -> Sequent:
    """G |- p[w := empty]  and  H, p |- p[w := w x]  give  G, H |- for all w: p, w, x not free in H
    and x not free in p."""
    base, step = _take(premises, 2)
    _want(base, _put(formula, variable, K.Nil(letter.sort)))
    _want(step, _put(formula, variable, K.Snoc(variable, letter)))
    rest = _without(step, formula)
    _fresh_for(variable, rest.hyps)
    _fresh_for(letter, [*rest.hyps, formula])
    return _from([base, rest], B.for_all([variable], formula))
