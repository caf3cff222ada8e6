"""`descend(objective)`: which known gradients the expected gradient of a loss is made of.

On tiny enumerated policies the expected gradient, samples held fixed, is resolved by least squares
over several random worlds into the gradients of `basis.py`; of all subsets that explain it, the
smallest is the answer. The residual is relative; above `RESOLVED` the loss is "not resolved",
whatever the coefficients. A loss of groups is enumerated over groups (see `group_descent`).

    grad E[loss] = sum_i coefficient_i grad quantity_i,   E over responses of pi or pi_old

Shapes: the arguments of the loss's family, [B,T] or [B].
Units: log-probabilities in nats.
Raises: UnusableInput as `check` does, for a family without sampled responses, and for what would
not be enumerated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from numerics.check.answers import (
    IN_FLOAT32,
    RESOLVED,
    Decomposition,
    PromptWeight,
    Term,
    one_line,
    same_terms,
    sparsest,
)
from numerics.check.basis import Gradient, basis
from numerics.check.enumeration import World, expected_gradient, world
from numerics.check.explanations import EXPLANATIONS, GROUP_BASELINES, theorems_of
from numerics.check.group_basis import REWARDED
from numerics.check.group_descent import (
    BINARY,
    BOTH,
    GroupProblem,
    resolve_groups,
    with_two_prompts,
)
from numerics.check.signature import map_arguments
from numerics.check.specification import specification_of
from numerics.check.subject import Subject, bind
from numerics.check.usable import require_usable
from numerics.errors import UnusableInput
from numerics.objective import Objective, objective

__all__ = [
    "EXPLANATIONS",
    "GROUP_BASELINES",
    "RESOLVED",
    "Decomposition",
    "PromptWeight",
    "Term",
    "descend",
    "one_line",
    "sparsest",
]

WORLDS = 6
VOCABULARY = 3
SMALL = {"B": 2, "T": 3, "V": VOCABULARY}
NEAR, FAR = 0.4, 4.0  # how far the reference is; a clamped penalty shows only in the second
DRIFT = {
    "on-policy": 0.0,
    "off-policy": 0.03,
}  # small enough for every ratio to stay inside a clip of 0.2
SAMPLINGS = tuple(DRIFT)
DOUBLE = torch.finfo(torch.float64).eps
GROUPED = "group_policy"
SERVED = ("policy", "logits", "kl", "entropy", "rollout_weights", GROUPED)

BatchLoss = Callable[[Mapping[str, Tensor]], Tensor]


def descend(
    declared: Objective | Callable[..., Any],
    *,
    length: int = 1,
    sampling: str = "on-policy",
    group_size: int = 4,
    extra: Mapping[str, Gradient] | None = None,
) -> Decomposition:
    """Resolve the expected gradient of a loss at a response length of 1 or 2.

    `extra` adds gradients to the basis: name -> function of (World, sampling). A loss per token (kl
    family) is summed over tokens and averaged over rows. A loss of groups (group_policy family)
    sees `group_size` responses to a prompt; where it weighs prompts by their success rate p the
    terms are named `w_K(p) ...` and `weights` holds the weights. `warning` is set when the answer
    is not what `claims=` or `like=` promise.

    >>> from numerics.objectives.grpo import grpo
    >>> [(t.gradient, round(t.coefficient, 12)) for t in descend(grpo).terms]
    [('E[r]', -1.0), ('KL(ref||pi)', 0.04)]
    """
    subject, tolerance = _usable(declared, length, sampling)
    problem = Problem(
        subject.objective.name,
        _row_mean(subject, subject.value),
        length,
        sampling,
        extra or {},
        group_size if subject.family.name == GROUPED else None,
        tolerance=tolerance,
    )
    near = _resolve(problem, "never", NEAR)
    answer = _with_unequal_lengths(near, problem) if length > 1 else near
    if "logp_ref" in subject.mapped.ours:
        answer = _with_a_far_reference(answer, near, problem)
    if problem.size is not None:
        answer = with_two_prompts(answer, _group_problem(problem, "never", NEAR))
    return replace(answer, theorems=theorems_of(answer), warning=_warning(answer, subject, problem))


def _usable(
    declared: Objective | Callable[..., Any], length: int, sampling: str
) -> tuple[Subject, float]:
    """The loss bound to its family, and what its rounding allows."""
    if length not in (1, 2) or sampling not in SAMPLINGS:
        got = f"length={length}, sampling={sampling}"
        expected = f"length 1 or 2, {' or '.join(SAMPLINGS)}"
        raise UnusableInput("cannot enumerate this", expected=expected, got=got)
    entry = declared if isinstance(declared, Objective) else objective(declared)
    _require_samples(entry)
    subject = bind(entry, SMALL)
    rounding = require_usable(subject, SMALL, 0).eps_anywhere
    return subject, RESOLVED if rounding <= DOUBLE else IN_FLOAT32


def _require_samples(entry: Objective) -> None:
    family = map_arguments(entry).family
    if family.name not in SERVED:
        raise UnusableInput(
            f"{entry.name} has no expected gradient over sampled responses",
            entry.where,
            f"a loss of one of the families {', '.join(SERVED)}",
            f"the {family.name} family",
            hint="an estimator follows something only together with a loss: --advantages, --rewards"
            if family.held
            else None,
        )


@dataclass(frozen=True)
class Problem:
    """What is resolved: a loss of a batch, how long the responses are, who samples, what is added
    to the basis, and the size of a group (None: rows are independent).
    """

    name: str
    loss: BatchLoss
    length: int
    sampling: str
    extra: Mapping[str, Gradient]
    size: int | None = None
    rewards: tuple[str, ...] = BOTH
    tolerance: float = RESOLVED


def _group_problem(problem: Problem, stops: str, distance: float) -> GroupProblem:
    assert problem.size is not None
    return GroupProblem(
        problem.name,
        problem.loss,
        problem.length,
        problem.sampling,
        problem.size,
        problem.extra,
        stops,
        distance,
        DRIFT[problem.sampling],
        rewards=problem.rewards,
        tolerance=problem.tolerance,
    )


def _row_mean(subject: Subject, value_of: BatchLoss) -> BatchLoss:
    """The loss of a batch as a scalar, each argument in the axes that the loss takes."""

    def loss(inputs: Mapping[str, Tensor]) -> Tensor:
        shaped = dict(inputs)
        for name, axes in subject.axes.items():
            if axes == "B" and inputs[name].dim() == 2:
                shaped[name] = inputs[name][:, 0]
        result = value_of(shaped)
        value = result if result.dim() == 0 else (result * inputs["mask"]).sum(-1).mean()
        if not bool(torch.isfinite(value)):
            name, got = subject.objective.name, str(value.item())
            raise UnusableInput(
                f"{name} returns {got}", subject.objective.where, "finite numbers", got
            )
        return value

    return loss


def _worlds(length: int, sampling: str, stops: str, distance: float) -> list[World]:
    drift = DRIFT[sampling]
    return [
        world(
            seed, length=length, vocabulary=VOCABULARY, stops=stops, distance=distance, drift=drift
        )
        for seed in range(WORLDS)
    ]


def _resolve(problem: Problem, stops: str, distance: float) -> Decomposition:
    if problem.size is not None:
        return resolve_groups(_group_problem(problem, stops, distance))
    length, sampling = problem.length, problem.sampling
    worlds = _worlds(length, sampling, stops, distance)
    target = torch.cat([expected_gradient(problem.loss, one, sampling) for one in worlds])
    known = {**basis(length, sampling, stops), **problem.extra}
    columns = {
        name: torch.cat([gradient(one, sampling) for one in worlds])
        for name, gradient in known.items()
    }
    terms, residual = sparsest(target, columns, problem.tolerance)
    return Decomposition(
        problem.name, sampling, length, terms, residual, stops=stops, tolerance=problem.tolerance
    )


def _with_unequal_lengths(equal: Decomposition, problem: Problem) -> Decomposition:
    """The answer for responses that may stop early, where it exists; it is the more general one."""
    unequal = _resolve(problem, "early", NEAR)
    if unequal.resolved:
        return unequal
    note = f"equal lengths; where responses may stop early: not resolved ({unequal.residual:.1e})"
    return replace(equal, notes=(*equal.notes, note))


def _with_a_far_reference(
    answer: Decomposition, near: Decomposition, problem: Problem
) -> Decomposition:
    """A note when the answer changes where the reference is far away."""
    kinds = (BINARY,) if near.weights else problem.rewards
    far = _resolve(replace(problem, rewards=kinds), "never", FAR)
    if not near.resolved or (far.resolved and same_terms(near.terms, far.terms, _within(problem))):
        return answer
    note = f"far from the reference, as under a clamp: {one_line(far)}"
    return replace(answer, notes=(*answer.notes, note))


def _within(problem: Problem) -> float:
    """How closely two coefficients agree."""
    return max(1e-7, 10 * problem.tolerance)


def _warning(answer: Decomposition, subject: Subject, problem: Problem) -> str | None:
    """What was claimed and is not so: `claims=` by names, `like=` and `spec=` by the
    specification's own descent.
    """
    if not answer.resolved:
        return None
    claims = [c for c in subject.objective.claims if _is_a_gradient(c)]
    found = [term.gradient for term in answer.terms]
    if claims and set(claims) != set(found):
        return f"claimed to follow {', '.join(claims)}; it follows {', '.join(found) or 'nothing'}"
    specification = specification_of(subject)
    if specification is None:
        return None
    promised = replace(problem, loss=_row_mean(subject, specification.evaluate))
    expected = _resolve(promised, answer.stops, NEAR)
    if expected.resolved and same_terms(answer.terms, expected.terms, _within(problem)):
        return None
    return f"{specification.text} follows another direction: {one_line(expected)}"


def _is_a_gradient(claim: str) -> bool:
    return claim in (*basis(2, "off-policy", "early"), *REWARDED) or claim.startswith("w_")
