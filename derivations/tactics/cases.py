"""Deriving one line: cases, antisymmetry, recursion equations, induction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Add, Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.signs import match
from derivations.kernel.terms import Eq, Imp, Le, Lt, Max2, Term, Var, need
from derivations.language.reasons import index_variables
from derivations.tactics.context import replace_term
from derivations.tactics.explain import Unexplained, explain
from derivations.tactics.facts import headed_subterms
from derivations.tactics.rewriting import definitions, equals, equals_inside, recursions, unfold
from derivations.tactics.sides import consequences, instance_of, sign_step
from derivations.tactics.steps import (
    Step,
    arith,
    assume,
    discharge,
    fresh_of,
    gen,
    innermost,
    inst,
    step,
    strip,
)

Steps = Sequence[Step]


def derive(goal: Term, facts: Steps, known: Steps, units: Sequence[Term] = ()) -> Step:
    """A relation from facts: both cases of a maximum, recursions unfolded, then explained."""
    stated = next((x for f in facts if (x := instance_of(f, goal, [*facts, *known]))), None)
    if stated is not None:
        return stated
    left, right = goal.args
    if isinstance(goal, (Le, Lt)) and isinstance(left, Max2):
        z = fresh_of(K.REAL, "z")
        sides = [derive(goal.func(x, right), facts, known, units) for x in left.args]
        x, y = left.args
        return step("by_larger", *sides, variable=z, formula=goal.func(z, right), left=x, right=y)
    if isinstance(goal, (Le, Lt)) and isinstance(left, K.Max):
        return _maximum(goal, facts, known, units)
    moved = [unfold(t, recursions(facts), known) for t in goal.args]
    if any(moved):
        return _moved(goal, moved, facts, known, units)
    moved = [equals_inside(t, facts) for t in goal.args]
    if any(moved):
        try:
            return _moved(goal, moved, facts, known, units)
        except Unexplained:
            pass
    try:
        return _explain_or_squeeze(goal, facts, known, units)
    except Unexplained:
        for rewritten in (lambda t: unfold(t, definitions(facts), known), equals(facts)):
            moved = [rewritten(t) for t in goal.args]
            if any(moved):
                return _moved(goal, moved, facts, known, units)
        raise


def _moved(
    goal: Term, moved: Sequence[Step | None], facts: Steps, known: Steps, units: Sequence[Term]
) -> Step:
    """The goal after its sides were rewritten, explained, and brought back."""
    sides = [u.concl.args[1] if u else t for u, t in zip(moved, goal.args, strict=True)]
    th = _explain_or_squeeze(goal.func(*sides), facts, known, units)
    moves = [(sign, u) for sign, u in zip((1, -1), moved, strict=True) if u]
    return arith(goal, (1, th), *moves, signs=known)


def _maximum(goal: Term, facts: Steps, known: Steps, units: Sequence[Term]) -> Step:
    maximum, right = goal.args
    a, z = fresh_of(maximum.args[0], "a"), fresh_of(K.REAL, "z")
    each = derive(goal.func(B.opened(maximum, a), right), facts, known, units)
    form = goal.func(z, right)
    return step("by_maximum", gen(each, a), variable=z, formula=form, maximum=maximum)


def _both_ways(goal: Term, facts: Steps, known: Steps) -> Step | None:
    """l = r, when the facts say l <= r and r <= l."""
    left, right = goal.args
    cited = [*facts, *known]
    ways = [
        next((x for f in facts if (x := instance_of(f, p, cited))), None)
        for p in (Le(left, right), Le(right, left))
    ]
    return None if None in ways else step("antisymmetry", *ways)  # type: ignore[arg-type]


def _explain_or_squeeze(goal: Term, facts: Steps, known: Steps, units: Sequence[Term]) -> Step:
    evident = None if isinstance(goal, Eq) else sign_step(goal, known)
    if evident is not None:
        return evident
    both = _both_ways(goal, facts, known) if isinstance(goal, Eq) else None
    if both is not None:
        return both
    try:
        return explain(goal, facts, known, units)
    except Unexplained as failure:
        inequalities = any(isinstance(innermost(f.concl), (Le, Lt)) for f in facts)
        if not isinstance(goal, Eq) or not inequalities:
            raise
        left, right = goal.args
        try:
            down = explain(Le(left, right), facts, known, units)
            return step("antisymmetry", down, explain(Le(right, left), facts, known, units))
        except Unexplained:
            raise failure from None


# ------------------------------------------------------------------ induction


def induction(goal: Term, n: Var, facts: Steps, known: Steps, units: Sequence[Term]) -> Step:
    """goal for all n, by induction; the other index variables are generalised."""
    vs = [v for v in index_variables(goal) if v != n]
    phi = B.for_all(vs, goal)
    ih = assume(phi)
    at = lambda p, t: B.substitute(p, {n: t})  # noqa: E731
    if n.sort == K.NAT:
        zero, following, rule = Integer(0), Add(n, 1), "induction"
        letter: dict[str, Any] = {}
    else:
        u, pair = fresh_of(n.sort.args[0], "u"), _letters(n.sort.args[0])
        zero, following, rule = K.Nil(n.sort.args[0]), K.Snoc(n, pair), "word_induction"
        letter = {"letter": u}
    base = gen(derive(at(goal, zero), facts, known, units), *vs)
    grown = gen(derive(at(goal, following), [ih, *facts], [*known, ih], units), *vs)
    if letter:
        grown = _for_letter(grown, letter["letter"], following.args[1], at(phi, K.Snoc(n, u)))
    th = step(rule, base, grown, variable=n, formula=phi, **letter)
    return inst(th, n, *vs)


def _letters(X: Term) -> Term:
    """A letter to prove the step for: over a product of sets it is a pair."""
    v = fresh_of(X, "u")
    return K.Pair(*map(_letters, X.args)) if isinstance(X, K.Prod) else v


def _for_letter(th: Step, u: Var, letter: Term, formula: Term) -> Step:
    """The step for every letter u, proved for a pair of letters."""
    if isinstance(letter, Var):
        return inst(gen(th, letter), u)
    need(all(isinstance(x, Var) for x in letter.args), "letters are pairs of members")
    first, second = letter.args
    return inst(step("by_pairs", th, variable=u, first=first, second=second, formula=formula), u)


# ------------------------------------------------------------------ cases


def split_zero(
    goal: Term, ts: Sequence[Term], facts: Steps, known: Steps, units: Sequence[Term]
) -> Step:
    """t >= 0 is known: the case t = 0 (the facts too), and the case t > 0."""
    if not ts:
        return derive(goal, facts, known, units)
    t, rest = ts[0], ts[1:]
    if sign_step(Lt(0, t), known) is not None:  # an earlier case decides this one
        return split_zero(goal, rest, facts, known, units)
    sign = sign_step(Le(0, t), known)
    if sign is None:
        raise Unexplained(goal, Integer(0), 0, f"split needs 0 <= {t}, which is not known")
    positive = assume(Lt(0, t))
    more = [positive, *consequences(positive, [*facts, *known])]
    above = split_zero(goal, rest, [*facts, *more], [*known, *more], units)
    zero = step("antisymmetry", assume(Le(t, 0)), sign)
    z = fresh_of(K.REAL, "z")
    moved = [m for f in facts if (m := _at_zero(f, t, z, zero)) is not None]
    form = replace_term(goal, t, z)
    at_zero = lambda e: B.substitute(replace_term(e, t, z), {z: Integer(0)})  # noqa: E731
    low_units = list(map(at_zero, units))
    low = split_zero(at_zero(goal), rest, [*facts, *moved], [*known, zero], low_units)
    back = arith(Eq(0, t), (-1, zero))
    low = step("substitute_equals", back, low, variable=z, formula=form)
    return step("by_order", low, above, left=t, right=Integer(0))


def _at_zero(f: Step, t: Term, z: Var, zero: Step) -> Step | None:
    """The fact f with t replaced by 0."""
    vs, hyps, q = strip(f.concl)
    for p in [s for h in (*hyps, q) for s in headed_subterms(h)] if vs else []:
        m = match(p, t, frozenset(vs), {})
        if m is not None and set(vs) <= set(m):
            f = inst(f, *[m[v] for v in vs])
            break
    form = replace_term(f.concl, t, z)
    if isinstance(f.concl, K.All) or z not in B.variables(form):
        return None
    return step("substitute_equals", zero, f, variable=z, formula=form)


def split_letters(
    goal: Term, pair: tuple[Var, Term], facts: Steps, known: Steps, units: Sequence[Term]
) -> Step:
    """Two letters are equal, or their delta is zero."""
    i, j = pair
    same = derive(B.substitute(goal, {i: j}), facts, known, units)
    apart = assume(Eq(K.Delta(i, j), 0))
    other = derive(goal, [apart, *facts], [*known, apart], units)
    return step("by_letters", same, other, variable=i, other=j)


def split_order(
    goal: Term, pair: tuple[Term, Term], facts: Steps, known: Steps, units: Sequence[Term]
) -> Step:
    """t <= u or u < t."""
    t, u = pair
    cases = [assume(Le(t, u)), assume(Lt(u, t))]
    both = [derive(goal, [*facts, c], [*known, c], units) for c in cases]
    return step("by_order", *both, left=t, right=u)


def introduce(goal: Term, facts: Steps, known: Steps, prove: Any) -> Step:
    """Open quantifiers and implications of the goal, prove what is left, put them back."""
    if isinstance(goal, K.All):
        v = fresh_of(goal.args[0])
        return gen(introduce(B.open_body(goal.args[1], v), facts, known, prove), v)
    if isinstance(goal, Imp):
        h = assume(goal.args[0])
        inner = introduce(goal.args[1], [h, *facts], [*known, h], prove)
        return discharge(inner, goal.args[0])
    return prove(goal, facts, known)
