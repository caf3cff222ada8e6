"""Certificates of real theorems, and how a forger edits them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from derivations.kernel.certificate import Replayed, content_hash, replay_text
from derivations.kernel.terms import Refused
from derivations.language.reasons import Hypothesis
from derivations.language.syntax import Less, exp, reals
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import Theorem, prove, theorem

Certificate = dict[str, Any]
Body = dict[str, Any]
Edit = Callable[[Body], object]
x, y = reals("x", "y")
POSITIVE = Hypothesis("x > 0", Less(0, x))
LEMMA = "foundations.zero_sum_has_zero_terms"
CITING = "foundations.a_mean_of_positives_is_positive"


@theorem(says=lambda: {"positive": Less(0, exp(x) + exp(y))})
def sum_of_exponentials_is_positive() -> None:
    claim(Less(0, exp(x) + exp(y)), by())


def certificate(t: Theorem) -> Certificate:
    proof = prove(t)
    assert proof.status == "proved", proof.refusal
    return copy.deepcopy(proof.certificate())


def body_of(made: Certificate) -> Body:
    return made["bodies"][made["main"]]


def lemma_of(made: Certificate) -> tuple[str, Body]:
    ((key, body),) = [(h, b) for h, b in made["bodies"].items() if h != made["main"]]
    return key, body


def sealed(made: Certificate) -> Certificate:
    """With the main body filed under the hash of its new text, as a forger would do."""
    body = body_of(made)
    others = {h: b for h, b in made["bodies"].items() if h != made["main"]}
    main = content_hash(body)
    return {**made, "main": main, "bodies": {**others, main: body}}


def replayed(made: Certificate) -> Replayed:
    return replay_text(json.dumps(made))


def refuses(made: Certificate) -> str:
    with pytest.raises(Refused) as caught:
        replayed(made)
    return str(caught.value)


def step_with(body: Body, rule: str) -> list[Any]:
    return next(s for s in body["steps"] if s[0] == rule)


def node(body: Body, *parts: Any) -> int:
    """A new node of the body's table."""
    body["nodes"].append([*parts])
    return len(body["nodes"]) - 1
