"""The exercises' pages, from their notebooks: text, code to complete, check, folded solution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docs.markup import page, plain

FOLDER = Path(__file__).parents[1] / "exercises"
CELL = re.compile(r"^# %%(.*)$", re.M)


def exercise_pages() -> dict[str, str]:
    """Path and text of each, and of their list."""
    out: dict[str, str] = {}
    rows = []
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        heading = re.search(r"^# # (.+)$", text, re.M)
        title = heading[1] if heading else file.stem
        name = re.sub(r"[^a-z0-9]+", "-", file.stem.lower())
        out[f"exercises/{name}.md"] = page(title, title, *blocks(text, file.name))
        rows.append(f"- [{plain(title)}]({name}.md)")
    head = (
        "Notebooks with a check that calls the project's own checkers, and a folded solution. "
        "Open one with Jupytext from the folder `docs/exercises`, or copy its cells."
    )
    if rows:
        out["exercises/index.md"] = page("Exercises", "", "# Exercises", head, "\n".join(rows))
    return out


def blocks(text: str, file: str) -> Iterator[str]:
    """Each cell as Markdown; everything from the solution on is folded."""
    parts = CELL.split(text)[1:]
    folded: list[str] = []
    for head, body in zip(parts[::2], parts[1::2], strict=True):
        block = _prose(body) if "[markdown]" in head else f"```python\n{body.strip()}\n```"
        if "solution" in head:
            folded.append(re.sub(r"^## .*\n+", "", block))
        else:
            yield block
    if folded:
        inside = "\n\n".join(folded)
        yield f"<details markdown>\n<summary>Solution</summary>\n\n{inside}\n\n</details>"
    yield f"The notebook is `docs/exercises/{file}`."


def _prose(body: str) -> str:
    return "\n".join(
        line[2:] if line[:2] == "# " else line.lstrip("#") for line in body.split("\n")
    )
