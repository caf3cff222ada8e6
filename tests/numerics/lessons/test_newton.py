"""Newton's method on functions with flat directions, and on one without a minimum."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons.divergence import law
from numerics.lessons.newton import minimised


def test_it_does_not_move_along_a_flat_direction() -> None:
    found = minimised(lambda x: (x[0] - x[1] - 2) ** 2 + torch.exp(x[0] - x[1]), law(5.0, 5.0))
    assert float(found.sum()) == pytest.approx(10.0, abs=1e-9)
    gap = float(found[0] - found[1])
    assert 2 * (gap - 2) + torch.tensor(gap).exp() == pytest.approx(0, abs=1e-6)


def test_a_full_step_that_overshoots_is_shortened() -> None:
    log_cosh = lambda x: torch.log(torch.cosh(x)).sum()
    assert float(minimised(log_cosh, law(1.5))) == pytest.approx(0, abs=1e-9)


def test_no_minimum_is_refused() -> None:
    with pytest.raises(UnusableInput, match="does not end"):
        minimised(lambda x: x.sum(), law(0.0))
