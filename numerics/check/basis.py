"""The gradients that a loss may follow, on an enumerated world. A gradient is a function World,
sampling -> vector.

    sequences (y a response)         E[r] = sum_y pi r, KL(pi||ref), KL(ref||pi),
                                     H = -sum_y pi log pi
    tokens (prefix law frozen)       tKL(pi||ref) = sum_t sum_prefix sg(pi(prefix)) KL_t(pi||ref),
                                     likewise tKL(ref||pi) and tH
    by length                        E[r;|y|=n] = sum of pi r over the responses of length n
    off-policy                       E_old[r log pi], KL(old||pi), E_old[k2], E_old[k3] (penalties
                                     summed over tokens), E_old[r sum rho] (the tokens' ratios)

Theorem `token_penalty_misses_the_prefix_term` says why the token versions differ from the sequence
versions.
"""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from numerics.check.enumeration import (
    Tables,
    World,
    flat_gradient,
    log_probabilities,
    probabilities,
    trained,
)

Gradient = Callable[[World, str], Tensor]
Token = Callable[[Tensor, Tensor], Tensor]  # log pi, log ref [V] -> scalar


def reverse(log_pi: Tensor, log_ref: Tensor) -> Tensor:
    """KL(pi||ref) of log-probabilities."""
    return (log_pi.exp() * (log_pi - log_ref)).sum(-1)


def forward(log_pi: Tensor, log_ref: Tensor) -> Tensor:
    """KL(ref||pi)."""
    return (log_ref.exp() * (log_ref - log_pi)).sum(-1)


def entropy(log_pi: Tensor, log_ref: Tensor) -> Tensor:
    """H(pi)."""
    return -(log_pi.exp() * log_pi).sum(-1)


def _sequence(quantity: Token, one: World, sampling: str) -> Tensor:
    one = trained(one)
    log_pi = probabilities(one.policy, one.words).log()
    return flat_gradient(
        quantity(log_pi, probabilities(one.reference, one.words).log()), one.policy
    )


def _token(quantity: Token, one: World, sampling: str) -> Tensor:
    one = trained(one)
    prefixes = sorted({word[:t] for word in one.words for t in range(len(word))})
    total = torch.zeros((), dtype=torch.float64)
    for prefix in prefixes:
        reached = _prefix_probability(one.sampler(sampling), prefix)
        step = [torch.log_softmax(t[len(prefix)][prefix], -1) for t in (one.policy, one.reference)]
        total = total + reached * quantity(step[0], step[1])
    return flat_gradient(total, one.policy)


def _prefix_probability(tables: Tables, prefix: tuple[int, ...]) -> float:
    return float(log_probabilities(tables, prefix).sum().exp().detach()) if prefix else 1.0


def _reward(lengths: tuple[int, ...] | None, one: World, sampling: str) -> Tensor:
    one = trained(one)
    kept = torch.tensor([lengths is None or len(word) in lengths for word in one.words])
    value = (probabilities(one.policy, one.words) * one.rewards * kept).sum()
    return flat_gradient(value, one.policy)


def _weighted_likelihood(one: World, sampling: str) -> Tensor:
    one = trained(one)
    law = probabilities(one.old, one.words).detach()
    value = (law * one.rewards * probabilities(one.policy, one.words).log()).sum()
    return flat_gradient(value, one.policy)


def reverse_from_old(one: World, sampling: str) -> Tensor:
    """grad KL(old||pi)."""
    one = trained(one)
    return flat_gradient(
        forward(
            probabilities(one.policy, one.words).log(), probabilities(one.old, one.words).log()
        ),
        one.policy,
    )


def _sum_over_tokens(token: Token, rewarded: float, one: World, sampling: str) -> Tensor:
    """sum_y old(y) r(y)^rewarded sum_t token(log pi_t, log other_t)."""
    one = trained(one)
    law = probabilities(one.old, one.words).detach() * one.rewards**rewarded
    other = one.old if rewarded else one.reference
    sums = [
        token(log_probabilities(one.policy, word), log_probabilities(other, word).detach())
        for word in one.words
    ]
    return flat_gradient((law * torch.stack(sums)).sum(), one.policy)


def _k2(log_pi: Tensor, log_ref: Tensor) -> Tensor:
    return 0.5 * ((log_ref - log_pi) ** 2).sum()


def _k3(log_pi: Tensor, log_ref: Tensor) -> Tensor:
    return ((log_ref - log_pi).exp() - 1 - (log_ref - log_pi)).sum()


def _ratios(log_pi: Tensor, log_old: Tensor) -> Tensor:
    return (log_pi - log_old).exp().sum()


def basis(length: int, sampling: str, stops: str) -> Mapping[str, Gradient]:
    """The gradients by name; among equally small answers the first in this order is taken."""
    lengths = range(1, length + 1) if stops == "early" else ()
    found: dict[str, Gradient] = {
        **{f"E[r;|y|={n}]": partial(_reward, (n,)) for n in lengths},
        "E[r]": partial(_reward, None),
        "KL(pi||ref)": partial(_sequence, reverse),
        "KL(ref||pi)": partial(_sequence, forward),
        "H": partial(_sequence, entropy),
    }
    if length > 1:  # at length one they coincide with the sequence versions
        found["tKL(pi||ref)"] = partial(_token, reverse)
        found["tKL(ref||pi)"] = partial(_token, forward)
        found["tH"] = partial(_token, entropy)
    if sampling == "off-policy":
        found["E_old[r log pi]"] = _weighted_likelihood
        found["KL(old||pi)"] = reverse_from_old
        found["E_old[k2]"] = partial(_sum_over_tokens, _k2, 0.0)
        found["E_old[k3]"] = partial(_sum_over_tokens, _k3, 0.0)
        if length > 1:
            found["E_old[r sum rho]"] = partial(_sum_over_tokens, _ratios, 1.0)
    return found
