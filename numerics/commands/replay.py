"""`proofgrad replay`: what a certificate proves, from the certificate alone.

No theorem's module is imported: the kernel recomputes every step, and the statement lint looks at
what was replayed.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands.options import FAIL, INCONCLUSIVE, PASS, UNUSABLE, Json

if TYPE_CHECKING:
    from derivations.kernel.certificate import Replayed

File = Annotated[str, typer.Argument(metavar="FILE", help="a certificate, or - for standard input")]


def command(file: File, as_json: Json = False) -> None:
    """Replay a certificate: print its hypotheses, what it says, and the axioms it uses."""
    from derivations.kernel.certificate import Unusable, replay_text
    from derivations.kernel.terms import Refused
    from derivations.tactics.theorem import ill_defined

    try:
        replayed = replay_text(_read(file))
        undefined = ill_defined(replayed)
    except Unusable as error:
        print(f"unusable input: {file}: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None
    except Refused as error:
        print(f"refused: {file}: {error}")
        raise typer.Exit(FAIL) from None
    entry = _entry(replayed, undefined)
    print(json.dumps(entry, indent=2, ensure_ascii=False) if as_json else _page(replayed, entry))
    raise typer.Exit(FAIL if undefined else INCONCLUSIVE if replayed.gaps else PASS)


def _read(file: str) -> str:
    from derivations.kernel.certificate import Unusable

    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise Unusable(error.strerror or "it cannot be read") from None
    except UnicodeDecodeError:
        raise Unusable("not a certificate: not text in UTF-8") from None


def _entry(replayed: "Replayed", undefined: list[Any]) -> dict[str, Any]:
    """The entry of `prove --json`, as far as a certificate tells."""
    from derivations.language.printing import text

    status = "refused" if undefined else "gap" if replayed.gaps else "proved"
    return {
        "id": replayed.name,
        "status": status,
        "generic": replayed.generic,
        "says": [text(p) for _, p in replayed.says],
        "given": [*map(text, replayed.hypotheses)],
        "steps": replayed.steps,
        "axioms": [*replayed.axioms],
        "uses": [*replayed.uses],
        "gaps": [*replayed.gaps],
        "ill_defined": [*map(text, undefined)],
    }


def _page(replayed: "Replayed", entry: dict[str, Any]) -> str:
    parts = [part for part, _ in replayed.says]
    named = dict(zip(parts, entry["says"], strict=True))
    rows = [f"{replayed.name}: {entry['status']}", "", "given"]
    rows += [f"  {said}" for said in entry["given"]] or ["  nothing"]
    rows += ["", "says", *[f"  {said}   ({part})" for part, said in named.items()]]
    rows += ["", "axioms", *([f"  {a}" for a in replayed.axioms] or ["  none"])]
    rows += ["", "theorems", *([f"  {u}" for u in replayed.uses] or ["  none"])]
    rows += [f"\ngap: {gap}" for gap in replayed.gaps]
    rows += [f"\nnot well-defined from what is given: {t}" for t in entry["ill_defined"]]
    size = "sets of every size" if replayed.generic else "the sizes stated"
    return "\n".join([*rows, "", f"{replayed.steps} steps replayed, for {size}"])
