"""Accumulation loops of any reduction pass; a wrong error, mask or sign fails."""

import pytest

from numerics import check

NAME = "follows_the_error_of_its_tokens"


def loop(error=lambda x, w, y: x @ w - y, power=2, sign=1, masked=True, divide=lambda m, all_: 1.0):
    def accumulated(weight, features, targets, mask):
        leaf = weight.clone().requires_grad_()
        for x, y, m in zip(features, targets, mask, strict=True):
            losses = error(x, leaf, y) ** power
            loss = (losses * m if masked else losses).sum()
            (sign * loss / divide(m, mask)).backward()
        return leaf.grad

    return accumulated


RIGHT = {
    "sum": loop(),
    "token mean": loop(divide=lambda m, all_: all_.sum()),
    "mean of means": loop(divide=lambda m, all_: m.sum() * len(all_)),
}
WRONG = {
    "sign": loop(sign=-1),
    "sum for difference": loop(error=lambda x, w, y: x @ w + y),
    "no target": loop(error=lambda x, w, y: x @ w + 0 * y),
    "fourth power": loop(power=4),
    "unmasked": loop(masked=False),
}


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_loops(name: str) -> None:
    verdict = check({**RIGHT, **WRONG}[name], only=(NAME,)).findings[0].verdict
    assert verdict == ("pass" if name in RIGHT else "fail")
