"""Means of k1 and k3."""

from __future__ import annotations

import math

from tests.docs.examples.computing import k3, kl


def k3_is_unbiased_and_nonnegative() -> str:
    p, q = (0.25, 0.25, 0.5), (0.5, 0.5, 0.0)
    assert math.isclose(kl(q, p), math.log(2))
    assert math.isclose(k3(p, q), math.log(2) - 0.5)
    return "q = (1/2, 1/2, 0), p = (1/4, 1/4, 1/2): E[k1] = log 2, E[k3] = log 2 - 1/2"


def k3_is_used_both_ways() -> str:
    old, pi = (0.5, 0.5), (0.25, 0.75)
    assert math.isclose(k3(pi, old), kl(old, pi))
    assert math.isclose(k3(old, pi), kl(pi, old))
    return (
        "π_old = π_ref = (1/2, 1/2), π = (1/4, 3/4): E[k3] under π_old is KL(π_old || π) = "
        f"{k3(pi, old):.4f}, under π it is KL(π || π_ref) = {k3(old, pi):.4f}."
    )
