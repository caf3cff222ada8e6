"""The specification that a loss claims, as a torch function of a sample, and the nearest one when
it is not met.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from numerics.check.directional import STEP
from numerics.check.directions import direction
from numerics.check.frozen import Site, mattering, moving, record
from numerics.check.subject import Inputs, Subject, contracted, held_fixed
from numerics.errors import UnusableInput
from numerics.families import Family
from numerics.families.logits import token_logp
from numerics.objectives import Reference, reference
from numerics.reductions import reduce_tokens

# What libraries do by default without saying so; tried as a hint when a claim fails, never assumed.
ALTERNATIVES: Mapping[str, tuple[Any, ...]] = {
    "reduce": (
        "token-mean",
        "seq-mean-token-mean",
        "seq-mean-token-sum",
        "seq-mean-token-sum-norm",
    ),
    "guard": (1e-8, 1e-6, 1e-5),
    "log_ratio_clamp": (20.0, 10.0),
    "kl_log_ratio_clamp": (20.0, 10.0),
    "value_clamp": (10.0,),
    "kl_value_clamp": (10.0,),
    "kind": ("k1", "k2", "k3"),
    "ratio": ("none", "differentiable", "frozen"),
    "kl_ratio": ("none", "differentiable", "frozen"),
    "dual": (3.0,),
}
TOGETHER = ("reduce", "guard", "log_ratio_clamp", "kl_log_ratio_clamp", "kl_value_clamp")


@dataclass(frozen=True)
class Specification:
    """`evaluate(inputs)` is the loss that is claimed; `text` names it."""

    evaluate: Callable[[Inputs], Tensor]
    text: str
    expression: str  # the same of a sample `x`, for reproductions


def specification_of(subject: Subject) -> Specification | None:
    """From `like=` or `spec=`; None when nothing is claimed. Raises UnusableInput for a claim that
    cannot be read.
    """
    objective = subject.objective
    if objective.like is not None and objective.spec is not None:
        raise UnusableInput(
            f"{objective.name} has both like= and spec=", objective.where, "one of them", "both"
        )
    if objective.like is not None:
        return from_reference(subject, reference(objective.like), objective.options)
    if objective.options and (objective.spec is None or callable(objective.spec)):
        raise UnusableInput(
            f"{objective.name} has options but no like=",
            objective.where,
            "like= the objective that they belong to",
            ", ".join(objective.options),
        )
    if callable(objective.spec):
        return Specification(
            lambda inputs: objective.spec(**_taken(subject, inputs)), "its spec=", "None"
        )
    if objective.spec is not None:
        return _from_term(subject)
    return None


def _taken(subject: Subject, inputs: Inputs) -> dict[str, Tensor]:
    return {name: inputs[name] for name in subject.mapped.ours}


def from_reference(subject: Subject, known: Reference, options: Mapping[str, Any]) -> Specification:
    """A reference objective with options, on this loss's samples.

    From logits the log-probabilities are gathered first (option `temperature`). A loss without
    logp_old is on-policy: logp_old is logp, held fixed.
    """
    options = dict(options)
    temperature = options.pop("temperature", 1.0) if subject.family.name == "logits" else 1.0
    unknown = sorted(set(options) - set(known.options))
    if unknown:
        listed = ", ".join(f"{name}={value!r}" for name, value in known.options.items())
        raise UnusableInput(
            f"{known.name} has no option {unknown[0]}", subject.objective.where, listed, unknown[0]
        )
    missing = set(known.arguments) - subject.family.names - {"logp"}
    if missing:
        raise UnusableInput(
            f"{subject.objective.name} is of the {subject.family.name} family, {known.name} is not",
            subject.objective.where,
            f"an objective of the {subject.family.name} family",
            f"{known.name}, which needs {', '.join(sorted(missing))}",
        )

    def plain(inputs: Inputs) -> Tensor:
        return known.evaluate(_completed(subject, inputs, temperature), options)

    def evaluate(inputs: Inputs) -> Tensor:
        if subject.family.held:
            return held_fixed(plain, inputs, subject.wrt)
        return plain(inputs)

    text = f"{known.name}({', '.join(f'{n}={v!r}' for n, v in options.items())})"
    return Specification(evaluate, text, _expression(subject, known, options, temperature))


def _expression(
    subject: Subject, known: Reference, options: Mapping[str, Any], temperature: float
) -> str:
    """The specification of a sample `x`, in Python, with what the loss does not take filled in."""
    extra = []
    if subject.family.name == "logits":
        gathered = (
            'torch.log_softmax(x["logits"] / %r, -1).gather(-1, x["labels"][..., None])[..., 0]'
        )
        extra.append(f'"logp": {gathered % temperature}')
    if "logp_old" not in subject.mapped.ours and "logp_old" in known.arguments:
        source = 'x["logp"]' if subject.family.name != "logits" else 'x["logp_old"]'
        extra.append(f'"logp_old": {source}.detach()')
    if "mask" not in subject.mapped.ours and "mask" in subject.family.names:
        extra.append('"mask": torch.ones_like(x["mask"])')
    extra += [f'"{n}": x["{n}"][:, 0]' for n in subject.axes if subject.cuts(n)]
    ours, constants = subject.mapped.ours, subject.objective.constants
    extra += [f'"{n}": torch.tensor({constants[n]!r})' for n in constants if n in known.arguments]
    data = "x" if not extra else "{**x, " + ", ".join(extra) + "}"
    if subject.family.complete is not Family.complete:
        taken = sorted({*ours, *constants})
        data = f'families()["{subject.family.name}"].complete({data}, {taken})'
    return f'reference("{known.name}").evaluate({data}, {options!r})'


def _from_term(subject: Subject) -> Specification:
    """A kernel term per token, evaluated by the bridge and reduced as the options say."""
    from numerics.token_terms import evaluate

    options = dict(subject.objective.options)
    how = options.pop("reduce", "none" if subject.family.name == "kl" else "token-mean")
    if options:
        strangers = ", ".join(options)
        raise UnusableInput("options beside spec=", subject.objective.where, "reduce", strangers)

    def value(inputs: Inputs) -> Tensor:
        given = _completed(subject, inputs)
        tokens = evaluate(subject.objective.spec, given)
        return tokens if how == "none" else reduce_tokens(tokens, given["mask"], how)

    return Specification(value, "its spec=", "None")


def _completed(subject: Subject, inputs: Inputs, temperature: float = 1.0) -> dict[str, Tensor]:
    """With logp from logits, an on-policy logp_old and a full mask where the loss takes none."""
    given = dict(inputs)
    if subject.family.name == "logits":
        given["logp"] = token_logp(inputs["logits"], inputs["labels"], temperature)
    ours, constants = subject.mapped.ours, subject.objective.constants
    if "logp_old" not in ours and "logp" in given:
        given["logp_old"] = given["logp"].detach()
    if "mask" not in ours and "mask" in given:
        given["mask"] = given["mask"].new_ones(given["mask"].shape)
    for name in subject.family.names & set(constants):
        given[name] = torch.as_tensor(constants[name], dtype=torch.float64)
    return dict(subject.family.complete(given, frozenset(ours) | set(constants)))


def under_the_mask(subject: Subject, inputs: Inputs, result: Tensor) -> Tensor:
    """A result per token with zeros off the mask, where the loss takes one; others as they are.

    What stands in the padding is the caller's affair: no later loss reads it.
    """
    mask = inputs.get("mask") if "mask" in subject.mapped.ours else None
    if mask is None or result.dim() < 2 or result.shape[-2:] != mask.shape:
        return result
    return torch.where(mask > 0, result, 0.0)


def specified_gradient(subject: Subject, inputs: Inputs) -> Tensor | None:
    """The gradient that the specification has at a sample; None without a specification."""
    specification = specification_of(subject)
    if specification is None:
        return None
    leaf = inputs[subject.wrt].detach().requires_grad_()
    value = contracted(specification.evaluate({**inputs, subject.wrt: leaf}))
    if not value.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(value, leaf)[0]


def frozen_in(function: Callable[[Tensor], Tensor], point: Tensor) -> tuple[Site, ...]:
    """The sites of a function whose value depends on the point; constants that are merely copied
    are left out.
    """
    try:
        sites = record(function, point).sites
    except UnusableInput:
        return ()
    moved = point + 100 * STEP * direction(tuple(point.shape), 0)
    return mattering(function, moving(function, sites, moved), moved)


def frozen_in_both(
    subject: Subject, specification: Specification | None, inputs: Inputs
) -> tuple[tuple[Site, ...], tuple[Site, ...] | None]:
    """What the loss freezes, and what its specification does (None without one).

    Nothing is said of what a later loss holds fixed as a whole.
    """
    if subject.family.held:
        return (), None
    point = inputs[subject.wrt]
    mine = frozen_in(subject.function(inputs), point)
    if specification is None:
        return mine, None
    return mine, frozen_in(
        lambda t: specification.evaluate({**inputs, subject.wrt: t}).sum(), point
    )


def nearest(subject: Subject, agrees: Callable[[Specification], bool]) -> str | None:
    """One to three changed options of the claimed reference with which the loss does agree, as
    text.
    """
    objective = subject.objective
    if objective.like is None:
        return None
    known = reference(objective.like)
    for change in _changes(known, objective.options):
        candidate = from_reference(subject, known, {**objective.options, **change})
        if agrees(candidate):
            return ", ".join(f"{name}={value!r}" for name, value in change.items())
    return None


def _changes(known: Reference, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    single = [
        (name, value)
        for name, values in ALTERNATIVES.items()
        if name in known.options
        for value in values
        if options.get(name, known.options[name]) != value
    ]
    often_together = [(name, value) for name, value in single if name in TOGETHER]
    for count, choices in ((1, single), (2, single), (3, often_together)):
        for chosen in combinations(choices, count):
            if len({name for name, _ in chosen}) == count:
                yield dict(chosen)
