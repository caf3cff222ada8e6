"""Tilted references and preferences."""

from __future__ import annotations

import math

import torch

from numerics.lessons.divergence import law
from numerics.lessons.tilted import optimum
from tests.docs.examples.computing import fraction


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def bradley_terry_ignores_prompt_shifts() -> str:
    assert math.isclose(sigmoid(1 - 0), math.exp(6) / (math.exp(6) + math.exp(5)))
    return f"r = (1, 0) and r = (6, 5): the first is preferred with probability {sigmoid(1):.3f}"


def connected_comparisons_identify_rewards() -> str:
    leads = (1, 2)
    for r in ((1, 0, -2), (1, 0, 5)):
        assert r[0] - r[1] == leads[0]
    return (
        "Three responses with r(1) - r(2) = 1 and r(2) - r(3) = 2 known from comparisons: "
        f"r(1) - r(3) = {sum(leads)}. Without the second pair r = (1, 0, -2) and r = (1, 0, 5) "
        "fit equally."
    )


def logistic_loss_is_convex() -> str:
    low, mid, high = (-math.log(sigmoid(z)) for z in (-1, 0, 1))
    assert mid <= (low + high) / 2
    return (
        f"L(-1) = {low:.4f}, L(0) = {mid:.4f}, L(1) = {high:.4f}: the middle one lies under the "
        f"mean of the others, {(low + high) / 2:.4f}."
    )


def tilted_reference_is_the_unique_optimum() -> str:
    best = optimum(law(0.5, 0.5), law(1.0, 0.0), 1.0)
    policy = ", ".join(f"{float(p):.3f}" for p in best.policy)
    return (
        f"π_ref = (1/2, 1/2), r = (1, 0), β = 1: p* = ({policy}), value log Z = "
        f"{float(best.log_partition):.3f}"
    )


def rewards_with_one_optimum_differ_by_a_prompt_shift() -> str:
    one, two = (optimum(law(0.5, 0.5), law(*r), 1.0) for r in ((1.0, 0.0), (3.0, 2.0)))
    assert torch.allclose(one.policy, two.policy)
    policy = ", ".join(f"{float(p):.3f}" for p in one.policy)
    apart = two.log_partition - one.log_partition
    return (
        f"π_ref = (1/2, 1/2), β = 1, r = (1, 0), r′ = (3, 2): both optima are ({policy}), and "
        f"r′ - r = {fraction(apart)} = log Z′ - log Z."
    )


def partition_function_cancels_in_preferences() -> str:
    margin = 0.1 * (0.2 + 0.3)
    loss = math.log1p(math.exp(-margin))
    return (
        f"β = 0.1, log-ratios 0.2 and -0.3: margin {margin:g}, loss log(1 + exp(-{margin:g})) = "
        f"{loss:.4f}"
    )
