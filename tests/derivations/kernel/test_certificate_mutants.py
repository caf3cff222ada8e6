"""Random edits of real certificates: refused, or what they then say is true on models."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest

from derivations.kernel.certificate import Replayed, Unusable
from derivations.kernel.terms import Refused
from derivations.library import find
from tests.derivations.kernel.editing import (
    Body,
    Certificate,
    body_of,
    certificate,
    replayed,
    sealed,
)
from tests.derivations.kernel.evaluate import Model, refuted

NAMES = [
    "zero_sum_has_zero_terms",
    "square_is_zero_only_at_zero",
    "policy_changes_sum_to_zero",
    "a_mean_of_positives_is_positive",
    "relative_entropy_with_zeros_is_nonnegative",
    "sums_over_steps_split_at_the_first",
]
TWINS = [
    ("Eq", "Le"),
    ("Le", "Lt"),
    ("Add", "Mul"),
    ("Exp", "Inv"),
    ("Log", "Inv"),
    ("Sum", "Max"),
    ("Imp", "Imp"),
]


def change_node(body: Body, rng: Random) -> None:
    """Another head, other arguments, another number."""
    node = rng.choice(body["nodes"])
    twins = [t for pair in TWINS for t in (pair, pair[::-1]) if t[0] == node[0]]
    if twins and rng.random() < 0.5:
        node[0] = rng.choice(twins)[1]
    elif node[0] == "Q":
        node[1] = rng.choice(["0", "1", "-1", "2"])
    elif len(node) > 2 and isinstance(node[-1], int) and isinstance(node[-2], int):
        node[-1], node[-2] = node[-2], node[-1]
    elif isinstance(node[-1], int) and node[-1] > 0:
        node[-1] = rng.randrange(node[-1])


def change_step(body: Body, rng: Random) -> None:
    """Another premise, another rule, another argument, another conclusion."""
    step = rng.choice(body["steps"])
    kind = rng.randrange(4)
    if kind == 0 and step[2]:
        step[2][rng.randrange(len(step[2]))] = rng.randrange(len(body["steps"]))
    elif kind == 1:
        step[0] = rng.choice(body["steps"])[0]
    elif kind == 2:
        step[3] = rng.choice(body["steps"])[3]
    else:
        swap_terms(step[1], rng, len(body["nodes"]))


def swap_terms(args: Any, rng: Random, count: int) -> None:
    """Some term of the arguments becomes some other node."""
    if isinstance(args, dict) and "t" in args:
        args["t"] = rng.randrange(count)
    elif args and isinstance(args, (dict, list)):
        swap_terms(rng.choice([*args.values()] if isinstance(args, dict) else args), rng, count)


def follow(body: Body, rng: Random) -> None:
    """The theorem says what some step concludes, under fewer hypotheses."""
    number = rng.randrange(len(body["steps"]))
    body["says"] = [["part", body["steps"][number][3], number]]
    if body["hypotheses"] and rng.random() < 0.5:
        body["hypotheses"].pop(rng.randrange(len(body["hypotheses"])))


def drop_hypotheses(body: Body, rng: Random) -> None:
    body["hypotheses"] = [h for h in body["hypotheses"] if rng.random() < 0.5]


EDITS = [change_node, change_node, change_step, change_step, follow, drop_hypotheses]


def accepted(honest: Certificate, seed: int) -> Replayed | None:
    """What an edited certificate is found to say; None when it is refused."""
    rng, made = Random(seed), copy.deepcopy(honest)
    for _ in range(rng.choice([1, 1, 2])):
        rng.choice(EDITS)(body_of(made), rng)
    try:
        return replayed(sealed(made))
    except (Refused, Unusable):
        return None


def falsehoods(honest: Certificate, seeds: range) -> tuple[list[str], int, int]:
    """Accepted statements that a model refutes, and how many were accepted and refused."""
    false: list[str] = []
    kept = 0
    for seed in seeds:
        found = accepted(honest, seed)
        kept += found is not None
        if found is None or found.gaps:
            continue
        for part, p in found.says:
            if refuted(found.hypotheses, p, [Model(10 * seed + i, largest=2) for i in range(6)]):
                false.append(f"seed {seed}, {part}: {p}")
    return false, kept, len(seeds) - kept


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_certificate_says_something_true_or_nothing(name: str) -> None:
    false, kept, gone = falsehoods(certificate(find(name)), range(60))
    assert false == []
    assert kept > 0 and gone > 15, (kept, gone)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_many_edited_certificates(name: str) -> None:
    assert falsehoods(certificate(find(name)), range(1000, 2500))[0] == []


def test_the_models_can_refute_a_false_theorem() -> None:
    """Without its hypotheses the statement of a theorem is false."""
    for name in ("zero_sum_has_zero_terms", "a_mean_of_positives_is_positive"):
        found = replayed(certificate(find(name)))
        models = [Model(seed, largest=2) for seed in range(200)]
        assert refuted(found.hypotheses, found.says[0][1], models) is None
        assert any(refuted([], p, models) for _, p in found.says)


def test_an_edit_is_a_valid_text() -> None:
    """The text is filed under its own hash: that is never why it is refused."""
    made = sealed(certificate(find(NAMES[0])))
    assert replayed(json.loads(json.dumps(made))).gaps == ()
