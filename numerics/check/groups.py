"""Groups of K responses to a prompt, all of them enumerated, and the exact expected gradient of a
group's loss on them.

A prompt is a `World` of its own: its own policy, its own rewards. A batch holds K responses to each
prompt, interleaved, with the prompt's id; it is weighted by its probability under the sampler, and
only the loss is differentiated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import torch
from torch import Tensor

from numerics.check.enumeration import (
    World,
    flat_gradient,
    probabilities,
    rows,
    trained,
    world,
)

IDS = (7, 10)  # of the prompts: no positions
WORDS = {1: 3, 2: 2}  # by length: how large the vocabulary is, so that a group can be enumerated
SPREAD = 1.6  # of the policies' logits: success rates on both sides of one half


@dataclass(frozen=True)
class Groups:
    """Prompts, and how many responses each of them has."""

    prompts: tuple[World, ...]
    size: int

    def rate(self, one: World, sampling: str) -> float:
        """The sampler's expected reward at a prompt, J."""
        law = probabilities(one.sampler(sampling), one.words).detach()
        return float((law * one.rewards).sum())


def groups(
    seed: int,
    *,
    size: int,
    length: int,
    stops: str,
    distance: float,
    drift: float,
    binary: bool,
    prompts: int = 1,
) -> Groups:
    """Seeded prompts; rewards are 0 and 1, both of them, or normal."""
    vocabulary = WORDS[length] if prompts == 1 else 2
    made = [
        _spread(
            world(
                seed * prompts + n,
                length=length,
                vocabulary=vocabulary,
                stops=stops,
                distance=distance,
                drift=drift,
            )
        )
        for n in range(prompts)
    ]
    return Groups(tuple(_binary(one) for one in made) if binary else tuple(made), size)


def _spread(one: World) -> World:
    """The same world with policies farther from uniform; old and reference are as far as before."""
    moved = [
        tuple(SPREAD * p + (t - p) for t, p in zip(tables, one.policy, strict=True))
        for tables in (one.old, one.reference)
    ]
    policy = tuple(SPREAD * p for p in one.policy)
    return replace(one, policy=policy, old=moved[0], reference=moved[1])


def _binary(one: World) -> World:
    return replace(one, rewards=(one.rewards > one.rewards.mean()).double())


def expected_group_gradient(
    loss: Callable[[Mapping[str, Tensor]], Tensor], batch: Groups, sampling: str
) -> Tensor:
    """sum over batches of P(batch) grad loss(batch), one block for each prompt."""
    prompts = [trained(one) for one in batch.prompts]
    table, laws, ids = _all_rows(prompts, sampling)
    total = torch.zeros((), dtype=torch.float64)
    for chosen in product(*ids * batch.size):
        weight = float(laws[list(chosen)].prod())
        total = total + weight * loss(
            {name: values[list(chosen)] for name, values in table.items()}
        )
    return torch.cat([flat_gradient(total, one.policy) for one in prompts])


def _all_rows(prompts: list[World], sampling: str) -> tuple[dict[str, Tensor], Tensor, list[range]]:
    """Every row of every prompt stacked, their probabilities, and which rows are a prompt's."""
    listed: list[Mapping[str, Tensor]] = []
    laws: list[Tensor] = []
    ids: list[range] = []
    for number, one in zip(IDS, prompts, strict=False):
        made = rows(one, sampling)
        ids.append(range(len(listed), len(listed) + len(made)))
        laws.append(probabilities(one.sampler(sampling), one.words).detach())
        for row in made:
            kept = {name: row[name] for name in ("logp", "logp_old", "logp_ref", "mask")}
            listed.append({**kept, "rewards": row["adv"][0], "group": torch.tensor(number)})
    table = {name: torch.stack([row[name] for row in listed]) for name in listed[0]}
    return table, torch.cat(laws), ids
