"""Certificates: a proof as data, and `replay`, the only authority for the word "proved".

A body is a JSON object: a table of nodes (terms), the hypotheses, the parts that the theorem
says, and flat steps (rule, arguments, premises, conclusion).  A certificate holds a body and the
bodies of all lemmas under it, each filed under the hash of its text: nothing outside is needed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sympy import Add, Basic, Mul, Pow, Rational

from derivations.kernel import binding as B
from derivations.kernel import rules
from derivations.kernel import terms as K
from derivations.kernel.rules import Sequent
from derivations.kernel.terms import Refused, need

FORMAT = "proofgrad-certificate/1"


class Unusable(Exception):
    """The input is not a certificate at all (malformed JSON, wrong shape, nested too deeply)."""


class Replayed(NamedTuple):
    """What a certificate proves.  `gaps` is empty exactly when everything is proved."""

    name: str
    hypotheses: tuple[Basic, ...]
    says: tuple[tuple[str, Basic], ...]
    sequents: tuple[Sequent, ...]
    signs: tuple[Basic, ...]
    axioms: tuple[str, ...]
    uses: tuple[str, ...]
    generic: bool
    gaps: tuple[str, ...]
    steps: int


# ------------------------------------------------------------------ terms as nodes

_HEADS = (
    *(K.Prod, K.WordsOf, K.Range, K.Words, K.App, K.Inv, K.Exp, K.Log, K.Max2, K.Delta, K.Card),
    *(K.Sum, K.Max, K.Series, K.Nil, K.Snoc, K.Pair, K.Lam, K.Eq, K.Le, K.Lt, K.Imp, K.All),
    *(K.Lim, K.HasD, K.Infinity, K.Near, K.Right, Add, Mul, Pow),
)
HEADS: Mapping[str, type[Basic]] = {h.__name__: h for h in _HEADS}
Node = list[Any]


def decode_nodes(nodes: Sequence[Node]) -> list[Basic]:
    """The terms of a node table; each node may refer to earlier nodes only."""
    out: list[Basic] = []
    for node in nodes:
        head, *rest = node
        if head == "Q":
            out.append(Rational(_int(rest[0]), _int(rest[1])))
        elif head in ("Var", "Bound"):
            tag = _text(rest[0]) if head == "Var" else _int(rest[0])
            out.append((K.Var if head == "Var" else K.Bound)(tag, _at(out, rest[1])))
        elif head == "Named":
            out.append(_named(rest[0]))
        elif head == "Fin":
            out.append(K.Fin(_text(rest[0])))
        elif head == "Fn":
            out.append(K.Fn(_text(rest[0]), *[_at(out, i) for i in rest[1:]]))
        else:
            need(head in HEADS, "{} is not a term of the kernel", head)
            out.append(HEADS[head](*[_at(out, i) for i in rest]))
    return out


def _named(name: object) -> Basic:
    need(name in ("real", "natural"), "{} is not a sort", name)
    return K.REAL if name == "real" else K.NAT


def _int(x: object) -> int:
    need(isinstance(x, int) and not isinstance(x, bool), "{} is not an integer", x)
    assert isinstance(x, int)
    return x


def _text(x: object) -> str:
    need(isinstance(x, str), "{} is not a name", x)
    assert isinstance(x, str)
    return x


def _at(terms: Sequence[Basic], i: object) -> Basic:
    n = _int(i)
    need(0 <= n < len(terms), "node {} is not defined before it is used", n)
    return terms[n]


# ------------------------------------------------------------------ arguments of rules


def decode(x: Any, terms: Sequence[Basic]) -> Any:
    """The inverse of encode."""
    if isinstance(x, dict):
        if "t" in x:
            return _at(terms, x["t"])
        return {_at(terms, k): _at(terms, v) for k, v in x["m"]}
    return [decode(y, terms) for y in x] if isinstance(x, list) else x


def apply(rule: str, premises: Sequence[Sequent], args: Mapping[str, Any]) -> Sequent:
    """Apply a primitive rule to premises, refusing ill-formed arguments by name."""
    method = getattr(rules, rule, None)
    known = getattr(method, "__module__", "") == rules.__name__ and not rule.startswith("_")
    need(known and method is not Sequent, "there is no rule {}", rule)
    for x in args.values():
        _check(x)
    assert method is not None
    return method(premises, **args)


def _check(x: Any) -> None:
    if isinstance(x, Basic):
        need(B.loose(x) == 0, "{} has a loose bound variable", x)
        need(not any(isinstance(v, K.Slot) for v in B.variables(x)), "{} has a slot", x)
        B.check(x)
    elif isinstance(x, Mapping):
        for k, v in x.items():
            _check(k)
            _check(v)
    elif isinstance(x, (list, tuple)):
        for y in x:
            _check(y)


# ------------------------------------------------------------------ replay

Body = dict[str, Any]


def content_hash(body: Body) -> str:
    """The hash of a body's canonical text."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def replay_text(text: str) -> Replayed:
    """Replay a certificate given as JSON text.

    Raises `Unusable` for what is no certificate, `Refused` for a step that does not follow.
    """
    try:
        data = json.loads(text)
        need(data["format"] == FORMAT, "unknown format {}", data["format"])
        main, bodies = data["main"], data["bodies"]
        assert isinstance(bodies, dict) and isinstance(main, str)
    except (ValueError, RecursionError, KeyError, TypeError, AssertionError, Refused) as e:
        raise Unusable(f"not a certificate: {type(e).__name__}: {e}") from None
    return replay(main, bodies)


def replay(
    main: str, bodies: Mapping[str, Body], known: dict[str, Replayed] | None = None
) -> Replayed:
    """Recompute every step of the body `main`.  `known` keeps results by content hash."""
    results = {} if known is None else known
    try:
        return _replay(main, bodies, results, ())
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, RecursionError) as e:
        raise Unusable(f"not a certificate: {type(e).__name__}: {e}") from None


def _replay(
    h: str, bodies: Mapping[str, Body], results: dict[str, Replayed], above: tuple[str, ...]
) -> Replayed:
    if h in results:
        return results[h]
    need(h not in above, "the lemmas cite each other in a circle")
    body = bodies[h]
    need(content_hash(body) == h, "the body filed under {} is another one", h[:12])
    terms = decode_nodes(body["nodes"])
    done: list[Sequent] = []
    uses: dict[str, None] = {}
    gaps: dict[str, None] = {}
    for number, (rule, args, premises, concl) in enumerate(body["steps"]):
        try:
            given = [done[i] for i in premises if 0 <= _int(i) < number or _later(i)]
            decoded = {k: decode(v, terms) for k, v in args.items()}
            if rule == "lemma":
                lemmas = (bodies, results, (*above, h))
                made = _lemma(decoded, lemmas, uses, gaps)
            elif rule == "gap":
                made = Sequent(frozenset(), decoded["formula"], frozenset())
                gaps[f"step {number}: {decoded['why']}"] = None
            else:
                made = apply(rule, given, decoded)
            need(made.concl == _at(terms, concl), "it concludes {}", made.concl)
        except Refused as e:
            raise Refused(f"{body['name']}, step {number} ({rule}): {e}") from None
        done.append(made)
    results[h] = _finish(body, terms, done, tuple(uses), tuple(gaps))
    return results[h]


def _later(i: object) -> bool:
    raise Refused(f"premise {i} is not an earlier step")


def _lemma(
    args: Mapping[str, Any],
    lemmas: tuple[Mapping[str, Body], dict[str, Replayed], tuple[str, ...]],
    uses: dict[str, None],
    gaps: dict[str, None],
) -> Sequent:
    """A part of an embedded certificate; a gap with the stated formula when it is missing."""
    bodies, results, above = lemmas
    name, part = _text(args["name"]), _text(args["part"])
    uses[name] = None
    stated = Sequent(frozenset(args["hypotheses"]), args["formula"], frozenset())
    if args["certificate"] not in bodies:
        gaps[f"the lemma {name} ({part}) is missing"] = None
        return stated
    found = _replay(args["certificate"], bodies, results, above)
    for gap in found.gaps:
        gaps[gap] = None
    need(found.name == name, "the lemma cited as {} is {}", name, found.name)
    for (have, _), sequent in zip(found.says, found.sequents, strict=True):
        if have == part:
            same = sequent.hyps == stated.hyps and sequent.concl == stated.concl
            need(same, "{} ({}) says something else", name, part)
            return sequent
    raise Refused(f"{name} has no part {part}")


def _finish(
    body: Body,
    terms: list[Basic],
    done: list[Sequent],
    uses: tuple[str, ...],
    gaps: tuple[str, ...],
) -> Replayed:
    """The last conclusions are what the theorem says, under no more than its hypotheses."""
    hyps = tuple(_at(terms, i) for i in body["hypotheses"])
    says = tuple((_text(part), _at(terms, i)) for part, i, _ in body["says"])
    proofs = tuple(done[_int(s)] for _, _, s in body["says"])
    name = _text(body["name"])
    need(len(says) > 0, "{} says nothing", name)
    for (part, formula), made in zip(says, proofs, strict=True):
        need(made.concl == formula, "{}, part {}: proved {}", name, part, made.concl)
        extra = made.hyps - frozenset(hyps)
        need(not extra, "{}, part {}: unlisted hypothesis {}", name, part, next(iter(extra), None))
    signs = [done[_int(i)] for i in body["well_defined"]]
    need(all(s.hyps <= frozenset(hyps) for s in signs), "{}: a sign has other hypotheses", name)
    for p in (*hyps, *[p for _, p in says]):
        need(B.check(p) == p and B.loose(p) == 0, "{} is not closed", p)
    axioms = frozenset().union(*[p.axioms for p in (*proofs, *signs)])
    need(sorted(axioms) == body["axioms"], "{}: its axioms are {}", name, sorted(axioms))
    generic = is_generic([*hyps, *[p for _, p in says]])
    signs = tuple(s.concl for s in signs)
    used = tuple(sorted(axioms))
    return Replayed(name, hyps, says, proofs, signs, used, uses, generic, gaps, len(done))


def is_generic(formulas: Sequence[Basic]) -> bool:
    """Every Range(n) and Words(X, n) has a symbolic n, and no hypothesis fixes a set's size."""
    for e in [e for p in formulas for e in B.subterms(p)]:
        sized = isinstance(e, (K.Range, K.Words))
        if sized and not any(isinstance(x, K.Variable) for x in B.subterms(e.args[-1])):
            return False
        if isinstance(e, K.Eq) and any(isinstance(x, K.Card) for x in e.args):
            return any(not isinstance(x, (K.Card, Rational)) for x in e.args)
    return True
