"""An objective's page: formula, arguments, options, where it is flat, and its reference code."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

from derivations.language.printing import latex, text
from docs.markup import display, in_code, page, paragraphs, plain, sentence, table
from docs.site import Site, link, path_of

MEANING = {
    "logp": "log-probability of each token under the policy, [B,T], nats",
    "logp_old": "the same under the policy that sampled, [B,T], nats",
    "logp_ref": "the same under the reference, [B,T], nats",
    "adv": "advantage, [B] or [B,T]",
    "mask": "1 for a token that counts, 0 for padding, [B,T]",
}


def objective_page(ref: Any, site: Site, plot: str) -> str:
    """One reference objective; `plot` is the drawing of its flat regions, or nothing."""
    module = importlib.import_module(ref.function.__module__)
    doc = inspect.getdoc(module) or ""
    here = f"objectives/{ref.name}.md"
    return page(
        ref.name,
        doc.partition("\n")[0],
        f"# {ref.name}",
        paragraphs(doc),
        *formula(ref),
        *([f"## Where it is flat\n\n{plot}"] if plot else []),
        *arguments(ref),
        *theorems(doc, here, site),
        "## Properties that are checked",
        properties(ref),
        "## Reference code",
        code(ref),
    )


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
    rows = []
    for name in names:
        r = site.by_id.get(name)
        known = f"[{sentence(name)}]({link(here, path_of(r.id))})" if r else None
        fine = r is not None and r.status == "proved"
        rows.append(f"- {known or plain(sentence(name))}" + ("" if fine else " (not proved yet)"))
    yield "\n".join(rows)


def properties(ref: Any) -> str:
    """The properties of its family, each with its first sentence."""
    from numerics.properties import properties as known

    rows = []
    for name, prop in _named(known()).items():
        doc = (inspect.getdoc(importlib.import_module(f"numerics.properties.{name}")) or "").split(
            "\n\n"
        )[0]
        del prop
        rows.append(f"- `{name}`: {plain(' '.join(doc.split()))}")
    return "\n".join(rows)


def _named(found: Any) -> dict[str, Any]:
    return dict(found) if isinstance(found, Mapping) else {getattr(p, "name", ""): p for p in found}


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
