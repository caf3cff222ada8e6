"""Texts that are no certificates, deep terms, gaps, and what counts as generic."""

from __future__ import annotations

import json
from typing import Any

import pytest

from derivations.kernel.certificate import FORMAT, Unusable, replay_text
from derivations.kernel.terms import Refused
from tests.derivations.kernel.forger import Forger, rejected

# --- the text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "1",
        "[]",
        "{}",
        '"x"',
        "NaN",
        '{"format": 1}',
        '{"format": "x", "main": "a", "bodies": {}}',
        json.dumps({"format": FORMAT}),
        json.dumps({"format": FORMAT, "main": "a"}),
        json.dumps({"format": FORMAT, "main": "a", "bodies": []}),
        json.dumps({"format": FORMAT, "main": "a", "bodies": {}}),
        json.dumps({"format": FORMAT, "main": ["a"], "bodies": {"a": {}}}),
        json.dumps({"format": FORMAT, "main": None, "bodies": {}}),
        "[" * 100_000,
        '{"a":' * 100_000,
        "\x00",
        "\ud800",
    ],
    ids=lambda t: repr(t[:40]),
)
def test_text_that_is_no_certificate_is_unusable(text: str) -> None:
    with pytest.raises(Unusable):
        replay_text(text)


@pytest.mark.parametrize(
    "field", ["name", "hypotheses", "says", "well_defined", "axioms", "nodes", "steps"]
)
@pytest.mark.parametrize(
    "value", [None, 1, "x", {}, [None], [[]], [["a"]], [-1], [0.5], {"a": 1}], ids=repr
)
def test_fields_of_wrong_kinds(field: str, value: Any) -> None:
    w = Forger()
    step = w.reflexive(w.x)
    text = w.text(w.true, step, **{field: value})
    try:
        found = replay_text(text)
    except (Refused, Unusable):
        return
    assert field == "name" or value == {} or not value, (field, value, found)


def test_a_deep_term_is_unusable() -> None:
    w = Forger()
    t = w.x
    for _ in range(20_000):
        t = w.node("Inv", t)
    rejected(w.text(w.node("Eq", t, t), w.reflexive(t)))


def test_deep_rule_arguments_are_unusable() -> None:
    w = Forger()
    step = w.step("assume", {"formula": "DEEP"}, [], w.false)
    text = w.text(w.false, step).replace('"DEEP"', "[" * 50_000 + "]" * 50_000)
    with pytest.raises(Unusable):
        replay_text(text)


def test_a_long_chain_of_lemmas_is_unusable_or_replayed() -> None:
    """Each body cites the next: deep nesting is a message, not a crash."""
    bodies: dict[str, Any] = {}
    cited = "0" * 64
    for _ in range(2_000):
        w = Forger()
        args = {"name": "forged", "part": "part", "certificate": cited, "hypotheses": []}
        step = w.step("lemma", {**args, "formula": {"t": w.false}}, [], w.false)
        raw = json.loads(w.text(w.false, step))
        cited = raw["main"]
        bodies |= raw["bodies"]
    text = json.dumps({"format": FORMAT, "main": cited, "bodies": bodies})
    try:
        assert replay_text(text).gaps != ()
    except Unusable as e:
        assert "RecursionError" in str(e) or "deep" in str(e)


def test_a_huge_power_is_not_computed() -> None:
    """2^(10^12) as a node: SymPy would start to compute it while the table is read."""
    w = Forger()
    power = w.node("Pow", w.node("Q", "2", "1"), w.node("Q", "1" + "0" * 12, "1"))
    rejected(w.text(w.node("Eq", power, power), w.reflexive(power)))


def test_numbers_of_many_digits_are_unusable() -> None:
    w = Forger()
    text = w.text(w.true, w.reflexive(w.x), hypotheses="MANY")
    with pytest.raises(Unusable):
        replay_text(text.replace('"MANY"', "[" + "9" * 5000 + "]"))


def test_a_gap_is_never_a_proof_of_false() -> None:
    w = Forger()
    args = {"name": "missing", "part": "p", "certificate": "0" * 64, "hypotheses": []}
    step = w.step("lemma", {**args, "formula": {"t": w.false}}, [], w.false)
    assert replay_text(w.text(w.false, step)).gaps == ("missing is missing",)


# --- generic


@pytest.mark.parametrize(
    ("build", "generic"),
    [
        (lambda w: w.node("Range", w.node("Var", "n", w.natural)), True),
        (lambda w: w.node("Range", w.node("Q", "3", "1")), False),
        (lambda w: w.node("Words", w.node("Fin", "X"), w.node("Q", "2", "1")), False),
        (lambda w: w.node("Words", w.node("Fin", "X"), w.node("Var", "n", w.natural)), True),
        (lambda w: w.node("Fin", "X"), True),
    ],
)
def test_generic_is_computed(build: Any, generic: bool) -> None:
    w = Forger()
    total = w.node("Sum", build(w), w.x)
    step = w.reflexive(total)
    assert replay_text(w.text(w.node("Eq", total, total), step)).generic is generic


def test_a_hypothesis_that_fixes_the_size_of_a_set_is_not_generic() -> None:
    for shape in range(4):
        w = Forger()
        X, Y = w.node("Fin", "X"), w.node("Fin", "Y")
        size, other = w.node("Card", X), w.node("Card", Y)
        two = w.node("Q", "2", "1")
        fixed = [
            w.node("Eq", size, two),
            w.node("Eq", two, size),
            w.node("Eq", w.node("Add", size, w.one), two),
            w.node("Eq", w.node("Mul", size, other), two),
        ][shape]
        harmless = w.node("Eq", other, w.x)
        found = replay_text(w.text(w.true, w.reflexive(w.x), (harmless, fixed)))
        assert found.generic is False, shape
