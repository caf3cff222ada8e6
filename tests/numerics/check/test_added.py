"""Gradients of a user's own: quantities are differentiated, anything else is refused."""

import pytest
import torch

from numerics.check.added import added_gradients, as_gradient
from numerics.check.basis import basis
from numerics.check.enumeration import probabilities, world
from numerics.errors import UnusableInput

ONE = world(3, length=1, vocabulary=3, stops="never", distance=0.4, drift=0.1)


def test_a_quantity_is_differentiated() -> None:
    def reward(one, sampling):
        return (probabilities(one.policy, one.words) * one.rewards).sum()

    own = as_gradient("mine", reward)(ONE, "on-policy")
    assert torch.allclose(own, basis(1, "on-policy", "never")["E[r]"](ONE, "on-policy"))
    constant = as_gradient("zero", lambda one, sampling: torch.zeros(()))(ONE, "on-policy")
    assert constant.tolist() == [0.0, 0.0, 0.0]


def test_a_vector_is_taken_as_it_is() -> None:
    own = as_gradient("mine", lambda one, sampling: torch.arange(3))
    assert own(ONE, "on-policy").tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("result", [torch.zeros(2), "text", None])
def test_what_is_no_gradient_is_refused(result) -> None:
    with pytest.raises(UnusableInput, match="a vector of 3"):
        as_gradient("mine", lambda one, sampling: result)(ONE, "on-policy")


def test_what_raises_is_refused() -> None:
    with pytest.raises(UnusableInput, match="ZeroDivisionError"):
        as_gradient("mine", lambda one, sampling: 1 / 0)(ONE, "on-policy")


@pytest.mark.parametrize("text", ["mine", "mine=", "=f.py:g", "mine=f.py"])
def test_what_names_no_function_is_refused(text: str) -> None:
    with pytest.raises(UnusableInput, match=r"NAME=FILE\.py:function"):
        added_gradients([text])
