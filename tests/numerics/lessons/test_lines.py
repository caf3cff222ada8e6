"""Zeros and peaks, and the intervals that hold none."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons.lines import peak, root


def test_they_are_found() -> None:
    assert root(torch.cos, 1.0, 2.0) == pytest.approx(torch.pi / 2, abs=1e-14)
    assert root(lambda x: 1 - x, 0.0, 3.0) == pytest.approx(1, abs=1e-14)
    assert peak(torch.sin, 0.0, 3.0) == pytest.approx(torch.pi / 2, abs=1e-12)


def test_an_interval_without_one_is_refused() -> None:
    with pytest.raises(UnusableInput, match="no zero"):
        root(lambda x: x**2 + 1, -1.0, 1.0)
    with pytest.raises(UnusableInput, match="no peak"):
        peak(lambda x: x**2, -1.0, 1.0)
