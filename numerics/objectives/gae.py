"""Generalised advantage estimation on rows of episodes.

    delta_t = r_t + gamma (1 - terminated_t) V(next_t) - V(s_t)
    A_t = delta_t + gamma lam (1 - terminated_t) (1 - truncated_t) A_{t+1},   R_t = A_t + V(s_t)

The recursion is the lesson's; here the padding is cut off first, and the last step under the mask
ends the row.

Source: Schulman et al. (2016), equation 16.
Theorem: `generalised_advantage_telescopes`. The recursion is no term per token, so instead of a
kernel term the tests compare it with the telescoped sum of that theorem.
"""

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.families.gae import last_steps
from numerics.lessons import gae as lesson

FAMILY = "gae"
OUTPUTS = ("both", "advantages", "returns")


def gae(
    rewards: Tensor,
    values: Tensor,
    next_values: Tensor,
    terminated: Tensor,
    truncated: Tensor,
    mask: Tensor,
    gamma: Tensor,
    lam: Tensor,
    *,
    output: str = "both",
) -> Tensor:
    """Advantages and value targets, zero off the mask.

    Shapes: all arguments [B,T] but the numbers gamma and lam; the result [2,B,T] (advantages, then
    targets), or one of the two [B,T].
    Sign: a positive advantage is better than the value expected.
    Units: those of the reward.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for an unknown output.

    >>> import torch
    >>> r, end = torch.tensor([[1.0, 1.0, 9.0]]), torch.tensor([[0.0, 1.0, 0.0]])
    >>> mask, v = torch.tensor([[1.0, 1.0, 0.0]]), torch.zeros(1, 3)
    >>> gae(r, v, v, end, 0 * end, mask, 0.5, 1.0, output="advantages").tolist()
    [[1.5, 1.0, 0.0]]
    """
    if output not in OUTPUTS:
        raise UnusableInput("unknown output", expected=", ".join(OUTPUTS), got=repr(output))
    kept = mask > 0
    inside = [
        torch.where(kept, x, 0.0) for x in (rewards, values, next_values, terminated, truncated)
    ]
    inside[-1] = torch.maximum(inside[-1], last_steps(mask) * (1 - inside[-2]))
    found = lesson.gae(*inside, gamma=float(gamma), lam=float(lam))
    both = torch.stack([found.advantages, found.returns]) * kept
    return both if output == "both" else both[OUTPUTS.index(output) - 1]
