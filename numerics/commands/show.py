"""`proofgrad show`: a theorem as mathematics, from the replayed certificate."""

import inspect
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from numerics.commands.options import FAIL, PASS, UNUSABLE

if TYPE_CHECKING:
    from derivations.tactics.context import Line
    from derivations.tactics.theorem import Proof

Name = Annotated[str, typer.Argument(metavar="NAME|FILE:NAME", help="a theorem")]
HOW = {
    "split": "cases, zero or positive",
    "letters": "cases, equal letters or not",
    "order": "cases, which is larger",
    "induct": "induction",
    "limit": "passing to the limit",
    "squeeze": "squeezing",
    "monotone_on": "monotonicity",
    "via": "rewriting the function",
    "dominated": "dominated convergence",
    "taylor": "Taylor's formula",
}
WIDTH = 100
RELATIONS = (" = ", " ≤ ", " < ", " ≥ ", " > ", " ⇒ ")


def command(name: Name) -> None:
    """Show a theorem: statement, hypotheses, the lines of its proof with their reasons."""
    from derivations.library import Unusable, select

    try:
        found = [_page(t.name, t) for t in select(name)]
    except Unusable as error:
        print(f"unusable input: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None
    print("\n\n".join(text for text, _ in found))
    raise typer.Exit(PASS if all(fine for _, fine in found) else FAIL)


def _page(name: str, theorem: object) -> tuple[str, bool]:
    from numerics.proving import proved
    from numerics.refusal import NOT_SEARCHED, message

    proof = proved(theorem)  # pyright: ignore[reportArgumentType]
    out = [*_head(proof), "", *_statement(proof), "", *_proof(proof)]
    if proof.refusal is not None:
        out += ["", message(proof, NOT_SEARCHED)]
    else:
        out += ["", *_foundations(proof)]
    return "\n".join(line.rstrip() for line in out), proof.status == "proved"


def _head(proof: "Proof") -> Iterator[str]:
    from numerics.refusal import place

    t = proof.theorem
    yield t.name
    yield f"{place(t.file)}:{t.line}"
    yield ""
    yield inspect.cleandoc(t.doc)


def _statement(proof: "Proof") -> Iterator[str]:
    from derivations.language.formats import words_of
    from derivations.language.printing import text

    theorem, replayed = proof.theorem, proof.replayed
    given = replayed.hypotheses if replayed else [h.formula for h in theorem.given]
    says = replayed.says if replayed else [*theorem.statement().items()]
    names = {h.formula: words_of(h.name) for h in theorem.given}
    if given:
        yield "Given"
        yield from _columns([(text(p), names.get(p, "")) for p in given])
        yield ""
    yield "Then"
    yield from _columns(
        [(text(p), part.replace("_", " ") if len(says) > 1 else "") for part, p in says]
    )


def _columns(rows: list[tuple[str, str]], gap: int = 3) -> Iterator[str]:
    """Formulas on the left, what they are called on the right."""
    width = max((len(left) for left, _ in rows if len(left) <= WIDTH - 30), default=40) + gap
    for said, name in rows:
        called = f"({name})" if name and not _same(name, said) else ""
        *above, last = _broken(said)
        yield from (f"  {x}" for x in above)
        if len(last) >= width and called:
            yield f"  {last}"
            last = ""
        yield f"  {last:<{width}}{called}"


def _same(name: str, said: str) -> bool:
    return name.replace(" ", "") == said.replace(" ", "")


def _broken(said: str) -> list[str]:
    """A long formula on two lines, broken at the relation nearest to its middle."""
    if len(said) <= WIDTH or said.startswith(" "):  # short, or the next line of a chain
        return [said]
    depth, places = 0, []
    for i, letter in enumerate(said):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and said[i : i + 3] in RELATIONS:
            places.append(i)
    if not places:
        return [said]
    at = min(places, key=lambda i: abs(2 * i - len(said)))
    return [said[:at], "    " + said[at + 1 :]]


def _proof(proof: "Proof") -> Iterator[str]:
    from derivations.kernel import terms as K
    from derivations.language.formats import words_of
    from derivations.language.printing import text

    yield "Proof"
    before: Line | None = None
    wide = len(str(len(proof.lines))) + 2
    for number, line in enumerate(proof.lines, 1):
        said = text(line.formula)
        if before is not None and not before.name and _continues(before, line):
            left = text(line.formula.args[0])
            if said.startswith(left):
                said = " " * 4 + said[len(left) :].strip()
        first, *more = _broken(said)
        called = words_of(line.name)
        name = f"   — {called}" if called and not _same(called, said) else ""
        yield f"{number:>{wide}}. {first}"
        yield from (f"{'':>{wide}}  {x}" for x in more)
        yield f"{'':>{wide}}      {_reason(line)}{name}"
        before = line if isinstance(line.formula, (K.Eq, K.Le, K.Lt)) else None


def _continues(before: "Line", line: "Line") -> bool:
    """A chain: what the line before ended with is what this line begins with."""
    from derivations.kernel import terms as K

    relation = isinstance(line.formula, (K.Eq, K.Le, K.Lt))
    return relation and before.formula.args[1] == line.formula.args[0]


def _reason(line: "Line") -> str:
    from derivations.language.formats import words_of

    facts = "; ".join(dict.fromkeys(_short(words_of(name)) for name in line.reasons))
    how = HOW.get(line.how, line.how)
    if how and facts:
        return f"by {how}, from {facts}"
    return f"by {how or facts or 'algebra'}"


def _short(reason: str) -> str:
    """A cited theorem without its chapter; its full id stands at the foot of the page."""
    chapter, dot, name = reason.partition(".")
    return name if dot and chapter.isidentifier() and name.split(" ")[0].isidentifier() else reason


def _foundations(proof: "Proof") -> Iterator[str]:
    from derivations.kernel import axioms

    replayed = proof.replayed
    assert replayed is not None
    if replayed.uses:
        yield "Rests on the theorems"
        for name in replayed.uses:
            yield f"  {name}"
        yield ""
    yield "Rests on the axioms" if replayed.axioms else "Rests on no axiom."
    for name in replayed.axioms:
        doc = " ".join((getattr(axioms, name).__doc__ or "").split())
        yield f"  {name.replace('_', ' ')}: {doc}"
    size = "for sets of every size" if replayed.generic else "for the sizes stated"
    yield ""
    yield f"{proof.status.capitalize()} by replay of {replayed.steps} kernel steps, {size}."
