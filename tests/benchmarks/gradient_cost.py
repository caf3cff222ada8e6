"""What the gradient check costs, as ratios to one forward and backward of the same loss.

Printed beside torch's gradcheck in the same run; nothing is asserted. Times are CPU times of one
thread, so that a busy machine disturbs them little; each cost is the least of its rounds divided
by the least of the unit (what disturbs only adds). Two states of the processor's caches are shown:
"in turn", where every call finds what the one before it left, the unit too, and "repeated", where
every call follows one of its own kind, which is the kindest to the unit: its few tensors then stay
in the second-level cache, which a direction and a moved point beside them no longer fit into.

The number of directions: an error of size r |g| is missed with probability (0.8 tau / r)^k by k
directions of tolerance tau |g|. A second one divides the error that is found with 99 % by ten and
costs two forwards, a third divides it by two for as much again: two is the default, though six
passes would pay for six of them.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from numerics.check.directional import along, base_at
from numerics.check.directions import direction, draw
from numerics.check.frozen import differentiated
from numerics.check.gradient import check_gradient, evaluator
from tests.benchmarks.losses import Loss, loss_of_logits, size
from tests.numerics.planted import SHAPES

Lines = Callable[[tuple[int, ...], int], Tensor]
ROUNDS = 100
AT = SHAPES[-1]  # (4, 32, 256), where the promises are made
ONE_DIRECTION, DEFAULT = 2.0, 6.0


def forward_backward(loss: Loss, point: Tensor) -> None:
    """The unit of all costs."""
    leaf = point.detach().requires_grad_()
    torch.autograd.grad(loss(leaf), leaf)


def one_direction(loss: Loss, point: Tensor, lines: Lines = direction) -> None:
    """A check along one direction, the forward and backward included; `direction` draws it once a
    shape and keeps it.
    """
    found = differentiated(loss, point)
    assert found is not None
    line = lines(tuple(point.shape), 0)
    along(base_at(evaluator(loss, ()), point, *found), line)


def drawing_it_too(loss: Loss, point: Tensor) -> None:
    """The same with a new direction each time."""
    one_direction(loss, point, draw)


def default_check(loss: Loss, point: Tensor, directions: int = 2) -> None:
    """The whole check with its default of two directions."""
    check_gradient(loss, point, directions=directions)


def fast_gradcheck(loss: Loss, point: Tensor) -> None:
    """torch's own check with one direction."""
    leaf = point.detach().requires_grad_()
    torch.autograd.gradcheck(loss, leaf, fast_mode=True, raise_exception=False)


def full_gradcheck(loss: Loss, point: Tensor) -> None:
    """torch's own check of every entry."""
    leaf = point.detach().requires_grad_()
    torch.autograd.gradcheck(loss, leaf, raise_exception=False)


COSTS = (one_direction, drawing_it_too, default_check, fast_gradcheck)


def spent(function: Callable[[Loss, Tensor], None], loss: Loss, point: Tensor) -> float:
    """CPU seconds of this thread for one call."""
    start = time.thread_time()
    function(loss, point)
    return time.thread_time() - start


def in_turn(shape: Mapping[str, int], rounds: int = 5 * ROUNDS) -> float:
    """The cost of one direction when it and its unit are called by turns."""
    loss, point = loss_of_logits(shape)
    both = [
        [spent(f, loss, point) for f in (forward_backward, one_direction)] for _ in range(rounds)
    ]
    unit, check = (min(times) for times in zip(*both, strict=True))
    return check / unit


def repeated(shape: Mapping[str, int], rounds: int = ROUNDS) -> dict[str, float]:
    """The cost of each check divided by that of one forward and backward, each after its kind."""
    loss, point = loss_of_logits(shape)
    times: dict[str, list[float]] = {f.__name__: [] for f in (forward_backward, *COSTS)}
    for _ in range(rounds):
        for function in (forward_backward, *COSTS):
            function(loss, point)  # so that each finds the processor's caches as it left them
            times[function.__name__].append(spent(function, loss, point))
    times[full_gradcheck.__name__] = [spent(full_gradcheck, loss, point)]
    unit = min(times.pop(forward_backward.__name__))
    return {name: min(found) / unit for name, found in times.items()}


def power(
    shape: Mapping[str, int], most: int = 4, rounds: int = ROUNDS
) -> list[tuple[float, float]]:
    """For one direction, two, ...: the cost of the check and the least error that it finds with
    99 %, relative to |g|.
    """
    loss, point = loss_of_logits(shape)
    times: list[list[float]] = [[] for _ in range(most + 1)]
    for _ in range(rounds):
        times[0].append(spent(forward_backward, loss, point))
        for k in range(1, most + 1):
            times[k].append(spent(partial(default_check, directions=k), loss, point))
    unit = min(times[0])
    found = [check_gradient(loss, point, directions=k) for k in range(1, most + 1)]
    return [(min(t) / unit, f.minimum_detectable) for t, f in zip(times[1:], found, strict=True)]


def main() -> None:
    """Print ratios at each shape, then those that are promised."""
    torch.set_num_threads(1)
    print("gradient check, in forward and backward passes of the same loss (CPU time, one thread)")
    for shape in SHAPES:
        costs, turns = repeated(shape), in_turn(shape)
        text = ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in costs.items())
        print(f"(B, T, V) = {size(shape)}: {text}; one direction in turn {turns:.2f}")
    for k, (cost, least) in enumerate(power(AT), 1):
        print(f"{k} directions: {cost:.2f}, finds an error of {least:.1e} |g| with 99 %")
    both = f"in turn {turns:.2f}, repeated {costs['one_direction']:.2f}"
    print(f"one direction at {size(AT)}: {both}, promised at most {ONE_DIRECTION}")
    print(f"default at {size(AT)}: {costs['default_check']:.2f}, promised at most {DEFAULT}")


if __name__ == "__main__":
    main()
