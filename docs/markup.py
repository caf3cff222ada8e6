"""Small pieces of Markdown and HTML that the pages share.  Pure functions from text to text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

STATUS = {"proved": "proved", "gap": "has a gap", "refused": "refused"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~^])")


def plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return _SPECIAL.sub(r"\\\1", text) if "<" not in text else _SPECIAL.sub(_safe, text)


def _safe(m: re.Match[str]) -> str:
    return {"<": "&lt;", ">": "&gt;"}.get(m[0], "\\" + m[0])


def attribute(text: str) -> str:
    """Text for an HTML attribute."""
    return html.escape(text, quote=True)


def sentence(name: str) -> str:
    """A name_with_underscores as a title."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def anchor(name: str) -> str:
    """A fragment of an address: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def inline(tex: str) -> str:
    """A formula within a line."""
    return f"${tex}$"


def display(tex: str) -> str:
    """A formula on a line of its own."""
    return f"$$\n{tex}\n$$"


def status_mark(status: str) -> str:
    """The mark of a status, in words too."""
    return f'<span class="status {status}">{STATUS[status]}</span>'


def box(kind: str, body: str, identifier: str = "") -> str:
    """A block with Markdown inside."""
    name = f' id="{identifier}"' if identifier else ""
    return f'<div class="{kind}"{name} markdown>\n\n{body}\n\n</div>'


def page(title: str, description: str, *blocks: str, hide: Iterable[str] = ()) -> str:
    """A whole page with its front matter."""
    head = ["---", f"title: {_quoted(title)}", f"description: {_quoted(description)}"]
    hidden = [f"  - {name}" for name in hide]
    head += ["hide:", *hidden] if hidden else []
    return "\n".join([*head, "---", "", *_apart(blocks)]).rstrip() + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _apart(blocks: Iterable[str]) -> list[str]:
    return [line for block in blocks if block for line in (block, "")]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table that scrolls in its own box when it is too wide."""
    titles = list(head)
    lines = ["| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def paragraphs(doc: str) -> str:
    """A docstring's text as paragraphs; indented lines, which are formulas, keep their lines."""
    out = []
    for block in re.split(r"\n\s*\n", doc.strip()):
        lines = block.splitlines()
        if any(line.startswith(" ") for line in lines):
            out.append('<pre class="source-formula">' + html.escape(block) + "</pre>")
        else:
            out.append(plain(" ".join(line.strip() for line in lines)))
    return "\n\n".join(out)


def in_code(text: str) -> str:
    """Inline code, whatever backticks the text has."""
    return f"<code>{html.escape(text)}</code>"
