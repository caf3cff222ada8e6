"""Accumulation loops as people write them, against one pass over all the data."""

import pytest

from numerics import check
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import reference
from numerics.reductions import reduce_tokens
from numerics.row_terms import evaluate_rows


def summed(weight, features, targets, mask):
    """The denominator of the whole batch."""
    leaf = weight.clone().requires_grad_()
    for x, y, m in zip(features, targets, mask, strict=True):
        ((((x @ leaf - y) ** 2) * m).sum() / mask.sum()).backward()
    return leaf.grad


def mean_of_means(weight, features, targets, mask):
    """Each micro-batch by its own tokens, then by their number."""
    leaf = weight.clone().requires_grad_()
    for x, y, m in zip(features, targets, mask, strict=True):
        ((((x @ leaf - y) ** 2) * m).sum() / m.sum() / len(mask)).backward()
    return leaf.grad


def undivided(weight, features, targets, mask):
    """Each micro-batch by its own tokens, and nothing else."""
    return len(mask) * mean_of_means(weight, features, targets, mask)


def the_last_only(weight, features, targets, mask):
    """The gradient is cleared in the loop."""
    leaf = weight.clone().requires_grad_()
    for x, y, m in zip(features, targets, mask, strict=True):
        leaf.grad = None
        ((((x @ leaf - y) ** 2) * m).sum() / mask.sum()).backward()
    return leaf.grad


def rows_summed(weight, features, targets, mask):
    """Each row by its own tokens, then by the number of rows of the whole batch."""
    leaf = weight.clone().requires_grad_()
    for x, y, m in zip(features, targets, mask, strict=True):
        rows = (((x @ leaf - y) ** 2) * m).sum(-1) / m.sum(-1)
        (rows.sum() / mask[..., 0].numel()).backward()
    return leaf.grad


@pytest.mark.parametrize(
    ("loop", "reduce", "expected"),
    [
        (summed, "token-mean", "pass"),
        (mean_of_means, "token-mean", "fail"),
        (undivided, "token-mean", "fail"),
        (the_last_only, "token-mean", "fail"),
        (rows_summed, "seq-mean-token-mean", "pass"),
        (summed, "seq-mean-token-mean", "fail"),
        (rows_summed, "token-mean", "fail"),
    ],
)
def test_loops(loop, reduce: str, expected: str) -> None:
    only = ("matches_the_specification",)
    report = check(objective(loop, like="accumulated_gradient", reduce=reduce), only=only)
    assert (report.family, report.verdict) == ("accumulation", expected)


def test_the_gradient_and_its_kernel_term() -> None:
    known = reference("accumulated_gradient")
    assert known.specification is not None
    for seed in range(3):
        x = families()["accumulation"].sample({"N": 3, "B": 2, "T": 5, "V": 3}, seed, "moderate")
        flat = x["features"].flatten(0, 2)
        tables = {"features": flat, "weight": x["weight"].expand(len(flat), -1)}
        for entry in range(3):
            numbers = {"target": x["targets"].flatten(), "component": flat[:, entry]}
            shares = evaluate_rows(known.specification(), numbers, tables).reshape(6, 5)
            wanted = reduce_tokens(shares, x["mask"].flatten(0, 1), "token-mean")
            assert float(known.evaluate(x, {})[entry]) == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize("like", ["dpo", "gae", "accumulated_gradient", "group_mean", "pass_at_k"])
def test_the_reproduction_of_a_failure_runs_and_shows_two_values(like: str, capsys) -> None:
    known = reference(like)
    wrong = scaled(like)
    only = ("matches_the_specification",)
    (found,) = check(objective(wrong, like=like), only=only).findings
    assert found.verdict == "fail"
    assert found.counterexample is not None
    lines = found.counterexample["reproduction"].replace(
        f"from {wrong.__module__} import {wrong.__name__}; ", ""
    )
    exec(lines, {wrong.__name__: wrong})
    assert "tensor" in capsys.readouterr().out
    assert known.name == like


def scaled(like: str):
    """1.01 times a reference, with its signature."""
    import functools

    function = reference(like).function

    @functools.wraps(function)
    def loss(**inputs):
        return 1.01 * function(**inputs)

    return loss
