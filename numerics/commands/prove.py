"""`proofgrad prove`: replay proofs, cross-check their statements, show both columns."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands.options import FAIL, INCONCLUSIVE, PASS, UNUSABLE, Json, worst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numerics.processes import Team
    from numerics.proving import Outcome, Task

Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME|FILE[:NAME]", help="theorems; all if none is named"),
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="write the certificate; several: a folder"),
]
Jobs = Annotated[int | None, typer.Option("-j", "--jobs", min=1, help="processes; 2 for many")]
NoCrosscheck = Annotated[
    bool, typer.Option("--no-crosscheck", help="replay the proofs only; needs no torch")
]


def command(
    targets: Targets = None,
    output: Output = None,
    jobs: Jobs = None,
    as_json: Json = False,
    no_crosscheck: NoCrosscheck = False,
) -> None:
    """Prove theorems: of the catalogue, or of your own FILE."""
    from derivations.library import Unusable

    try:
        raise typer.Exit(_run(targets or [], output, jobs, as_json, not no_crosscheck))
    except Unusable as error:
        print(f"unusable input: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None


def _run(
    targets: list[str], output: Path | None, jobs: int | None, as_json: bool, crosscheck: bool
) -> int:
    from numerics.proving import task_of

    start = time.perf_counter()
    theorems = selected(targets)
    check_output(output, len(theorems))
    tasks = [task_of(t, crosscheck, output is not None) for t in theorems]
    outcomes = attempt_with_progress(tasks, jobs)
    seconds = time.perf_counter() - start
    if output is not None:
        _write(output, outcomes)
    if as_json:
        entries = [o.entry for o in outcomes]
        print(
            json.dumps(
                {"theorems": entries, "seconds": round(seconds, 3)}, indent=2, ensure_ascii=False
            )
        )
    else:
        from numerics.commands.table import show_outcomes

        show_outcomes(outcomes, crosscheck, seconds)
    return worst(status(o.entry, crosscheck) for o in outcomes)


def selected(targets: list[str]) -> list[Any]:
    """The theorems that are named, each once; the whole catalogue when none is."""
    from derivations.library import Unusable, catalogue, select

    found = [t for target in targets for t in select(target)] if targets else catalogue()
    by_id: dict[str, Any] = {}
    for t in found:
        other = by_id.setdefault(t.name, t)
        if other is not t:
            raise Unusable(f"two theorems are called {t.name}: in {other.file} and {t.file}")
    return list(by_id.values())


def status(entry: dict[str, Any], crosscheck: bool) -> int:
    """The exit status of one theorem."""
    if entry["status"] == "refused":
        return FAIL
    if entry["status"] == "gap":
        return INCONCLUSIVE
    if not crosscheck:
        return PASS
    verdict = (entry["crosscheck"] or {}).get("verdict")
    return {"pass": PASS, "fail": FAIL}.get(str(verdict), INCONCLUSIVE)


def attempt_with_progress(tasks: "list[Task]", jobs: int | None) -> "list[Outcome]":
    """All outcomes in the order of the tasks; a bar on a terminal's stderr when there are many."""
    from numerics.processes import MANY, Team

    with Team(tasks, jobs) as team:
        many = len(tasks) > MANY and sys.stderr.isatty()
        outcomes = _with_bar(team, len(tasks)) if many else team.outcomes()
        found = {o.entry["id"]: o for o in outcomes}
    return [found[task.id] for task in tasks]


def _with_bar(team: "Team", total: int) -> "Iterator[Outcome]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("proving", total=total)
        for outcome in team.outcomes():
            progress.update(bar, advance=1, description=outcome.entry["id"])
            yield outcome


def check_output(output: Path | None, theorems: int) -> None:
    """Refuse a place that cannot be written before anything is proved."""
    from derivations.library import Unusable

    if output is None or output.is_dir():
        return
    if not output.parent.is_dir():
        raise Unusable(f"-o {output}: there is no folder {output.parent}")
    if theorems != 1:
        raise Unusable(f"-o {output}: {theorems} certificates need a folder that exists")


def _write(output: Path, outcomes: "list[Outcome]") -> None:
    from derivations.library import Unusable

    for o in outcomes:
        if o.certificate is not None:
            path = output / f"{o.entry['id']}.json" if output.is_dir() else output
            try:
                path.write_text(json.dumps(o.certificate, indent=None, sort_keys=True) + "\n")
            except OSError as error:
                raise Unusable(f"-o {path}: {error.strerror}") from None
