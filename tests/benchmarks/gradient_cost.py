"""What one direction of the gradient check costs, as ratios to one forward and backward.

Printed beside torch's gradcheck in the same run; nothing is asserted. Times are CPU times of one
thread, so that a busy machine disturbs them little; each cost is the least of its rounds divided
by the least of the unit (what disturbs only adds). Two states of the processor's caches are shown:
"in turn", where every call finds what the one before it left, the unit too, and "repeated", where
every call follows one of its own kind, which is the kindest to the unit.
"""

import time
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from numerics.check.directional import along, base_at, direction
from numerics.check.frozen import differentiated
from numerics.check.gradient import check_gradient, evaluator
from tests.numerics.planted import SHAPES, logits_sample, true_loss

ROUNDS = 100
PROMISED = 2.0


def forward_backward(loss: Callable[[Tensor], Tensor], point: Tensor) -> None:
    """The unit of all costs."""
    leaf = point.detach().requires_grad_()
    torch.autograd.grad(loss(leaf), leaf)


def one_direction(loss: Callable[[Tensor], Tensor], point: Tensor) -> None:
    """A check along one direction, the forward and backward included."""
    found = differentiated(loss, point)
    assert found is not None
    line = direction(tuple(point.shape), 0)  # drawn once a shape and kept
    along(base_at(evaluator(loss, ()), point, *found), line)


def drawing_it_too(loss: Callable[[Tensor], Tensor], point: Tensor) -> None:
    """The same with a new direction each time."""
    direction.cache_clear()
    one_direction(loss, point)


def whole_check(loss: Callable[[Tensor], Tensor], point: Tensor) -> None:
    """The default: two directions and the Taylor order."""
    check_gradient(loss, point)


def fast_gradcheck(loss: Callable[[Tensor], Tensor], point: Tensor) -> None:
    """torch's own check with one direction."""
    leaf = point.detach().requires_grad_()
    torch.autograd.gradcheck(loss, leaf, fast_mode=True, raise_exception=False)


COSTS = (one_direction, drawing_it_too, whole_check, fast_gradcheck)


def in_turn(shape: Mapping[str, int], rounds: int = 5 * ROUNDS) -> float:
    """The cost of one direction when it and its unit are called by turns."""
    inputs = logits_sample(shape, 0)
    loss, point = (lambda logits: true_loss(logits, inputs)), inputs["logits"]
    spent: dict[str, list[float]] = {"unit": [], "check": []}
    for _ in range(rounds):
        for name, function in (("unit", forward_backward), ("check", one_direction)):
            start = time.thread_time()
            function(loss, point)
            spent[name].append(time.thread_time() - start)
    return min(spent["check"]) / min(spent["unit"])


def repeated(shape: Mapping[str, int], rounds: int = ROUNDS) -> dict[str, float]:
    """The cost of each check divided by that of one forward and backward, each after its kind."""
    inputs = logits_sample(shape, 0)
    loss, point = (lambda logits: true_loss(logits, inputs)), inputs["logits"]
    spent: dict[str, list[float]] = {f.__name__: [] for f in (forward_backward, *COSTS)}
    for _ in range(rounds):
        for function in (forward_backward, *COSTS):
            function(loss, point)  # so that each finds the processor's caches as it left them
            start = time.thread_time()
            function(loss, point)
            spent[function.__name__].append(time.thread_time() - start)
    unit = spent.pop("forward_backward")
    return {name: min(times) / min(unit) for name, times in spent.items()}


def main() -> None:
    """Print a table of ratios; at the largest shape one direction is promised to cost at most 2."""
    torch.set_num_threads(1)
    for shape in SHAPES:
        sizes = ", ".join(map(str, shape.values()))
        found, turns = repeated(shape), in_turn(shape)
        text = ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in found.items())
        print(f"(B, T, V) = ({sizes}): one direction in turn {turns:.2f}; repeated: {text}")
    print(f"one direction at ({sizes}), in turn: {turns:.2f}, promised at most {PROMISED}")


if __name__ == "__main__":
    main()
