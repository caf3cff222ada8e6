"""`proofgrad replay`: from the certificate alone; edited, malformed and deep files."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from derivations.kernel.certificate import content_hash
from tests.derivations.kernel.forger import Forger
from tests.numerics.conftest import Derive, Run
from tests.numerics.derivation_files import RIGHT

ID = "file0_derivation.four_times_is_four"
Certificate = dict[str, Any]


@pytest.fixture
def certificate(proofgrad: Run, derive: Derive) -> Certificate:
    """The certificate of a theorem with one lemma, in c.json."""
    file = derive(RIGHT)
    flags = ("--no-crosscheck", "-o", "c.json")
    assert proofgrad("prove", f"{file}:four_times_is_four", *flags).exit_code == 0
    return json.loads(Path("c.json").read_text())


def refiled(c: Certificate, edit: Callable[[dict[str, Any]], None]) -> Certificate:
    """The certificate with an edited main body, filed under its new hash."""
    body = c["bodies"].pop(c["main"])
    edit(body)
    c["main"] = content_hash(body)
    c["bodies"][c["main"]] = body
    return c


def test_it_prints_hypotheses_conclusion_and_axioms(
    proofgrad: Run, certificate: Certificate
) -> None:
    done = proofgrad("replay", "c.json")
    page = " ".join(done.stdout.split())
    assert done.exit_code == 0
    for piece in (
        f"{ID}: proved",
        "given Σ_a p(a) = 1",
        "says Σ_a 4 p(a) = 4 (four)",
        "axioms none",
        "theorems file0_derivation.twice_is_two",
        "for sets of every size",
    ):
        assert piece in page


def test_its_json_has_the_entry_of_prove(proofgrad: Run, certificate: Certificate) -> None:
    entry = json.loads(proofgrad("replay", "c.json", "--json").stdout)
    found = (entry["id"], entry["status"], entry["generic"], entry["says"], entry["uses"])
    assert found == (ID, "proved", True, ["Σ_a 4 p(a) = 4"], ["file0_derivation.twice_is_two"])


def test_it_imports_no_theorem(certificate: Certificate) -> None:
    Path("file0_derivation.py").unlink()
    code = "import atexit, sys; from numerics.cli import main\n"
    code += "atexit.register(lambda: print([m for m in sys.modules if 'derivations.theorems' in m"
    code += " or 'file0' in m or m == 'torch']))\n"
    code += "sys.argv = ['proofgrad', 'replay', 'c.json']; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{ID}: proved")
    assert done.stdout.endswith("[]\n")


def test_a_missing_lemma_is_a_gap(proofgrad: Run, certificate: Certificate) -> None:
    certificate["bodies"] = {certificate["main"]: certificate["bodies"][certificate["main"]]}
    Path("gap.json").write_text(json.dumps(certificate))
    done = proofgrad("replay", "gap.json")
    assert done.exit_code == 3
    assert f"{ID}: gap" in done.stdout
    assert "gap: file0_derivation.twice_is_two is missing" in done.stdout


def _drop_hypotheses(body: dict[str, Any]) -> None:
    body["hypotheses"] = []


def _claim_the_hypothesis(body: dict[str, Any]) -> None:
    body["says"][0][1] = body["hypotheses"][0]


def _skip_the_last_step(body: dict[str, Any]) -> None:
    body["steps"].pop()
    body["says"][0][2] -= 1


@pytest.mark.parametrize("edit", [_drop_hypotheses, _claim_the_hypothesis, _skip_the_last_step])
def test_an_edited_certificate_is_refused(
    edit: Callable[[dict[str, Any]], None], proofgrad: Run, certificate: Certificate
) -> None:
    Path("edited.json").write_text(json.dumps(refiled(certificate, edit)))
    done = proofgrad("replay", "edited.json")
    assert done.exit_code == 1
    assert done.stdout.startswith("refused: edited.json: ")


def test_an_edit_under_the_old_hash_is_refused(proofgrad: Run, certificate: Certificate) -> None:
    certificate["bodies"][certificate["main"]]["name"] = "another"
    Path("edited.json").write_text(json.dumps(certificate))
    assert proofgrad("replay", "edited.json").exit_code == 1


def test_a_deep_term_is_unusable(proofgrad: Run, certificate: Certificate) -> None:
    def deepen(body: dict[str, Any]) -> None:
        last = len(body["nodes"])
        body["nodes"] += [["Q", 1, 1], *(["Inv", last + i] for i in range(30_000))]
        deepest = len(body["nodes"]) - 1
        body["steps"].insert(0, ["assume", {"formula": {"t": deepest}}, [], deepest])

    Path("deep.json").write_text(json.dumps(refiled(certificate, deepen)))
    done = proofgrad("replay", "deep.json")
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nonsense",
        "[]",
        "null",
        "1",
        '{"format": "proofgrad-certificate/1"}',
        '{"format": "proofgrad-certificate/1", "main": "x", "bodies": {}}',
        '{"format": "proofgrad-certificate/1", "main": "x", "bodies": {"x": []}}',
        '{"format": "another", "main": "x", "bodies": {}}',
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
    ],
    ids=lambda text: text[:50],
)
def test_what_is_no_certificate_is_unusable(
    text: str, proofgrad: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_text(text)
    done = proofgrad("replay", "c.json")
    if done.exit_code == 1:  # a body under another hash is a refusal
        assert "filed under" in done.stdout
        return
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("unusable input: c.json: ") and "Traceback" not in done.stderr


def test_bytes_that_are_no_text(
    proofgrad: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_bytes(b"\xff\xfe\x00")
    assert proofgrad("replay", "c.json").exit_code == 2


# --- what a page must not hide


def forged(symbol: list[Any], hypothesis: Callable[[Forger, int], tuple[int, ...]]) -> str:
    """0 <= x for a natural x of some name, under some hypotheses."""
    w = Forger()
    n = w.node(*[w.natural if part == "natural" else part for part in symbol])
    goal = w.node("Le", w.zero, n)
    step = w.step("arithmetic", {"goal": {"t": goal}, "signs": [{"t": n}]}, [], goal)
    return w.text(goal, step, hypothesis(w, n))


def nothing(w: Forger, n: int) -> tuple[int, ...]:
    return ()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
def test_the_sort_of_every_symbol_is_printed(proofgrad: Run) -> None:
    """x = 1/2 for a natural x proves everything: the page says that x is natural."""
    text = forged(["Var", "x", "natural"], lambda w, n: (w.node("Eq", n, w.node("Q", "1", "2")),))
    Path("n.json").write_text(text)
    assert "where x: a natural number" in " ".join(proofgrad("replay", "n.json").stdout.split())
    entry = json.loads(proofgrad("replay", "n.json", "--json").stdout)
    assert entry["symbols"] == {"x": "a natural number"}


@pytest.mark.parametrize("name", ["-1", "", "0 = 1 (part)\n\naxioms\n  none", "x\x1b[8m", "x y"])
@pytest.mark.usefixtures("here")
def test_a_name_that_reads_as_something_else_is_unusable(proofgrad: Run, name: str) -> None:
    Path("n.json").write_text(forged(["Var", name, "natural"], nothing))
    done = proofgrad("replay", "n.json")
    assert done.exit_code == 2
    assert "is no name" in done.stderr and not done.stdout


@pytest.mark.usefixtures("here")
def test_a_statement_that_cannot_be_shown_is_unusable(proofgrad: Run) -> None:
    w = Forger()
    deep = w.x
    for _ in range(300):
        deep = w.node("Exp", deep)
    long = w.node("Mul", *[w.node("Q", "9" * 4000, "1")] * 2)
    for t in (deep, long):
        Path("n.json").write_text(w.text(w.node("Eq", t, t), w.reflexive(t)))
        done = proofgrad("replay", "n.json")
        assert done.exit_code == 2 and "Traceback" not in done.stderr
