"""Tiny policies on which every response is enumerated, and the exact expected gradient of a loss on
them.

A policy over V tokens and length T is one table of logits per step, indexed by the prefix.
Responses either all have length T, or end early at the last token of the vocabulary ("stop"), which
gives unequal lengths. The samples are held fixed: each batch of rows is weighted by its probability
under the sampler, as a number, and only the loss is differentiated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import torch
from torch import Tensor

Tables = tuple[Tensor, ...]
Word = tuple[int, ...]


@dataclass(frozen=True)
class World:
    """One random instance: tables of logits of three policies, a reward per response, the
    responses.
    """

    policy: Tables
    old: Tables
    reference: Tables
    rewards: Tensor
    words: tuple[Word, ...]

    @cached_property
    def length(self) -> int:
        return len(self.policy)

    @cached_property
    def vocabulary(self) -> int:
        return int(self.policy[0].shape[-1])

    def sampler(self, sampling: str) -> Tables:
        """The policy that the responses are drawn from."""
        return self.policy if sampling == "on-policy" else self.old


def words(vocabulary: int, length: int, stops: str) -> tuple[Word, ...]:
    """Every response: of equal length (stops="never"), or ended early by the last token
    (stops="early").
    """
    if stops == "never":
        return tuple(product(range(vocabulary), repeat=length))
    found: list[Word] = []
    for word in product(range(vocabulary), repeat=length):
        cut = word.index(vocabulary - 1) + 1 if vocabulary - 1 in word else length
        if word[:cut] not in found:
            found.append(word[:cut])
    return tuple(found)


def world(
    seed: int, *, length: int, vocabulary: int, stops: str, distance: float, drift: float
) -> World:
    """A seeded world. `distance` scales how far the reference is, `drift` how far the old policy
    is.
    """
    rng = torch.Generator().manual_seed(seed)

    def tables(scale: float) -> Tables:
        shapes = [(vocabulary,) * (step + 1) for step in range(length)]
        return tuple(
            scale * torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes
        )

    policy = tables(0.7)
    listed = words(vocabulary, length, stops)
    rewards = torch.randn(len(listed), generator=rng, dtype=torch.float64)
    moved = [
        tuple(p + d for p, d in zip(policy, tables(s), strict=True)) for s in (drift, distance)
    ]
    return World(policy, moved[0], moved[1], rewards, listed)


def log_probabilities(tables: Tables, word: Word) -> Tensor:
    """log pi(y_t | y_<t) for each token of a word, [len(word)]."""
    steps = [torch.log_softmax(tables[t][word[:t]], -1)[word[t]] for t in range(len(word))]
    return torch.stack(steps)


def logits_along(tables: Tables, word: Word) -> Tensor:
    """The logits at each step of a word, [len(word), V]."""
    return torch.stack([tables[t][word[:t]] for t in range(len(word))])


def probabilities(tables: Tables, listed: tuple[Word, ...]) -> Tensor:
    """pi(y) of each response, [len(listed)]; they sum to one."""
    return torch.stack([log_probabilities(tables, word).sum() for word in listed]).exp()


def flat_gradient(value: Tensor, tables: Tables) -> Tensor:
    """The gradient with respect to all tables as one vector; zero where the value does not depend
    on them.
    """
    if not value.requires_grad:
        return torch.zeros(sum(table.numel() for table in tables), dtype=torch.float64)
    gradients = torch.autograd.grad(value, tables, allow_unused=True, retain_graph=True)
    filled = [
        torch.zeros_like(t) if g is None else g for t, g in zip(tables, gradients, strict=True)
    ]
    return torch.cat([gradient.reshape(-1) for gradient in filled])


def trained(one: World) -> World:
    """The same world with a policy that requires gradients."""
    policy = tuple(table.clone().requires_grad_() for table in one.policy)
    return World(policy, one.old, one.reference, one.rewards, one.words)


def rows(one: World, sampling: str) -> list[Mapping[str, Tensor]]:
    """For each response, the arguments of one row, padded to the full length; logp carries
    gradients.
    """
    made = []
    for word, reward in zip(one.words, one.rewards, strict=True):
        logp = log_probabilities(one.policy, word)
        old = logp.detach() if sampling == "on-policy" else log_probabilities(one.old, word)
        pad = one.length - len(word)
        made.append(
            {
                "logits": torch.nn.functional.pad(logits_along(one.policy, word), (0, 0, 0, pad)),
                "labels": torch.tensor([*word, *[0] * pad]),
                "logp": torch.nn.functional.pad(logp, (0, pad)),
                "logp_old": torch.nn.functional.pad(old, (0, pad)),
                "logp_ref": torch.nn.functional.pad(
                    log_probabilities(one.reference, word), (0, pad)
                ),
                "adv": reward.expand(one.length).clone(),
                "mask": torch.tensor([1.0] * len(word) + [0.0] * pad, dtype=torch.float64),
                "rollout_is_weights": torch.ones(one.length, dtype=torch.float64),  # one sampler
            }
        )
    return made


def expected_gradient(
    loss: Callable[[Mapping[str, Tensor]], Tensor], one: World, sampling: str, batch: int = 2
) -> Tensor:
    """sum over batches of P(batch) grad loss(batch), P under the sampler and held fixed."""
    one = trained(one)
    made = rows(one, sampling)
    law = probabilities(one.sampler(sampling), one.words).detach()
    total = torch.zeros((), dtype=torch.float64)
    for chosen in product(range(len(made)), repeat=batch):
        weight = float(law[list(chosen)].prod())
        inputs = {name: torch.stack([made[i][name] for i in chosen]) for name in made[0]}
        total = total + weight * loss(inputs)
    return flat_gradient(total, one.policy)
