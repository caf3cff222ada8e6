"""Properties that no public mistake shows: a right loss passes, a wrong one fails.

And every property is known to fail somewhere.
"""

from pathlib import Path

import pytest
import torch

from numerics import check
from numerics.objectives import reference
from numerics.properties import properties
from tests.numerics.corpus import cases
from tests.numerics.properties.pairs import pairs

ELSEWHERE = {  # tested in a file of their own, or below
    "gradient_is_consistent",
    "ignores_masked_tokens",
    "matches_the_specification",
    "is_zero_when_policies_agree",
    "gives_the_same_gradient_twice",
}
FACTS = {
    "reports_frozen_sites",
    "tells_what_padding_may_hold",
    "tells_which_inputs_receive_a_gradient",
}


def finding(loss, name):
    return check(loss, only=(name,)).findings[0]


def shifted_penalty(logp, logp_ref):
    return (logp_ref - logp).exp() - (logp_ref - logp)


def multiplied(logp, adv, mask):
    return -(logp * adv * mask).sum() / mask.sum()


def selected(logp, adv, mask):
    return -(torch.where(mask > 0, logp, 0.0) * adv * mask).sum(-1).mean()


def remembering():
    calls = []

    def loss(logp, adv, mask):
        calls.append(float(adv[0, 0]))
        return -(logp * (adv - 1e-3 * (calls[-1] != calls[max(0, len(calls) - 2)])) * mask).sum()

    return loss


def test_a_penalty_that_is_not_zero_at_equality_fails() -> None:
    found = finding(shifted_penalty, "is_zero_when_policies_agree")
    assert found.verdict == "fail"
    assert found.observed == pytest.approx(1.0)
    right = finding(reference("kl_penalty").function, "is_zero_when_policies_agree")
    assert right.verdict == "pass"


def test_a_loss_that_remembers_the_last_call_fails() -> None:
    assert finding(remembering(), "gives_the_same_gradient_twice").verdict == "fail"
    assert finding(multiplied, "gives_the_same_gradient_twice").verdict == "pass"


def test_what_padding_may_hold_is_told() -> None:
    told = finding(multiplied, "tells_what_padding_may_hold")
    assert told.verdict == "reported"
    assert told.message == (
        "-inf: spoils the value; NaN: spoils the value; an empty row does not count"
    )
    told = finding(selected, "tells_what_padding_may_hold")
    assert told.message == "-inf: harmless; NaN: harmless; an empty row counts as a row"


def test_inputs_that_receive_a_gradient_are_told() -> None:
    told = finding(multiplied, "tells_which_inputs_receive_a_gradient")
    assert told.verdict == "reported"
    assert told.message == "a gradient: logp, adv; none: none"


def test_every_property_is_seen_to_fail_somewhere() -> None:
    seen = {case.property for case in cases().values()} | ELSEWHERE | FACTS
    seen |= {pair.about for pair in pairs()}
    seen |= {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert set(properties()) <= seen


def test_a_finding_names_the_theorem_of_its_property() -> None:
    name = "is_zero_when_policies_agree"
    assert finding(shifted_penalty, name).theorem == properties()[name].theorem is not None


def test_every_theorem_that_is_named_exists() -> None:
    from derivations.library import catalogue

    known = {theorem.name for theorem in catalogue()}
    named = {entry.theorem for entry in properties().values() if entry.theorem}
    assert named <= known
