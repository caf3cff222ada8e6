"""A loss bound to its family: call it on a sample, and say in one message why that cannot be
judged.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from numerics.check.messages import described, dtype_of, raised, wrong_result
from numerics.check.passing import Form, forms, other_forms
from numerics.check.signature import Mapped, map_arguments
from numerics.errors import UnusableInput
from numerics.families import WHOLE, Family, Shape
from numerics.objective import Objective

Inputs = Mapping[str, Tensor]
_AS_IT_IS = Form()


@dataclass(frozen=True)
class Subject:
    """What is under check: an objective, its arguments, the axes and the form of each of them."""

    objective: Objective
    mapped: Mapped
    axes: Mapping[str, str]
    of: str | None = None  # the argument to differentiate, if not the family's first
    forms: Mapping[str, Form] = field(default_factory=dict)
    device: str = "cpu"
    totals: Mapping[str, float] | None = None  # of the whole batch, where the inputs are a shard

    @property
    def family(self) -> Family:
        return self.mapped.family

    @property
    def wrt(self) -> str:
        """The argument that is differentiated, such as logp or logits."""
        return self.of or self.family.differentiated

    def each_differentiated(self, inputs: Inputs) -> list["Subject"]:
        """This subject, and the same for every further argument that moves the result here."""
        names = [name for name in self.family.also if name in self.mapped.ours]
        found: list[Subject] = [self]
        found.extend(replace(self, of=name) for name in names if self._sees(name, inputs))
        return found

    def _sees(self, name: str, inputs: Inputs) -> bool:
        """Whether the result depends on an argument, with or without a gradient; rounding, as of a
        sum of probabilities, is no dependence.
        """
        rng = torch.Generator().manual_seed(3)
        moved = inputs[name] - 0.01 * torch.rand(inputs[name].shape, generator=rng).double()
        before, after = self._value(inputs), self._value({**inputs, name: moved})
        return not torch.allclose(before, after, rtol=1e-13, atol=1e-300, equal_nan=True)

    def cuts(self, name: str) -> bool:
        """The loss takes one number a row of what is sampled per token."""
        return self.axes.get(name) == "B" and self.family.argument(name).axes[0] == "BT"

    def sample(self, shape: Shape, seed: int, regime: str = "moderate") -> dict[str, Tensor]:
        """A sample of the family, each argument in the axes that this loss takes."""
        inputs = self.family.sample(shape, seed, regime)
        return {name: _reshaped(inputs, name, self.axes.get(name)) for name in inputs}

    def raw(self, inputs: Inputs) -> Any:
        """The loss's own result on these inputs; an exception of its own becomes UnusableInput."""
        data = {theirs: self._passed(ours, inputs) for theirs, ours in self.mapped.data.items()}
        passed = {**data, **self.objective.passed, **self._denominators(inputs)}
        positional = [passed.pop(name) for name in self.mapped.positional if name in passed]
        try:
            return self.objective.judged(*positional, **passed)
        except UnusableInput:
            raise
        except Exception as error:
            raise raised(error, self.objective, inputs, self.mapped.ours) from error

    def _denominators(self, inputs: Inputs) -> dict[str, float]:
        """Numbers of the whole batch for the arguments that `denominators=` names."""
        named = self.objective.denominators
        totals = (self.totals or totals_of(inputs)) if named else {}
        return {theirs: totals[kind] for kind, theirs in named.items()}

    def _passed(self, name: str, inputs: Inputs) -> Any:
        """What the loss is given for one of our arguments: its form, or a Python number."""
        argument, value = self.family.argument(name), inputs[name]
        if argument.axes != ("",):
            return self.forms.get(name, _AS_IT_IS).passed(value, self.device)
        return round(value.item()) if argument.holds == WHOLE else value.item()

    def value(self, inputs: Inputs) -> Tensor:
        """The result as the family promises it: a scalar, or a value per row or token.

        Where only the value counts, or a further argument is differentiated, the result is
        connected to that argument by a zero, so that a gradient of zero is an answer.
        """
        if self.family.held:
            return held_fixed(self._value, inputs, self.wrt)
        result = self._value(inputs)
        return result if self.of is None else result + 0.0 * inputs[self.of].sum()

    def _value(self, inputs: Inputs) -> Tensor:
        result = self.raw(inputs)
        if self.objective.returns is not None:
            result = self._picked(result)
        allowed = self._allowed(inputs)
        if isinstance(result, tuple | list) and self.family.held:
            result = _stacked(result)
        if self.family.held and isinstance(result, float | int):
            result = torch.tensor(float(result), dtype=torch.float64)
        if not isinstance(result, Tensor) or tuple(result.shape) not in allowed:
            raise wrong_result(self.objective, self.family.name, result, allowed)
        if not result.is_floating_point():
            got, where = dtype_of(result), self.objective.where
            raise UnusableInput(
                f"{self.objective.name} returns {got}", where, "a floating result", got
            )
        as_ours = result.dtype is torch.float64 and result.device.type == "cpu"
        return result if as_ours else result.to("cpu", torch.float64)

    def _allowed(self, inputs: Inputs) -> set[tuple[int, ...]]:
        """The shapes that the family's results have on these inputs."""
        sizes: dict[str, int] = {}
        for argument in self.family.arguments:
            if argument.name in inputs:
                axes = self.axes.get(argument.name, argument.axes[0])
                sizes |= dict(zip(axes, inputs[argument.name].shape, strict=False))
        return {
            tuple(int(axis) if axis.isdigit() else sizes[axis] for axis in axes)
            for axes in self.family.results
        }

    def scalar(self, inputs: Inputs) -> Tensor:
        """The result as one number."""
        return contracted(self.value(inputs))

    def function(self, inputs: Inputs, name: str | None = None) -> Callable[[Tensor], Tensor]:
        """The scalar as a function of one argument, the others held at `inputs`."""
        name = name or self.wrt
        return lambda point: self.scalar({**inputs, name: point})

    def _picked(self, result: Any) -> Any:
        try:
            return result[self.objective.returns]
        except (TypeError, KeyError, IndexError) as error:
            raise UnusableInput(
                f"{self.objective.name} has no result {self.objective.returns!r}",
                self.objective.where,
                f"a result with an element {self.objective.returns!r}",
                described(result),
            ) from error


def totals_of(inputs: Inputs) -> dict[str, float]:
    """tokens under the mask (all, without one), sequences, and one shard."""
    rows = next(x for x in inputs.values() if x.dim())
    every = math.prod(rows.shape[:2])
    tokens = inputs["mask"].sum().item() if "mask" in inputs else every
    return {"tokens": float(tokens), "sequences": float(rows.shape[0]), "shards": 1.0}


def held_fixed(evaluate: Callable[[Inputs], Tensor], inputs: Inputs, name: str) -> Tensor:
    """evaluate(inputs) with no gradient but a zero with respect to one argument."""
    return evaluate({**inputs, name: inputs[name].detach()}).detach() + 0.0 * inputs[name].sum()


def _stacked(results: Any) -> Any:
    """A tuple of tensors of one shape as one tensor; anything else as it is."""
    tensors = [r for r in results if isinstance(r, Tensor)]
    same = len({tuple(r.shape) for r in tensors}) == 1 and len(tensors) == len(results)
    return torch.stack(tensors) if same else results


def contracted(result: Tensor) -> Tensor:
    """A result per token contracted with fixed normal weights, so that no entry can hide."""
    if result.dim() == 0:
        return result
    rng = torch.Generator().manual_seed(17)
    return (torch.randn(result.shape, generator=rng, dtype=torch.float64) * result).sum()


def bind(objective: Objective, shape: Shape, device: str = "cpu") -> Subject:
    """The objective with its arguments mapped and their axes found; raises UnusableInput.

    Where a family allows several axes (an advantage per token or per response) and none is
    declared, the loss runs with each and the one with the smallest largest result is taken: a
    silent broadcast is not an answer. A loss that raises for masks of numbers is given truth
    values, then integers.
    """
    mapped = map_arguments(objective)
    given = forms(objective, mapped.family, mapped.ours)
    subject = Subject(objective, mapped, {}, forms=given, device=device)
    _refuse_unknown_shapes(subject)
    choices = [{}]
    for argument in subject.family.arguments:
        if argument.name in subject.mapped.ours:
            options = (
                [objective.shapes[argument.name].removesuffix("1")]
                if argument.name in objective.shapes
                else argument.axes
            )
            choices = [{**choice, argument.name: axes} for choice in choices for axes in options]
    bound = [replace(subject, axes=choice) for choice in choices]
    others = other_forms(given, mapped.ours)
    if len(bound) == 1 and not others:
        return bound[0]
    for passed in (given, *others):
        sizes = {i: _largest_result(replace(b, forms=passed), shape) for i, b in enumerate(bound)}
        best = min(sizes, key=sizes.__getitem__)
        if sizes[best] < math.inf:
            return replace(bound[best], forms=passed)
    return bound[0]


def _refuse_unknown_shapes(subject: Subject) -> None:
    for name, axes in subject.objective.shapes.items():
        known_axes = subject.family.argument(name).axes if name in subject.mapped.ours else ()
        if axes.removesuffix("1") not in known_axes:
            known = {a.name: a.axes for a in subject.family.arguments}
            raise UnusableInput(
                f"shapes= of {subject.objective.name}",
                subject.objective.where,
                str(known),
                f"{name}: {axes}",
            )


class _Largest(TorchFunctionMode):
    """The number of elements of the largest result."""

    numel = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor):
            self.numel = max(self.numel, result.numel())
        return result


def _largest_result(subject: Subject, shape: Shape) -> float:
    """Elements of the largest intermediate result; infinite where the loss raises."""
    inputs = subject.sample(shape, 0)  # not counted
    with torch.no_grad(), _Largest() as largest:
        try:
            subject.raw(inputs)
        except UnusableInput:
            return math.inf
    return largest.numel


def _reshaped(inputs: Inputs, name: str, axes: str | None) -> Tensor:
    value = inputs[name]
    return value[:, 0].clone() if axes == "B" and value.dim() == 2 else value
