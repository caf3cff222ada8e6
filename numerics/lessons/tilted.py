"""The optimum of reward minus beta KL: the reference, tilted by the reward.

    F(pi) = E_pi[r] - beta KL(pi || ref)          Z = sum_y ref(y) exp(r(y) / beta)
    pi*(y) = ref(y) exp(r(y) / beta) / Z          F(pi*) = beta log Z
    r(y) - beta log(pi*(y) / ref(y)) = beta log Z   wherever ref(y) > 0

Source: Korbak et al. (2022); Rafailov et al. (2023), appendix A.1. Theorems:
`tilted_reference_is_the_unique_optimum`, `penalised_reward_is_constant_at_the_optimum`,
`small_beta_concentrates_on_the_best_supported_responses`.
Shapes: reference, rewards [N]; policy [N]; the rest [].
Sign: F is maximised.
Units: nats for KL; the unit of the reward for F and beta.
Gradient: flows through rewards and reference.
Raises: UnusableInput for beta <= 0 and for a reference that is no law.

>>> from numerics.lessons.divergence import law
>>> best = optimum(law(0.5, 0.5), law(1.0, 0.0), beta=0.5)
>>> [round(p, 3) for p in best.policy.tolist()], round(float(best.partition), 3)
([0.881, 0.119], 4.195)
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.divergence import relative_entropy, require_law


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimum and its numbers.

    policy         pi*
    log_partition  log Z
    reward         E[r]
    divergence     KL(pi* || ref)
    value          F
    penalised      r - beta log(pi* / ref) of each response
    """

    policy: Tensor
    log_partition: Tensor
    reward: Tensor
    divergence: Tensor
    value: Tensor
    penalised: Tensor

    @property
    def partition(self) -> Tensor:
        """Z; overflows for a small beta, where log Z does not."""
        return self.log_partition.exp()


def objective(policy: Tensor, reference: Tensor, rewards: Tensor, beta: float) -> Tensor:
    """F(policy) []."""
    return (policy * rewards).sum() - beta * relative_entropy(policy, reference)


def optimum(reference: Tensor, rewards: Tensor, beta: float) -> Optimum:
    """The best law over the responses that the reference can produce.

    The penalised reward of a response outside the reference's support is nan: it has none.
    """
    if not beta > 0:
        raise UnusableInput("beta", expected="above 0", got=str(beta))
    require_law(reference, "the reference")
    tilted = reference.log() + rewards / beta
    log_partition = torch.logsumexp(tilted, -1)
    log_policy = tilted - log_partition
    policy = log_policy.exp()
    return Optimum(
        policy=policy,
        log_partition=log_partition,
        reward=(policy * rewards).sum(),
        divergence=relative_entropy(policy, reference),
        value=objective(policy, reference, rewards, beta),
        penalised=rewards - beta * (log_policy - reference.log()),
    )
