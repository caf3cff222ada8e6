"""Random uses of every rule on valid sequents: `use_<rule>` tries one, and may be refused.

Every sequent in the pool was made by the kernel, so each must hold in every model.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Basic, Integer

from derivations.kernel import axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.certificate import apply
from derivations.kernel.normal import Normaliser
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import NAT, REAL, Eq, Fin, Fn, Imp, Le, Lt, Prod, Range, Var, Words
from tests.derivations.kernel.random_pool import Pool
from tests.derivations.kernel.random_terms import NAMES, SORTS, X, Y

Z = Var("z~", REAL)


def rules() -> list[str]:
    """The rules that can be tried."""
    return sorted(name[4:] for name in globals() if name.startswith("use_"))


def use_assume(p: Pool) -> Sequent:
    return p.apply("assume", formula=p.formula())


def use_discharge(p: Pool) -> Sequent:
    q = p.any()
    hyps = sorted(q.hyps, key=str)
    return p.apply("discharge", q, formula=p.rng.choice([*hyps, *hyps, p.formula()]))


def use_modus_ponens(p: Pool) -> Sequent:
    imp = p.any(Imp)
    return p.apply("modus_ponens", imp, p.assume(imp.concl.args[0]))


def use_generalise(p: Pool) -> Sequent:
    q = p.any()
    return p.apply("generalise", q, variable=p.variable(q.concl))


def use_specialise(p: Pool) -> Sequent:
    q = p.any(K.All)
    return p.apply("specialise", q, term=p.of(q.concl.args[0]))


def use_instantiate(p: Pool) -> Sequent:
    q = p.any()
    values: dict[Basic, Basic] = {}
    everything = [e for s in (q.concl, *sorted(q.hyps, key=str)) for e in B.subterms(s)]
    symbols = sorted({e for e in everything if isinstance(e, (Var, Fn, Fin))}, key=str)
    sets: dict[Basic, Basic] = {}
    if p.rng.random() < 0.3:
        sets = {p.rng.choice([X, Y]): p.rng.choice([X, Y, Fin("U"), Prod(X, Y), Prod(Y, Y)])}
    for k in p.rng.sample(symbols, min(len(symbols), p.rng.randint(0, 2))):
        if isinstance(k, Fn) and all(isinstance(s, K.Sort) for s in k.domain):
            values[B.substitute(k, {})] = _function(p, B.substitute(k, sets))
        elif isinstance(k, Var):
            sort = B.substitute(k.sort, sets)
            values[k] = p.of(sort) if sort in NAMES else Var(k.tag, sort)
    return p.apply("instantiate", q, values={**values, **sets})


def _function(p: Pool, f: Any) -> Basic:
    vs = [Var(f"v{i}", s) for i, s in enumerate(f.domain)]
    body = p.of(f.codomain, *vs) if f.codomain in NAMES else f(*vs)
    for v in reversed(vs):
        body = K.Lam(v.sort, B.close_body(v, body))
    return body


def use_contradiction(p: Pool) -> Sequent:
    t = p.real()
    absurd = p.assume(Lt(t + p.rng.choice([0, 0, 1]), t))
    return p.apply("contradiction", p.rng.choice([absurd, p.any(Lt)]), formula=p.formula())


def use_axiom(p: Pool) -> Sequent:
    name = p.rng.choice([n for n in axioms.names() if n.startswith(("exp", "log", "finite"))])
    return p.apply("axiom", name=name, about=None)


def _facts(p: Pool) -> list[Sequent]:
    return [
        p.assume(p.source.fact(p.rng.choice([0, 1, 1]))) for _ in range(p.rng.choice([0, 1, 2]))
    ]


def _equal_to(p: Pool, t: Any, facts: list[Sequent]) -> Any:
    """The normal form, or t with one part replaced by another part: often false."""
    if p.rng.random() < 0.5:
        return Normaliser([f.concl for f in facts]).term(t)
    return mutated(p.rng, t)


def mutated(rng: Random, t: Any) -> Any:
    """t with some closed part of it replaced by another one of the same sort."""
    parts = [e for e in B.subterms(t) if isinstance(e, K.Expr) and not B.loose(e)]
    old = rng.choice(parts)
    same = [e for e in parts if K.sort_of(e) == K.sort_of(old)] + (
        [old * 2] if K.is_real(old) else []
    )
    new = rng.choice(same)

    def go(e: Any) -> Any:
        if e == old:
            return new
        return e.func(*map(go, e.args)) if e.args and not isinstance(e, K.Sort) else e

    return go(t)


def use_normal_form(p: Pool) -> Sequent:
    facts, t = _facts(p), p.real()
    return p.apply("normal_form", *facts, left=t, right=_equal_to(p, t, facts))


def use_restate(p: Pool) -> Sequent:
    facts, q = _facts(p), p.any(Eq, Le, Lt, Imp)
    return p.apply("restate", q, *facts, formula=_restated(p, q.concl, facts))


def _restated(p: Pool, q: Any, facts: list[Sequent]) -> Any:
    if K.is_real(q):
        return _equal_to(p, q, facts)
    if isinstance(q, (Eq, Le, Lt, Imp)):
        return q.func(*[_restated(p, x, facts) for x in q.args])
    return q


def use_substitute_equals(p: Pool) -> Sequent:
    eq, z = p.any(Eq), Z
    formula = p.with_hole(z)
    there = p.assume(B.substitute(formula, {z: eq.concl.args[0]}))
    return p.apply("substitute_equals", eq, there, variable=z, formula=formula)


def use_rewrite(p: Pool) -> Sequent:
    eq = p.any(Eq)
    vs = [
        v
        for v in sorted(B.variables(eq.concl), key=str)
        if all(v not in B.variables(h) for h in eq.hyps)
    ]
    for v in vs[: p.rng.randint(0, 2)]:
        eq = apply("generalise", [eq], {"variable": v})
    formula = B.substitute(p.with_hole(Z), {Z: B.strip_all(eq.concl)[1].args[0]})
    there = p.rng.choice([p.any(), p.assume(formula)])
    return p.apply("rewrite", there, eq)


def use_arithmetic(p: Pool) -> Sequent:
    premises = [p.any(Eq, Le, Lt) for _ in range(p.rng.randint(1, 3))]
    factors: list[Any] = [
        Integer(1),
        Integer(2),
        Integer(-1),
        p.real() ** 2,
        K.Exp(p.real()),
        p.real(),
    ]
    combination = [(p.rng.choice(factors), i) for i in range(len(premises))]
    combination += [(p.rng.choice(factors), p.rng.randrange(-1, 4))] if p.rng.random() < 0.2 else []
    squares = [(p.rng.choice(factors), p.real())] if p.rng.random() < 0.4 else []
    signs = [p.rng.choice(factors)] if p.rng.random() < 0.4 else []
    total: Any = Integer(0)
    for c, i in combination:
        if 0 <= i < len(premises):
            total += c * (premises[i].concl.args[1] - premises[i].concl.args[0])
    for c, t in squares:
        total += c * t**2
    total += sum(signs)
    left = p.real()
    head = p.rng.choice([Eq, Le, Lt])
    goal = head(left, left + total)
    kept = [*premises, *_facts(p)]
    return p.apply(
        "arithmetic", *kept, goal=goal, combination=combination, squares=squares, signs=signs
    )


def use_sum_of_members(p: Pool) -> Sequent:
    over = p.rng.choice(
        [X, Y, Prod(X, Y), Range(p.source.natural(1, ())), Words(X, p.source.natural(1, ()))]
    )
    v = Var("v", K.member_sort(over))
    q: Any = p.relation(v, v)
    if isinstance(over, Range) and p.rng.random() < 0.5:
        q = Imp(Lt(v, over.args[0]), q)
    each = p.rng.choice([p.assume(B.for_all([v], q)), p.any(K.All)])
    return p.apply("sum_of_members", each, over=over)


def use_antisymmetry(p: Pool) -> Sequent:
    q = p.any(Le)
    return p.apply("antisymmetry", q, p.assume(Le(*q.concl.args[::-1])))


def use_by_order(p: Pool) -> Sequent:
    left, right, q = p.real(), p.real(), p.any()
    first = apply(
        "modus_ponens", [p.assume(Imp(Le(left, right), q.concl)), p.assume(Le(left, right))], {}
    )
    second = apply(
        "modus_ponens", [p.assume(Imp(Lt(right, left), q.concl)), p.assume(Lt(right, left))], {}
    )
    return p.apply(
        "by_order", p.rng.choice([first, q]), p.rng.choice([second, q]), left=left, right=right
    )


def use_by_letters(p: Pool) -> Sequent:
    i = p.source.variable(p.rng.choice([*SORTS, NAT]), ())
    j = p.source.index(i.sort, 1, ())
    formula = p.with_hole(i)
    apart = Eq(K.Delta(i, j), 0)
    other = apply("modus_ponens", [p.assume(Imp(apart, formula)), p.assume(apart)], {})
    equal = p.assume(B.substitute(formula, {i: j}))
    return p.apply("by_letters", equal, other, variable=i, other=j)


def use_by_pairs(p: Pool) -> Sequent:
    z, first, second = Var("p", Prod(X, Y)), p.source.fresh(X), p.source.fresh(Y)
    formula = p.with_hole(z)
    whole = B.substitute(formula, {z: K.Pair(first, second)})
    every = p.assume(B.for_all([first, second], whole))
    there = apply("specialise", [apply("specialise", [every], {"term": first})], {"term": second})
    there = p.rng.choice([there, there, p.assume(whole)])
    return p.apply("by_pairs", there, variable=z, first=first, second=second, formula=formula)


def use_larger(p: Pool) -> Sequent:
    return p.apply("larger", left=p.real(), right=p.real())


def use_by_larger(p: Pool) -> Sequent:
    formula, left, right = p.with_hole(Z), p.real(), p.real()
    cases = [p.assume(B.substitute(formula, {Z: t})) for t in (left, right)]
    return p.apply("by_larger", *cases, variable=Z, formula=formula, left=left, right=right)


def use_by_maximum(p: Pool) -> Sequent:
    formula, v = p.with_hole(Z), p.source.fresh(p.rng.choice([X, Y, Prod(X, Y)]))
    maximum = K.Max(v.sort, B.close_body(v, p.real(v, v)))
    w = Var("w~", v.sort)
    each = B.for_all([w], B.substitute(formula, {Z: B.opened(maximum, w)}))
    return p.apply("by_maximum", p.assume(each), variable=Z, formula=formula, maximum=maximum)


def use_induction(p: Pool) -> Sequent:
    v = Var(p.rng.choice(["n", "m", "k"]), NAT)
    formula = p.with_hole(v)
    base = p.assume(B.substitute(formula, {v: Integer(0)}))
    every = B.for_all([v], Imp(formula, B.substitute(formula, {v: v + 1})))
    step = apply("specialise", [p.assume(every)], {"term": v})
    step = apply("modus_ponens", [step, p.assume(formula)], {})
    careless = p.assume(B.substitute(formula, {v: v + 1}))
    return p.apply(
        "induction", base, p.rng.choice([step, step, careless]), variable=v, formula=formula
    )


def use_word_induction(p: Pool) -> Sequent:
    w, x = Var("w", K.WordsOf(X)), p.source.fresh(X)
    formula = p.with_hole(w)
    longer = B.substitute(formula, {w: K.Snoc(w, x)})
    base = p.assume(B.substitute(formula, {w: K.Nil(X)}))
    step = apply(
        "specialise", [p.assume(B.for_all([w], B.for_all([x], Imp(formula, longer))))], {"term": w}
    )
    step = apply("modus_ponens", [apply("specialise", [step], {"term": x}), p.assume(formula)], {})
    careless = p.assume(longer)
    chosen = p.rng.choice([step, step, careless])
    return p.apply("word_induction", base, chosen, variable=w, letter=x, formula=formula)
