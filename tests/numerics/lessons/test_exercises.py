"""The five exercises: solutions pass their check, empty and wrong answers fail it."""

import re
from pathlib import Path
from typing import Any

import pytest

from numerics.lessons.exercises import Unsolved
from numerics.lessons.notebooks import Cell, cells

FOLDER = Path(__file__).parents[3] / "docs" / "exercises"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))
IDS = [path.stem for path in NOTEBOOKS]


def code(path: Path, *tags: str) -> list[Cell]:
    """The code cells with one of these tags, the check last: a reader runs it after the answer."""
    found = [c for c in cells(path.read_text()) if c.kind == "code" and set(c.tags) & set(tags)]
    return sorted(found, key=lambda c: "check" in c.tags)


def run(path: Path, sources: list[str]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for source in sources:
        exec(compile(source, path.name, "exec"), names)
    return names


def answered(path: Path, old: str = "", new: str = "") -> None:
    """Run a notebook with its solution, one piece of which may be replaced."""
    text = [c.source for c in code(path, "setup", "exercise", "solution", "check")]
    if old:
        assert sum(old in source for source in text) == 1, f"{old!r} is not in one cell"
    run(path, [source.replace(old, new) if old else source for source in text])


def test_there_are_five_each_with_its_cells() -> None:
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        for tag in ("setup", "exercise", "solution", "check"):
            assert len(code(path, tag)) == 1, (path.name, tag)
        folded = path.read_text().split('# %% tags=["solution"]')[1]
        assert folded.startswith(' jupyter={"source_hidden": true}')


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_the_solution_passes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answered(path)
    assert capsys.readouterr().out.strip().endswith(".")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_an_empty_answer_fails(path: Path) -> None:
    with pytest.raises(Unsolved, match="returns nothing yet"):
        run(path, [c.source for c in code(path, "setup", "exercise", "check")])


def parts() -> list[tuple[Path, str]]:
    """Every function that a reader writes."""
    found = []
    for path in NOTEBOOKS:
        source = code(path, "exercise")[0].source
        found += [(path, name) for name in re.findall(r"^def (\w+)", source, re.M)]
    return found


@pytest.mark.parametrize(("path", "name"), parts(), ids=lambda x: getattr(x, "stem", x))
def test_each_part_left_empty_fails(path: Path, name: str) -> None:
    """The solution, with one function as the exercise leaves it."""
    check = code(path, "check")[0].source
    names = run(path, [c.source for c in code(path, "setup", "solution")])
    names[name] = run(path, [c.source for c in code(path, "setup", "exercise")])[name]
    with pytest.raises(Unsolved):
        exec(compile(check, path.name, "exec"), names)


WRONG = [
    ("1_clip_objective", "torch.minimum(", "torch.maximum("),
    ("1_clip_objective", "rho.clamp(1 - clip, 1 + clip)", "rho.clamp(max=1 + clip)"),
    ("1_clip_objective", "0.0, rho * adv", "0.0, adv"),
    ("1_clip_objective", "(adv < 0) & (rho < 1 - clip)", "(adv < 0) & (rho > 1 + clip)"),
    ("2_divergence_estimators", "return -log_r,", "return log_r,"),
    ("2_divergence_estimators", "log_r.exp() - 1 - log_r", "(log_r.exp() - 1) ** 2 / 2"),
    ("2_divergence_estimators", "torch.multinomial(p,", "torch.multinomial(other,"),
    ("2_divergence_estimators", "manual_seed(seed)", "manual_seed(0)"),
    ("3_ten_actions", "lr=0.1", "lr=0.11"),
    ("3_ten_actions", "terms = torch.minimum", "terms = torch.maximum"),
    ("3_ten_actions", "-(old * rho.log())", "(old * rho * rho.log())"),
    ("4_chain_rule", "score - beta", "score + beta"),
    ("4_chain_rule", "(policy.first * second)", "(reference.first * second)"),
    ("4_chain_rule", "return (p * (p / q).log())", "return (q * (q / p).log())"),
    ("5_group_training", "/ (size - 1)", "/ size"),
    ("5_group_training", "correction=0", "correction=1"),
    ("5_group_training", "rewards / beta, -1", "rewards * beta, -1"),
    ("5_group_training", "range(150)", "range(20)"),
    ("5_group_training", "rewards - beta * (held", "rewards - 2 * beta * (held"),
]


@pytest.mark.parametrize(("name", "old", "new"), WRONG)
def test_a_wrong_answer_fails(name: str, old: str, new: str) -> None:
    with pytest.raises(Unsolved):
        answered(FOLDER / f"{name}.py", old, new)
