"""Exercise 3: several epochs of PPO on ten actions."""

import math
from collections.abc import Callable
from typing import Any

import torch

from numerics.lessons import ten_actions
from numerics.lessons.exercises import answer, pairs_of_results, require_close

WITHIN = 1e-7  # ten Adam steps whose sums may be ordered differently


def check(train: Callable[..., Any]) -> str:
    """`train(advantages, clip)`: after each of ten epochs, KL(old || new) and the share of ratios
    off [0.8, 1.2], two lists; clip may be infinite. Raises Unsolved.
    """
    advantages = ten_actions.advantages()
    seen = {}
    for clip in (ten_actions.CLIP, math.inf):
        where = f"clip = {clip:g}"
        expected = ten_actions.run(clip)
        got = pairs_of_results("train", answer(train, advantages.clone(), clip))
        named = ("KL", expected.divergences), ("the share outside", expected.shares_outside)
        for (name, values), mine in zip(named, got, strict=True):
            exact = torch.tensor(values, dtype=torch.float64)
            require_close(f"{name} after each epoch", mine, exact, where, WITHIN)
        seen[where] = expected
    clipped, free = seen.values()
    text = f"With the clip KL grew {clipped.growth:.1f} times since the first epoch and "
    text += f"{clipped.share_outside:.0%} of the ratios are outside; without it {free.growth:.1f} "
    return text + f"times and {free.share_outside:.0%}."
