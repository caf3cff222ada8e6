"""The seventeen claims: each example shows its point, and stops doing so when the code is wrong."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from derivations.library import catalogue
from numerics.errors import UnusableInput
from numerics.lessons import claims, group_advantages, reward_model
from numerics.lessons.claims import (
    Entry,
    all_claims,
    entries,
    estimators,
    groups,
    penalty,
    preferences,
    surrogate,
    training,
)
from numerics.lessons.divergence import law
from numerics.lessons.over_optimisation import Bought
from numerics.lessons.tilted import optimum
from numerics.objectives.kl_penalty import estimator

COUNT = 17


def test_all_are_there() -> None:
    assert list(entries()) == list(range(1, COUNT + 1))


@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_an_example_shows_its_point(number: int) -> None:
    example = entries()[number].compute()
    assert example.holds, example
    assert example.values and all(isinstance(x, float) for x in example.values.values())


def test_a_theorem_of_the_catalogue_is_named_by_its_id() -> None:
    """A claim that names an existing theorem in another chapter would never be proved."""
    ids = {t.name.split(".")[-1]: t.name for t in catalogue()}
    chapters = {"foundations", "decision_processes", "trust_regions", "clipped_surrogate"}
    chapters |= {"divergence_estimators", "language_models", "groups"}
    for entry in entries().values():
        for id in (entry.theorem, *entry.also):
            if id is not None:
                chapter, _, name = id.partition(".")
                assert chapter in chapters and ids.get(name, id) == id


def test_what_is_proved_is_asked_when_the_claims_are_made() -> None:
    asked: list[str] = []
    only = "decision_processes.visitation_sums_to_one_over_one_minus_gamma"

    def is_proved(id: str) -> bool:
        asked.append(id)
        return id == only

    found = {c.number: c for c in all_claims(is_proved)}
    assert only in asked
    assert [n for n, c in found.items() if c.proved] == [8]
    assert found[8].status == "proved" and found[1].status == "not proved yet"
    assert found[5].status == found[10].status == "shown by the example"
    # Every theorem that a claim names has to be proved, not the first alone.
    main = entries()[12].theorem
    assert not {c.number: c for c in all_claims(lambda id: id == main)}[12].proved
    assert all(c.proved == (c.theorem is not None) for c in all_claims(lambda _: True))


def test_a_certificate_is_replayed_and_an_absent_theorem_is_not_proved() -> None:
    assert claims.replays("decision_processes.a_baseline_adds_no_bias")
    assert not claims.replays("a_baseline_adds_no_bias")  # an id has its chapter
    assert not claims.replays("groups.a_baseline_adds_no_bias")
    assert not claims.replays("groups.no_such_theorem")


def test_two_claims_with_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    again = Entry(1, "said", "precise", None, (), entries()[1].compute)
    monkeypatch.setattr(penalty, "again", again, raising=False)
    with pytest.raises(UnusableInput, match="two claims have one number"):
        claims.entries.__wrapped__()


def unclipped(rho: Any, adv: Any, clip: float) -> Any:
    return rho * adv


def literal(beta: float) -> Bought:
    """The claim taken at its word: the distance quadruples."""
    return Bought(1 / (4 * beta**2), 1 / beta**4, 1 / beta, 1 / beta)


PLANTED: list[tuple[int, ModuleType, str, Callable[..., Any]]] = [
    (1, penalty, "bought", literal),
    (3, surrogate, "clipped_surrogate", unclipped),
    (4, surrogate, "clipped_surrogate", unclipped),
    (5, training, "law", lambda *x: law(*(0.0 for _ in x))),
    (6, estimators, "estimator", lambda q, p, kind: q - p),
    (7, estimators, "estimator", lambda q, p, kind: estimator(q, p, "k2")),
    (9, surrogate, "clipped_surrogate", unclipped),
    (10, training, "clipped_surrogate", unclipped),
    (11, penalty, "optimum", lambda ref, r, beta: optimum(ref.flip(0), r, beta)),
    (12, groups, "leave_one_out", group_advantages.centred),
    (13, groups, "prompt_weight", lambda size, p: 1.0),
    (14, preferences, "optimum", lambda ref, r, beta: optimum(ref, r, 2 * beta)),
    (15, preferences.dpo_fit, "fit_identity", lambda wins, ref, tau: ref),
    (16, reward_model, "preference_loss", lambda r, wins: (wins @ r).sum()),
    (17, groups, "normalised", lambda r, guard=0.0: group_advantages.normalised(r)),
]


@pytest.mark.parametrize(("number", "module", "name", "wrong"), PLANTED)
def test_an_example_can_fail(
    number: int, module: ModuleType, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert not entries()[number].compute().holds


@pytest.mark.parametrize("number", [2, 8])
def test_the_two_state_examples_can_fail(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = surrogate.two_state.surrogate
    monkeypatch.setattr(surrogate.two_state, "surrogate", lambda t: right(t) / 2)
    assert not entries()[number].compute().holds
