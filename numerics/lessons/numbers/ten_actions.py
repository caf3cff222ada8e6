"""The ten-action experiment."""

import math

from numerics.lessons.numbers import TRUST_REGIONS, Judged, number
from numerics.lessons.ten_actions import run


@number(
    "ten-actions",
    TRUST_REGIONS,
    "after ten epochs with clip 0.2: share of ratios outside, largest ratio, growth of KL since "
    "the first epoch",
    note="settings are ours: see numerics/lessons/ten_actions.py",
)
def clipped_and_not() -> Judged:
    clipped, free = run(0.2), run(math.inf)
    holds = clipped.share_outside > 0.5 and clipped.growth > 10
    beside = f"unclipped: {free.share_outside:.0%} outside, largest {free.largest_ratio:.2f}, "
    beside += f"KL times {free.growth:.1f}"
    return Judged((clipped.share_outside, clipped.largest_ratio, clipped.growth), holds, beside)
