"""Both functions of every public case give the case's own numbers on the case's own input."""

import math

import pytest
import torch

from tests.numerics.corpus import cases
from tests.numerics.corpus_numbers import numbers
from tests.numerics.corpus_table import public

CASES, NUMBERS = cases(), numbers()
ENTRIES = {entry["id"]: entry for entry in public()}
DIGITS = 1.5e-6  # the numbers of a case are written with six


def flat(value) -> list[float]:
    """Numbers, tensors and nested lists as one list; "nan" and "inf" are words in the cases."""
    if isinstance(value, torch.Tensor):
        return [float(x) for x in value.detach().double().flatten()]
    if isinstance(value, list | tuple):
        return [x for entry in value for x in flat(entry)]
    return [float(value)]


def close(found: float, wanted: float) -> bool:
    if not math.isfinite(wanted):
        return math.isnan(found) if math.isnan(wanted) else found == wanted
    return abs(found - wanted) <= DIGITS * max(1.0, abs(wanted))


@pytest.mark.parametrize("which", ["right", "wrong"])
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_the_number_of_the_case(name: str, which: str) -> None:
    entry, case = ENTRIES[name], CASES[name]
    found = flat(NUMBERS[name](getattr(case, which), entry["input"], which))
    wanted = flat(entry[f"{which}_value"])
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert close(one, other), (found, wanted)


def test_every_case_has_its_evaluation() -> None:
    assert set(NUMBERS) == set(ENTRIES)


def test_a_wrong_number_is_noticed() -> None:
    name = "cleanrl-15-value-clip-min"
    found = flat(NUMBERS[name](CASES[name].wrong, ENTRIES[name]["input"], "wrong"))
    assert not close(found[0], ENTRIES[name]["right_value"])
    assert not close(float("nan"), 1.0)
