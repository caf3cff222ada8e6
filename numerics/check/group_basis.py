"""The gradients that a loss of groups may follow, and the weights that it may give to prompts.

    plain         those of `basis`, and E[r/|y|], J E[1/|y|] (J = E[r] held fixed), where responses
                  end early; off-policy also J KL(old||pi)
    w_K(p) ...    the same with the weight of theorem `group_standard_deviation_reweights_prompts`,
                  w_K(p) = E[sqrt(c/K (1 - c/K))] / (p (1 - p)), c ~ Bin(K, p), of each prompt

p is the sampler's success rate. A deviation with a guard, s + guard, has a law of its own:
w_K(p) = E[c/K (1 - c/K) / (s + guard)] / (p (1 - p)); the sample's deviation only scales it by
sqrt((K - 1)/K), which is left in the coefficient.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import comb, sqrt

import torch
from torch import Tensor

from numerics.check.basis import Gradient, basis, reverse_from_old
from numerics.check.enumeration import World, flat_gradient, probabilities, trained
from numerics.check.groups import Groups

GroupGradient = Callable[[Groups, str], Tensor]
GUARDS = (0.0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3)  # those in use; another one is not resolved
REWARDED = ("E[r]", "E[r/|y|]", "J E[1/|y|]", "J KL(old||pi)")
REWARDED += ("E_old[r log pi]", "E_old[r sum rho]")


@dataclass(frozen=True)
class Law:
    """The weight of a prompt as a function of its success rate."""

    size: int
    correction: int = 0  # 0: the population's deviation, 1: the sample's
    guard: float = 0.0

    def weight(self, p: float) -> float:
        """w_K(p), in units in which the sample's deviation has the same limit at guard 0."""
        size = self.size
        unit = sqrt(size / (size - self.correction))
        total = 0.0
        for c in range(1, size):
            variance = c / size * (1 - c / size)
            chance = comb(size, c) * p**c * (1 - p) ** (size - c)
            total += chance * unit * variance / (unit * sqrt(variance) + self.guard)
        return total / (p * (1 - p))

    @property
    def described(self) -> str:
        """What it divides by, where it is not the plain deviation."""
        which = ("the population's", "the sample's")[self.correction]
        return f"divided by {which} deviation + {self.guard:g}" if self.guard else ""


def laws(size: int) -> Iterator[Law]:
    """Those that are tried, the plain one first."""
    yield Law(size)
    yield from (Law(size, correction, guard) for guard in GUARDS[1:] for correction in (0, 1))


def plain_basis(length: int, sampling: str, stops: str) -> dict[str, GroupGradient]:
    """The gradients by name, averaged over prompts."""
    found: dict[str, Gradient] = dict(basis(length, sampling, stops))
    rewarded: dict[str, Gradient] = {"E[r]": found.pop("E[r]")}
    if stops == "early":
        rewarded["E[r/|y|]"] = _per_token_reward
        rewarded["J E[1/|y|]"] = _scaled_by_reward(_inverse_length)
    if sampling == "off-policy":
        rewarded["J KL(old||pi)"] = _scaled_by_reward(reverse_from_old)
    return {name: lifted(gradient) for name, gradient in {**rewarded, **found}.items()}


def weighted_basis(plain: Mapping[str, GroupGradient], law: Law) -> dict[str, GroupGradient]:
    """The gradients of rewards, each prompt's times its weight."""
    return {
        f"w_{law.size}(p) {name}": partial(_weighted, plain[name], law)
        for name in REWARDED
        if name in plain
    }


def lifted(gradient: Gradient) -> GroupGradient:
    """The mean over prompts of a gradient of one of them, a block for each prompt."""

    def mean(batch: Groups, sampling: str) -> Tensor:
        blocks = [gradient(one, sampling) for one in batch.prompts]
        return torch.cat(blocks) / len(blocks)

    return mean


def _weighted(gradient: GroupGradient, law: Law, batch: Groups, sampling: str) -> Tensor:
    blocks = gradient(batch, sampling).chunk(len(batch.prompts))
    rates = [batch.rate(one, sampling) for one in batch.prompts]
    pairs = zip(rates, blocks, strict=True)
    return torch.cat([law.weight(p) * block for p, block in pairs])


def _per_token_reward(one: World, sampling: str) -> Tensor:
    one = trained(one)
    lengths = torch.tensor([float(len(word)) for word in one.words], dtype=torch.float64)
    return flat_gradient(
        (probabilities(one.policy, one.words) * one.rewards / lengths).sum(), one.policy
    )


def _inverse_length(one: World, sampling: str) -> Tensor:
    ones = torch.ones_like(one.rewards)
    return _per_token_reward(World(one.policy, one.old, one.reference, ones, one.words), sampling)


def _scaled_by_reward(gradient: Gradient) -> Gradient:
    def scaled(one: World, sampling: str) -> Tensor:
        law = probabilities(one.sampler(sampling), one.words).detach()
        return (law * one.rewards).sum() * gradient(one, sampling)

    return scaled
