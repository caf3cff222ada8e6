"""`descend(objective)`: which known gradients the expected gradient of a loss is made of.

On tiny enumerated policies the expected gradient, samples held fixed, is resolved by least squares
over several random worlds into the gradients of `basis.py`; of all subsets that explain it, the
smallest is the answer. The residual is relative; above `RESOLVED` the loss is "not resolved",
whatever the coefficients.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from numerics.check.basis import Gradient, basis
from numerics.check.enumeration import World, expected_gradient, world
from numerics.check.specification import specification_of
from numerics.check.subject import Subject, bind
from numerics.check.usable import require_usable
from numerics.errors import UnusableInput
from numerics.objective import Objective, objective

RESOLVED = 1e-9
WORLDS = 6
VOCABULARY = 3
SMALL = {"B": 2, "T": 3, "V": VOCABULARY}
NEAR, FAR = 0.4, 4.0  # how far the reference is; a clamped penalty shows only in the second
DRIFT = {
    "on-policy": 0.0,
    "off-policy": 0.03,
}  # small enough for every ratio to stay inside a clip of 0.2
SAMPLINGS = tuple(DRIFT)

BatchLoss = Callable[[Mapping[str, Tensor]], Tensor]


@dataclass(frozen=True)
class Term:
    """coefficient times the gradient of a named quantity."""

    gradient: str
    coefficient: float


@dataclass(frozen=True)
class Decomposition:
    """What the loss follows. `notes` say what changes far from the reference and with unequal
    lengths.
    """

    objective: str
    sampling: str
    length: int
    terms: tuple[Term, ...]
    residual: float
    theorems: tuple[str, ...] = ()
    warning: str | None = None
    notes: tuple[str, ...] = ()
    stops: str = "never"

    @property
    def resolved(self) -> bool:
        return self.residual <= RESOLVED


def descend(
    declared: Objective | Callable[..., Any],
    *,
    length: int = 1,
    sampling: str = "on-policy",
    extra: Mapping[str, Gradient] | None = None,
) -> Decomposition:
    """Resolve the expected gradient of a loss at a response length of 1 or 2.

    `extra` adds gradients to the basis: name -> function of (World, sampling). A loss per token
    (kl family) is summed over tokens and averaged over rows. `warning` is set when the answer is
    not what `claims=` or `like=` promise. Raises UnusableInput as `check` does, and for a length
    that would not be enumerated.

    >>> from numerics.objectives.grpo import grpo
    >>> [(t.gradient, round(t.coefficient, 12)) for t in descend(grpo).terms]
    [('E[r]', -1.0), ('KL(ref||pi)', 0.04)]
    """
    if length not in (1, 2) or sampling not in SAMPLINGS:
        got = f"length={length}, sampling={sampling}"
        expected = f"length 1 or 2, {' or '.join(SAMPLINGS)}"
        raise UnusableInput("cannot enumerate this", expected=expected, got=got)
    entry = declared if isinstance(declared, Objective) else objective(declared)
    subject = bind(entry, SMALL)
    require_usable(subject, SMALL, 0)
    problem = Problem(entry.name, _row_mean(subject, subject.value), length, sampling, extra or {})
    near = _resolve(problem, "never", NEAR)
    answer = _with_unequal_lengths(near, problem) if length > 1 else near
    answer = _with_a_far_reference(answer, near, problem)
    return replace(answer, theorems=_theorems(answer), warning=_warning(answer, subject, problem))


@dataclass(frozen=True)
class Problem:
    """What is resolved: a loss of a batch, how long the responses are, who samples, what is added
    to the basis.
    """

    name: str
    loss: BatchLoss
    length: int
    sampling: str
    extra: Mapping[str, Gradient]


def _row_mean(subject: Subject, value_of: BatchLoss) -> BatchLoss:
    """The loss of a batch as a scalar, each argument in the axes that the loss takes."""

    def loss(inputs: Mapping[str, Tensor]) -> Tensor:
        shaped = dict(inputs)
        for name, axes in subject.axes.items():
            if axes == "B":
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
    length, sampling = problem.length, problem.sampling
    worlds = _worlds(length, sampling, stops, distance)
    target = torch.cat([expected_gradient(problem.loss, one, sampling) for one in worlds])
    known = {**basis(length, sampling, stops), **problem.extra}
    columns = {
        name: torch.cat([gradient(one, sampling) for one in worlds])
        for name, gradient in known.items()
    }
    terms, residual = sparsest(target, columns)
    return Decomposition(problem.name, sampling, length, terms, residual, stops=stops)


def sparsest(target: Tensor, columns: Mapping[str, Tensor]) -> tuple[tuple[Term, ...], float]:
    """The smallest set of columns that gives the target, with coefficients and the relative
    residual.

    When no set does, the best fit by all of them and its residual. A zero target is explained by
    nothing.
    """
    size = float(torch.linalg.vector_norm(target))
    scale = max(float(torch.linalg.vector_norm(column)) for column in columns.values())
    if size <= 1e-12 * scale:
        return (), 0.0
    best: tuple[tuple[Term, ...], float] = ((), 1.0)
    for count in range(1, len(columns) + 1):
        fits = [
            _fit(target, {n: columns[n] for n in names}) for names in combinations(columns, count)
        ]
        terms, residual = min(fits, key=lambda fit: fit[1])
        explained = next((fit for fit in fits if fit[1] <= RESOLVED), None)
        if explained is not None:
            return explained
        best = (terms, residual) if residual < best[1] else best
    return best


def _fit(target: Tensor, columns: Mapping[str, Tensor]) -> tuple[tuple[Term, ...], float]:
    matrix = torch.stack(list(columns.values()), 1)
    coefficients = torch.linalg.lstsq(matrix, target[:, None], driver="gelsd").solution[:, 0]
    rest = torch.linalg.vector_norm(target - matrix @ coefficients) / torch.linalg.vector_norm(
        target
    )
    terms = tuple(Term(name, float(c)) for name, c in zip(columns, coefficients, strict=True))
    return terms, float(rest)


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
    far = _resolve(problem, "never", FAR)
    if not near.resolved or (far.resolved and _same_terms(near.terms, far.terms)):
        return answer
    note = f"far from the reference, as under a clamp: {one_line(far)}"
    return replace(answer, notes=(*answer.notes, note))


def _warning(answer: Decomposition, subject: Subject, problem: Problem) -> str | None:
    """What was claimed and is not so: `claims=` by names, `like=` and `spec=` by the
    specification's own descent.
    """
    if not answer.resolved:
        return None
    claims = [c for c in subject.objective.claims if c in basis(2, "off-policy", "early")]
    found = [term.gradient for term in answer.terms]
    if claims and set(claims) != set(found):
        return f"claimed to follow {', '.join(claims)}; it follows {', '.join(found) or 'nothing'}"
    specification = specification_of(subject)
    if specification is None:
        return None
    promised = replace(problem, loss=_row_mean(subject, specification.evaluate))
    expected = _resolve(promised, answer.stops, NEAR)
    if expected.resolved and _same_terms(answer.terms, expected.terms):
        return None
    return f"{specification.text} follows another direction: {one_line(expected)}"


def _same_terms(one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
    if [t.gradient for t in one] != [t.gradient for t in other]:
        return False
    pairs = zip(one, other, strict=True)
    return all(abs(a.coefficient - b.coefficient) <= 1e-7 * abs(a.coefficient) for a, b in pairs)


def one_line(answer: Decomposition) -> str:
    """The answer as mathematics: grad L = -1 grad E[r] + 0.04 grad KL(ref||pi)."""
    if not answer.resolved:
        return f"not resolved (residual {answer.residual:.1e})"
    if not answer.terms:
        return "grad L = 0"
    text = " + ".join(f"{t.coefficient:.10g} grad {t.gradient}" for t in answer.terms)
    return "grad L = " + text.replace("+ -", "- ")


# Which theorem explains that a loss follows a quantity.
EXPLANATIONS: Mapping[str, tuple[str, ...]] = {
    "E[r]": ("trust_regions.surrogate_agrees_to_first_order",),
    "KL(pi||ref)": (
        "divergence_estimators.k2_as_a_loss_follows_the_reverse_divergence",
        "divergence_estimators.the_differentiable_ratio_restores_the_reverse_divergence",
    ),
    "KL(ref||pi)": ("divergence_estimators.k3_as_a_loss_follows_the_forward_divergence",),
    "tKL(pi||ref)": ("divergence_estimators.token_penalty_misses_the_prefix_term",),
    "tKL(ref||pi)": ("divergence_estimators.token_penalty_misses_the_prefix_term",),
    "E[r;|y|=1]": ("groups.length_normalisation_follows_another_objective",),
    "E[r;|y|=2]": ("groups.length_normalisation_follows_another_objective",),
}


def _theorems(answer: Decomposition) -> tuple[str, ...]:
    """The ids that explain the terms, those that are in the catalogue already."""
    if not answer.resolved:
        return ()
    wanted = [claim for term in answer.terms for claim in EXPLANATIONS.get(term.gradient, ())]
    return tuple(claim for claim in dict.fromkeys(wanted) if _is_a_theorem(claim))


def _is_a_theorem(claim: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(f"derivations.theorems.{claim}") is not None
    except ImportError:
        return False
