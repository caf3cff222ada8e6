"""Targets on the command line: files, packages, overlaid declarations."""

import sys
from pathlib import Path

import pytest

from numerics.check.load import load
from numerics.errors import UnusableInput

FILE = """
from numerics import objective

@objective(like="grpo", beta=0.1, args={"mask": "keep"})
def first(logp, keep): ...

@objective
def second(logp, adv): ...

def plain(logp, adv): ...
number = 3
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "declared_losses.py"
    file.write_text(FILE)
    return str(file)


def test_all_or_one(path: str) -> None:
    assert [entry.name for entry in load(path)] == ["first", "second"]
    assert load(f"{path}:second")[0].name == "second"
    assert load(f"{path}:plain")[0].like is None
    for name in ("absent", "number"):
        with pytest.raises(UnusableInput):
            load(f"{path}:{name}")


def test_flags_lie_over_the_declaration(path: str) -> None:
    (entry,) = load(f"{path}:first", {"args": {"logp": "lp"}, "beta": 0.2})
    assert dict(entry.args) == {"mask": "keep", "logp": "lp"}
    assert dict(entry.options) == {"beta": 0.2}
    (entry,) = load(f"{path}:first", {"like": "ppo_clip", "clip": 0.3})
    assert (entry.like, dict(entry.options)) == ("ppo_clip", {"clip": 0.3})
    (entry,) = load(f"{path}:plain", {"like": "ppo_clip", "returns": 0})
    assert (entry.like, entry.returns) == ("ppo_clip", 0)


def test_a_function_of_a_package() -> None:
    (entry,) = load("numerics.objectives.ppo_clip:ppo_clip")
    assert entry.name == "ppo_clip"


def test_a_file_imports_its_neighbours_and_hides_no_module(tmp_path: Path) -> None:
    import json

    (tmp_path / "neighbour_of_json.py").write_text("factor = 2.0\n")
    text = "from neighbour_of_json import factor\ndef loss(logp, adv): return factor\n"
    (tmp_path / "json.py").write_text(text)
    (entry,) = load(f"{tmp_path / 'json.py'}:loss")
    assert entry(1, 2) == 2.0
    assert sys.modules["json"] is json
    sys.path.remove(str(tmp_path))
