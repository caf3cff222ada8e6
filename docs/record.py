"""A theorem as plain data for its page.  What was proved is read off a certificate that the kernel
replays in this very build; only the proof's lines and the numbers beside them may be cached.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from derivations.kernel import certificate
from derivations.kernel import terms as K
from derivations.kernel.certificate import Replayed
from derivations.kernel.terms import Refused
from derivations.language.formats import words_of
from derivations.language.printing import latex, text
from derivations.tactics.context import Line
from derivations.tactics.theorem import Proof, Theorem, ill_defined
from docs.symbols import Symbol, symbols_of


@dataclass(frozen=True)
class Said:
    """One formula with its name, for a page (LaTeX) and for plain text."""

    name: str
    latex: str
    text: str


@dataclass(frozen=True)
class Row:
    """One line of a proof.  A row of a chain leaves out the side that the row before ends with."""

    said: Said
    reasons: tuple[str, ...]
    how: str
    line: int
    continues: bool


@dataclass(frozen=True)
class Refusal:
    """Where a proof stops, and why."""

    step: int
    line: int
    message: str


@dataclass(frozen=True)
class Numbers:
    """The cross-check in numbers that are the same on every machine: residuals as powers of ten."""

    verdict: str
    models: int
    exponent: int | None
    mutants: int
    refuted: int
    survivors: tuple[str, ...] = ()
    true_mutants: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Without:
    """What becomes of the statement without one hypothesis, as `numerics.necessity` finds it."""

    kind: str
    part: str = ""
    model: str = ""
    why: str = ""
    models: int = 0


@dataclass(frozen=True)
class InNumbers:
    """A model of the hypotheses, and each part in it: its name, where, and both sides."""

    model: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Record:
    """Everything that the pages say about one theorem."""

    id: str
    file: str
    line: int
    doc: str
    status: str
    generic: bool
    steps: int
    says: tuple[Said, ...]
    given: tuple[Said, ...]
    symbols: tuple[Symbol, ...]
    rows: tuple[Row, ...]
    axioms: tuple[str, ...]
    uses: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    refusal: Refusal | None = None
    certificate: dict[str, Any] | None = field(default=None, repr=False)
    numbers: Numbers | None = None
    why: tuple[str, ...] = ()  # the author's reason for each hypothesis, or ""
    without: tuple[Without, ...] = ()  # one a hypothesis; nothing where no model was tried
    example: str = ""
    worked: InNumbers | None = None

    @property
    def chapter(self) -> str:
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        return self.id.rpartition(".")[2]


# ------------------------------------------------------------------ what may be cached


def made_of(proof: Proof, root: Path) -> dict[str, Any]:
    """What running the proof gives: the certificate to replay, and its lines as they are shown."""
    t, r = proof.theorem, proof.refusal
    refusal = None if r is None else asdict(Refusal(r.step, r.line, r.message))
    file = Path(t.file).resolve()
    return {
        "id": t.name,
        "file": str(file.relative_to(root) if file.is_relative_to(root) else file.name),
        "line": t.line,
        "doc": inspect.cleandoc(t.doc),
        "certificate": proof.certificate() if proof.main else None,
        "refusal": refusal,
        "rows": [asdict(row) for row in rows_of(proof.lines)],
        "example": str(t.instances.get("example", "")),
        "why": [str(t.instances.get("why", {}).get(h.name, "")) for h in t.given],
        **printed_of(t, proof.replayed),
    }


def printed_of(t: Theorem, replayed: Replayed | None) -> dict[str, Any]:
    """Statement, hypotheses and symbols as written: the replayed ones where there are any."""
    says = [*(replayed.says if replayed else t.statement().items())]
    given = [*(replayed.hypotheses if replayed else [h.formula for h in t.given])]
    names = {h.formula: words_of(h.name) for h in t.given}
    return {
        "says": [asdict(_said(part.replace("_", " "), p)) for part, p in says],
        "given": [asdict(_said(names.get(p, ""), p)) for p in given],
        "symbols": [asdict(s) for s in symbols_of([*given, *[p for _, p in says]])],
    }


def _said(name: str, p: Any) -> Said:
    return Said(name, latex(p), text(p))


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """The lines of a proof; a chain shows only its right-hand sides."""
    out: list[Row] = []
    before: Line | None = None
    for line in lines:
        said, chained = _said(words_of(line.name), line.formula), False
        if before is not None and not before.name and _continues(before, line):
            left = line.formula.args[0]
            if said.latex.startswith(latex(left)) and said.text.startswith(text(left)):
                tail = said.latex[len(latex(left)) :], said.text[len(text(left)) :].strip()
                said, chained = Said(said.name, *tail), True
        out.append(Row(said, tuple(dict.fromkeys(line.reasons)), line.how, line.line, chained))
        before = line if isinstance(line.formula, (K.Eq, K.Le, K.Lt)) else None
    return out


def _continues(before: Line, line: Line) -> bool:
    relation = isinstance(line.formula, (K.Eq, K.Le, K.Lt))
    return relation and before.formula.args[1] == line.formula.args[0]


# ------------------------------------------------------------------ status, in this build


def replayed_record(made: dict[str, Any], known: dict[str, Replayed]) -> Record:
    """The record of a theorem.  The status is what replaying the certificate gives, now."""
    replayed, refusal = None, made["refusal"]
    if made["certificate"] is not None:
        try:
            c = made["certificate"]
            replayed = certificate.replay(c["main"], c["bodies"], known)
            if ill_defined(replayed):
                raise Refused(f"not well-defined: {text(ill_defined(replayed)[0])}")
        except (Refused, certificate.Unusable) as e:
            replayed, refusal = None, asdict(Refusal(0, made["line"], str(e)))
    status = "refused" if replayed is None else "gap" if replayed.gaps else "proved"
    if status == "refused" and refusal is None:
        refusal = asdict(Refusal(0, made["line"], "there is no certificate"))
    return Record(
        **{k: made[k] for k in ("id", "file", "line", "doc", "certificate")},
        status=status,
        generic=replayed.generic if replayed else False,
        steps=replayed.steps if replayed else 0,
        says=tuple(Said(**s) for s in made["says"]),
        given=tuple(Said(**s) for s in made["given"]),
        symbols=tuple(Symbol(**s) for s in made["symbols"]),
        rows=tuple(row_from(r) for r in made["rows"]),
        axioms=replayed.axioms if replayed else (),
        uses=replayed.uses if replayed else (),
        gaps=replayed.gaps if replayed else (),
        refusal=None if refusal is None else Refusal(**refusal),
        numbers=numbers_from(made.get("numbers")),
        why=tuple(made["why"]),
        without=tuple(Without(**x) for x in made.get("without", ())),
        example=made["example"],
        worked=worked_from(made.get("worked")),
    )


def row_from(r: dict[str, Any]) -> Row:
    """A row read back from the cache."""
    rest = {k: r[k] for k in ("how", "line", "continues")}
    return Row(said=Said(**r["said"]), reasons=tuple(r["reasons"]), **rest)


def worked_from(w: dict[str, Any] | None) -> InNumbers | None:
    """The computed example read back from the cache."""
    if w is None:
        return None
    rows = [(r["part"], r["at"], f"{r['left']} {r['relation']} {r['right']}") for r in w["rows"]]
    return InNumbers(w["model"], tuple(rows))


def numbers_from(n: dict[str, Any] | None) -> Numbers | None:
    """The numbers read back from the cache."""
    if n is None:
        return None
    plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in n.items()}
    return Numbers(**plain)


def numbers_of(found: Any) -> Numbers:
    """A cross-check's outcome, with its worst residual as a power of ten."""
    worst = found.worst_residual
    exponent = math.ceil(math.log10(worst)) if worst > 0 and math.isfinite(worst) else None
    return Numbers(
        found.verdict,
        found.models,
        exponent,
        found.mutants,
        found.refuted,
        found.survivors,
        found.true_mutants,
        found.why,
    )
