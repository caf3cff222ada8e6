"""Forged and malformed certificate texts, built by hand: refused or unusable, never an accident."""

from __future__ import annotations

import json

import pytest

from derivations.kernel import certificate as C
from derivations.kernel import rules
from derivations.kernel.certificate import FORMAT, content_hash, replay_text
from tests.derivations.kernel.forger import Forger, Node, rejected


def test_the_forger_can_write_an_honest_certificate() -> None:
    w = Forger()
    step = w.reflexive(w.x)
    assert replay_text(w.text(w.true, step)).gaps == ()


# --- rules by name

PYTHON = [
    "__class__",
    "__init__",
    "_from",
    "_take",
    "_check",
    "_put",
    "Sequent",
    "Given",
    "Premises",
    "need",
    "NamedTuple",
    "named tuple",
    "Any",
    "B",
    "K",
    "axioms",
    "_axioms",
    "match",
    "Normaliser",
    "Integer",
    "annotations",
    "print",
    "eval",
    "",
    " ",
    "assume ",
    "Assume",
    "gap",
    "sorry",
    "lemma()",
    "rules.assume",
]


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

JUNK = [
    None,
    1,
    -1,
    0.5,
    1e30,
    True,
    "x",
    "0 < 0",
    [],
    {},
    [[]],
    {"t": 0},
    {"t": -1},
    {"t": 10**6},
    {"t": "0"},
    {"m": []},
    {"m": [[0, 0]]},
    {"m": 1},
    {"t": None},
    [{"t": 0}],
    {"q": 0},
]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
@pytest.mark.parametrize(
    "rule",
    C.HEADS
    and sorted(
        r
        for r, v in vars(rules).items()
        if callable(v)
        and getattr(v, "__module__", "") == rules.__name__
        and not r.startswith("_")
        and r != "Sequent"
    ),
)
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
        ["Add", 0, 0],
        ["Mul", 0, 0],
        ["Pow", 0, 3],
        ["Add", 5, 5],
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
