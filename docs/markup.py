"""Small pieces of Markdown and HTML that the pages share.  Pure functions from text to text."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

STATUS = {"proved": "proved", "gap": "has a gap", "refused": "refused"}
_STRESSED = re.compile(r"(?<![\w*(])&#42;([a-z]+)&#42;(?![\w*])")
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|$~^&]")


def plain(text: str) -> str:
    """Text that Markdown leaves as it is; `code` stays code, and a *word* stays stressed."""
    parts = re.split(r"``?([^`]+)``?", text)
    return "".join(
        f"<code>{_entities(part)}</code>"
        if i % 2
        else _STRESSED.sub(r"<em>\1</em>", _entities(part))
        for i, part in enumerate(parts)
    )


def _entities(text: str) -> str:
    """A backslash before a bracket would begin a formula, so everything special is an entity."""
    return _SPECIAL.sub(lambda m: f"&#{ord(m[0])};", text)


# Names of people in the names of theorems.
PROPER = {"bellman": "Bellman", "fisher": "Fisher", "bradley terry": "Bradley–Terry"}


def attribute(text: str) -> str:
    """Text for an HTML attribute."""
    return html.escape(text, quote=True)


def sentence(name: str) -> str:
    """A name_with_underscores as a title.

    >>> sentence("value_solves_the_bellman_equation"), sentence("k3_is_used_both_ways")
    ('Value solves the Bellman equation', 'k3 is used both ways')
    """
    words = name.replace("_", " ")
    for plain, printed in PROPER.items():
        words = re.sub(rf"\b{plain}\b", printed, words)
    return words if re.match(r"k[123]\b", words) else words[:1].upper() + words[1:]


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


def page(
    title: str, description: str, *blocks: str, hide: Iterable[str] = (), boost: int = 1
) -> str:
    """A whole page with its front matter; the search prefers pages with a higher boost."""
    head = ["---", f"title: {_quoted(title)}", f"description: {_quoted(description)}"]
    hidden = [f"  - {name}" for name in hide]
    head += ["hide:", *hidden] if hidden else []
    head += ["search:", f"  boost: {boost}"] if boost > 1 else []
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


# What a docstring says on lines of their own (see `docs.reference`), and a list of names.
LABEL = re.compile(r"(Source|Theorems?|Shapes|Sign|Units|Gradient|Raises): (.*)")
FIELD = re.compile(r"(\w[\w*=(),' ]*?) {2,}(\S.*)")


def paragraphs(doc: str) -> str:
    """A docstring's text as paragraphs; formulas, which are indented, keep their lines; labelled
    lines and lists of names become lists of terms."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", doc.strip("\n")):
        for kind, lines in groupby(_marked(block.splitlines()), key=lambda x: x[0]):
            text = [line for _, line in lines]
            if kind == "formula":
                body = html.escape(inspect.cleandoc("\n" + "\n".join(text)))
                out.append(f'<pre class="source-formula" tabindex="0">{body}</pre>')
            elif kind == "example":
                out.append("```pycon\n" + "\n".join(text) + "\n```")
            elif kind == "text":
                out.append(plain(" ".join(line.strip() for line in text)))
            else:
                out.append(_terms(kind, text, LABEL if kind == "labels" else FIELD))
    return "\n\n".join(out)


def _marked(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line and what it is: a formula is indented or right before such a line, an example
    begins with a prompt, a label goes on to the end of the block, a name while lines are indented.
    """
    inside = ""
    for i, line in enumerate(lines):
        after = lines[i + 1] if i + 1 < len(lines) else ""
        if line.startswith(">>>"):
            inside = "example"
        elif inside == "example":
            pass
        elif LABEL.match(line):
            inside = "labels"
        elif FIELD.fullmatch(line):
            inside = "fields"
        elif inside == "fields" and line[:1] != " ":
            inside = ""
        formula = line[:1] == " " or (after[:1] == " " and re.search(r"[=<>]", line))
        yield inside or ("formula" if formula else "text"), line


def _terms(kind: str, lines: list[str], starts: re.Pattern[str]) -> str:
    """A list of terms, each with what is said of it."""
    found: list[list[str]] = []
    for line in lines:
        begun = starts.fullmatch(line)
        if begun:
            found.append([begun[1], begun[2]])
        else:
            found[-1][1] += " " + line.strip()
    name = in_code if kind == "fields" else plain
    rows = [f"<div><dt>{name(term)}</dt><dd>{plain(said)}</dd></div>" for term, said in found]
    return f'<dl class="{kind}">{"".join(rows)}</dl>'


def in_code(text: str) -> str:
    """Inline code, whatever backticks the text has."""
    return f"<code>{_entities(text)}</code>"
