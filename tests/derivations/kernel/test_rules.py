"""All rules at once: each has its tests, random uses are true on models, unsound ones are noticed.

The tests of a rule are found by name: `test_<rule>...`, `test_<rule>_refuses_...`,
`test_<rule>_captures_nothing` in this folder's test_rules_*.py, and `use_<rule>` of random_proofs.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from derivations.kernel import binding as B
from derivations.kernel import rules
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.sequents import Sequent
from tests.derivations.kernel import random_proofs
from tests.derivations.kernel.evaluate import Model, Sampled

HERE = Path(__file__).parent
PUBLIC = sorted(
    name
    for name, value in vars(rules).items()
    if callable(value) and getattr(value, "__module__", "") == rules.__name__
    if not name.startswith("_") and value is not Sequent
)
INDUCTIONS = ("induction", "word_induction")
OTHERS = ("assume", "normal_form", "instantiate", "specialise")


def names_of_tests() -> list[str]:
    """The names of all tests about rules."""
    trees = [ast.parse(f.read_text()) for f in sorted(HERE.glob("test_rules_*.py"))]
    return [d.name for tree in trees for d in tree.body if isinstance(d, ast.FunctionDef)]


def missing_tests(rule: str, names: list[str]) -> list[str]:
    """Which kinds of tests a rule lacks."""
    others = [r for r in PUBLIC if r != rule and r.startswith(rule + "_")]
    own = [t for t in names if t.startswith(f"test_{rule}")]
    own = [t for t in own if not any(t.startswith(f"test_{r}") for r in others)]
    kinds = {
        "a valid use": any("_refuses" not in t and "_captures" not in t for t in own),
        "a forged use": any(t.startswith(f"test_{rule}_refuses") for t in own),
        "a capture": any(t.startswith(f"test_{rule}") and "captures_nothing" in t for t in own),
        "random uses": hasattr(random_proofs, f"use_{rule}"),
    }
    return [kind for kind, there in kinds.items() if not there]


@pytest.mark.parametrize("rule", PUBLIC)
def test_every_rule_has_its_tests(rule: str) -> None:
    assert missing_tests(rule, names_of_tests()) == []


def test_a_new_rule_without_tests_is_noticed() -> None:
    assert len(missing_tests("by_magic", names_of_tests())) == 4
    fewer = [t for t in names_of_tests() if t != "test_larger_captures_nothing"]
    assert missing_tests("larger", fewer) == ["a capture"]


@pytest.mark.parametrize("rule", PUBLIC)
def test_every_rule_states_its_figure(rule: str) -> None:
    doc = vars(rules)[rule].__doc__ or ""
    assert "|-" in doc or " give" in doc


def test_there_are_no_random_uses_of_a_rule_that_is_gone() -> None:
    assert set(random_proofs.rules()) == set(PUBLIC)


# --- random uses


def uses(rules_to_try: list[str], seeds: range, depth: int) -> Iterator[tuple[int, str, Sequent]]:
    """Random uses that the kernel allows; each seed grows one pool."""
    for seed in seeds:
        pool = random_proofs.Pool(seed, depth)
        for _ in range(10):
            rule = pool.rng.choice(rules_to_try)
            try:
                made = getattr(random_proofs, f"use_{rule}")(pool)
            except K.Refused:
                continue
            yield seed, rule, made


def verdict(seed: int, rule: str, made: Sequent) -> tuple[int, Model | None]:
    """In how many models the hypotheses hold, and one of them where the conclusion does not."""
    kind, tried = Sampled if rule in INDUCTIONS else Model, 0
    for i in range(12):
        model = kind(100 * seed + i, largest=2)
        if all(model.holds(h) is True for h in made.hyps):
            tried += 1
            if model.holds(made.concl) is False:
                return tried, model
        if tried == 2:
            break
    return tried, None


def false_uses(rules_to_try: list[str], seeds: range, depth: int) -> tuple[list[str], Counter[str]]:
    """What is false, and how many uses of each rule were true in some model."""
    found: list[str] = []
    powers: Counter[str] = Counter()
    for seed, rule, made in uses(rules_to_try, seeds, depth):
        tried, model = verdict(seed, rule, made)
        powers[rule] += tried > 0
        if model is not None:
            found.append(f"{rule} (seed {seed}): {sorted(map(str, made.hyps))} |- {made.concl}")
    return found, powers


@pytest.mark.parametrize("rule", PUBLIC)
def test_random_uses_are_true(rule: str) -> None:
    """The rule mostly, with others to make its premises interesting."""
    found, powers = false_uses([rule, rule, rule, rule, *OTHERS], range(10), depth=1)
    assert found == []
    assert powers[rule] >= (0 if rule == "contradiction" else 2), powers


@pytest.mark.long
@pytest.mark.parametrize("block", range(8))
def test_many_random_uses_are_true(block: int) -> None:
    found, _ = false_uses(PUBLIC, range(1000 * (block + 1), 1000 * (block + 1) + 400), depth=2)
    assert found == []


def test_contradiction_is_not_tried_in_models() -> None:
    """Its hypotheses are absurd: no model satisfies them, so the sampling has no power there."""
    _, powers = false_uses(["contradiction"], range(10), depth=1)
    assert powers["contradiction"] == 0


# --- the sampling notices unsound rules


def first_false(sequents: Iterator[tuple[int, str, Sequent]]) -> Sequent | None:
    return next((made for seed, rule, made in sequents if verdict(seed, rule, made)[1]), None)


@pytest.mark.parametrize("rule", ["by_order", "by_letters", "by_larger", "rewrite", "specialise"])
def test_a_rule_that_forgets_its_hypotheses_is_noticed(rule: str) -> None:
    made = uses([rule], range(40), depth=1)
    assert first_false((i, r, s._replace(hyps=frozenset())) for i, r, s in made) is not None


def test_generalising_a_variable_of_a_hypothesis_is_noticed() -> None:
    made = uses(["assume"], range(40), depth=1)
    free = ((i, r, s, v) for i, r, s in made for v in sorted(B.variables(s.concl), key=str))
    general = ((i, r, s._replace(concl=B.for_all([v], s.concl))) for i, r, s, v in free)
    assert first_false(general) is not None


@pytest.mark.parametrize("rule", INDUCTIONS)
def test_induction_without_the_step_is_noticed(rule: str) -> None:
    made = uses([rule], range(60), depth=1)
    base = (
        (i, r, s._replace(hyps=frozenset(h for h in s.hyps if not isinstance(h, K.All))))
        for i, r, s in made
    )
    assert first_false(base) is not None


@pytest.mark.parametrize("rule", ["normal_form", "restate"])
def test_a_careless_normal_form_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Normaliser, "is_zero", lambda *_: True)
    assert first_false(uses([rule], range(40), depth=1)) is not None


@pytest.mark.parametrize("relation", [K.Lt, K.Eq])
def test_a_stronger_relation_is_noticed(relation: type[K.Formula]) -> None:
    made = uses(["arithmetic", "sum_of_members", "antisymmetry", "larger"], range(40), depth=1)
    weak = ((i, r, s) for i, r, s in made if isinstance(s.concl, K.Le))
    assert (
        first_false((i, r, s._replace(concl=relation(*s.concl.args))) for i, r, s in weak)
        is not None
    )
