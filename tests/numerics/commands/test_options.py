"""Flags are read, never evaluated."""

import pytest

from numerics.commands.options import declared, literal, pairs, worst
from numerics.errors import UnusableInput


def test_precedence_of_exit_statuses() -> None:
    assert worst([0, 3, 1, 2]) == 2
    assert worst([0, 3, 1]) == 1
    assert worst([0, 3]) == 3
    assert worst([0]) == worst([]) == 0


def test_literals_are_numbers_words_or_text() -> None:
    texts = ["1", "-2.5", "1e-3", "True", "none", "__import__('os')", "token-mean"]
    assert [literal(t) for t in texts] == [
        1,
        -2.5,
        1e-3,
        True,
        None,
        "__import__('os')",
        "token-mean",
    ]


def test_pairs() -> None:
    assert pairs("--arg", ["a=b,c=d", "e=f=g"]) == {"a": "b", "c": "d", "e": "f=g"}
    for text in ("a", "=b", "a=", ""):
        with pytest.raises(UnusableInput, match="--arg"):
            pairs("--arg", [text])


def test_only_what_was_given_is_declared() -> None:
    assert declared() == {}
    assert declared(arg=["logp=x"], returns="0", option=["clip=0.1"]) == {
        "args": {"logp": "x"},
        "returns": 0,
        "clip": 0.1,
    }
