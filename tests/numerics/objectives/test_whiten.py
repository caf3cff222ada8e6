"""Whitening: kernel term beside torch, and whitenings as people write them."""

import pytest
import torch

from numerics import check
from numerics.errors import UnusableInput
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import reference
from numerics.objectives.whiten import whiten
from numerics.row_terms import evaluate_rows


@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
@pytest.mark.parametrize("options", [{}, {"deviation": "population", "guard": 0.5}], ids=str)
def test_term_and_torch_agree(options: dict, regime: str) -> None:
    known = reference("whiten")
    assert known.specification is not None
    for seed in range(3):
        x = families()["whiten"].sample({"B": 3, "T": 5}, seed, regime)
        numbers, counts = x["x"].flatten(), x["mask"].flatten()
        tables = {"rewards": numbers.expand(15, -1), "same": counts.expand(15, -1)}
        term = evaluate_rows(known.specification(**options), {"reward": numbers}, tables)
        wanted = term.reshape(3, 5) * x["mask"]
        assert torch.allclose(known.evaluate(x, options), wanted, rtol=1e-10, atol=1e-10)


def judged(loss, **claim) -> str:
    only = ("matches_the_specification", "ignores_masked_tokens")
    return check(objective(loss, like="whiten", **claim), only=only).verdict


def test_whitenings() -> None:
    def sums(x, mask):
        count = mask.sum()
        mean = (x * mask).sum() / count
        variance = ((x - mean) ** 2 * mask).sum() / (count - 1)
        return (x - mean) * torch.rsqrt(variance + 1e-8) * mask

    def padding_too(x, mask):
        return (x - x.mean()) * torch.rsqrt(x.var() + 1e-8) * mask

    def variance_of_products(x, mask):
        mean = (x * mask).sum() / mask.sum()
        return (x - mean) * torch.rsqrt((x * mask).var() + 1e-8) * mask

    assert judged(sums) == "pass"
    assert judged(sums, deviation="population") == "fail"
    assert judged(padding_too) == "fail"
    assert judged(variance_of_products) == "fail"


def test_what_cannot_be_whitened_is_refused() -> None:
    x = torch.ones(1, 2)
    with pytest.raises(UnusableInput, match="two numbers"):
        whiten(x, torch.tensor([[1.0, 0.0]]))
    with pytest.raises(UnusableInput, match="deviation"):
        whiten(x, x, deviation="biased")
