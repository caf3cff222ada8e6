"""`proofgrad graph`: which theorem cites which, read from the replayed certificates."""

import json
import sys
from typing import Any

import typer

from numerics.commands.options import FAIL, INCONCLUSIVE, PASS, UNUSABLE, Json, worst
from numerics.commands.prove import Jobs, Targets, attempt_with_progress, selected


def command(targets: Targets = None, jobs: Jobs = None, as_json: Json = False) -> None:
    """Print the graph of citations as dot (or JSON): an edge leads from a theorem to its lemma."""
    from derivations.library import Unusable
    from numerics.proving import task_of

    try:
        tasks = [task_of(t, False, False) for t in selected(targets or [])]
        entries = [o.entry for o in attempt_with_progress(tasks, jobs)]
    except Unusable as error:
        print(f"unusable input: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None
    print(_as_json(entries) if as_json else _as_dot(entries))
    statuses = {"proved": PASS, "refused": FAIL, "gap": INCONCLUSIVE}
    raise typer.Exit(worst(statuses[e["status"]] for e in entries))


def _edges(entries: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(e["id"], lemma) for e in entries for lemma in e["uses"]]


def _as_json(entries: list[dict[str, Any]]) -> str:
    nodes = [{"id": e["id"], "status": e["status"]} for e in entries]
    edges = [{"from": a, "to": b} for a, b in _edges(entries)]
    return json.dumps({"nodes": nodes, "edges": edges}, indent=2, ensure_ascii=False)


def _as_dot(entries: list[dict[str, Any]]) -> str:
    """Lemmas stand below; a theorem that is not proved is red."""
    rows = ["digraph proofgrad {", "  node [shape=box, fontname=sans];"]
    for e in entries:
        label = e["id"].replace(".", "\\n").replace("_", " ")
        colour = "" if e["status"] == "proved" else ", color=red"
        rows.append(f'  "{e["id"]}" [label="{label}"{colour}];')
    rows += [f'  "{a}" -> "{b}";' for a, b in _edges(entries)]
    return "\n".join([*rows, "}"])
