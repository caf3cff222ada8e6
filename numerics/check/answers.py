"""What a loss follows, as an answer: terms, a residual, and the smallest set of terms that explains
a gradient.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor

RESOLVED = 1e-9
IN_FLOAT32 = 1e-5  # what its rounding leaves
EXHAUSTIVE = 4
HELD = re.compile(r"^((?:w\S*\(p\) )?(?:J )?)")  # what is not differentiated


@dataclass(frozen=True)
class Term:
    """`coefficient` times the gradient of the quantity that `gradient` names."""

    gradient: str
    coefficient: float


@dataclass(frozen=True)
class PromptWeight:
    """How much a group's loss weighs the gradient of a prompt.

    rate      the prompt's success rate
    observed  the weight
    known     that of the law that was found, None where there is none
    """

    rate: float
    observed: float
    known: float | None = None


@dataclass(frozen=True)
class Decomposition:
    """What the loss follows.

    objective  the loss's name
    sampling   who sampled: on-policy or off-policy
    length     of the responses
    terms      the gradients that the expected gradient is made of
    residual   what they leave, relative
    theorems   that explain the terms
    warning    what was claimed and is not so, None where all is
    notes      what changes far from the reference and with unequal lengths
    stops      whether responses may stop early
    weights    those of the prompts, where a group's loss weighs them differently
    size       of a group, None where rows are independent
    tolerance  the residual up to which the answer counts: more where the loss uses float32
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
    weights: tuple[PromptWeight, ...] = ()
    size: int | None = None
    tolerance: float = RESOLVED

    @property
    def resolved(self) -> bool:
        """Whether the terms explain the gradient."""
        return self.residual <= self.tolerance


def one_line(answer: Decomposition) -> str:
    """The answer as mathematics: grad L = -1 grad E[r] + 0.04 grad KL(ref||pi)."""
    if not answer.resolved:
        return f"not resolved (residual {answer.residual:.1e})"
    if not answer.terms:
        return "grad L = 0"
    text = " + ".join(f"{t.coefficient:.10g} {_gradient(t.gradient)}" for t in answer.terms)
    return "grad L = " + text.replace("+ -", "- ")


def _gradient(name: str) -> str:
    """grad E[r]; what stands before the gradient of a weighted one stays there."""
    return HELD.sub(r"\1grad ", name, count=1)


def same_terms(one: tuple[Term, ...], other: tuple[Term, ...], within: float = 1e-7) -> bool:
    """The same gradients with the same coefficients, within a relative error."""
    if [t.gradient for t in one] != [t.gradient for t in other]:
        return False
    pairs = zip(one, other, strict=True)
    return all(abs(a.coefficient - b.coefficient) <= within * abs(a.coefficient) for a, b in pairs)


def sparsest(
    target: Tensor, columns: Mapping[str, Tensor], tolerance: float = RESOLVED
) -> tuple[tuple[Term, ...], float]:
    """The smallest set of columns that gives the target within a relative tolerance, with
    coefficients and the relative residual.

    When no set does, the best fit by all of them and its residual. A zero target is explained by
    nothing. Sets of more than EXHAUSTIVE columns are not searched: columns are left out one by one.
    """
    size = float(torch.linalg.vector_norm(target))
    scale = max(float(torch.linalg.vector_norm(column)) for column in columns.values())
    if size <= 1e-12 * scale:
        return (), 0.0
    everything = fit(target, columns)
    if everything[1] > tolerance:  # then no part of them does
        return everything
    for count in range(1, min(len(columns), EXHAUSTIVE + 1)):
        for names in combinations(columns, count):
            terms, residual = fit(target, {n: columns[n] for n in names})
            if residual <= tolerance:
                return terms, residual
    return _pruned(target, columns, tolerance)


def _pruned(
    target: Tensor, columns: Mapping[str, Tensor], tolerance: float
) -> tuple[tuple[Term, ...], float]:
    """Columns are left out, the last first, as long as the others still give the target."""
    kept = dict(columns)
    for name in reversed(list(columns)):
        fewer = {n: c for n, c in kept.items() if n != name}
        if fewer and fit(target, fewer)[1] <= tolerance:
            kept = fewer
    return fit(target, kept)


def fit(target: Tensor, columns: Mapping[str, Tensor]) -> tuple[tuple[Term, ...], float]:
    """Least squares over all of the columns: coefficients, and the relative residual."""
    matrix = torch.stack(list(columns.values()), 1)
    coefficients = torch.linalg.lstsq(matrix, target[:, None], driver="gelsd").solution[:, 0]
    rest = torch.linalg.vector_norm(target - matrix @ coefficients)
    terms = tuple(Term(name, float(c)) for name, c in zip(columns, coefficients, strict=True))
    return terms, float(rest / torch.linalg.vector_norm(target))
