"""Lemmas in a certificate: replaced, renamed, removed, or in a circle."""

from __future__ import annotations

import copy
import json

import pytest

from derivations.kernel import certificate as C
from derivations.kernel.certificate import Unusable, content_hash
from derivations.kernel.terms import Refused
from derivations.library import find
from tests.derivations.kernel.editing import (
    CITING,
    LEMMA,
    Certificate,
    body_of,
    certificate,
    lemma_of,
    node,
    refuses,
    replayed,
    sealed,
    step_with,
    sum_of_exponentials_is_positive,
)


def test_a_hypothesis_slipped_into_a_lemma_is_refused(citing: Certificate) -> None:
    key, lemma = lemma_of(citing)
    zero = node(lemma, "Q", "0", "1")
    lemma["hypotheses"].append(node(lemma, "Lt", zero, zero))
    assert "another" in refuses(citing) or key[:6] in refuses(citing)


def test_an_axiom_that_is_hidden_is_refused() -> None:
    made = certificate(sum_of_exponentials_is_positive)
    body_of(made)["axioms"] = []
    refuses(sealed(made))


def test_a_lemma_that_is_replaced_is_refused(citing: Certificate) -> None:
    """Another certificate under the same hash, or cited under its own hash."""
    key, _ = lemma_of(citing)
    other = certificate(sum_of_exponentials_is_positive)
    citing["bodies"][key] = body_of(other)
    refuses(citing)
    made = certificate(find(CITING))
    made["bodies"][other["main"]] = body_of(other)
    step_with(body_of(made), "lemma")[1]["certificate"] = other["main"]
    refuses(sealed(made))


def test_a_lemma_of_another_name_or_part_is_refused(citing: Certificate) -> None:
    for field in ("name", "part"):
        made = copy.deepcopy(citing)
        step_with(body_of(made), "lemma")[1][field] = "another"
        refuses(sealed(made))


def test_a_lemma_with_fewer_hypotheses_is_refused(citing: Certificate) -> None:
    step_with(body_of(citing), "lemma")[1]["hypotheses"] = []
    refuses(sealed(citing))


def test_a_lemma_that_is_removed_is_a_gap(citing: Certificate) -> None:
    key, _ = lemma_of(citing)
    del citing["bodies"][key]
    found = replayed(citing)
    assert found.gaps != () and LEMMA in found.gaps[0]


def test_a_false_lemma_that_is_missing_is_a_gap_all_the_way_up(citing: Certificate) -> None:
    """The gap of a lemma of a lemma is reported by whoever cites it."""
    key, lemma = lemma_of(citing)
    args = {"name": "nowhere", "part": "x", "certificate": "0" * 64, "hypotheses": []}
    zero = node(lemma, "Q", "0", "1")
    false = node(lemma, "Lt", zero, zero)
    lemma["steps"].append(["lemma", {**args, "formula": {"t": false}}, [], false])
    moved = content_hash(lemma)
    del citing["bodies"][key]
    citing["bodies"][moved] = lemma
    step_with(body_of(citing), "lemma")[1]["certificate"] = moved
    found = replayed(sealed(citing))
    assert any("nowhere" in gap for gap in found.gaps)


def test_lemmas_in_a_circle_are_refused(
    citing: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashes make a circle impossible; with a broken hash it is still refused."""
    step_with(body_of(citing), "lemma")[1]["certificate"] = citing["main"]
    with pytest.raises((Refused, Unusable)):
        replayed(citing)
    hashes = {json.dumps(b, sort_keys=True): h for h, b in citing["bodies"].items()}
    monkeypatch.setattr(C, "content_hash", lambda b: hashes[json.dumps(b, sort_keys=True)])
    assert "circle" in refuses(citing)
