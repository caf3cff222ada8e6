"""Five lines of plain torch that show a finding, with its seed, to be pasted beside the user's
file.
"""

from collections.abc import Mapping

from numerics.check.passing import Form
from numerics.check.subject import Subject
from numerics.check.written import declared, imports, judged
from numerics.families import Shape


def again_lines(subject: Subject, shape: Shape, seed: int, name: str) -> str:
    """One property judged once more at one shape and seed."""
    loss = declared(subject.objective)
    names = "check, objective" if loss.startswith("objective(") else "check"
    lines = [
        f"from numerics import {names}; {imports(subject.objective)}",
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
    return f"{judged(subject.objective)}({', '.join(parts)}){picked}"


def _total(kind: str) -> str:
    rows = "next(iter(x.values()))"
    return {
        "tokens": 'x["mask"].sum().item()',
        "sequences": f"len({rows})",
        "shards": "1",
    }[kind]


def _opening(subject: Subject, shape: Shape, seed: int, regime: str) -> list[str]:
    sizes = ", ".join(f"{axis}={size}" for axis, size in shape.items())
    more = "from numerics import objective; " * judged(subject.objective).startswith("objective(")
    return [
        f"import torch; {more}{imports(subject.objective)}; from numerics.families import sample",
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
    """The loss beside its specification; `reference` is an expression of the sample `x`, "None"
    for one that has none: then the property is judged again.
    """
    if reference == "None":
        return again_lines(subject, shape, seed, "matches_the_specification")
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
