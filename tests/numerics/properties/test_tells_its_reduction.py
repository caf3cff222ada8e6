"""The reduction is named, with its factor; one that is none of the known ones gets no name."""

import pytest

from numerics import check
from numerics.reductions import REDUCTIONS, reduce_tokens

NAME = "tells_its_reduction"


def told(loss) -> str:
    (found,) = check(loss, only=(NAME,)).findings
    assert found.verdict == "reported"
    return found.message


def reduced_by(reduce):
    def loss(logp, logp_old, adv, mask):
        return reduce(-(logp - logp_old).exp() * adv, mask)

    return loss


@pytest.mark.parametrize("how", REDUCTIONS)
def test_each_reduction_has_its_name(how) -> None:
    loss = reduced_by(lambda v, m: reduce_tokens(v, m, how))
    assert how in told(loss).split(" = ")


@pytest.mark.parametrize(
    ("reduce", "name"),
    [
        (lambda v, m: (v * m).sum(), "sum"),
        (lambda v, m: (v * m).mean(), "mean of all cells"),
        (lambda v, m: 0.5 * (v * m).sum() / m.sum(), "0.5 token-mean"),
    ],
)
def test_sums_cells_and_factors(reduce, name) -> None:
    assert name in told(reduced_by(reduce)).split(" = ")


@pytest.mark.parametrize(
    "reduce",
    [
        lambda v, m: (v * m).sum() / m.sum() ** 0.5,
        lambda v, m: (v * m * m.cumsum(-1)).sum() / m.sum(),
        lambda v, m: (v * m).sum() / (m.sum() + 1),
    ],
)
def test_others_have_none(reduce) -> None:
    assert told(reduced_by(reduce)) == "no known reduction weighs tokens like this"
