"""`proofgrad show`: a theorem as mathematics, from the replayed certificate."""

import sys
import textwrap
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
    "order": "cases, by order",
    "induct": "induction",
    "limit": "passing to the limit",
    "squeeze": "squeezing",
    "monotone_on": "monotonicity",
}
WIDTH = 100


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
    for paragraph in t.doc.split("\n\n"):
        yield textwrap.fill(" ".join(paragraph.split()), WIDTH)


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
    yield from _columns([(text(p), part if len(says) > 1 else "") for part, p in says])


def _columns(rows: list[tuple[str, str]], gap: int = 3) -> Iterator[str]:
    """Formulas on the left, what they are called on the right."""
    width = min(max((len(left) for left, _ in rows), default=0), WIDTH - 30)
    for left, right in rows:
        same = right.replace(" ", "") == left.replace(" ", "")
        if right and not same and len(left) > width:
            yield f"  {left}"
            yield f"  {'':<{width + gap}}({right})"
        else:
            yield f"  {left:<{width + gap}}{f'({right})' if right and not same else ''}"


def _proof(proof: "Proof") -> Iterator[str]:
    from derivations.kernel import terms as K
    from derivations.language.printing import text

    yield "Proof"
    before: Line | None = None
    wide = len(str(len(proof.lines)))
    for number, line in enumerate(proof.lines, 1):
        said = text(line.formula)
        if before is not None and not before.name and _continues(before, line):
            left = text(line.formula.args[0])
            if said.startswith(left):
                said = " " * 4 + said[len(left) :].strip()
        name = f"   — {line.name}" if line.name else ""
        yield f"  {number:>{wide}}. {said}"
        yield f"  {'':>{wide}}      {_reason(line)}{name}"
        before = line if isinstance(line.formula, (K.Eq, K.Le, K.Lt)) else None


def _continues(before: "Line", line: "Line") -> bool:
    """A chain: what the line before ended with is what this line begins with."""
    from derivations.kernel import terms as K

    relation = isinstance(line.formula, (K.Eq, K.Le, K.Lt))
    return relation and before.formula.args[1] == line.formula.args[0]


def _reason(line: "Line") -> str:
    from derivations.language.formats import words_of

    facts = "; ".join(map(words_of, line.reasons))
    how = HOW.get(line.how, line.how)
    if how and facts:
        return f"by {how}, from {facts}"
    return f"by {how or facts or 'algebra'}"


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
