"""One step of trust-region policy optimisation.

    maximise mean_n rho_n A_n   subject to   mean_n KL(pi_old(.|s_n) || pi(.|s_n)) <= delta
    x = F^-1 g  (conjugate gradient on Fisher-vector products, or the pseudo-inverse)
    step = sqrt(2 delta / x^T F x) x, then halved until KL <= delta and the surrogate has risen

Source: Schulman et al., Trust Region Policy Optimization (2015), section 6 and appendix C.
Theorems: `natural_gradient_step_maximises_the_linear_model`,
`relative_entropy_is_locally_the_fisher_quadratic`.
Shapes: parameters [P]; log_policy maps [P] to log-probabilities [N,A] of the batch's states;
actions [N] (integers), advantages [N], weights [N] (sum one; the empirical mean by default).
Sign: the surrogate is maximised. The divergence is KL(old || new).
Units: nats for delta.
Gradient: through log_policy only; old log-probabilities, advantages and weights are held fixed. A
Fisher-vector product is the gradient of (grad KL) . v at the old parameters: two backward passes.
Raises: UnusableInput for delta <= 0, damping < 0, shapes that differ, or a gradient that is not
finite. A line search that finds nothing is no error: the parameters stay, `accepted` is False.

>>> import torch
>>> batch = Batch(torch.tensor([0, 1]), torch.tensor([1.0, -1.0], dtype=torch.float64))
>>> bandit = lambda theta: torch.log_softmax(theta, -1).expand(2, 2)
>>> step = trpo_step(bandit, torch.zeros(2, dtype=torch.float64), batch, delta=0.01)
>>> step.accepted, step.divergence <= 0.01, step.improvement > 0
(True, True, True)
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from numerics.errors import UnusableInput

LogPolicy = Callable[[Tensor], Tensor]
Product = Callable[[Tensor], Tensor]
Solver = Callable[[Product, Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Batch:
    """A batch of one step.

    actions     [N], what was done
    advantages  [N]
    weights     [N], of each sample in the mean; None for the empirical mean
    """

    actions: Tensor
    advantages: Tensor
    weights: Tensor | None = None

    @property
    def law(self) -> Tensor:
        """The weights, or 1/N for each sample."""
        if self.weights is not None:
            return self.weights
        return torch.full_like(self.advantages, 1 / len(self.advantages))


@dataclass(frozen=True, eq=False)
class Step:
    """What a step gives.

    parameters   the new ones, or the old ones if it was not accepted
    accepted     whether the line search found a point
    divergence   KL(old || new) there
    improvement  the surrogate's rise
    halvings     how many the line search took
    direction    F^-1 g, before it is scaled
    """

    parameters: Tensor
    accepted: bool
    divergence: float
    improvement: float
    halvings: int
    direction: Tensor


def surrogate(log_new: Tensor, log_old: Tensor, batch: Batch) -> Tensor:
    """sum_n w_n rho_n A_n []."""
    taken = batch.actions[:, None]
    ratio = (log_new.gather(1, taken) - log_old.gather(1, taken)).squeeze(1).exp()
    return (batch.law * ratio * batch.advantages).sum()


def divergence(log_old: Tensor, log_new: Tensor, batch: Batch) -> Tensor:
    """sum_n w_n KL(old(.|s_n) || new(.|s_n)) []."""
    return (batch.law * (log_old.exp() * (log_old - log_new)).sum(1)).sum()


def fisher_product(
    log_policy: LogPolicy, parameters: Tensor, batch: Batch, damping: float
) -> Product:
    """v -> (F + damping I) v, F the Hessian of the mean KL at the old parameters."""
    at = parameters.detach().requires_grad_()
    log_new = log_policy(at)
    mean = divergence(log_new.detach(), log_new, batch)
    slope = torch.autograd.grad(mean, at, create_graph=True)[0]

    def product(v: Tensor) -> Tensor:
        bent = torch.autograd.grad(slope @ v, at, retain_graph=True)[0]
        return bent + damping * v

    return product


def conjugate_gradient(
    product: Product, g: Tensor, iterations: int = 10, tolerance: float = 1e-10
) -> Tensor:
    """x with product(x) = g, from x = 0; for a singular F and g in its range this is F^+ g, as the
    iterates never leave that range."""
    x, residual = torch.zeros_like(g), g.clone()
    towards, size = residual.clone(), residual @ residual
    stop = tolerance**2 * float(size)
    for _ in range(iterations):
        image = product(towards)
        curvature = towards @ image
        if float(size) <= stop or float(curvature) <= 0:
            break
        x = x + size / curvature * towards
        residual = residual - size / curvature * image
        smaller = residual @ residual
        towards, size = residual + smaller / size * towards, smaller
    return x


def pseudo_inverse(product: Product, g: Tensor) -> Tensor:
    """F^+ g with F written out, one product a column: for few parameters only."""
    columns = [product(e) for e in torch.eye(len(g), dtype=g.dtype)]
    return torch.linalg.pinv(torch.stack(columns, 1), hermitian=True, rtol=1e-10) @ g


def trpo_step(
    log_policy: LogPolicy,
    parameters: Tensor,
    batch: Batch,
    *,
    delta: float,
    damping: float = 0.0,
    solver: Solver = conjugate_gradient,
    halvings: int = 15,
) -> Step:
    """The new parameters: inside the trust region and better by the surrogate, or the old ones."""
    _require(delta, damping, batch)
    old = parameters.detach()
    with torch.no_grad():
        log_old = log_policy(old)
    at = old.clone().requires_grad_()
    g = torch.autograd.grad(surrogate(log_policy(at), log_old, batch), at)[0]
    if not bool(torch.isfinite(g).all()):
        raise UnusableInput("the policy gradient is not finite", got=str(g.tolist()[:4]))
    product = fisher_product(log_policy, old, batch, damping)
    direction = solver(product, g)
    curvature = float(direction @ product(direction))
    if curvature <= 0:  # no gradient, or one that F cannot see
        return Step(old, False, 0.0, 0.0, 0, direction)
    full = math.sqrt(2 * delta / curvature) * direction
    measure = partial(_measured, log_policy, log_old, batch)
    return _searched(measure, old, full, delta, halvings)


def _measured(
    log_policy: LogPolicy, log_old: Tensor, batch: Batch, parameters: Tensor
) -> tuple[float, float]:
    with torch.no_grad():
        log_new = log_policy(parameters)
        rise = surrogate(log_new, log_old, batch) - surrogate(log_old, log_old, batch)
        return float(divergence(log_old, log_new, batch)), float(rise)


def _searched(
    measure: Callable[[Tensor], tuple[float, float]],
    old: Tensor,
    full: Tensor,
    delta: float,
    halvings: int,
) -> Step:
    for n in range(halvings + 1):
        parameters = old + full / 2**n
        moved, rise = measure(parameters)
        if moved <= delta and rise > 0:  # a nan fails both
            return Step(parameters, True, moved, rise, n, full)
    return Step(old, False, 0.0, 0.0, halvings, full)


def _require(delta: float, damping: float, batch: Batch) -> None:
    if not delta > 0:
        raise UnusableInput("delta", expected="a radius above 0 in nats", got=str(delta))
    if not damping >= 0:
        raise UnusableInput("damping", expected="0 or more", got=str(damping))
    shapes = (batch.actions.shape, batch.advantages.shape, batch.law.shape)
    if len(set(shapes)) > 1:
        raise UnusableInput(
            "shapes differ",
            expected="actions, advantages, weights [N]",
            got=str([tuple(s) for s in shapes]),
        )
