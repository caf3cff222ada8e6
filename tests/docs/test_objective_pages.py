"""What an objective's page shows is read off its specification, its code and `descend`; a theorem
that does not exist, or is not proved, is said to be missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

import docs.descents
from docs.collect import Cache
from docs.descents import Answer, Descents, descend_all, descents, variants
from docs.pages.objectives import objective_page, reduction
from docs.pages.regions import regions_block
from docs.record import Record
from numerics.objectives import references
from numerics.properties import properties
from numerics.reductions import REDUCTIONS
from tests.docs.samples import right, site_of, wrong

REFS = references()
FORWARD = "divergence_estimators.k3_as_a_loss_follows_the_forward_divergence"


def named(r: Record, id: str) -> Record:
    return replace(r, id=id)


def page_of(name: str, follows: Descents, *records: Record) -> str:
    return objective_page(REFS[name], site_of(list(records)), regions_block(name), follows)


def test_the_page_says_what_descend_finds() -> None:
    found = descend_all(REFS["grpo"].function)
    assert [(a.length, a.sampling) for a in found.answers][:1] == [(1, "on-policy")]
    page = page_of("grpo", found)
    assert "-1 grad E[r] + 0.04 grad KL(ref||pi)" in page.replace("&#91;", "[").replace(
        "&#93;", "]"
    ).replace("&#124;", "|")


def test_every_estimator_and_weight_of_the_penalty_is_asked() -> None:
    found = {v.options: v for v in variants(REFS["kl_penalty"].function)}
    assert len(found) == 9
    k2 = found["kind='k2', ratio='none'"]
    assert k2.on == "grad L = 1 grad KL(pi||ref)"
    assert found["kind='k1', ratio='none'"].on == "grad L = 0"
    assert "With other options" in page_of(
        "kl_penalty", Descents((Answer(1, "on-policy", "x", (), ()),), "", (k2,))
    )


def test_another_loss_follows_something_else() -> None:
    def ascends(logp: torch.Tensor, adv: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return (logp * adv[:, None] * mask).sum() / mask.sum()

    assert descend_all(ascends).answers[0].line == "grad L = 1 grad E[r]"


def test_a_loss_without_sampled_responses_says_so() -> None:
    found = descend_all(REFS["dpo"].function)
    assert found.answers == ()
    assert "no expected gradient over sampled responses" in page_of("dpo", found)


def test_a_theorem_is_a_link_only_when_it_exists_and_green_only_when_it_is_proved(
    tmp_path: Path,
) -> None:
    follows = Descents((Answer(1, "on-policy", "grad L = 0", (FORWARD,), ()),))
    missing = page_of("grpo", follows)
    assert "k3 as a loss follows the forward divergence (<span" in missing
    assert "no theorem yet" in missing
    proved = page_of("grpo", follows, named(right(tmp_path)[0], FORWARD))
    path = "../theorems/divergence_estimators/k3_as_a_loss_follows_the_forward_divergence.md"
    assert f"[k3 as a loss follows the forward divergence]({path})\n" in proved
    refused = page_of("grpo", follows, named(wrong(tmp_path)[0], FORWARD))
    assert f'({path}) <span class="status refused">refused</span>' in refused


@pytest.mark.parametrize("name", ["ppo_clip", "kl_penalty", "gae"])
def test_only_the_properties_of_the_family_are_listed(name: str) -> None:
    page = page_of(name, Descents(()))
    for property in properties().values():
        listed = f"- `{property.name}`" in page
        assert listed == (REFS[name].family in property.families)


def test_the_default_reduction_is_marked_and_every_reduction_has_a_formula() -> None:
    text = "\n".join(reduction(REFS["ppo_clip"]))
    assert "`token-mean`, the default" in text
    assert all(f"`{how}`" in text for how in REDUCTIONS)
    assert list(reduction(REFS["gae"])) == []


def test_the_case_table_of_the_clip_has_two_flat_parts_and_two_kinks() -> None:
    block = regions_block("ppo_clip")
    assert block.count("| 0, flat |") == 2
    assert block.count('<rect class="flat"') == 2
    assert block.count(r"$\rho = ") == 2
    assert "does not hold" not in block
    assert "does not hold" in regions_block("dual_clip")  # it is not pessimistic
    assert regions_block("gae") == ""


def test_answers_are_cached_by_what_they_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: REFS[name] for name in ("reinforce",)}
    monkeypatch.setattr("numerics.objectives.references", lambda: few)
    cache = Cache(tmp_path)
    first = descents(cache)
    assert first["reinforce"].answers[0].line == "grad L = -1 grad E[r]"
    monkeypatch.setattr(docs.descents, "_work", lambda name: pytest.fail("asked again"))
    assert descents(cache) == first
