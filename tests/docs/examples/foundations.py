"""Scores, divergences and Fisher forms."""

from __future__ import annotations

import math

import torch

from numerics.lessons.divergence import law, relative_entropy, softmax_fisher
from tests.docs.examples.computing import F, fraction, kl, row


def score_has_mean_zero() -> str:
    t = F(1, 4)
    scores = 1 / t, -1 / (1 - t)
    assert t * scores[0] + (1 - t) * scores[1] == 0
    return (
        f"p = (θ, 1 - θ) at θ = {t}: the scores are {scores[0]} and {scores[1]}, their mean "
        f"({t}) {scores[0]} - ({1 - t})({-scores[1]}) = 0."
    )


def log_sum_inequality() -> str:
    terms, whole = 3 * math.log(3), 4 * math.log(2)
    assert terms >= whole
    return (
        f"a = (1, 3), b = (1, 1): 1 log 1 + 3 log 3 = {terms:.3f}, at least 4 log(4/2) = "
        f"{whole:.3f}."
    )


def relative_entropy_is_nonnegative() -> str:
    assert math.isclose(kl((0.5, 0.5, 0), (0.25, 0.25, 0.5)), math.log(2))
    return "p = (1/2, 1/2, 0), q = (1/4, 1/4, 1/2): KL(p || q) = log 2"


def total_variation_is_bounded_by_relative_entropy() -> str:
    half = kl((0.75, 0.25), (0.5, 0.5)) / 2
    return f"p = (3/4, 1/4), q = (1/2, 1/2): TV^2 = {0.25**2:.4f}, KL/2 = {half:.4f}"


def sequence_relative_entropy_is_the_sum_of_token_relative_entropies() -> str:
    p, q = (0.5, 0.5), (0.25, 0.75)
    pairs = [(p[i] * p[j], q[i] * q[j]) for i in (0, 1) for j in (0, 1)]
    both = kl(*zip(*pairs, strict=True))
    return (
        "p = (1/2, 1/2), q = (1/4, 3/4) at each of two tokens: KL = 2 x "
        f"{kl(p, q):.4f} = {both:.4f}"
    )


def relative_entropy_is_locally_the_fisher_quadratic() -> str:
    fisher = 1 / 0.5 + 1 / 0.5
    t = 1e-4
    near = kl((0.5, 0.5), (0.5 + t, 0.5 - t)) / t**2
    assert abs(near - fisher / 2) < 1e-3
    return f"p = (1/2 + θ, 1/2 - θ) at 0: F = {fisher:g} and KL(p_0 || p_θ)/θ² -> {fisher / 2:g}"


def softmax_fisher_information() -> str:
    z = torch.tensor([math.log(3), 0], dtype=torch.float64)
    p, fisher = torch.softmax(z, -1), softmax_fisher(z)
    one, ones = law(1.0, 0.0), torch.ones(2, dtype=torch.float64)
    return (
        f"z = (log 3, 0): p = {row(p)} and F = ({row(fisher[0])}, {row(fisher[1])}). "
        f"Δ = (1, 0): Δ F Δ = {fraction(one @ fisher @ one)}; Δ = (1, 1): F Δ = "
        f"{row((fisher @ ones).round(decimals=12) + 0.0)}."
    )


def softmax_relative_entropy_is_locally_a_variance() -> str:
    z, t = math.log(3), 0.01
    laws = [torch.softmax(torch.tensor([z + s, 0], dtype=torch.float64), -1) for s in (0, t)]
    forward, reverse = (float(relative_entropy(*x)) / t**2 for x in (laws, laws[::-1]))
    variance = laws[0][0] * (1 - laws[0][0])
    return (
        f"z = (log 3, 0), Δ = (1, 0): the variance of Δ is {fraction(variance)}, half of it "
        f"{float(variance) / 2:.5f}; at t = {t} the ratio KL/t² is {forward:.5f} forward and "
        f"{reverse:.5f} reverse."
    )


def relative_entropy_to_uniform_is_missing_entropy() -> str:
    found = kl((0.5, 0.5, 0), (1 / 3, 1 / 3, 1 / 3))
    assert math.isclose(found, math.log(3) - math.log(2))
    return f"π = (1/2, 1/2, 0) among three actions: KL = log 3 - log 2 = {found:.4f}."
