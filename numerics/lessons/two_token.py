"""A model that writes two tokens from {0, 1}: the chain rule, and RLOO training to its optimum.

    pi(y) = first(y_1) second(y_2 | y_1)
    KL(pi || ref) = KL_1 + sum_a first(a) KL_2(a)                           chain rule
    A_i = leave-one-out of r(y_i) - beta log(pi(y_i) / ref(y_i))            detached
    loss = -mean_i A_i log pi(y_i)           ->           pi = ref exp(r / beta) / Z

At the optimum the penalised reward is the same for every response, so every advantage is zero and
the training comes to rest although it samples.

Source: the trust-region lesson's example; Ahmadian et al. (2024). Theorems:
`sequence_relative_entropy_is_the_sum_of_token_relative_entropies`, `leave_one_out_is_unbiased`,
`tilted_reference_is_the_unique_optimum`.
Shapes: first [2], second [2,2] with a row for each first token; laws of sequences [4] in the order
00, 01, 10, 11; rewards [4].
Sign: the reward is maximised, the loss minimised.
Units: nats.
Gradient: through log pi(y_i) only; advantages are detached.
Raises: UnusableInput for tables that are no laws, a group of one, beta <= 0.

>>> round(float(sequence_divergence(POLICY, REFERENCE)), 4)
0.3713
>>> [round(x, 2) for x in POLICY.sequences.tolist()]
[0.63, 0.07, 0.12, 0.18]
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.lessons.divergence import relative_entropy, require_law
from numerics.lessons.group_advantages import leave_one_out
from numerics.lessons.progress import steps
from numerics.lessons.tilted import optimum

SEQUENCES = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True, eq=False)
class Model:
    """The law of the first token [2] and of the second after each first one [2,2]."""

    first: Tensor
    second: Tensor

    def __post_init__(self) -> None:
        require_law(self.first, "the law of the first token")
        require_law(self.second, "the law of the second token")

    @property
    def sequences(self) -> Tensor:
        """pi(y) [4]."""
        return (self.first[:, None] * self.second).reshape(4)


def model(first: list[float], second: list[list[float]]) -> Model:
    """A model from plain numbers."""
    return Model(*(torch.tensor(x, dtype=torch.float64) for x in (first, second)))


POLICY = model([0.7, 0.3], [[0.9, 0.1], [0.4, 0.6]])
REFERENCE = model([0.5, 0.5], [[0.5, 0.5], [0.2, 0.8]])


def token_divergences(policy: Model, reference: Model) -> tuple[Tensor, Tensor]:
    """KL of the first token [], and of the second after each first one [2]."""
    pairs = zip(policy.second, reference.second, strict=True)
    second = torch.stack([relative_entropy(p, q) for p, q in pairs])
    return relative_entropy(policy.first, reference.first), second


def chained_divergence(policy: Model, reference: Model) -> Tensor:
    """The sequence KL by the chain rule: the expected sum over tokens."""
    first, second = token_divergences(policy, reference)
    return first + policy.first @ second


def sequence_divergence(policy: Model, reference: Model) -> Tensor:
    """The sequence KL by its definition, over the four sequences."""
    return relative_entropy(policy.sequences, reference.sequences)


@dataclass(frozen=True)
class Training:
    """How to train by plain gradient ascent.

    beta   the penalty's weight
    group  responses a step
    steps  how many
    rate   the learning rate
    seed   of the samples
    """

    beta: float = 0.5
    group: int = 8
    steps: int = 200
    rate: float = 1.2
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Trained:
    """What training leaves.

    policy       the trained law of the sequences
    target       the law that it should reach
    divergences  KL(pi || pi*) on the way
    """

    policy: Tensor
    target: Tensor
    divergences: tuple[float, ...]


def train(reference: Model, rewards: Tensor, training: Training) -> Trained:
    """RLOO with the penalty in the reward, from the reference."""
    log_reference = reference.sequences.log()
    target = optimum(reference.sequences, rewards, training.beta).policy
    logits = [reference.first.log().requires_grad_(), reference.second.log().requires_grad_()]
    optimiser = torch.optim.SGD(logits, lr=training.rate)
    rng = torch.Generator().manual_seed(training.seed)
    divergences: list[float] = []
    for _ in steps(training.steps, "RLOO on two tokens"):
        log_policy = sequence_log_law(*logits)
        held = log_policy.detach()
        divergences.append(float(relative_entropy(held.exp(), target)))
        drawn = torch.multinomial(held.exp(), training.group, replacement=True, generator=rng)
        penalised = rewards - training.beta * (held - log_reference)
        loss = -(leave_one_out(penalised[drawn]) * log_policy[drawn]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    final = sequence_log_law(*logits).detach().exp()
    divergences.append(float(relative_entropy(final, target)))
    return Trained(final, target, tuple(divergences))


def sequence_log_law(first: Tensor, second: Tensor) -> Tensor:
    """log pi(y) [4] from logits [2] and [2,2]; differentiable."""
    return (torch.log_softmax(first, -1)[:, None] + torch.log_softmax(second, -1)).reshape(4)
