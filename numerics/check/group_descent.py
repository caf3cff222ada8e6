"""What a loss of groups follows: first with normal rewards and one coefficient for every prompt,
then with rewards 0 and 1 and a weight that depends on the prompt's success rate.

Where no known law gives the weights, they are fitted prompt by prompt and reported as they are. Two
prompts in one batch show whether a response is judged by its own prompt's responses only.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import torch
from torch import Tensor

from numerics.check.answers import (
    RESOLVED,
    Decomposition,
    PromptWeight,
    Term,
    fit,
    same_terms,
    sparsest,
)
from numerics.check.basis import Gradient
from numerics.check.group_basis import (
    REWARDED,
    GroupGradient,
    Law,
    laws,
    lifted,
    plain_basis,
    weighted_basis,
)
from numerics.check.groups import Groups, expected_group_gradient, groups
from numerics.errors import UnusableInput

WORLDS = 8
SHARE = 0.65  # of the equations: more terms than that explain anything
SHORT = 2  # an answer of so few terms is taken at once
SIZES = range(2, 7)  # of a group that can be enumerated
NORMAL, BINARY = "normal", "binary"
BOTH = (NORMAL, BINARY)
TWO_PROMPTS_SIZE = 3
FREE = "w(p) "

BatchLoss = Callable[[Mapping[str, Tensor]], Tensor]


@dataclass(frozen=True)
class GroupProblem:
    """A loss of a batch of groups, where it is looked at, and what is added to the basis."""

    name: str
    loss: BatchLoss
    length: int
    sampling: str
    size: int
    extra: Mapping[str, Gradient]
    stops: str = "never"
    distance: float = 0.4
    drift: float = 0.0
    prompts: int = 1
    rewards: tuple[str, ...] = BOTH  # what is tried
    tolerance: float = RESOLVED


@dataclass(frozen=True)
class _System:
    """The batches, the expected gradient at each of them, and the plain columns."""

    problem: GroupProblem
    batches: tuple[Groups, ...]
    targets: tuple[Tensor, ...]
    plain: Mapping[str, GroupGradient]

    @property
    def equations(self) -> int:
        """How many independent numbers the gradients are: logits may be shifted."""
        tables = [t for b in self.batches for one in b.prompts for t in one.policy]
        used = [float(t.numel()) * (1 - 1 / t.shape[-1]) for t in tables]
        return round(sum(used)) if self.problem.stops == "never" else round(sum(used) * 2 / 3)

    @property
    def target(self) -> Tensor:
        return torch.cat(self.targets)

    def column(self, gradient: GroupGradient) -> Tensor:
        return torch.cat([gradient(one, self.problem.sampling) for one in self.batches])

    def answer(self, terms: tuple[Term, ...], residual: float) -> Decomposition:
        p = self.problem
        return Decomposition(
            p.name,
            p.sampling,
            p.length,
            terms,
            residual,
            stops=p.stops,
            size=p.size,
            tolerance=p.tolerance,
        )


def resolve_groups(problem: GroupProblem) -> Decomposition:
    """The answer, or the best fit with normal rewards; raises UnusableInput for a group's size that
    cannot be enumerated.
    """
    if problem.size not in SIZES:
        expected = f"a group of {SIZES.start} to {SIZES.stop - 1}"
        raise UnusableInput("cannot enumerate this", expected=expected, got=str(problem.size))
    found: Decomposition | None = None
    if NORMAL in problem.rewards:
        normal = _system(problem, NORMAL)
        columns = {name: normal.column(gradient) for name, gradient in normal.plain.items()}
        found = normal.answer(*sparsest(normal.target, columns, problem.tolerance))
        if found.resolved:
            return found
    binary = _system(problem, BINARY)
    answer = _by_a_law(binary) or _prompt_by_prompt(binary) or found
    return answer or binary.answer((), 1.0)


def _system(problem: GroupProblem, rewards: str) -> _System:
    batches = tuple(
        groups(
            seed,
            size=problem.size,
            length=problem.length,
            stops=problem.stops,
            distance=problem.distance,
            drift=problem.drift,
            binary=rewards == BINARY,
            prompts=problem.prompts,
        )
        for seed in range(WORLDS)
    )
    targets = tuple(expected_group_gradient(problem.loss, b, problem.sampling) for b in batches)
    plain = plain_basis(problem.length, problem.sampling, problem.stops)
    added = {name: lifted(gradient) for name, gradient in problem.extra.items()}
    return _System(problem, batches, targets, {**plain, **added})


def _by_a_law(system: _System) -> Decomposition | None:
    """The shortest answer in which rewards are weighed by a known law, or None."""
    others = {n: system.column(g) for n, g in system.plain.items() if n not in REWARDED}
    found: list[Decomposition] = []
    for law in laws(system.problem.size):
        weighted = weighted_basis(system.plain, law)
        columns = {**{name: system.column(g) for name, g in weighted.items()}, **others}
        terms, residual = sparsest(system.target, columns, system.problem.tolerance)
        if residual <= system.problem.tolerance and len(terms) <= SHARE * system.equations:
            told = ("rewards 0 and 1", law.described) if law.described else ("rewards 0 and 1",)
            answer = replace(system.answer(terms, residual), notes=told)
            found.append(replace(answer, weights=_weights(system, terms, law)))
            if len(terms) <= SHORT:
                break
    return min(found, key=lambda answer: len(answer.terms), default=None)


def _prompt_by_prompt(system: _System) -> Decomposition | None:
    """The answer with a weight of its own for each prompt, if that explains the gradient together
    with at most two other gradients.
    """
    others = {n: system.column(g) for n, g in system.plain.items() if n not in REWARDED}
    for name, gradient in _directions(system).items():
        blocks = {f"{name} @{n}": block for n, block in enumerate(_blocks(system, gradient))}
        for count in range(3):
            for names in combinations(others, count):
                columns = {**blocks, **{n: others[n] for n in names}}
                terms, residual = fit(system.target, columns)
                if residual <= system.problem.tolerance and len(terms) <= SHARE * system.equations:
                    return _free_answer(system, terms, residual, name)
    return None


def _directions(system: _System) -> dict[str, GroupGradient]:
    """Gradients that a prompt's weight may stand before."""
    plain = system.plain
    found = {f"{FREE}E[r]": plain["E[r]"]}
    if "E[r/|y|]" in plain:
        found[f"{FREE}(E[r/|y|] - J E[1/|y|])"] = lambda batch, sampling: (
            plain["E[r/|y|]"](batch, sampling) - plain["J E[1/|y|]"](batch, sampling)
        )
    return found


def _blocks(system: _System, gradient: GroupGradient) -> list[Tensor]:
    """The column of one gradient cut into one column for each prompt, zero elsewhere."""
    blocks = []
    for index, batch in enumerate(system.batches):
        pieces = gradient(batch, system.problem.sampling).chunk(len(batch.prompts))
        for place in range(len(pieces)):
            kept = [p if n == place else torch.zeros_like(p) for n, p in enumerate(pieces)]
            columns = [
                torch.cat(kept) if n == index else torch.zeros_like(target)
                for n, target in enumerate(system.targets)
            ]
            blocks.append(torch.cat(columns))
    return blocks


def _free_answer(
    system: _System, terms: tuple[Term, ...], residual: float, name: str
) -> Decomposition:
    """One term for all prompts, with their weights, and the others."""
    own = [-t.coefficient for t in terms if t.gradient.startswith(name)]
    weights = tuple(PromptWeight(p, w) for p, w in zip(_rates(system), own, strict=True))
    others = (t for t in terms if not t.gradient.startswith(name))
    notes = ("rewards 0 and 1", "no known law gives these weights")
    answer = system.answer((Term(name, -1.0), *others), residual)
    return replace(answer, notes=notes, weights=weights)


def _rates(system: _System) -> list[float]:
    sampling = system.problem.sampling
    return [b.rate(one, sampling) for b in system.batches for one in b.prompts]


def _weights(system: _System, terms: tuple[Term, ...], law: Law) -> tuple[PromptWeight, ...]:
    """For each prompt the weight that the gradient itself has, beside the law's.

    The weighted terms without their weights are projected on what the other terms leave.
    """
    prefix = f"w_{law.size}(p) "
    weighed = [t for t in terms if t.gradient.startswith(prefix)]
    others = [t for t in terms if not t.gradient.startswith(prefix)]
    found = []
    for batch, target in zip(system.batches, system.targets, strict=True):
        left = target - _combined(system, others, batch, target)
        bare = [Term(t.gradient.removeprefix(prefix), t.coefficient) for t in weighed]
        direction = _combined(system, bare, batch, target)
        count = len(batch.prompts)
        for one, mine, line in zip(
            batch.prompts, left.chunk(count), direction.chunk(count), strict=True
        ):
            p = batch.rate(one, system.problem.sampling)
            observed = float(mine @ line / (line @ line))
            found.append(PromptWeight(p, observed, law.weight(p)))
    return tuple(found) if weighed else ()


def _combined(system: _System, terms: list[Term], batch: Groups, like: Tensor) -> Tensor:
    total = torch.zeros_like(like)
    for term in terms:
        total = total + term.coefficient * system.plain[term.gradient](
            batch, system.problem.sampling
        )
    return total


def with_two_prompts(answer: Decomposition, problem: GroupProblem) -> Decomposition:
    """A note unless two prompts in one batch each get the gradient of a batch of their own."""
    if not answer.resolved:
        return answer
    kinds = (BINARY,) if answer.weights else BOTH
    small = replace(problem, size=TWO_PROMPTS_SIZE, length=1, stops="never", rewards=kinds)
    alone = resolve_groups(small)
    if not alone.resolved:
        return answer
    both = resolve_groups(replace(small, prompts=2))
    within = max(1e-7, 10 * problem.tolerance)
    if both.resolved and same_terms(alone.terms, both.terms, within):
        return answer
    note = "with two prompts in a batch it follows something else: a response is judged by more "
    return replace(answer, notes=(*answer.notes, note + "than the responses to its own prompt"))
