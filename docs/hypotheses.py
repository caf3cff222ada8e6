"""The hypotheses of a theorem on its page: what each says, why it is there, and a model of all the
others in which the statement fails."""

from __future__ import annotations

from collections.abc import Iterator

from docs.markup import anchor, display, in_code, plain
from docs.record import Record, Said, Without

HEADS = {
    "fails": "Without it the statement fails",
    "no value": "Without it the statement has no value",
}

SEARCHED = (
    "Under each stands what becomes of the statement when this one alone is dropped: small models "
    "of the others are tried when the page is built. As everywhere in the kernel, 1/0 counts as 0."
)


def hypotheses(r: Record) -> Iterator[str]:
    """What is assumed, numbered as the proof's reasons refer to it."""
    yield "## Hypotheses"
    if not r.given:
        yield "None."
        return
    if r.without:
        yield SEARCHED
    yield '<ol class="given" markdown>'
    for number, s in enumerate(r.given, 1):
        called = "" if repeats(s) else f'<span class="name">{plain(s.name)}</span> '
        parts = [called, display(s.latex), *because(r, number - 1)]
        body = "\n\n".join(part for part in parts if part)
        yield f'<li id="given-{number}" markdown="block">\n\n{body}\n\n</li>'
    yield "</ol>"


def repeats(s: Said) -> bool:
    """Is a formula's name the formula itself?"""
    return not s.name or s.name.replace(" ", "") == s.text.replace(" ", "")


def because(r: Record, place: int) -> Iterator[str]:
    """The author's reason, then what random models say."""
    if place < len(r.why) and r.why[place]:
        yield f'<p class="why">{plain(r.why[place])}</p>'
    if place < len(r.without):
        yield without(r.without[place], several=len(r.says) > 1)


def without(w: Without, several: bool) -> str:
    """What becomes of the statement when only this hypothesis is dropped."""
    if w.kind == "unused":
        return '<p class="without">The proof does not use it.</p>'
    if w.kind in ("none", "open"):
        tried = f"{w.models} models of the other hypotheses were tried" if w.models else ""
        said = f"No model was found that breaks the statement without it ({tried})."
        if not tried:
            said = "No model of the other hypotheses was found, so none that breaks the statement."
        if w.kind == "open":
            said += f" But the check of statements no longer sees that {in_code(w.why)} is defined."
        return f'<p class="without">{said}</p>'
    part = f'<a href="#says-{anchor(w.part)}">{plain(_words(w.part))}</a>' if several else "it"
    broken = (
        f"{part} fails: {plain(w.why)}"
        if w.kind == "fails"
        else f"{part} asks for the logarithm of a number that is not positive"
    )
    model = f"In the model {in_code(w.model)} every other hypothesis holds, and {broken}."
    return f'<details class="without"><summary>{HEADS[w.kind]}</summary><p>{model}</p></details>'


def _words(part: str) -> str:
    return part.replace("_", " ")
