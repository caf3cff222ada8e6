"""An objective's page: formula, arguments, options, where it is flat, and its reference code."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

from derivations.language.printing import latex, text
from docs.descents import Answer, Descents
from docs.markup import (
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
from docs.site import Site, link, path_of

MEANING = {
    "logp": "log-probability of each token under the policy, [B,T], nats",
    "logp_old": "the same under the policy that sampled, [B,T], nats",
    "logp_ref": "the same under the reference, [B,T], nats",
    "adv": "advantage, [B] or [B,T]",
    "mask": "1 for a token that counts, 0 for padding, [B,T]",
}


REDUCTIONS = {
    "token-mean": r"\frac{\sum_{b,t} m_{bt}\,\ell_{bt}}{\sum_{b,t} m_{bt}}",
    "seq-mean-token-sum": r"\frac1{B'} \sum_b \sum_t m_{bt}\,\ell_{bt}",
    "seq-mean-token-mean": r"\frac1{B'} \sum_b \frac{\sum_t m_{bt}\,\ell_{bt}}{\sum_t m_{bt}}",
    "seq-mean-token-sum-norm": r"\frac1{B'} \sum_b \frac{\sum_t m_{bt}\,\ell_{bt}}{\text{norm}}",
}
BIG = r"\displaystyle "
NONE_YET = '<span class="none-yet">no theorem yet</span>'


def objective_page(ref: Any, site: Site, plot: str, follows: Descents) -> str:
    """One reference objective; `plot` is its case table with a drawing, or nothing."""
    module = importlib.import_module(ref.function.__module__)
    doc = inspect.getdoc(module) or ""
    here = f"objectives/{ref.name}.md"
    return page(
        ref.name,
        doc.partition("\n")[0],
        f"# {ref.name}",
        paragraphs(doc),
        *formula(ref),
        *reduction(ref),
        *([f"## Cases\n\n{plot}"] if plot else []),
        *descent(follows, here, site),
        *arguments(ref),
        *theorems(doc, here, site),
        "## Properties that are checked",
        properties(ref, here, site),
        "## Reference code",
        code(ref),
    )


def reduction(ref: Any) -> Iterator[str]:
    """How the tokens are put together, where that is an option."""
    how = ref.options.get("reduce")
    if how not in REDUCTIONS:
        return
    yield "## Reduction"
    yield (
        "With the loss ℓ and the mask m of each token and B′ rows that are not empty, under verl's "
        "names:"
    )
    rows = [
        (f"`{name}`" + (", the default" if name == how else ""), inline(BIG + formula))
        for name, formula in REDUCTIONS.items()
    ]
    yield table(("`reduce=`", "loss"), rows)


def descent(follows: Descents, here: str, site: Site) -> Iterator[str]:
    """What its expected gradient follows, as `descend` found it for this build."""
    yield "## What its expected gradient follows"
    if not follows.answers:
        yield f"`descend` has no answer: {plain(follows.why)}."
        return
    yield (
        "Every response of a small policy is enumerated, samples held fixed and options at their "
        "defaults, and the expected gradient of the loss is resolved into known gradients: what "
        "`proofgrad descend` prints, computed when this page was built."
    )
    yield "\n".join(answer(a, here, site) for a in follows.answers)
    if follows.variants:
        yield "With other options, responses of one token:"
        rows = [[in_code(x) for x in (v.options, v.on, v.off)] for v in follows.variants]
        yield table(("options", "on-policy", "off-policy"), rows)


def answer(a: Answer, here: str, site: Site) -> str:
    """One answer with its notes and the theorems behind it."""
    tokens = "one token" if a.length == 1 else f"{a.length} tokens"
    said = [f"Responses of {tokens}, {a.sampling}: {in_code(a.line)}"]
    said += [plain(f"{note[:1].upper()}{note[1:]}.") for note in a.notes]
    if a.wanted:
        links = ", ".join(theorem_link(name, here, site) for name in a.wanted)
        said.append(f"{'Theorem' if len(a.wanted) == 1 else 'Theorems'}: {links}")
    return "- " + "<br>".join(said)


def theorem_link(name: str, here: str, site: Site) -> str:
    """A theorem by its id or name, proved or not; one that does not exist yet is said so."""
    r = site.by_id.get(name)
    shown = plain(sentence(name.rpartition(".")[2]))
    if r is None:
        return f"{shown} ({NONE_YET})"
    mark = "" if r.status == "proved" else f" {status_mark(r.status)}"
    return f"[{shown}]({link(here, path_of(r.id))}){mark}"


def formula(ref: Any) -> Iterator[str]:
    """The specification, per token, as the kernel's term."""
    if ref.specification is None:
        return
    term = ref.specification()
    term = term if not isinstance(term, Mapping) else next(iter(term.values()))
    yield "## Specification"
    yield "Per token, with the default options, as the kernel's own term:"
    yield display(latex(term))
    yield f"In plain text: {in_code(text(term))}"


def arguments(ref: Any) -> Iterator[str]:
    """What it takes, and its options with their defaults."""
    yield "## Arguments"
    yield table(
        ("argument", "meaning"), [(f"`{a}`", MEANING.get(a, "data")) for a in ref.arguments]
    )
    if ref.options:
        yield table(
            ("option", "default"), [(f"`{k}`", in_code(repr(v))) for k, v in ref.options.items()]
        )


def theorems(doc: str, here: str, site: Site) -> Iterator[str]:
    """The theorems that its docstring names; a missing one is said to be missing."""
    names = [n for n in re.findall(r"`([a-z0-9_]+)`", doc) if n.count("_") >= 2]
    if not names:
        return
    yield "## Theorems about it"
    yield "\n".join(f"- {theorem_link(name, here, site)}" for name in dict.fromkeys(names))


def properties(ref: Any, here: str, site: Site) -> str:
    """The properties of its family, each with its first sentence and its theorem."""
    from numerics.properties import properties as known

    rows = []
    for name, prop in known().items():
        if ref.family not in prop.families:
            continue
        doc = inspect.getdoc(importlib.import_module(f"numerics.properties.{name}")) or ""
        first = plain(" ".join(doc.split("\n\n")[0].split()))
        behind = f"<br>Theorem: {theorem_link(prop.theorem, here, site)}" if prop.theorem else ""
        rows.append(f"- `{name}`: {first}{behind}")
    return "\n".join(rows) or "None."


def code(ref: Any) -> str:
    """The torch function, word for word."""
    return f"```python\n{inspect.getsource(ref.function).rstrip()}\n```"


def objectives_page(refs: Mapping[str, Any]) -> str:
    """All of them, one line each."""
    rows = []
    for name, ref in refs.items():
        doc = inspect.getdoc(importlib.import_module(ref.function.__module__)) or ""
        rows.append(f"- [{name}]({name}.md): {plain(doc.partition(chr(10))[0])}")
    return page(
        "Objectives",
        "Reference objectives: specification and torch code",
        "# Objectives",
        "Each has a specification, a term of the kernel, and torch code that is compared with it. "
        "`like=` in [your own file](../guides/check-your-loss.md) names one.",
        "\n".join(rows),
    )
