"""Numbers found by least squares: linear, curved, refused, rounded, and never those of another
function.
"""

import pytest
import torch

from numerics.check.fitting import fitted, linear_numbers, shortest, tidy
from numerics.errors import UnusableInput

X = torch.linspace(0.1, 3.0, 40, dtype=torch.float64)
DEFAULTS = {"rate": 1.0, "weight": 0.1}


def decay(numbers) -> torch.Tensor:
    """e^(-rate x) + weight x: curved in the rate, linear in the weight."""
    return torch.exp(-numbers["rate"] * X) + numbers["weight"] * X


def bounded(numbers) -> torch.Tensor:
    if not 0 <= numbers["rate"] <= 1:
        raise UnusableInput("rate", expected="0 <= rate <= 1", got=str(numbers["rate"]))
    return torch.stack([numbers["rate"] ** n * X for n in (1, 2, 3)]).flatten()


def test_what_is_linear_is_found_by_trying() -> None:
    assert linear_numbers(decay, DEFAULTS) == ("weight",)


def test_curved_and_linear_numbers_and_the_factor() -> None:
    target = 0.5 * decay({"rate": 0.37, "weight": 1.25})
    fit = fitted(decay, target, DEFAULTS, ("weight",))
    assert fit is not None
    assert fit.numbers == {"rate": 0.37, "weight": 1.25}
    assert fit.scale == 0.5
    assert fit.misfit < 1e-12


def test_another_function_is_not_fitted() -> None:
    fit = fitted(decay, torch.sin(5 * X), DEFAULTS, ("weight",))
    assert fit is not None
    assert fit.misfit > 0.1


@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_numbers_at_the_edge_of_what_is_allowed(rate: float) -> None:
    fit = fitted(bounded, bounded({"rate": rate}), {"rate": 0.9}, ())
    assert fit is not None
    assert fit.numbers["rate"] == rate
    assert fit.misfit < 1e-12


def test_zeros_have_no_fit() -> None:
    zero = torch.zeros_like(X)
    assert fitted(lambda numbers: zero, X, {}, ()) is None
    assert fitted(lambda numbers: X, zero, {}, ()) is None


def test_a_term_alone_has_no_factor_of_its_own() -> None:
    fit = fitted(lambda n: n["weight"] * X, 3 * X, {"weight": 0.1}, ("weight",))
    assert fit is not None
    assert (fit.scale, fit.numbers) == (1.0, {"weight": 3.0})


def test_numbers_are_rounded_to_what_a_program_says() -> None:
    assert [shortest(x) for x in (0.2 + 1e-10, 1 / 3, 0.0)] == [0.2, 1 / 3, 0.0]
    assert [tidy(x) for x in (1e-11, 0.04 + 1e-13)] == [0.0, 0.04]
