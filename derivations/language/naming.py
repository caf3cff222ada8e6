"""Which letters a printed formula uses: for what its binders bind, and for its free variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.language.notation import REALS, letter_of


def sort_name(sort: Basic) -> str:
    """The name under which the table of letters knows a sort."""
    if isinstance(sort, K.WordsOf):
        return "words"
    if isinstance(sort, K.Prod):
        return "pair"
    return sort.name if isinstance(sort, (K.Fin, K.Named)) else ""


def ranges_openly(X: Basic) -> bool:
    """Whether the set must be written because the letter does not say it."""
    return not (isinstance(X, K.Fin) and letter_of(X.name))


def stems(e: Basic) -> Iterator[str]:
    """Names for the variable that e binds, the first choice first: s, s', s'' or x, y, z."""
    stem = bound_stem(e)
    if B.scope_sort(e) == K.REAL and stem == REALS[0]:
        yield from REALS
    while True:
        yield stem
        stem += "'"


def bound_stem(e: Basic) -> str:
    """The letter for the variable that e binds; naturals are n or T where they are a size."""
    sort = B.scope_sort(e)
    body = e.args[B.binds(e).index(1)]
    if sort == K.NAT:
        if _is_size(body, K.Words, 0):
            return "n"
        if _is_size(body, K.Range, 0):
            return "T"
        return "n" if isinstance(e, K.Lim) else letter_of("natural")
    point = e.args[1] if isinstance(e, K.HasD) else None
    if isinstance(e, K.Lim) and isinstance(e.args[0], K.Near):
        point = e.args[0].args[0]
    if isinstance(point, K.Var) and isinstance(point.tag, str):
        return point.tag.split("~")[0].rstrip("0123456789") or "x"
    if sort == K.REAL and _is_parameter(body, 0):
        return "theta"
    return letter_of(sort_name(sort)) or "i"


def parameters(f: K.Fn) -> int:
    """How many leading arguments are written below the name: a parameter or a time, then members
    of sets: mu(t, s) is μ_t(s), pi(theta, a, s) is π_θ(a|s)."""
    return next((i for i, d in enumerate(f.domain) if d not in (K.REAL, K.NAT)), 0)


def _is_parameter(e: Basic, depth: int) -> bool:
    """Whether the variable bound `depth` binders above is the parameter of some function."""
    if isinstance(e, K.App) and parameters(e.fn) and uses(e.args[1], depth):
        return e.fn.domain[0] == K.REAL
    return any(_is_parameter(x, depth + b) for x, b in zip(e.args, B.binds(e), strict=True))


def _is_size(e: Basic, head: type[Basic], depth: int) -> bool:
    """Whether the variable bound `depth` binders above is part of the size of such a set."""
    if isinstance(e, head) and uses(e.args[-1], depth):
        return True
    return any(_is_size(x, head, depth + b) for x, b in zip(e.args, B.binds(e), strict=True))


def uses(e: Basic, depth: int) -> bool:
    """Whether the variable bound `depth` binders above e occurs in it."""
    if isinstance(e, K.Bound):
        return e.tag == depth
    return any(uses(x, depth + b) for x, b in zip(e.args, B.binds(e), strict=True))


def free_stems(formulas: Sequence[Basic]) -> dict[Basic, str]:
    """One name for each free variable: the author's where there is one, primed until unused."""
    found = {v for p in formulas for v in B.variables(p)}
    out: dict[Basic, str] = {}
    for v in sorted(found, key=lambda v: (not _is_authors(v), str(v.tag), str(v.sort))):
        stem = _stem(v)
        while stem in out.values():
            stem += "'"
        out[v] = stem
    return out


def _is_authors(v: K.Variable) -> bool:
    return isinstance(v, K.Var) and isinstance(v.tag, str) and "~" not in v.tag


def _stem(v: K.Variable) -> str:
    if isinstance(v, K.Var) and isinstance(v.tag, str):
        return v.tag.split("~")[0]
    return letter_of(sort_name(v.sort)) or "i"


def mentions(body: Basic, v: K.Variable) -> bool:
    """Whether the variable v of the outside occurs in the body of a binder."""
    return uses(body, v.tag + 1) if isinstance(v, K.Bound) else v in B.variables(body)
