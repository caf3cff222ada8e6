"""A reward for each response, fitted to comparisons under the Bradley-Terry model.

    Pr(i beats j) = sigma(r_i - r_j)
    loss(r) = -sum_ij wins_ij log sigma(r_i - r_j) / sum_ij wins_ij

Only differences within a connected component of the compared responses are learned, so each
component's mean is set to zero. The maximum is finite exactly when every component is strongly
connected by "was beaten by": no split of it in which one side always wins.

Source: Bradley and Terry (1952); Ford (1957) for existence; Ouyang et al. (2022), equation 1.
Theorems: `bradley_terry_ignores_prompt_shifts`, `connected_comparisons_identify_rewards`.
Shapes: rewards [N]; wins [N,N], wins[i, j] = how often (or the chance that) i beat j.
Sign: the loss is minimised; a larger reward is preferred.
Units: nats for the loss; rewards in log-odds.
Gradient: through the rewards.
Raises: UnusableInput for negative wins, no comparison, or wins without a finite maximum.

>>> import torch
>>> fitted = fit(torch.tensor([[0.0, 3.0], [1.0, 0.0]], dtype=torch.float64))
>>> round(float(fitted.rewards[0] - fitted.rewards[1]), 6)  # log 3
1.098612
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.newton import minimised


@dataclass(frozen=True, eq=False)
class Fitted:
    """The fit of a reward model.

    rewards     [N], with mean zero in each component
    components  [N], the component of each response in the graph of comparisons
    """

    rewards: Tensor
    components: tuple[int, ...]


def preference_loss(scores: Tensor, wins: Tensor) -> Tensor:
    """The mean of -log sigma(s_winner - s_loser) []."""
    gaps = scores[:, None] - scores[None, :]
    return -(wins * torch.nn.functional.logsigmoid(gaps)).sum() / wins.sum()


def fit(wins: Tensor) -> Fitted:
    """The rewards of greatest likelihood."""
    require_finite_maximum(wins)
    start = torch.zeros(len(wins), dtype=torch.float64)
    rewards = minimised(lambda r: preference_loss(r, wins), start)
    # From zero, Newton's steps never move a component's mean: the loss is flat along it.
    return Fitted(rewards, components(wins))


def preference(rewards: Tensor) -> Tensor:
    """Pr(i beats j) [N,N], with zeros on the diagonal."""
    chances = torch.sigmoid(rewards[:, None] - rewards[None, :])
    return chances - torch.diag(torch.diag(chances))


def compared(rewards: Tensor, count: int, seed: int) -> Tensor:
    """Wins [N,N] of `count` sampled comparisons of each pair."""
    chances = preference(rewards).triu(1)
    rng = torch.Generator().manual_seed(seed)
    wins = torch.binomial(torch.full_like(chances, count), chances, generator=rng).triu(1)
    return wins + (count - wins.T).tril(-1)


def components(wins: Tensor) -> tuple[int, ...]:
    """For each response, the smallest index among those that comparisons connect it with."""
    linked = _reached((wins + wins.T) > 0)
    return tuple(int(row.to(torch.int64).argmax()) for row in linked)


def require_finite_maximum(wins: Tensor) -> None:
    """Raises UnusableInput when the likelihood has no maximum at finite rewards."""
    if bool((wins < 0).any()) or not float(wins.sum()) > 0:
        raise UnusableInput("wins", expected="counts >= 0, not all 0", got=str(wins.tolist()))
    beats, linked = _reached(wins > 0), _reached((wins + wins.T) > 0)
    for i, j in (linked & ~beats).nonzero().tolist():
        what = "the likelihood has no maximum at finite rewards"
        raise UnusableInput(
            what,
            expected="wins on both sides of every split of a component",
            got=f"no chain of wins from response {i} to response {j}",
        )


def _reached(edges: Tensor) -> Tensor:
    """Which responses are reached along edges, in any number of steps; each reaches itself."""
    reached = edges | torch.eye(len(edges), dtype=torch.bool)
    for _ in range(len(edges)):
        reached = (reached.double() @ reached.double()) > 0
    return reached
