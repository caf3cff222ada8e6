"""Five lines of plain torch that show a finding, with its seed, to be pasted beside the user's
file.
"""

import sys
from collections.abc import Mapping

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
