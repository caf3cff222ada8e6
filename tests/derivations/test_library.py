"""Finding theorems: the catalogue, a name, a file; nothing is proved and nothing is listed."""

from pathlib import Path

import pytest

import derivations
from derivations.library import Unusable, catalogue, find, load_file, select
from tests.numerics.derivation_files import RIGHT

CHAPTERS = Path(derivations.__file__).parent / "theorems"


def test_every_module_of_the_catalogue_declares_a_theorem() -> None:
    found = {Path(t.file) for t in catalogue()}
    modules = [path for path in CHAPTERS.rglob("*.py") if path.stem != "__init__"]
    assert sorted(set(modules) - found) == []


def test_an_id_is_the_path() -> None:
    for t in catalogue():
        assert t.name.split(".")[0] == Path(t.file).parent.name
    names = [t.name for t in catalogue()]
    assert names == sorted(names) and len(set(names)) == len(names)


def test_a_theorem_has_a_first_sentence() -> None:
    assert [t.name for t in catalogue() if len(t.doc.split("\n")[0]) < 20] == []


def test_find_by_id_and_by_last_part() -> None:
    name = "foundations.square_is_zero_only_at_zero"
    assert find(name) is find("square_is_zero_only_at_zero")
    assert find(name).name == name


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(Unusable, match="did you mean square_is_zero_only_at_zero"):
        find("square_is_zero_at_zero")
    with pytest.raises(Unusable, match=r"no theorem qqq$"):
        find("qqq")
    with pytest.raises(Unusable, match=r"no theorem \*$"):
        find("*")


def test_a_file_of_the_catalogue_is_the_catalogue_s_module() -> None:
    theorem = find("square_is_zero_only_at_zero")
    assert load_file(theorem.file) == [theorem]


def test_a_file_is_loaded_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine_derivation.py"
    path.write_text(RIGHT)
    first = load_file(path)
    assert [t.name.split(".")[-1] for t in first] == ["twice_is_two", "four_times_is_four"]
    assert load_file(path) == first
    path.write_text(RIGHT.replace("four_times_is_four", "renamed"))
    assert [t.name for t in load_file(path)] == [
        "mine_derivation.twice_is_two",
        "mine_derivation.renamed",
    ]


def test_imported_theorems_are_not_a_module_s_own(tmp_path: Path) -> None:
    path = tmp_path / "mine_derivation.py"
    other = "from derivations.theorems.foundations.square_is_zero_only_at_zero import *\n"
    path.write_text(other + RIGHT)
    assert len(load_file(path)) == 2
    path.write_text(other)
    with pytest.raises(Unusable, match="declares no theorem"):
        load_file(path)


def test_select_takes_names_files_and_one_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine_derivation.py"
    path.write_text(RIGHT)
    assert len(select(str(path))) == 2
    assert [t.name for t in select(f"{path}:twice_is_two")] == ["mine_derivation.twice_is_two"]
    with pytest.raises(Unusable, match="did you mean twice_is_two"):
        select(f"{path}:twice")


def test_a_text_file_is_no_file_of_theorems(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(Unusable, match=r"ending in \.py"):
        select(str(tmp_path / "notes.txt"))


def test_loading_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine_derivation.py"
    path.write_text(RIGHT.replace('    """From the lemma above."""', "    raise AssertionError"))
    (_, lazy) = load_file(path)
    with pytest.raises(AssertionError):
        lazy.proof()
