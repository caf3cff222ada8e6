"""Exercise 5: group advantages, the optimum in closed form, and training that reaches it."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.lessons.divergence import law, relative_entropy
from numerics.lessons.exercises import Unsolved, answer, require_close
from numerics.lessons.group_advantages import leave_one_out, normalised
from numerics.lessons.tilted import optimum
from numerics.lessons.two_token import REFERENCE, Model

GROUPS = (law(0.8, 0.2, 0.5), law(1.0, 0.0), law(0.3, -1.0, 2.5, 0.3, 0.0))
REWARDS, BETA = law(1.0, 0.0, 2.0, 0.5), 0.5
REACHED = 1e-4  # of KL(pi || pi*) in nats; the reference starts at 0.86


def check(
    rloo: Callable[..., Any],
    grpo: Callable[..., Any],
    closed_form: Callable[..., Any],
    train: Callable[..., Any],
) -> str:
    """`rloo(rewards)` and `grpo(rewards)` (population deviation): advantages [K];
    `closed_form(reference, rewards, beta)`: pi* [N]; `train(model, rewards, beta, seed)`: the law
    of the four sequences [4] after RLOO with the penalty in the reward. Raises Unsolved.
    """
    for group in GROUPS:
        where = f"rewards {group.tolist()}"
        require_close("RLOO", answer(rloo, group), leave_one_out(group), where)
        require_close("GRPO", answer(grpo, group), normalised(group), where)
    for beta in (0.1, 1.0, 10.0):
        exact = optimum(law(0.5, 0.3, 0.2), law(0.0, 1.0, 2.0), beta).policy
        got = answer(closed_form, law(0.5, 0.3, 0.2), law(0.0, 1.0, 2.0), beta)
        require_close("the optimum", got, exact, f"beta = {beta:g}")
    exchanged = Model(REFERENCE.first, REFERENCE.second.flip(0))
    found = [_distance(train, model) for model in (REFERENCE, exchanged)]
    return f"Trained to within KL {max(found):.0e} of the closed form."


def _distance(train: Callable[..., Any], model: Model) -> float:
    target = optimum(model.sequences, REWARDS, BETA).policy
    got = torch.as_tensor(answer(train, model, REWARDS, BETA, 3), dtype=torch.float64).detach()
    _require_law(got)
    distance = float(relative_entropy(got, target))
    if not distance <= REACHED:
        expected = f"expected KL(pi || pi*) <= {REACHED:g}, got {distance:.3g}"
        raise Unsolved(f"the trained law is {got.tolist()}, {expected}")
    return distance


def _require_law(got: Tensor) -> None:
    if got.shape != (4,) or abs(float(got.sum()) - 1) > 1e-6 or float(got.min()) < 0:
        raise Unsolved(f"train should return four probabilities, got {got.tolist()}")
