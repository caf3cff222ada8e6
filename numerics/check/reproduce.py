"""Five lines of plain torch that show a finding, with its seed, to be pasted beside the user's
file.
"""

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from numerics.check.load import ALIAS
from numerics.check.passing import Form
from numerics.check.subject import Subject
from numerics.families import Shape
from numerics.objective import Objective


def module_of(objective: Objective) -> str:
    """The module that a reproduction imports the loss from."""
    places = (objective.home, getattr(objective.function, "__module__", None))
    holds = [p for p in places if p and hasattr(sys.modules.get(p), objective.name)]
    return (holds or [p for p in places if p] or ["my_losses"])[0].removeprefix(ALIAS)


def _declared(objective: Objective) -> str:
    """An expression for the objective: its name, or what was declared of it beside its file."""
    name = objective.name
    held = getattr(sys.modules.get(objective.home), name, None)
    own = held if isinstance(held, Objective) else None
    keywords: dict[str, Any] = {}
    for field in fields(objective):
        value, known = (_plain(getattr(one, field.name, None)) for one in (objective, own))
        named = field.name in ("function", "name", "home")
        if named or repr(value) in (repr(known), "{}", "()", "None"):
            continue
        if not _readable(value):
            return name  # it cannot be written down: the file's own declaration must do
        keywords[field.name] = value
    if not keywords:
        return name
    options = keywords.pop("options", {})
    listed = ", ".join(f"{key}={value!r}" for key, value in {**keywords, **options}.items())
    return f"objective({name}{'.function' if own else ''}, {listed})"


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def _readable(value: Any) -> bool:
    """Whether repr(value) is an expression of it."""
    if isinstance(value, Mapping):
        return all(map(_readable, value.values()))
    if isinstance(value, tuple | list):
        return all(map(_readable, value))
    return value is None or isinstance(value, str | int | float | bool)


def again_lines(subject: Subject, shape: Shape, seed: int, name: str) -> str:
    """One property judged once more at one shape and seed."""
    objective = subject.objective
    loss = _declared(objective)
    names = "check" if loss == objective.name else "check, objective"
    lines = [
        f"from numerics import {names}; from {module_of(objective)} import {objective.name}",
        f"report = check({loss}, only=({name!r},),",
        f"    shapes=({dict(shape)!r},), seed={seed}, seeds=1)",
        "print(report.findings[0].verdict, report.findings[0].message)",
    ]
    return "\n".join(lines)


def masked_lines(
    subject: Subject, shape: Shape, seed: int, regime: str, names: tuple[str, ...]
) -> str:
    """The value before and after the padding is refilled, and the gradient that masked tokens have.

    `names` are the arguments that are refilled.
    """
    first, sampled = _opening(subject, shape, seed, regime)
    wrt = subject.wrt
    total = ".sum()" if subject.family.results != ("",) else ""
    refilled = ", ".join(f'"{name}"' for name in names)
    leaf = f'; t = x["{wrt}"].requires_grad_()' if not subject.family.held else ""
    slope = ", torch.autograd.grad(loss(x), t)[0][pad]" if leaf else ""
    lines = [
        first,
        f'{sampled}; pad = x["mask"] == 0{leaf}',
        "put = lambda v: v.masked_fill(pad.view(*pad.shape, *[1] * (v.dim() - 2)), -2.0)",
        f"loss = lambda x: {call(subject, {})}{total}",
        f"print(loss(x), loss({{**x, **{{n: put(x[n]) for n in ({refilled},)}}}}){slope})",
    ]
    return "\n".join(lines)


def call(subject: Subject, replaced: Mapping[str, str]) -> str:
    """The call of the loss on the sample `x`, some of our arguments replaced by an expression."""
    values = {}
    for theirs, ours in subject.mapped.data.items():
        axes = "[:, 0]" if subject.cuts(ours) else ""
        number = subject.family.argument(ours).axes == ("",)
        axes = ".item()" if number else axes
        form = "" if number else subject.forms.get(ours, Form()).expression
        values[theirs] = replaced.get(ours, f'x["{ours}"]{axes}') + form
    values |= {name: repr(value) for name, value in subject.objective.passed.items()}
    named = subject.objective.denominators
    values |= {theirs: replaced.get(kind, _total(kind)) for kind, theirs in named.items()}
    parts = [values.pop(name) for name in subject.mapped.positional if name in values]
    parts += [f"{name}={value}" for name, value in values.items()]
    picked = "" if subject.objective.returns is None else f"[{subject.objective.returns!r}]"
    judged = ".judged" if subject.objective.setup is not None else ""
    return f"{subject.objective.name}{judged}({', '.join(parts)}){picked}"


def _total(kind: str) -> str:
    rows = "next(iter(x.values()))"
    return {
        "tokens": 'x["mask"].sum().item()',
        "sequences": f"len({rows})",
        "shards": "1",
    }[kind]


def _opening(subject: Subject, shape: Shape, seed: int, regime: str) -> list[str]:
    sizes = ", ".join(f"{axis}={size}" for axis, size in shape.items())
    return [
        f"import torch; from {module_of(subject.objective)} import {subject.objective.name}; "
        "from numerics.families import sample",
        f'x = sample("{subject.family.name}", seed={seed}, regime="{regime}", {sizes})',
    ]


def gradient_lines(
    subject: Subject, shape: Shape, seed: int, regime: str, entry: tuple[int, ...]
) -> str:
    """Autograd's derivative of one entry beside a central difference."""
    place = ", ".join(map(str, entry))
    total = ".sum()" if subject.family.results != ("",) else ""
    lines = [
        *_opening(subject, shape, seed, regime),
        f"loss = lambda t: {call(subject, {subject.wrt: 't'})}{total}",
        f't = x["{subject.wrt}"]; u = t.clone().requires_grad_(); '
        f"e = torch.zeros_like(t); e[{place}] = 1e-4",
        f"print(torch.autograd.grad(loss(u), u)[0][{place}].item(), "
        "((loss(t + e) - loss(t - e)) / 2e-4).item())",
    ]
    return "\n".join(lines)


def value_lines(subject: Subject, shape: Shape, seed: int, regime: str, reference: str) -> str:
    """The loss beside its specification; `reference` is an expression of the sample `x`."""
    opening = _opening(subject, shape, seed, regime)
    if "families()" in reference:
        opening[0] = opening[0].replace("import sample", "import families, sample")
    if subject.family.held:  # its value is all that counts
        spec = f"from numerics.objectives import reference; spec = {reference}"
        return "\n".join([*opening, spec, f"print({call(subject, {})}, spec)"])
    lines = [
        *opening,
        f'x["{subject.wrt}"].requires_grad_(); mine = {call(subject, {})}',
        f"from numerics.objectives import reference; spec = {reference}",
        f'print(mine, spec, *(torch.autograd.grad(v.sum(), x["{subject.wrt}"], retain_graph=True)'
        "[0] for v in (mine, spec)))",
    ]
    return "\n".join(lines)


def shard_lines(
    subject: Subject,
    shape: Shape,
    seed: int,
    rows: tuple[tuple[int, ...], ...],
    totals: Mapping[str, float],
    group: list[int] | None = None,
) -> str:
    """The gradient of a whole batch beside sum and mean of its shards', in one process; `group` are
    prompt ids in place of the sampler's.
    """
    named = subject.objective.denominators
    values = {kind: f'n["{kind}"]' for kind in named}
    for name in subject.mapped.ours:
        if subject.family.argument(name).axes != ("",):
            values[name] = f'x["{name}"]{"[:, 0]" if subject.cuts(name) else ""}[r]'
    first, sampled = _opening(subject, shape, seed, "near")
    known = f"; n = {dict(totals)}" if named else ""
    known += f'; x["group"] = torch.tensor({group})' if group else ""
    lines = [
        first,
        f'{sampled}; t = x["{subject.wrt}"].requires_grad_(){known}',
        f"g = lambda r: torch.autograd.grad({call(subject, values)}, t)[0]",
        f"parts = [g(list(r)) for r in {rows}]",
        f"print(g(list(range({shape['B']}))), sum(parts), sum(parts) / {len(rows)})",
    ]
    return "\n".join(lines)
