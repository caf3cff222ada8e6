"""Mutants of the losses are refused; the table of them is true.

The ordinary run makes the mutants of a few small objectives; the long one makes all.
"""

import ast
import re
from dataclasses import replace

import pytest

from numerics.objectives import references
from tests.numerics.mutants.mutations import mutations
from tests.numerics.mutants.settings import USES, uses
from tests.numerics.mutants.sources import called, rebuilt, tree_of
from tests.numerics.mutants.table import (
    TABLE,
    Row,
    equivalents,
    fates,
    row,
    shares,
    survivors,
    total,
)
from tests.numerics.mutants.verdicts import (
    bound,
    fate,
    first_of,
    in_order,
    mutants,
    setting_of,
)

NAMES = sorted(references())
QUICK = ["bradley_terry", "group_mean", "pass_at_k", "whiten"]
SPECIFIED, ALONE = 0.99, 0.85


def rows() -> list[Row]:
    """The rows of the table as it is written."""
    found = re.findall(r"^\| (\w+) \| " + " \\| ".join([r"(\d+)"] * 7) + r" \|$", written(), re.M)
    return [Row(name, *map(int, numbers)) for name, *numbers in found]


def written() -> str:
    return TABLE.read_text()


def test_the_table_has_every_objective_and_adds_up() -> None:
    *each, everything = rows()
    assert [one.name for one in each] == NAMES
    assert total(each) == everything
    assert shares(everything) in written()
    assert sorted(USES) == NAMES


def test_the_targets_are_met_and_every_survivor_has_a_reason() -> None:
    everything = rows()[-1]
    assert everything.specified >= SPECIFIED * everything.counted
    assert everything.claimed >= ALONE * everything.counted
    left = [line for line in written().splitlines() if line.startswith("- ")]
    assert len(left) <= everything.counted - everything.claimed
    assert not [line for line in left if line.endswith("not known")]


def written_of(name: str) -> tuple[Row, list[str]]:
    """An objective's row and survivors in the table."""
    (one,) = (each for each in rows() if each.name == name)
    return one, [line for line in written().splitlines() if line.startswith(f"- {name},")]


@pytest.mark.parametrize("name", QUICK)
def test_a_few_objectives_are_refused_as_often_as_written(name: str) -> None:
    """A new property may refuse more; then the table is to be written again."""
    found, (one, listed) = fates(name), written_of(name)
    now = row(name, found)
    assert replace(now, specified=0, alone=0, claimed=0) == replace(
        one, specified=0, alone=0, claimed=0
    )
    assert now.specified >= one.specified
    assert now.alone >= one.alone
    assert now.claimed >= one.claimed
    assert set(survivors(name, found)) <= set(listed)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_what_the_command_writes(name: str) -> None:
    found = fates(name)
    assert (row(name, found), survivors(name, found)) == written_of(name)
    for line in equivalents(found):
        assert re.search(rf"^\* {re.escape(line)} \(.*\b{name}\b.*\)$", written(), re.M)


def refusals_of_the_original(name: str) -> list[str]:
    """Under every setting of its mutants, with and without the claims."""
    refused = []
    for number in range(len(uses(name))):
        for how in ("alone", "claimed"):
            subject, setting = bound(name, number, how), setting_of(name)
            each = subject.each_differentiated(subject.sample(*setting.points()[0]))
            for where in (first_of(setting), setting):
                for entry in in_order(subject, where):
                    found = [entry.judge(one, where) for one in each]
                    refused += [f.message for f in found if f.verdict in ("fail", "inconclusive")]
    return refused


@pytest.mark.parametrize("name", QUICK)
def test_no_property_refuses_an_original(name: str) -> None:
    assert refusals_of_the_original(name) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(NAMES) - set(QUICK)))
def test_no_property_refuses_any_original(name: str) -> None:
    assert refusals_of_the_original(name) == []


def made(source: str) -> set[str]:
    """The bodies of all mutants of a function."""
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    return {ast.unparse(one.tree.body[-1]) for one in mutations(tree)}


def test_the_mistakes_are_made_one_at_a_time() -> None:
    found = made("def f(logp, logp_old, mask):\n    return -((logp - logp_old) * mask).sum()")
    assert {
        "return ((logp - logp_old) * mask).sum()",
        "return -((logp + logp_old) * mask).sum()",
        "return -((logp_old - logp) * mask).sum()",
        "return -(logp - logp_old).sum()",
        "return -((logp - logp_old) * mask).mean()",
        "return -((logp.detach() - logp_old) * mask).sum()",
        "return -((logp.roll(1, -1) - logp_old) * mask).sum()",
    } <= found
    clipped = made("def f(r, a, *, c):\n    return torch.minimum(r * a, r.clamp(1 - c, 1 + c) * a)")
    assert {
        "return torch.maximum(r * a, r.clamp(1 - c, 1 + c) * a)",
        "return torch.minimum(r * a, r * a)",
        "return torch.minimum(r * a, r.clamp(1 + c, 1 + c) * a)",
        "return torch.minimum(r * a, r.clamp(max=1 + c) * a)",
        "return r * a",
    } <= clipped


def test_what_refuses_unusable_input_is_left_alone() -> None:
    assert made(
        "def f(x, *, k):\n    if k < 0:\n        raise ValueError(k - 1)\n    return x"
    ) == {"return x.roll(1, -1)"}


def test_a_mutant_is_made_in_namespaces_of_its_own() -> None:
    original = references()["bnpo"].function
    helper = next(one for one in called(original) if one.__name__ == "clipped_surrogate")
    change = next(m for m in mutations(tree_of(helper)) if m.mistake == "max for min")
    mutant = rebuilt(original, helper, change.tree)
    import torch

    x, one = torch.zeros(1, 1), torch.ones(1, 1)
    old = x - torch.log(torch.tensor([[2.0]]))
    assert float(mutant(x, old, one, one)) == -2.0
    assert float(original(x, old, one, one)) == pytest.approx(-1.2)


def test_equivalent_and_broken_mutants_are_told_apart() -> None:
    found = [(str(one), fate(one).kind) for one in mutants("bradley_terry")]
    assert {kind for _, kind in found} == {"other", "equivalent", "not reached", "no program"}
    swapped = "bradley_terry: swapped difference, `score_w - score_l` -> `score_l - score_w`"
    assert (swapped, "other") in found
