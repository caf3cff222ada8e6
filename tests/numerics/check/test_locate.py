"""A wrong gradient is bisected to its entry, named, and reproduced by five lines."""

import importlib
import math
import sys
from pathlib import Path

import pytest
import torch

from numerics.check.frozen import record
from numerics.check.gradient import check_gradient, evaluator
from numerics.check.locate import bisect, describe, entry_difference, locate, name_factor
from numerics.check.subject import bind
from numerics.families import sample
from numerics.objective import objective
from numerics.properties import Setting, gradient_is_consistent
from tests.numerics.planted import MISTAKES, SHAPES, logits_sample, planted

GUESSES = {
    "zero": "factor 0 (no gradient at all)",
    "times 2": "factor 2 (doubled",
    "times 1.01": "factor 1.01",
    "T/(T-1)": "factor 1.33333 (T/(T-1)",
    "a dropped token": "only at token",
    "a padding leak": "only where mask = 0: a padding leak",
    "a sign flip": "factor -1 (a sign)",
    "a transposed index": "the same numbers at other positions",
}


def _gradient(function, point: torch.Tensor) -> torch.Tensor:
    gradient = record(function, point).gradients[0]
    assert gradient is not None
    return gradient


@pytest.mark.parametrize("name", MISTAKES)
def test_the_mistake_is_named(name: str) -> None:
    inputs = logits_sample(SHAPES[0], 3)
    function = planted(MISTAKES[name], inputs)
    check = check_gradient(function, inputs["logits"])
    place = locate(function, inputs["logits"], check.gradient, (), inputs["mask"])
    assert place.guess.startswith(GUESSES[name])
    assert abs(place.autograd - place.difference) > 1e-6


@pytest.mark.parametrize("shape", SHAPES, ids=["small", "middle", "large"])
@pytest.mark.parametrize("entry", [(0, 0, 0), (1, 2, 3), (1, 3, 7)])
def test_one_entry_is_found_by_bisection(shape: dict, entry: tuple) -> None:
    inputs = logits_sample(shape, 0)

    def wrong(gradient: torch.Tensor, _: object) -> torch.Tensor:
        changed = gradient.clone()
        changed[entry] += 0.01
        return changed

    function = planted(wrong, inputs)
    gradient = _gradient(function, inputs["logits"])
    place = locate(function, inputs["logits"], gradient, (), inputs["mask"])
    assert place.entry == entry
    assert place.autograd - place.difference == pytest.approx(0.01, rel=1e-4)


def test_the_difference_of_one_entry_is_accurate() -> None:
    inputs = logits_sample(SHAPES[2], 0)
    function = planted(lambda g, x: g, inputs)
    whole = _gradient(function, inputs["logits"])
    gradient = whole.reshape(-1)
    place = int(gradient.abs().argmax())
    found = entry_difference(evaluator(function, ()), inputs["logits"], place)
    assert found == pytest.approx(gradient[place].item(), rel=1e-7)
    assert 0 <= bisect(evaluator(function, ()), inputs["logits"], 2 * whole) < 32768


@pytest.mark.parametrize(
    ("factor", "name"),
    [
        (0.0, "no gradient at all"),
        (-1.0, "a sign"),
        (0.25, "1/T"),
        (4.0, "T"),
        (0.75, "(T-1)/T"),
        (1 / 3, "1/B"),
        (1 / 5, "1/number of response tokens"),
        (7.0, "number of padded tokens"),
        (12 / 5, "all tokens / response tokens"),
        (1.5, "B/(B-1)"),
    ],
)
def test_factors_have_names(factor: float, name: str) -> None:
    mask = torch.tensor([[1, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0]]).double()
    assert name in name_factor(factor, (3, 4), mask).partition("(")[2]


def test_an_unnamed_factor_and_no_factor() -> None:
    assert name_factor(1.01, (3, 4), None) == "factor 1.01"
    true = torch.tensor([1.0, 2.0, 3.0, 4.0]).double()
    found = true * torch.tensor([1.1, 1.2, 1.3, 1.4]).double()
    told = describe(found, true, [0, 1, 2, 3], (2, 2), None)
    assert told == "no constant factor: autograd / difference from 1.1 to 1.4"
    assert "not" in describe(true, 0 * true, [0, 1, 2, 3], (2, 2), None)


LOSS = """
import torch


class Halved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logp):
        return logp.clone()

    @staticmethod
    def backward(ctx, *upstream):
        return 0.5 * upstream[0]


def halved(logp, logp_old, adv, mask):
    ratio = torch.exp(Halved.apply(logp) - logp_old)
    return -(ratio * adv * mask).sum() / mask.sum()
"""


def test_the_reproduction_runs_and_shows_both_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "halved_losses.py").write_text(LOSS)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("halved_losses")
    subject = bind(objective(module.halved), {"B": 2, "T": 4, "V": 8})
    setting = Setting(({"B": 2, "T": 4, "V": 8},), (0,), ("moderate",))
    finding = gradient_is_consistent.PROPERTY.judge(subject, setting)
    assert finding.verdict == "fail"
    assert finding.counterexample is not None
    assert finding.counterexample["guess"].startswith("factor 0.5 (halved")
    lines = finding.counterexample["reproduction"]
    assert len(lines.splitlines()) == 5
    exec(compile(lines, "reproduction", "exec"), {})
    autograd, difference = map(float, capsys.readouterr().out.split())
    assert autograd == pytest.approx(finding.counterexample["autograd"])
    assert difference == pytest.approx(2 * autograd, rel=1e-5)
    assert math.isfinite(sample("policy", B=2, T=4)["logp"].sum())
    del sys.modules["halved_losses"]
