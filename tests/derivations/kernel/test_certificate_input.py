"""Forged and malformed certificate texts, built by hand: refused or unusable, never an accident."""

from __future__ import annotations

import json
from typing import Any

import pytest

from derivations.kernel import certificate as C
from derivations.kernel import rules
from derivations.kernel.certificate import FORMAT, Unusable, content_hash, replay_text
from derivations.kernel.terms import Refused

Node = list[Any]


class Forger:
    """Writes a node table and steps; terms are node numbers."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.steps: list[list[Any]] = []
        self.real = self.node("Named", "real")
        self.natural = self.node("Named", "natural")
        self.zero, self.one = self.node("Q", "0", "1"), self.node("Q", "1", "1")
        self.x = self.node("Var", "x", self.real)
        self.true = self.node("Eq", self.x, self.x)
        self.false = self.node("Lt", self.zero, self.zero)

    def node(self, *parts: Any) -> int:
        self.nodes.append([*parts])
        return len(self.nodes) - 1

    def step(self, rule: Any, args: Any, premises: Any, concl: Any) -> int:
        self.steps.append([rule, args, premises, concl])
        return len(self.steps) - 1

    def reflexive(self, t: int) -> int:
        same = self.node("Eq", t, t)
        return self.step("normal_form", {"left": {"t": t}, "right": {"t": t}}, [], same)

    def text(self, formula: int, step: int, given: tuple[int, ...] = (), **more: Any) -> str:
        body = {
            "name": "forged",
            "hypotheses": [*given],
            "says": [["part", formula, step]],
            "well_defined": [],
            "axioms": [],
            "nodes": self.nodes,
            "steps": self.steps,
            **more,
        }
        h = content_hash(body)
        return json.dumps({"format": FORMAT, "main": h, "bodies": {h: body}})


def rejected(text: str) -> str:
    """Refused or unusable: any other exception, or success, fails the test."""
    with pytest.raises((Refused, Unusable)) as caught:
        replay_text(text)
    return str(caught.value)


def test_the_forger_can_write_an_honest_certificate() -> None:
    w = Forger()
    step = w.reflexive(w.x)
    assert replay_text(w.text(w.true, step)).gaps == ()


# --- rules by name

PYTHON = [
    "__class__", "__init__", "_from", "_take", "_check", "_put", "Sequent", "Given", "Premises", "need",
    "NamedTuple", "named tuple", "Any", "B", "K", "axioms", "_axioms", "match", "Normaliser", "Integer",
    "annotations", "print", "eval", "", " ", "assume ", "Assume", "gap", "sorry", "lemma()", "rules.assume",
]  # fmt: skip


@pytest.mark.parametrize("rule", PYTHON)
def test_a_rule_is_one_of_the_rules(rule: str) -> None:
    w = Forger()
    step = w.step(rule, {"formula": {"t": w.false}}, [], w.false)
    rejected(w.text(w.false, step))


@pytest.mark.parametrize("rule", [None, 1, ["assume"], {"t": 0}, True])
def test_a_rule_is_named_by_a_string(rule: object) -> None:
    w = Forger()
    rejected(w.text(w.false, w.step(rule, {"formula": {"t": w.false}}, [], w.false)))


def test_nothing_in_the_rules_module_but_rules_can_be_called() -> None:
    for name in vars(rules):
        honest = getattr(vars(rules)[name], "__module__", "") == rules.__name__
        if honest and not name.startswith("_") and name != "Sequent":
            continue
        w = Forger()
        rejected(w.text(w.false, w.step(name, {}, [], w.false)))
        values = {"hyps": [], "concl": {"t": w.false}, "axioms": []}
        rejected(w.text(w.false, w.step(name, values, [], w.false)))


# --- arguments

JUNK = [None, 1, -1, 0.5, 1e30, True, "x", "0 < 0", [], {}, [[]], {"t": 0}, {"t": -1}, {"t": 10**6}, {"t": "0"},
        {"m": []}, {"m": [[0, 0]]}, {"m": 1}, {"t": None}, [{"t": 0}], {"q": 0}]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=repr)
@pytest.mark.parametrize("rule", C.HEADS and sorted(
    r for r, v in vars(rules).items()
    if callable(v) and getattr(v, "__module__", "") == rules.__name__ and not r.startswith("_") and r != "Sequent"
))  # fmt: skip
def test_arguments_of_wrong_kinds(rule: str, junk: object) -> None:
    import inspect

    names = [*inspect.signature(vars(rules)[rule]).parameters][1:]
    for count in range(3):
        w = Forger()
        premises = [w.reflexive(w.x) for _ in range(count)]
        step = w.step(rule, dict.fromkeys(names, junk), premises, w.false)
        rejected(w.text(w.false, step))


def test_arguments_that_the_rule_does_not_have() -> None:
    for more in ({"premises": []}, {"formula": {"t": 6}, "hyps": []}, {"self": 1}, {}):
        w = Forger()
        rejected(w.text(w.false, w.step("assume", more, [], w.false), (w.false,)))


@pytest.mark.parametrize("args", [None, [], "formula", 1, [["formula", {"t": 6}]]])
def test_arguments_are_an_object(args: object) -> None:
    w = Forger()
    rejected(w.text(w.false, w.step("assume", args, [], w.false), (w.false,)))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e30", "0.5", "1.0", "1e400"])
def test_floats_in_arithmetic(number: str) -> None:
    """0 = x(y-1) + x(1-y); a Float multiplier swallowed the goal 0 = x(y-1)."""
    w = Forger()
    y, minus = w.node("Var", "y", w.real), w.node("Q", "-1", "1")
    first = w.node("Mul", w.x, w.node("Add", y, minus))
    second = w.node("Mul", w.x, w.node("Add", w.one, w.node("Mul", minus, y)))
    total = w.node("Add", first, second)
    start = w.node("Eq", w.zero, total)
    w.step("normal_form", {"left": {"t": w.zero}, "right": {"t": total}}, [], start)
    goal = w.node("Eq", w.zero, first)
    args = {"goal": {"t": goal}, "combination": [["MULTIPLIER", 0]]}
    step = w.step("arithmetic", args, [0], goal)
    for text in (w.text(goal, step), w.text(goal, step, format="?")):
        raw = json.loads(text)
        body = raw["bodies"][raw["main"]]
        body["steps"][-1][1]["combination"][0][0] = float(number)
        h = content_hash(body)
        rejected(json.dumps({"format": FORMAT, "main": h, "bodies": {h: body}}))


# --- terms


@pytest.mark.parametrize(
    "node",
    [
        ["Foo", 0],
        ["Slot", "0", 0],
        ["Slot", 0, 0],
        ["Bound", 0, 0],
        ["Bound", "-1", 0],
        ["Bound", "0", 0],
        ["Bound", "x", 0],
        ["Var", 2, 0],
        ["Var", "x"],
        ["Var", "x", 2],
        ["Var", "x", "real"],
        ["Named", "complex"],
        ["Named", 2],
        ["Q", "1", "0"],
        ["Q", "0", "0"],
        ["Q", "x", "1"],
        ["Q", "0.5", "1"],
        ["Q", "1"],
        ["Q", 5, 6],
        ["Inv"],
        ["Inv", 4, 4],
        ["Inv", "x"],
        ["Eq", 4],
        ["Lt", 2, 5],
        ["Imp", 2, 3],
        ["Add", "x", 4],
        ["Pow", 4, 4],
        ["Sum", 0, 4],
        ["Max", 0, 4],
        ["Card", 0],
        ["All", 4, 5],
        ["Near", 4],
        ["Infinity"],
        ["Fin", 4],
        ["Fin", "X", 0],
        ["Fn", "f"],
        ["Fn", 4, 0],
        ["App", 4, 4],
        ["Symbol", "x"],
        ["Float", "0.5"],
        ["exp", 4],
        ["Variable", "x", 0],
        ["Formula", 4],
        ["Head", 4],
        [],
        ["__class__"],
        [5, 5],
        [None],
        [["Eq"], 4, 4],
    ],
    ids=repr,
)
def test_a_term_that_is_not_ours(node: Node) -> None:
    """As a term of an equation, as a formula, and as a hypothesis."""
    w = Forger()
    bad = w.node(*node)
    rejected(w.text(w.node("Eq", bad, bad), w.reflexive(bad)))
    w = Forger()
    bad = w.node(*node)
    rejected(w.text(bad, w.step("assume", {"formula": {"t": bad}}, [], bad), (bad,)))


def test_a_bound_variable_of_another_sort_than_its_binder() -> None:
    """for all real x: y^x, where the bound x is written down as a natural."""
    w = Forger()
    y, bound = w.node("Var", "y", w.real), w.node("Bound", "0", w.natural)
    power = w.node("Pow", y, bound)
    formula = w.node("All", w.real, w.node("Eq", power, power))
    rejected(
        w.text(formula, w.step("assume", {"formula": {"t": formula}}, [], formula), (formula,))
    )
    w = Forger()
    X, Y = w.node("Fin", "X"), w.node("Fin", "Y")
    f = w.node("Fn", "f", w.real, Y)
    total = w.node("Sum", X, w.node("App", f, w.node("Bound", "0", Y)))
    rejected(w.text(w.node("Eq", total, total), w.reflexive(total)))


@pytest.mark.parametrize("offset", range(8))
def test_the_kernel_s_own_fresh_variables_cannot_be_named(offset: int) -> None:
    """for all x: x = x restated as for all x: x = w, where w is the variable that opens x."""
    from derivations.kernel import binding as B
    from derivations.kernel import terms as K

    number = str(B.fresh(K.REAL).tag + 1 + offset)
    for tag in ("number", "string"):
        w = Forger()
        other = w.node("Var", w.node("Q", number, "1") if tag == "number" else number, w.real)
        bound = w.node("Bound", "0", w.real)
        first = w.node("All", w.real, w.node("Eq", bound, bound))
        second = w.node("All", w.real, w.node("Eq", bound, other))
        w.step("generalise", {"variable": {"t": w.x}}, [w.reflexive(w.x)], first)
        rejected(w.text(second, w.step("restate", {"formula": {"t": second}}, [1], second)))


# --- the text


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "1", "[]", "{}", '"x"', "NaN", '{"format": 1}', '{"format": "x", "main": "a", "bodies": {}}',
     json.dumps({"format": FORMAT}), json.dumps({"format": FORMAT, "main": "a"}),
     json.dumps({"format": FORMAT, "main": "a", "bodies": []}), json.dumps({"format": FORMAT, "main": "a", "bodies": {}}),
     json.dumps({"format": FORMAT, "main": ["a"], "bodies": {"a": {}}}), json.dumps({"format": FORMAT, "main": None, "bodies": {}}),
     "[" * 100_000, '{"a":' * 100_000, "\x00", "\ud800"],
    ids=lambda t: repr(t[:40]),
)  # fmt: skip
def test_text_that_is_no_certificate_is_unusable(text: str) -> None:
    with pytest.raises(Unusable):
        replay_text(text)


@pytest.mark.parametrize(
    "field", ["name", "hypotheses", "says", "well_defined", "axioms", "nodes", "steps"]
)
@pytest.mark.parametrize(
    "value", [None, 1, "x", {}, [None], [[]], [["a"]], [-1], [0.5], {"a": 1}], ids=repr
)
def test_fields_of_wrong_kinds(field: str, value: object) -> None:
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


def test_numbers_of_many_digits_are_unusable() -> None:
    w = Forger()
    text = w.text(w.true, w.reflexive(w.x), hypotheses="MANY")
    with pytest.raises(Unusable):
        replay_text(text.replace('"MANY"', "[" + "9" * 5000 + "]"))


def test_a_gap_is_never_a_proof_of_false() -> None:
    w = Forger()
    args = {"name": "missing", "part": "p", "certificate": "0" * 64, "hypotheses": []}
    step = w.step("lemma", {**args, "formula": {"t": w.false}}, [], w.false)
    assert (
        replay_text(w.text(w.false, step)).gaps == ("missing is missing",)
        or replay_text(w.text(w.false, step)).gaps
    )


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
