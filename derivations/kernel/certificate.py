"""Certificates: a proof as data, and `replay`, the only authority for the word "proved".

A body is a JSON object: a table of nodes (terms), the hypotheses, the parts that the theorem
says, and flat steps (rule, arguments, premises, conclusion).  A certificate holds a body and the
bodies of all lemmas under it, each filed under the hash of its text: nothing outside is needed.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sympy import Add, Basic, Expr, Mul, Rational

from derivations.kernel import binding as B
from derivations.kernel import rules
from derivations.kernel import terms as K
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import Refused, Term, need

FORMAT = "proofgrad-certificate/1"
Body = dict[str, Any]
Bodies = Mapping[str, Body]


class Unusable(Exception):
    """The input is not a certificate at all (malformed JSON, wrong shape, nested too deeply)."""


class Replayed(NamedTuple):
    """What a certificate proves.  `gaps` is empty exactly when everything is proved."""

    name: str
    hypotheses: tuple[Term, ...]
    says: tuple[tuple[str, Term], ...]
    sequents: tuple[Sequent, ...]
    signs: tuple[Term, ...]
    axioms: tuple[str, ...]
    uses: tuple[str, ...]
    generic: bool
    gaps: tuple[str, ...]
    steps: int


Known = dict[str, Replayed]

# ------------------------------------------------------------------ reading terms and arguments

_NUMBERS: dict[str, Callable[[str, Any], Term]] = {
    "Bound": lambda k, sort: K.Bound(int(k), sort),
    "Q": lambda p, q: Rational(int(p), int(q)),
}
_OTHERS = (Add, Mul, K.App, K.Named, K.Fin, K.Fn, K.Var)
HEADS: dict[str, Any] = {h.__name__: h for h in (*B.SHAPE, *_OTHERS)} | _NUMBERS


def decode_nodes(nodes: Sequence[Sequence[Any]]) -> list[Term]:
    """The terms of a node table.  A node is a head and its arguments: the number of an earlier
    node, or a string for a name or a number."""
    out: list[Term] = []
    for head, *rest in nodes:
        need(head in HEADS, "{} is not a term of the kernel", head)
        args: list[Any] = [x if isinstance(x, str) else _at(out, x) for x in rest]
        # SymPy's own constructors compute: they get real terms only, and no huge powers.
        real = head not in ("Add", "Mul", "Pow") or all(isinstance(x, Expr) for x in args)
        huge = head == "Pow" and real and args[1].is_Rational and abs(args[1]) > 99
        need(real and not huge, "{} of {} cannot be read", head, args)
        out.append(HEADS[head](*args))
    return out


def _at(items: Sequence[Any], i: Any) -> Any:
    need(type(i) is int and 0 <= i < len(items), "{} is not the number of an earlier item", i)
    return items[i]


def decode(x: Any, terms: Sequence[Term]) -> Any:
    """A rule's argument: {"t": term}, {"m": [[term, term], ...]}, a list, a string or a number."""
    if isinstance(x, dict):
        return _at(terms, x["t"]) if "t" in x else {_at(terms, k): _at(terms, v) for k, v in x["m"]}
    return [decode(y, terms) for y in x] if isinstance(x, list) else x


def apply(rule: str, premises: Sequence[Sequent], args: Mapping[str, Any]) -> Sequent:
    """Apply a primitive rule to premises, refusing ill-formed arguments by name."""
    method: Any = None if rule.startswith("_") else vars(rules).get(rule)
    need(getattr(method, "__module__", "") == rules.__name__, "there is no rule {}", rule)
    _check([*args.values()])
    made: Sequent = method(premises, **args)
    need(isinstance(B.check(made.concl), K.Formula), "{} is not a formula", made.concl)
    return made


def _check(x: Any) -> None:
    """Closed terms, lists, maps, names and whole numbers; a float would make arithmetic inexact."""
    if isinstance(x, Basic):
        B.check(x)
        return
    many = isinstance(x, (Mapping, list, tuple))
    need(many or x is None or type(x) in (int, str), "{} is not an argument of a rule", x)
    for y in [*x, *x.values()] if isinstance(x, Mapping) else x if many else ():
        _check(y)


# ------------------------------------------------------------------ replay


def content_hash(body: Body) -> str:
    """The hash of a body's canonical text."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


_FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError)


@contextmanager
def _reading() -> Generator[None]:
    try:
        yield
    except (*_FAULTS, RecursionError) as e:
        raise Unusable(f"not a certificate: {type(e).__name__}: {e}") from None


def replay_text(text: str) -> Replayed:
    """Replay a certificate given as JSON text.

    Raises `Unusable` for what is no certificate, `Refused` for a step that does not follow.
    """
    with _reading():
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        return replay(data["main"], data["bodies"], {})


def replay(main: str, bodies: Bodies, known: Known) -> Replayed:
    """Recompute every step of the body `main`.  `known` keeps results by content hash."""
    with _reading():
        return _replay(main, bodies, known, ())


def _replay(h: str, bodies: Bodies, known: Known, above: tuple[str, ...]) -> Replayed:
    if h in known:
        return known[h]
    need(h not in above, "the lemmas cite each other in a circle")
    body = bodies[h]
    need(content_hash(body) == h, "the body filed under {} is another one", h[:12])
    terms = decode_nodes(body["nodes"])
    done: list[Sequent] = []
    uses: dict[str, None] = {}
    gaps: dict[str, None] = {}
    for number, (rule, args, premises, concl) in enumerate(body["steps"]):
        try:
            given = [_at(done, i) for i in premises]
            decoded = {k: decode(v, terms) for k, v in args.items()}
            if rule == "lemma":
                cited = decoded["certificate"]
                below = _replay(cited, bodies, known, (*above, h)) if cited in bodies else None
                uses[decoded["name"]] = None
                gaps |= dict.fromkeys(below.gaps if below else [f"{decoded['name']} is missing"])
                made = _lemma(below, decoded)
            else:
                made = apply(rule, given, decoded)
            need(made.concl == _at(terms, concl), "it concludes {}", made.concl)
        except Refused as e:
            raise Refused(f"{body['name']}, step {number} ({rule}): {e}") from None
        done.append(made)
    known[h] = _finish(body, terms, done, tuple(uses), tuple(gaps))
    return known[h]


def _lemma(found: Replayed | None, args: Mapping[str, Any]) -> Sequent:
    """A part of an embedded certificate; when that is missing, the stated formula and a gap."""
    stated = Sequent(frozenset(args["hypotheses"]), args["formula"], frozenset())
    if found is None:
        _check([*stated.hyps, stated.concl])
        return stated
    parts = {part: s for (part, _), s in zip(found.says, found.sequents, strict=True)}
    made = parts.get(args["part"])
    same = found.name == args["name"] and made is not None and made[:2] == stated[:2]
    need(same, "{} says something else", found.name)
    return made or stated


def _finish(
    body: Body, terms: list[Term], done: list[Sequent], uses: tuple[str, ...], gaps: Any
) -> Replayed:
    """The last conclusions are what the theorem says, under no more than its hypotheses."""
    name, hyps = str(body["name"]), tuple(_at(terms, i) for i in body["hypotheses"])
    says = tuple((str(part), _at(terms, i)) for part, i, _ in body["says"])
    proofs = tuple(_at(done, s) for _, _, s in body["says"])
    signs = tuple(_at(done, i) for i in body["well_defined"])
    need(len(says) == len(dict(says)) > 0, "{}: no part, or two of one name", name)
    for (part, formula), made in zip(says, proofs, strict=True):
        need(made.concl == formula, "{}, part {}: proved {}", name, part, made.concl)
    for made in (*proofs, *signs):
        need(made.hyps <= {*hyps}, "{}: a hypothesis is not listed: {}", name, made.hyps)
    formulas = [*hyps, *[p for _, p in says]]
    for p in formulas:
        need(isinstance(B.check(p), K.Formula), "{}: {} is no formula", name, p)
    axioms = sorted(frozenset().union(*[p.axioms for p in (*proofs, *signs)]))
    need(axioms == body["axioms"], "{}: its axioms are {}", name, axioms)
    every = (tuple(axioms), uses, is_generic(formulas), gaps, len(done))
    return Replayed(name, hyps, says, proofs, tuple(s.concl for s in signs), *every)


def is_generic(formulas: Sequence[Term]) -> bool:
    """Every Range(n) and Words(X, n) has a symbolic n, and no relation is about sizes alone."""
    for e in [e for p in formulas for e in B.subterms(p)]:
        own, sized = {type(x) for x in B.symbols(e)}, isinstance(e, (K.Range, K.Words))
        fixed = isinstance(e, (K.Eq, K.Le, K.Lt)) and K.Fin in own
        if (fixed or sized) and own.isdisjoint({K.Var, K.Fn, *([K.Bound] if sized else [])}):
            return False
    return True
