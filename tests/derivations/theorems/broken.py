"""Theorem files with one substring replaced: what an author's slip would look like."""

from __future__ import annotations

import uuid
from pathlib import Path

from derivations.library import load_file
from derivations.tactics.theorem import Proof, Theorem, prove


def broken(theorem: Theorem, old: str, new: str, folder: Path) -> Proof:
    """The proof of the theorem with the first `old` of its file replaced by `new`; `old` must occur
    in the file, so that a test cannot go stale."""
    source = Path(theorem.file).read_text(encoding="utf-8")
    assert old in source, f"{old!r} is not in {theorem.file}"
    copy = folder / f"{Path(theorem.file).stem}_{uuid.uuid4().hex[:8]}.py"
    copy.write_text(source.replace(old, new, 1), encoding="utf-8")
    name = theorem.name.rsplit(".", 1)[-1]
    found = [t for t in load_file(copy) if t.name.rsplit(".", 1)[-1] == name]
    assert len(found) == 1
    return prove(found[0])


def refused_at(theorem: Theorem, old: str, new: str, folder: Path) -> str:
    """The source line (of the broken file) that is refused."""
    proof = broken(theorem, old, new, folder)
    assert proof.status == "refused" and proof.refusal is not None, proof.status
    assert proof.refusal.message
    return Path(proof.theorem.file).read_text(encoding="utf-8").splitlines()[proof.refusal.line - 1]


def assert_proved(theorem: Theorem, axioms: str) -> None:
    """Replayed for every size, from exactly these axioms and without a gap."""
    proof = prove(theorem)
    assert proof.status == "proved" and proof.replayed is not None, proof.refusal
    assert proof.replayed.generic and not proof.replayed.gaps
    assert list(proof.replayed.axioms) == sorted(axioms.split())
    assert [part for part, _ in proof.replayed.says] == [*theorem.says()]
