"""The primitive rules.  Each public function here is one rule, and there are no others.

A rule takes the sequents of its premises and its arguments, and returns the sequent it allows or
raises `Refused`.  In the figures, G |- p means: under the hypotheses G, p.  Every use goes through
`certificate.apply`, which checks that arguments and conclusion are well-formed.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Add, Integer, Rational

from derivations.kernel import axioms as _axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.sequents import Given, Sequent, derived, fresh_for, put, take, want, without
from derivations.kernel.signs import match
from derivations.kernel.terms import All, Eq, Imp, Le, Lt, Term, Var, need

# ------------------------------------------------------------------ logic


def assume(premises: Given, formula: Term) -> Sequent:
    """p |- p."""
    take(premises, 0)
    return Sequent(frozenset([formula]), formula, frozenset())


def discharge(premises: Given, formula: Term) -> Sequent:
    """G |- q  gives  G - {p} |- p -> q."""
    q = take(premises, 1)
    return without(derived(premises, Imp(formula, q.concl)), formula)


def modus_ponens(premises: Given) -> Sequent:
    """G |- p -> q  and  H |- p  give  G, H |- q."""
    imp, p = take(premises, 2)
    need(isinstance(imp.concl, Imp), "{} is not an implication", imp.concl)
    want(p, imp.concl.args[0])
    return derived(premises, imp.concl.args[1])


def generalise(premises: Given, variable: Var) -> Sequent:
    """G |- p  gives  G |- for all v: p, when v is not free in G."""
    p = take(premises, 1)
    fresh_for(variable, p.hyps)
    return derived(premises, B.for_all([variable], p.concl))


def specialise(premises: Given, term: Term) -> Sequent:
    """G |- for all v: p  gives  G |- p[v := t], when t has the sort of v."""
    p = take(premises, 1)
    need(isinstance(p.concl, All), "{} is not universal", p.concl)
    need(K.fits(term, p.concl.args[0]), "{} is not of sort {}", term, p.concl.args[0])
    return derived(premises, B.open_body(p.concl.args[1], term))


def instantiate(premises: Given, values: Mapping[Any, Term]) -> Sequent:
    """G |- p  gives  G[m] |- p[m]: m maps free variables, function symbols and Fin sets."""
    p = take(premises, 1)
    sets = {k: v for k, v in values.items() if isinstance(k, K.Fin)}
    for k, v in values.items():
        if isinstance(k, K.Fin):
            need(isinstance(v, (K.Fin, K.Prod)), "{} may stand for a Fin or a Prod", k)
        elif isinstance(k, K.Fn):
            _has_type(v, B.substitute(k, sets))
        else:
            fits = isinstance(k, Var) and K.fits(v, B.substitute(k.sort, sets))
            need(fits, "{} may not stand for {}", v, k)
    hyps = frozenset(B.check(B.substitute(h, values)) for h in p.hyps)
    return Sequent(hyps, B.substitute(p.concl, values), p.axioms)


def _has_type(value: Any, f: Any) -> None:
    """A value for a function symbol: a symbol of the same type, or nested `Lam`s."""
    for sort in () if isinstance(value, K.Fn) else f.domain:
        need(isinstance(value, K.Lam) and value.args[0] == sort, "{}: wrong domain", value)
        value = B.open_body(value.args[1], B.fresh(sort))
    same = value.args[1:] == f.args[1:] if isinstance(value, K.Fn) else K.fits(value, f.codomain)
    need(same, "{} has another type than {}", value, f)


def contradiction(premises: Given, formula: Term) -> Sequent:
    """G |- l < r  gives  G |- p for every formula p, when r - l is a number and at most 0."""
    p = take(premises, 1)
    need(isinstance(p.concl, Lt), "{} is not a strict inequality", p.concl)
    norm = Normaliser()
    gap = norm.term(p.concl.args[1] - p.concl.args[0])
    need(isinstance(gap, Rational) and bool(gap <= 0), "{} is not absurd", p.concl)
    return derived(premises, formula, norm.used)


def axiom(premises: Given, name: str, about: Term | None = None) -> Sequent:
    """|- the named formula of axioms.py, tagged with its name."""
    take(premises, 0)
    return Sequent(frozenset(), _axioms.formula(name, about), frozenset([name]))


# ------------------------------------------------------------------ equality and order


def normal_form(premises: Given, left: Any, right: Any) -> Sequent:
    """|- l = r, when l - r has the normal form 0 under the signs that the premises state."""
    norm = Normaliser(p.concl for p in premises)
    need(norm.is_zero(left - right), "not equal in normal form: {} and {}", left, right)
    return derived(premises, Eq(left, right), norm.used)


def restate(premises: Given, formula: Term) -> Sequent:
    """G |- p  gives  G |- q, when the real terms of p and q have equal normal forms."""
    need(len(premises) > 0, "nothing to restate")
    norm = Normaliser(p.concl for p in premises[1:])
    need(_same(premises[0].concl, formula, norm), "{} is not {}", premises[0].concl, formula)
    return derived(premises, formula, norm.used)


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


def substitute_equals(premises: Given, variable: Var, formula: Term) -> Sequent:
    """l = r  and  p[z := l]  give  p[z := r]."""
    eq, p = take(premises, 2)
    need(isinstance(eq.concl, Eq), "{} is not an equation", eq.concl)
    want(p, put(formula, variable, eq.concl.args[0]))
    return derived(premises, put(formula, variable, eq.concl.args[1]))


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
    return derived(premises, concl)


def _replace(e: Term, left: Term, right: Term, vs: frozenset[Var]) -> Term:
    found = match(left, e, vs, {}) if isinstance(e, K.Expr) else None
    if found is not None:
        return B.substitute(right, found)
    v = B.fresh(B.scope_sort(e)) if any(B.binds(e)) else None
    new: list[Term] = []
    for x, b in zip(e.args, B.binds(e), strict=True):
        made = _replace(B.open_body(x, v) if b and v else x, left, right, vs)
        new.append(B.close_body(v, made) if b and v else made)
    return e if all(x == y for x, y in zip(new, e.args, strict=True)) else e.func(*new)


def arithmetic(
    premises: Given, goal: Term, combination: Any = (), squares: Any = (), signs: Any = ()
) -> Sequent:
    """l_i R_i r_i  give  l R r, when  r - l = sum c_i (r_i - l_i) + sum c t^2 + sum t.

    c_i >= 0 unless premise i is an equation; c and t >= 0; R is < only when some strict premise has
    c_i > 0 or some t > 0; an equation needs equations only."""
    need(isinstance(goal, (Eq, Le, Lt)), "{} is not a relation", goal)
    norm = Normaliser(p.concl for p in premises)
    strict, exact, total = False, True, Integer(0)
    for c, i in combination:
        p: Any = premises[i].concl if 0 <= i < len(premises) else None
        kind: Any = type(p)
        need(kind in (Eq, Le, Lt), "premise {} is no relation", i)
        if kind is not Eq:
            exact = False
            need(norm.signs.nonneg(c), "the multiplier {} is not known to be >= 0", c)
            strict |= kind is Lt and norm.signs.positive(c)
        total += c * (p.args[1] - p.args[0])
    for c, t in [*squares, *[(t, Integer(1)) for t in signs]]:
        exact = False
        need(norm.signs.nonneg(c), "{} is not known to be >= 0", c)
        strict |= t == 1 and norm.signs.positive(c)
        total += c * t**2
    need({Eq: exact, Le: True, Lt: strict}[type(goal)], "nothing exact or strict gives {}", goal)
    rest = goal.args[1] - goal.args[0] - total
    need(norm.is_zero(rest), "left over: {}", rest)
    return derived(premises, goal, norm.used)


def sum_of_members(premises: Given, over: Term) -> Sequent:
    """for all v: f R g  gives  sum_X f R sum_X g for R in =, <=, <; strict only when X is a Fin
    or a Prod.  For Range(n) the premise may assume v < n."""
    p = take(premises, 1)
    v = B.fresh(K.member_sort(over))
    need(isinstance(p.concl, All) and p.concl.args[0] == v.sort, "not for all members of {}", over)
    q = B.open_body(p.concl.args[1], v)
    if isinstance(over, K.Range) and isinstance(q, Imp) and q.args[0] == Lt(v, over.args[0]):
        q = q.args[1]
    strict = isinstance(q, Lt) and isinstance(over, (K.Fin, K.Prod))
    need(strict or isinstance(q, (Eq, Le)), "{} is no relation to sum over {}", q, over)
    return derived(premises, q.func(*[B.bind_sum(x, v, over) for x in q.args]))


def antisymmetry(premises: Given) -> Sequent:
    """t <= u  and  u <= t  give  t = u."""
    p, q = take(premises, 2)
    need(isinstance(p.concl, Le), "{} is not an inequality", p.concl)
    want(q, Le(*p.concl.args[::-1]))
    return derived(premises, Eq(*p.concl.args))


# ------------------------------------------------------------------ cases


def by_order(premises: Given, left: Term, right: Term) -> Sequent:
    """G, t <= u |- p  and  H, u < t |- p  give  G, H |- p."""
    p, q = take(premises, 2)
    want(q, p.concl)
    return derived([without(p, Le(left, right)), without(q, Lt(right, left))], p.concl)


def by_letters(premises: Given, variable: Var, other: Term) -> Sequent:
    """G |- p[i := j]  and  H, delta(i, j) = 0 |- p  give  G, H |- p."""
    p, q = take(premises, 2)
    want(p, put(q.concl, variable, other))
    return derived([p, without(q, Eq(K.Delta(variable, other), 0))], q.concl)


def by_pairs(premises: Given, variable: Var, first: Var, second: Var, formula: Term) -> Sequent:
    """G |- p[z := (x, y)]  gives  G |- for all z: p, when x, y are free neither in G nor in p."""
    p = take(premises, 1)
    fresh_for(first, [*p.hyps, formula, second])
    fresh_for(second, [*p.hyps, formula])
    want(p, put(formula, variable, K.Pair(first, second)))
    return derived(premises, B.for_all([variable], formula))


def larger(premises: Given, left: Term, right: Term) -> Sequent:
    """|- t <= max(t, u)."""
    return derived(take(premises, 0), Le(left, K.Max2(left, right)))


def by_larger(premises: Given, variable: Var, formula: Term, left: Any, right: Any) -> Sequent:
    """p[z := t]  and  p[z := u]  give  p[z := max(t, u)]."""
    p, q = take(premises, 2)
    want(p, put(formula, variable, left))
    want(q, put(formula, variable, right))
    return derived(premises, put(formula, variable, K.Max2(left, right)))


def by_maximum(premises: Given, variable: Var, formula: Term, maximum: Term) -> Sequent:
    """for all a: p[z := f(a)]  gives  p[z := max_X f]."""
    p = take(premises, 1)
    need(isinstance(maximum, K.Max), "{} is not a maximum", maximum)
    v = B.fresh(B.scope_sort(maximum))
    want(p, B.for_all([v], put(formula, variable, B.opened(maximum, v))))
    return derived(premises, put(formula, variable, maximum), ["finite_maximum_is_attained"])


# ------------------------------------------------------------------ induction


def induction(premises: Given, variable: Var, formula: Term) -> Sequent:
    """G |- p[n := 0]  and  H, p |- p[n := n+1]  give  G, H |- for all n: p, n not free in H."""
    base, step = take(premises, 2)
    want(base, put(formula, variable, Integer(0)))
    need(variable.sort == K.NAT, "{} is not a natural number", variable)
    want(step, put(formula, variable, Add(variable, 1)))
    rest = without(step, formula)
    fresh_for(variable, rest.hyps)
    return derived([base, rest], B.for_all([variable], formula))


def word_induction(premises: Given, variable: Var, letter: Var, formula: Term) -> Sequent:
    """G |- p[w := empty]  and  H, p |- p[w := w x]  give  G, H |- for all w: p, w, x not free in H
    and x not free in p."""
    base, step = take(premises, 2)
    want(base, put(formula, variable, K.Nil(letter.sort)))
    want(step, put(formula, variable, K.Snoc(variable, letter)))
    rest = without(step, formula)
    fresh_for(variable, rest.hyps)
    fresh_for(letter, [*rest.hyps, formula])
    return derived([base, rest], B.for_all([variable], formula))
