"""`proofgrad` as a user meets it: what it prints, its exit status, one message if unusable."""

import json
import sys
from pathlib import Path

import pytest

from tests.numerics.conftest import Derive, Run
from tests.numerics.derivation_files import FALSE, FALSE_LINE, RIGHT, UNUSABLE

MAIN = [sys.executable, "-c", "from numerics.cli import main; main()"]
ENTRY = ["id", "file", "status", "generic", "says", "given", "steps", "axioms", "uses"]
ENTRY += ["seconds", "slowest_step", "refusal", "crosscheck"]


def entries(stdout: str) -> list[dict]:
    found = json.loads(stdout)
    assert [*found] == ["theorems", "seconds"]
    return found["theorems"]


# ------------------------------------------------------------------ prove


def test_a_right_file_is_proved(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("prove", derive(RIGHT), "--json", "--no-crosscheck")
    first, second = entries(done.stdout)
    assert done.exit_code == 0
    assert [*first] == ENTRY
    assert (first["id"], first["file"]) == ("file0_derivation.twice_is_two", "file0_derivation.py")
    assert (first["status"], first["generic"], first["axioms"]) == ("proved", True, [])
    assert (first["says"], first["given"]) == (["Σ_a 2 p(a) = 2"], ["Σ_a p(a) = 1"])
    assert (first["refusal"], first["crosscheck"]) == (None, None)
    assert second["uses"] == ["file0_derivation.twice_is_two"]


def test_a_false_file_is_refused(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("prove", derive(FALSE) + ":twice_is_two", "--json", "--no-crosscheck")
    (entry,) = entries(done.stdout)
    assert done.exit_code == 1
    assert (entry["status"], entry["generic"], entry["uses"]) == ("refused", False, [])
    assert [*entry["refusal"]] == ["step", "line", "left", "right", "counterexample"]
    refusal = {"step": 2, "line": FALSE_LINE, "left": "2 Σ_a p(a)", "right": "3"}
    assert entry["refusal"] == {**refusal, "counterexample": None}


def test_the_message_of_a_refusal(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("prove", derive(FALSE) + ":twice_is_two", "--no-crosscheck")
    where = (
        f"file0_derivation.twice_is_two: step 2 is refused (file0_derivation.py, line {FALSE_LINE})"
    )
    assert where in done.stdout
    for row in (
        "2 Σ_a p(a) = 3",
        "p sums to one",
        "left over:      1",
        "counterexample: not searched",
    ):
        assert row in done.stdout
    assert "0 of 1 proved, 1 refused" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_one_theorem_of_a_file_and_one_of_the_catalogue(proofgrad: Run, derive: Derive) -> None:
    file = derive(RIGHT)
    flags = ("--json", "--no-crosscheck")
    done = proofgrad("prove", f"{file}:twice_is_two", "square_is_zero_only_at_zero", *flags)
    assert [e["id"] for e in entries(done.stdout)] == [
        "file0_derivation.twice_is_two",
        "foundations.square_is_zero_only_at_zero",
    ]
    same = proofgrad("prove", "foundations.square_is_zero_only_at_zero", *flags)
    assert entries(same.stdout)[0]["file"].startswith("derivations/theorems/foundations/")


def test_processes_change_nothing(proofgrad: Run, derive: Derive) -> None:
    file = derive(RIGHT)
    untimed = lambda e: {k: v for k, v in e.items() if k not in ("seconds", "slowest_step")}
    runs = [proofgrad("prove", file, "--json", "--no-crosscheck", "-j", n) for n in (1, 2)]
    one, two = [[untimed(e) for e in entries(run.stdout)] for run in runs]
    assert one == two


def test_a_file_that_cannot_be_used_ends_all_processes(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("prove", derive(RIGHT), derive(UNUSABLE["proof exits"][0]), "-j", 2)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "SystemExit" in done.stderr


def test_two_files_may_not_declare_one_id(proofgrad: Run, derive: Derive, tmp_path: Path) -> None:
    file = derive(RIGHT)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / file).write_text(RIGHT)
    done = proofgrad("prove", file, f"other/{file}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two theorems are called file0_derivation.twice_is_two" in done.stderr
    assert proofgrad("list", file, file).stdout.count("twice_is_two") == 1


def test_a_process_that_dies_is_reported(proofgrad: Run, derive: Derive) -> None:
    dies = UNUSABLE["proof exits"][0].replace("raise SystemExit(0)", "__import__('os')._exit(1)")
    done = proofgrad("prove", derive(dies), "square_is_zero_only_at_zero", "-j", 2)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the process that was proving it ended" in done.stderr


def test_the_cross_check_has_a_column(proofgrad: Run, derive: Derive) -> None:
    pytest.importorskip("torch")
    done = proofgrad("prove", derive(RIGHT) + ":twice_is_two", "--json")
    (entry,) = entries(done.stdout)
    assert done.exit_code == 0
    assert [*entry["crosscheck"]] == ["verdict", "models", "worst_residual", "mutants", "refuted"]
    assert entry["crosscheck"]["verdict"] == "pass"
    assert entry["crosscheck"]["models"] > 0


def test_a_refused_step_has_a_counterexample(proofgrad: Run, derive: Derive) -> None:
    pytest.importorskip("torch")
    file = derive(FALSE)
    done = proofgrad("prove", file + ":twice_is_two")
    assert done.exit_code == 1
    assert "counterexample: it fails in a model (|A| = 1; " in done.stdout
    assert "left 2, right 3" in done.stdout
    (entry,) = entries(proofgrad("prove", file + ":twice_is_two", "--json").stdout)
    assert "left 2, right 3" in entry["refusal"]["counterexample"]


def test_without_torch_the_cross_check_is_not_run(
    proofgrad: Run, derive: Derive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.proving.has_torch", lambda: False)
    file = derive(RIGHT)
    done = proofgrad("prove", file)
    assert done.exit_code == 3
    assert "not run" in done.stdout and "torch is not installed" in done.stdout
    assert proofgrad("prove", file, "--no-crosscheck").exit_code == 0
    assert proofgrad("prove", derive(FALSE)).exit_code == 1  # false comes before not run


# ------------------------------------------------------------------ unusable input


@pytest.mark.parametrize("what", UNUSABLE)
def test_one_message_for_a_file_that_cannot_be_used(
    what: str, proofgrad: Run, derive: Derive
) -> None:
    text, said = UNUSABLE[what]
    done = proofgrad("prove", derive(text), "--no-crosscheck")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("unusable input: ") and "Traceback" not in done.stderr
    assert [words for words in said if words not in done.stderr] == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["prove", "no_such_file.py"], "no file no_such_file.py"),
        (["prove", "square_is_zero_only_at_zer"], "did you mean square_is_zero_only_at_zero?"),
        (["show", "square_is_zero_only_at_zer"], "did you mean square_is_zero_only_at_zero?"),
        (["prove", "."], "is a folder"),
        (["prove", "file0_derivation.py:twice"], "did you mean twice_is_two?"),
        (["prove", "file0_derivation.py", "-o", "nowhere/c.json"], "no folder nowhere"),
        (["prove", "file0_derivation.py", "-o", "c.json"], "2 certificates need a folder"),
        (["replay", "no_such_file.json"], "no_such_file.json: No such file"),
        (["replay", "file0_derivation.py"], "not a certificate"),
        (["replay", "."], "directory"),
        (["graph", "no_such_file.py"], "no file no_such_file.py"),
        (["list", "no_such_file.py"], "no file no_such_file.py"),
        (["prove", "-j", "0"], "-j"),
        (["frobnicate"], "frobnicate"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_one_message_for_what_is_not_there(
    args: list[str], said: str, proofgrad: Run, derive: Derive
) -> None:
    derive(RIGHT)
    done = proofgrad(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr and "Traceback" not in done.stderr


def test_an_unreadable_certificate_folder(proofgrad: Run, derive: Derive, tmp_path: Path) -> None:
    file = derive(RIGHT)
    (tmp_path / "c.json").mkdir()
    done = proofgrad("prove", file, "-o", "c.json", "--no-crosscheck")
    assert done.exit_code == 0
    names = sorted(path.name for path in (tmp_path / "c.json").iterdir())
    assert names == [f"file0_derivation.{t}.json" for t in ("four_times_is_four", "twice_is_two")]


# ------------------------------------------------------------------ list, graph, show


def test_list(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("list", derive(RIGHT))
    assert done.exit_code == 0
    assert [line.split("  ", 1) for line in done.stdout.splitlines()] == [
        ["file0_derivation.twice_is_two", "      Twice a distribution sums to two."],
        ["file0_derivation.four_times_is_four", "From the lemma above."],
    ]


def test_the_graph_is_read_from_certificates(proofgrad: Run, derive: Derive) -> None:
    file = derive(RIGHT)
    four, twice = (f"file0_derivation.{t}" for t in ("four_times_is_four", "twice_is_two"))
    found = json.loads(proofgrad("graph", file, "--json").stdout)
    assert found["edges"] == [{"from": four, "to": twice}]
    assert {n["id"]: n["status"] for n in found["nodes"]} == {four: "proved", twice: "proved"}
    dot = proofgrad("graph", file).stdout
    assert dot.startswith("digraph") and f'"{four}" -> "{twice}";' in dot
    assert proofgrad("graph", derive(FALSE)).exit_code == 1


def test_show_is_a_page_of_mathematics(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("show", derive(RIGHT) + ":four_times_is_four")
    page = " ".join(done.stdout.split())
    assert done.exit_code == 0
    for piece in (
        "Given Σ_a p(a) = 1 (p sums to one)",
        "Then Σ_a 4 p(a) = 4",
        "1. Σ_a 4 p(a) = 4 by twice_is_two",
        "Rests on the theorems file0_derivation.twice_is_two",
        "Rests on no axiom.",
        "for sets of every size",
    ):
        assert piece in page


def test_show_writes_a_chain_as_a_chain(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("show", derive(RIGHT) + ":twice_is_two")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[lines.index("Proof") + 1 :][:4] == [
        "1. Σ_a 2 p(a) = 2 Σ_a p(a)",
        "by algebra",
        "2.     = 2",
        "by p sums to one",
    ]


def test_show_of_a_refused_theorem_says_where_it_stops(proofgrad: Run, derive: Derive) -> None:
    done = proofgrad("show", derive(FALSE) + ":twice_is_two")
    assert done.exit_code == 1
    assert "step 2 is refused" in done.stdout and "Rests on" not in done.stdout


def test_show_cites_the_source_of_an_axiom(proofgrad: Run) -> None:
    done = proofgrad("show", "logarithm_bound_is_strict")
    assert "logarithm bound: log x <= x - 1" in done.stdout and "Hardy" in done.stdout
