"""Certificates: an edited one is refused, a missing lemma is a gap, garbage is unusable input."""

from __future__ import annotations

import json

import pytest

from derivations.kernel import terms as K
from derivations.kernel.certificate import Unusable, replay_text
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import Refused
from derivations.language.reasons import Hypothesis
from derivations.language.syntax import Equal, Less, NotZero
from derivations.library import find
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import Proof, prove, theorem
from tests.derivations.kernel.editing import (
    CITING,
    LEMMA,
    Body,
    Certificate,
    Edit,
    body_of,
    certificate,
    node,
    replayed,
    sealed,
    sum_of_exponentials_is_positive,
    x,
    y,
)

# --- what an honest certificate says


@pytest.mark.parametrize("name", ["advantage_has_mean_zero", LEMMA, CITING])
def test_a_certificate_says_what_the_theorem_says(name: str) -> None:
    t = find(name)
    found = replayed(certificate(t))
    assert dict(found.says) == t.statement()
    assert found.hypotheses == tuple(h.formula for h in t.given)
    assert (found.gaps, found.generic, found.name) == ((), True, t.name)


def test_a_lemma_is_used_and_embedded(citing: Certificate) -> None:
    found = replayed(citing)
    assert found.gaps == () and found.uses == (LEMMA,)


def test_axioms_are_reported_through_lemmas() -> None:
    found = replayed(certificate(sum_of_exponentials_is_positive))
    assert "exponential_is_positive" in found.axioms


def test_a_certificate_is_its_json_text(plain: Certificate) -> None:
    again = json.loads(json.dumps(plain, indent=3, sort_keys=True))
    assert replayed(again) == replayed(plain)


# --- edited certificates


def change_conclusion(body: Body) -> None:
    """Says the same about a number one larger."""
    part, formula, step = body["says"][0]
    one = node(body, "Q", "1", "1")
    head, left, right = body["nodes"][formula]
    body["says"][0] = [part, node(body, head, left, node(body, "Add", right, one)), step]


def change_step_conclusion(body: Body) -> None:
    body["steps"][-1][3] = body["steps"][0][3]


def drop_hypothesis(body: Body) -> None:
    body["hypotheses"].pop()


def drop_premise(body: Body) -> None:
    next(s for s in body["steps"] if s[2])[2].pop()


def swap_rule(body: Body) -> None:
    last = next(s for s in reversed(body["steps"]) if s[2])
    last[0] = "antisymmetry" if last[0] != "antisymmetry" else "modus_ponens"
    last[1] = {}


def hide_a_step_behind_assume(body: Body) -> None:
    """The conclusion is assumed, and no hypothesis says so."""
    part, formula, _ = body["says"][0]
    body["steps"].append(["assume", {"formula": {"t": formula}}, [], formula])
    body["says"][0] = [part, formula, len(body["steps"]) - 1]


def forward_reference(body: Body) -> None:
    next(s for s in body["steps"] if s[2])[2][0] = len(body["steps"]) - 1


def reference_to_itself(body: Body) -> None:
    number, found = next((i, s) for i, s in enumerate(body["steps"]) if s[2])
    found[2][0] = number


def negative_premise(body: Body) -> None:
    next(s for s in body["steps"] if s[2])[2][0] = -1


def negative_part(body: Body) -> None:
    body["says"][0][2] = -1


def negative_formula(body: Body) -> None:
    body["says"][0][1] = -1


def fractional_premise(body: Body) -> None:
    next(s for s in body["steps"] if s[2])[2][0] = 0.0


def boolean_premise(body: Body) -> None:
    next(s for s in body["steps"] if s[2])[2][0] = False


def forward_node(body: Body) -> None:
    body["nodes"].insert(0, ["Eq", 1, 2])


def negative_node(body: Body) -> None:
    node(body, "Inv", -1)


def unknown_head(body: Body) -> None:
    node(body, "Piecewise", 0)


def private_head(body: Body) -> None:
    node(body, "Slot", 0, 0)


def duplicate_part(body: Body) -> None:
    body["says"].append([*body["says"][0]])


def empty_says(body: Body) -> None:
    body["says"] = []


def hide_axioms(body: Body) -> None:
    body["axioms"] = ["logarithm_bound"]


def float_argument(body: Body) -> None:
    steps = [s for s in body["steps"] if s[0] == "arithmetic" and s[1]["combination"]]
    steps[0][1]["combination"][0][0] = 0.5


@pytest.mark.parametrize(
    "edit",
    [
        change_conclusion,
        change_step_conclusion,
        drop_hypothesis,
        drop_premise,
        swap_rule,
        hide_a_step_behind_assume,
        forward_reference,
        reference_to_itself,
        negative_premise,
        negative_part,
        negative_formula,
        fractional_premise,
        boolean_premise,
        forward_node,
        negative_node,
        unknown_head,
        private_head,
        duplicate_part,
        empty_says,
        hide_axioms,
        float_argument,
    ],
)
def test_an_edited_certificate_is_refused(edit: Edit, citing: Certificate) -> None:
    edit(body_of(citing))
    with pytest.raises((Refused, Unusable)):
        replayed(citing)  # filed under the old hash
    with pytest.raises((Refused, Unusable)):
        replayed(sealed(citing))


def test_a_hypothesis_slipped_in_is_printed(plain: Certificate) -> None:
    """It proves another theorem, and the replayed statement shows it."""
    body = body_of(plain)
    zero = node(body, "Q", "0", "1")
    body["hypotheses"].append(node(body, "Lt", zero, zero))
    found = replayed(sealed(plain))
    assert K.Lt(0, 0) in found.hypotheses


# --- Python objects prove nothing


def test_a_forged_python_object_changes_nothing(plain: Certificate) -> None:
    honest = replayed(plain)
    false = (("terms", K.Lt(0, 0)),)
    forged = honest._replace(says=false, gaps=(), hypotheses=())
    assert forged.says == false
    t = find(LEMMA)
    proof = Proof(t, "proved", plain["main"], plain["bodies"], forged)
    assert replay_text(json.dumps(proof.certificate())) == honest
    assert Sequent(frozenset(), K.Lt(0, 0), frozenset()) not in replayed(plain).sequents


def test_a_theorem_object_without_a_proof_is_not_proved() -> None:
    @theorem(says=lambda: {"false": Equal(x, y)})
    def anything() -> None:
        return None

    assert prove(anything).status == "refused"


def test_results_are_kept_by_content_only(plain: Certificate) -> None:
    """A forged result under the hash of one body says nothing about a text that is replayed."""
    known = {plain["main"]: replayed(plain)._replace(says=(("x", K.Lt(0, 0)),))}
    assert known[plain["main"]].says != replayed(plain).says


def test_the_conclusion_of_a_proof_is_what_was_asked() -> None:
    """A part that is proved with other hypotheses than the listed ones is refused."""

    @theorem(says=lambda: {"ratio": Equal(x / x, 1)}, given=[Hypothesis("x is not 0", NotZero(y))])
    def careless() -> None:
        claim(Equal(x / x, 1), by(Hypothesis("x > 0", Less(0, x))))

    assert prove(careless).status == "refused"
