"""A theorem's page: from its record, and from nothing else, to Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.formats import words_of
from docs.hypotheses import hypotheses, repeats
from docs.markup import (
    anchor,
    attribute,
    box,
    display,
    in_code,
    inline,
    page,
    paragraphs,
    plain,
    sentence,
    status_mark,
    table,
)
from docs.plots import plot_of
from docs.record import Numbers, Record, Row
from docs.site import Site, href, link, path_of
from numerics.commands.show import HOW

FOLDED = 12  # more lines than that, and the proof can be folded
RULES = "rules.md"
# Where the rules page says what a way of reasoning rests on.
ANCHORS = {
    "algebra": "rule-normal-form",
    "split": "rule-by-order",
    "order": "rule-by-order",
    "letters": "rule-by-letters",
    "induct": "rule-induction",
    "limit": "axiom-limit-of-sum",
    "squeeze": "axiom-limit-by-squeezing",
    "monotone_on": "axiom-nonnegative-derivative-is-monotone",
    "dominated": "axiom-dominated-series-converges",
    "taylor": "axiom-taylor-with-peano-remainder",
}


def theorem_page(r: Record, site: Site) -> str:
    """The whole page of one theorem."""
    title, lead = sentence(r.name), r.doc.partition("\n")[0]
    return page(
        title,
        lead or title,
        f"# {title}",
        verdict(r),
        box("lead", paragraphs(r.doc)) if r.doc else "",
        "## Statement",
        *statement(r),
        *picture(r),
        *symbols(r),
        *hypotheses(r),
        *example(r),
        "## Proof",
        *proof(r, site),
        *foundations(r, site),
        *crosscheck(r),
        *source(r, site),
        boost=4,
    )


def verdict(r: Record) -> str:
    """The status, as replay found it in this build."""
    if r.status == "refused":
        assert r.refusal is not None
        where = f"line {r.refusal.line} of `{r.file}`" if r.refusal.line else f"`{r.file}`"
        message = f'<pre class="refusal">{attribute(r.refusal.message)}</pre>'
        said = f"{status_mark(r.status)} The proof is refused at {where}."
        return box("verdict refused", f"{said}\n\n{message}")
    size = "for sets of every size" if r.generic else "for the sizes stated"
    steps = f"by replay of {r.steps} kernel steps, {size}"
    if r.status == "gap":
        gaps = "; ".join(map(plain, r.gaps))
        return box("verdict gap", f"{status_mark(r.status)} {steps}, but not all of it: {gaps}.")
    numbers = f" {short_numbers(r.numbers)}" if r.numbers else ""
    return box("verdict proved", f"{status_mark(r.status)} {steps}.{numbers}")


def short_numbers(n: Numbers) -> str:
    """The cross-check in one sentence."""
    mark = f'<span class="status numbers-{n.verdict}">cross-check {n.verdict}</span>'
    return f"{mark} on {n.models} random models."


# ------------------------------------------------------------------ statement


def statement(r: Record) -> Iterator[str]:
    """The parts, each with an address of its own."""
    for s in r.says:
        name = f'<span class="name">{plain(s.name)}</span>\n\n' if len(r.says) > 1 else ""
        yield box("part", name + display(s.latex), f"says-{anchor(s.name)}")


def symbols(r: Record) -> Iterator[str]:
    """Sets, numbers and functions with their domains."""
    if not r.symbols:
        return
    yield "## Symbols"
    rows = [f"<li markdown>\n\n{inline(s.latex + ' ' + s.domain)}\n\n</li>" for s in r.symbols]
    yield '<ul class="symbols" markdown>\n' + "\n".join(rows) + "\n</ul>"


def picture(r: Record) -> Iterator[str]:
    """A drawing, for a proved theorem that has one."""
    drawn = plot_of(r.name) if r.status == "proved" else ""
    if drawn:
        yield drawn


def example(r: Record) -> Iterator[str]:
    """The author's worked example, then every part in a model that was computed."""
    if r.example or r.worked:
        yield "## Example"
    if r.example:
        yield box("example", paragraphs(r.example))
    if r.worked:
        model = f"In the model {in_code(r.worked.model)}" if r.worked.model else "In numbers"
        yield f"{model}, computed when this page was built:"
        rows = [
            (f"[{plain(part.replace('_', ' '))}](#says-{anchor(part)})", plain(at), in_code(said))
            for part, at, said in r.worked.rows
        ]
        somewhere = any(at for _, at, _ in r.worked.rows)
        head = ("part", "at", "both sides")
        kept = [0, 1, 2] if somewhere else [0, 2]
        yield table([head[i] for i in kept], [[row[i] for i in kept] for row in rows])


# ------------------------------------------------------------------ proof


def proof(r: Record, site: Site) -> Iterator[str]:
    """A numbered line a step; a long proof can be folded."""
    lines = [line(i, row, r, site) for i, row in enumerate(r.rows, 1)]
    body = '<ol class="proof" markdown>\n' + "\n".join(lines) + "\n</ol>"
    if len(lines) > FOLDED:
        summary = f"<summary>{len(lines)} lines</summary>"
        body = f'<details class="whole" open markdown>\n{summary}\n\n{body}\n\n</details>'
    yield body
    if r.status == "refused" and r.refusal is not None:
        yield box("verdict refused", f"{status_mark('refused')} here, at step {r.refusal.step}.")


def line(number: int, row: Row, r: Record, site: Site) -> str:
    """One line: formula, reason, name."""
    kind = "step continues" if row.continues else "step"
    name = row.said.name if not repeats(row.said) else ""
    called = f' <span class="name">{plain(name)}</span>' if name else ""
    reason = f'<div class="reason" markdown>\n\n{why(row, number, r, site)}{called}\n\n</div>'
    body = f"{display(row.said.latex)}\n\n{reason}"
    return f'<li class="{kind}" id="line-{number}" markdown="block">\n\n{body}\n\n</li>'


def why(row: Row, number: int, r: Record, site: Site) -> str:
    """The reason of a line: the rule or axiom behind it, and each fact, as links."""
    facts = "; ".join(reason_link(name, number, r, site) for name in row.reasons)
    if row.how and facts:
        return f"by {rule_link(row.how, r)}, from {facts}"
    return f"by {rule_link(row.how or 'algebra', r) if row.how or not facts else facts}"


def rule_link(how: str, r: Record) -> str:
    """A way of reasoning, linked to the kernel's rule or to the axiom that it rests on."""
    said = plain(HOW.get(how, how))
    place = ANCHORS.get(how)
    return f"[{said}]({link(path_of(r.id), RULES, place)})" if place else said


def reason_link(name: str, number: int, r: Record, site: Site) -> str:
    """A theorem, an axiom, an earlier line or a hypothesis; plain text if it is none of these."""
    shown = plain(words_of(name))
    cited, _, part = name.partition(" (")
    target = site.by_id.get(cited)
    if target is not None and target.id in r.uses:
        said = sentence(target.name).lower() + (f" ({part}" if part else "")
        fragment = f"says-{anchor(part)}" if part else ""
        return f"[{plain(said)}]({link(path_of(r.id), path_of(target.id), fragment)})"
    if name in site.laws:
        return f"[{shown}]({link(path_of(r.id), RULES, anchor('axiom ' + site.laws[name]))})"
    earlier = [i for i, x in enumerate(r.rows[: number - 1], 1) if x.said.name == words_of(name)]
    if earlier:
        return f"[{shown}](#line-{earlier[-1]})"
    known = [i for i, s in enumerate(r.given, 1) if s.name == words_of(name)]
    return f"[{shown}](#given-{known[0]})" if known else shown


# ------------------------------------------------------------------ what it rests on


def foundations(r: Record, site: Site) -> Iterator[str]:
    """Axioms, transitively; theorems that it cites; theorems that cite it."""
    here = path_of(r.id)
    yield "## Rests on"
    axioms = [
        f"[{plain(sentence(a).lower())}]({link(here, RULES, anchor('axiom ' + a))})"
        for a in r.axioms
    ]
    yield "**Axioms**, also through the theorems that it cites: " + (
        ", ".join(axioms) + "." if axioms else "none."
    )
    yield "**Theorems**: " + (_theorems(r.uses, here, site) or "none.")
    yield "**Used by**: " + (_theorems(site.used_by.get(r.id, []), here, site) or "none yet.")


def _theorems(ids: list[str] | tuple[str, ...], here: str, site: Site) -> str:
    known = [site.by_id[i] for i in ids if i in site.by_id]
    links = [
        f"[{plain(sentence(t.name).lower())}]({link(here, path_of(t.id))})"
        + ("" if t.status == "proved" else f" {status_mark(t.status)}")
        for t in known
    ]
    return ", ".join(links) + "." if links else ""


def crosscheck(r: Record) -> Iterator[str]:
    """What random models say, and how many false statements they would have refuted."""
    yield "## Cross-check"
    n = r.numbers
    if n is None:
        yield "Not run in this build."
        return
    worst = f"$10^{{{n.exponent}}}$" if n.exponent is not None else "zero"
    below = f"below {worst}" if n.exponent is not None else worst
    said = f'<span class="status numbers-{n.verdict}">{n.verdict}</span>'
    yield (
        f"{said} The statement and every line of the proof were evaluated in double precision on "
        f"{n.models} random finite models that satisfy the hypotheses; the worst relative residual "
        f"is {below}."
    )
    if n.why:
        yield f"Why: {plain(n.why)}."
    if n.mutants:
        yield (
            f"Power: {n.refuted} of {n.mutants} false variants of the statement (a sign, a swapped "
            "function, a dropped factor, a changed constant …) are refuted by the same models."
        )
    if n.survivors:
        rows = "\n".join(f"- {in_code(s)}" for s in n.survivors)
        yield f"Not refuted:\n\n{rows}"


def source(r: Record, site: Site) -> Iterator[str]:
    """The file, the certificate, and how to cite the page."""
    yield "## Source"
    name = r.id
    yield f"The proof is `{r.file}`. Replay it with `proofgrad prove {r.name}`."
    if r.certificate is not None:
        at = href(path_of(r.id), f"certificates/{name}.json")
        yield (
            f'<a href="{at}" download>The certificate</a> holds every step as data; '
            f"`proofgrad replay {name}.json` recomputes it without this project's proofs."
        )
    v = site.release
    cite = f"proofgrad {v.version}, theorem {name} (commit {v.commit}, {v.date})."
    yield f"Cite as: {in_code(cite)}"
