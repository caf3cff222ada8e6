"""A full update of proximal policy optimisation on one batch.

    loss = -mean min(rho A, clip(rho) A) + c_v mean value_loss - c_e mean H(pi(.|s))
    value_loss = max((V - R)^2, (V_old + clip(V - V_old, +-value_clip) - R)^2)

For each epoch the batch is shuffled into minibatches; a minibatch is one Adam step, advantages
normalised within it, the gradient's norm limited over all parameters. The epochs end early when the
k3 estimate of KL(old || new) on a minibatch exceeds `target_divergence`, before its step.

Source: Schulman et al. (2017), equation 9 and algorithm 1; Huang et al., The 37 Implementation
Details of PPO (2022). Theorems: `clip_gradient_cases`, `clip_does_not_bound_the_divergence`,
`value_clip_is_pessimistic`, `k3_is_unbiased_and_nonnegative`.
Shapes: model(observations [N,...]) gives logits [N,A] and values [N]; actions [N] (integers);
logp_old, advantages, returns, values_old [N].
Sign: the loss is minimised; the objective in the report is maximised.
Units: nats for log-probabilities, entropy and the divergence.
Gradient: through the model's logits and values; the batch is held fixed.
Raises: UnusableInput for an empty batch, shapes that differ, a minibatch below 1, a loss that is
not finite. An infinite clip, value_clip, target or norm switches that part off.

>>> import torch
>>> from numerics.lessons.ten_actions import Bandit
>>> batch = Batch(torch.zeros(2, 1), torch.tensor([0, 1]), torch.tensor([0.5, 0.5]).log(),
...               torch.tensor([1.0, -1.0]), torch.zeros(2), torch.zeros(2))
>>> done = ppo_update(Bandit(2), batch, Settings(epochs=3, minibatch=2, learning_rate=0.01))
>>> done.steps, done.model.logits[0] > done.model.logits[1]
(3, tensor(True))
"""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from numerics.errors import UnusableInput
from numerics.lessons.progress import steps
from numerics.objectives.kl_penalty import estimator
from numerics.objectives.ppo_clip import clipped_surrogate

GUARD = 1e-8  # added to the standard deviation of the advantages


@dataclass(frozen=True, eq=False)
class Batch:
    """What the old policy left behind: one row a step.

    observations  what the model is given
    actions       what was done
    logp_old      log-probabilities of the actions then
    advantages    A, before they are normalised
    returns       value targets R
    values_old    the values then
    """

    observations: Tensor
    actions: Tensor
    logp_old: Tensor
    advantages: Tensor
    returns: Tensor
    values_old: Tensor

    def rows(self, chosen: Tensor) -> "Batch":
        """Some of the rows."""
        return Batch(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def normalised(advantages: Tensor) -> Tensor:
    """(A - mean) / (std + guard), population standard deviation: a minibatch of one row gives 0."""
    centred = advantages - advantages.mean()
    return centred / (centred.pow(2).mean().sqrt() + GUARD)


def as_given(advantages: Tensor) -> Tensor:
    """The advantages unchanged."""
    return advantages


@dataclass(frozen=True)
class Settings:
    """The numbers of one update.

    epochs             passes over the batch
    minibatch          rows a step
    clip               of the ratio
    value_weight       of the value loss
    value_clip         of the value's change
    entropy_weight     of the bonus
    learning_rate      of Adam
    gradient_norm      above which the gradient is scaled down
    target_divergence  the approximate KL after which no further epoch begins
    advantages         what is done to the advantages of a minibatch
    seed               of the order of rows
    """

    epochs: int = 4
    minibatch: int = 64
    clip: float = 0.2
    value_weight: float = 0.5
    value_clip: float = math.inf
    entropy_weight: float = 0.01
    learning_rate: float = 3e-4
    gradient_norm: float = 0.5
    target_divergence: float = math.inf
    advantages: Callable[[Tensor], Tensor] = normalised
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Terms:
    """The loss of a minibatch and its parts.

    loss        the whole
    objective   the clipped surrogate
    value_loss  before its weight
    entropy     before its weight
    log_ratio   [n], log pi - log pi_old
    """

    loss: Tensor
    objective: Tensor
    value_loss: Tensor
    entropy: Tensor
    log_ratio: Tensor

    @property
    def divergence(self) -> float:
        """The k3 estimate of KL(old || new) on these samples; never negative."""
        moved = self.log_ratio.detach()
        return float(estimator(torch.zeros_like(moved), moved, "k3").mean())


@dataclass(frozen=True, eq=False)
class Epoch:
    """The state after an epoch, on the whole batch.

    divergence     the approximate KL(old || new)
    ratios         [N], pi / pi_old of the actions taken
    objective      the clipped surrogate
    value_loss     before its weight
    entropy        before its weight
    gradient_norm  that of its last step
    """

    divergence: float
    ratios: Tensor
    objective: float
    value_loss: float
    entropy: float
    gradient_norm: float

    def share_outside(self, clip: float) -> float:
        """The share of ratios off [1 - clip, 1 + clip]."""
        return float(((self.ratios - 1).abs() > clip).double().mean())


@dataclass(frozen=True, eq=False)
class Update:
    """What an update gives.

    model    the trained copy
    epochs   a record of each epoch
    steps    how many were taken
    stopped  whether the divergence stopped it early
    """

    model: nn.Module
    epochs: tuple[Epoch, ...]
    steps: int
    stopped: bool


def terms(model: nn.Module, batch: Batch, settings: Settings) -> Terms:
    """The loss on some rows."""
    logits, values = model(batch.observations)
    log_policy = torch.log_softmax(logits, -1)
    log_ratio = log_policy.gather(1, batch.actions[:, None]).squeeze(1) - batch.logp_old
    advantages = settings.advantages(batch.advantages)
    objective = clipped_surrogate(log_ratio.exp(), advantages, settings.clip).mean()
    moved = (values - batch.values_old).clamp(-settings.value_clip, settings.value_clip)
    errors = (values - batch.returns) ** 2, (batch.values_old + moved - batch.returns) ** 2
    value_loss = torch.maximum(*errors).mean()
    entropy = -(log_policy.exp() * log_policy).sum(-1).mean()
    loss = settings.value_weight * value_loss - objective - settings.entropy_weight * entropy
    return Terms(loss, objective, value_loss, entropy, log_ratio)


def ppo_update(model: nn.Module, batch: Batch, settings: Settings) -> Update:
    """Train a copy of the model on the batch; the model that is passed stays as it is."""
    _require(batch, settings)
    trained = copy.deepcopy(model)
    optimiser = torch.optim.Adam(trained.parameters(), lr=settings.learning_rate)
    shuffle = torch.Generator().manual_seed(settings.seed)
    record: list[Epoch] = []
    done = 0
    for _ in steps(settings.epochs, "PPO epochs"):
        norm = 0.0
        for chosen in torch.randperm(len(batch.actions), generator=shuffle).split(
            settings.minibatch
        ):
            found = terms(trained, batch.rows(chosen), settings)
            if found.divergence > settings.target_divergence:
                record.append(_epoch(trained, batch, settings, norm))
                return Update(trained, tuple(record), done, True)
            norm = gradient_step(trained, optimiser, found.loss, settings.gradient_norm)
            done += 1
        record.append(_epoch(trained, batch, settings, norm))
    return Update(trained, tuple(record), done, False)


def gradient_step(
    model: nn.Module, optimiser: torch.optim.Optimizer, loss: Tensor, limit: float
) -> float:
    """One step; the norm of the whole gradient before it was limited."""
    if not bool(torch.isfinite(loss)):
        raise UnusableInput("the loss is not finite", got=str(float(loss.detach())))
    optimiser.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    optimiser.step()
    return float(norm)


def _epoch(model: nn.Module, batch: Batch, settings: Settings, norm: float) -> Epoch:
    with torch.no_grad():
        found = terms(model, batch, settings)
    return Epoch(
        divergence=found.divergence,
        ratios=found.log_ratio.exp(),
        objective=float(found.objective),
        value_loss=float(found.value_loss),
        entropy=float(found.entropy),
        gradient_norm=norm,
    )


def _require(batch: Batch, settings: Settings) -> None:
    rows = {name: len(getattr(batch, name)) for name in batch.__dataclass_fields__}
    if len(set(rows.values())) > 1 or not len(batch.actions):
        raise UnusableInput("rows differ", expected="the same N >= 1 for all", got=str(rows))
    if settings.minibatch < 1:
        raise UnusableInput("minibatch", expected="1 or more", got=str(settings.minibatch))
