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
    from derivations.kernel.certificate import Unusable
    from derivations.kernel.terms import Refused

    try:
        entry, page = _judged(_read(file))
    except Unusable as error:
        print(f"unusable input: {file}: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None
    except Refused as error:
        print(f"refused: {file}: {error}")
        raise typer.Exit(FAIL) from None
    print(json.dumps(entry, indent=2, ensure_ascii=False) if as_json else page)
    raise typer.Exit({"proved": PASS, "gap": INCONCLUSIVE}.get(entry["status"], FAIL))


def _judged(text: str) -> tuple[dict[str, Any], str]:
    """The entry and the page; whatever a forged file makes of them is unusable input."""
    from derivations.kernel.certificate import Unusable, replay_text
    from derivations.kernel.terms import Refused
    from derivations.tactics.theorem import ill_defined

    replayed = replay_text(text)
    try:
        _require_names(replayed)
        entry = _entry(replayed, ill_defined(replayed))
        return entry, _page(replayed, entry)
    except (Unusable, Refused, KeyboardInterrupt):
        raise
    except (Exception, RecursionError) as error:  # a term too deep or too long to be printed
        raise Unusable(f"its statement cannot be shown: {type(error).__name__}: {error}") from None


def _require_names(replayed: "Replayed") -> None:
    """Names that read as names: no formula, no line break and no control code hides in one."""
    from derivations.kernel import terms as K
    from derivations.kernel.binding import symbols
    from derivations.kernel.certificate import Unusable

    formulas = [*replayed.hypotheses, *[p for _, p in replayed.says]]
    inside = frozenset().union(*map(symbols, formulas))
    free: list[Any] = [s for s in inside if isinstance(s, (K.Var, K.Fn, K.Fin))]
    names = [str(s.tag if isinstance(s, K.Var) else s.name) for s in free]
    bad = [x for x in names if not x.partition("~")[0].isidentifier() or not x.isprintable()]
    others = [replayed.name, *[part for part, _ in replayed.says], *map(str, replayed.uses)]
    bad += [x for x in [*others, *replayed.gaps] if not x.isprintable() or not x.strip()]
    if bad:
        raise Unusable(f"not a certificate: {bad[0]!r} is no name")


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
    from derivations.language.signatures import signatures

    formulas = [*replayed.hypotheses, *[p for _, p in replayed.says]]
    status = "refused" if undefined else "gap" if replayed.gaps else "proved"
    return {
        "id": replayed.name,
        "status": status,
        "generic": replayed.generic,
        "says": [text(p) for _, p in replayed.says],
        "given": [*map(text, replayed.hypotheses)],
        "symbols": signatures(formulas),
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
    where = [f"  {name}: {what}" for name, what in entry["symbols"].items()]
    rows += ["", "where", *where] if where else []
    rows += ["", "axioms", *([f"  {a}" for a in replayed.axioms] or ["  none"])]
    rows += ["", "theorems", *([f"  {u}" for u in replayed.uses] or ["  none"])]
    rows += [f"\ngap: {gap}" for gap in replayed.gaps]
    rows += [f"\nnot well-defined from what is given: {t}" for t in entry["ill_defined"]]
    size = "sets of every size" if replayed.generic else "the sizes stated"
    return "\n".join([*rows, "", f"{replayed.steps} steps replayed, for {size}"])
