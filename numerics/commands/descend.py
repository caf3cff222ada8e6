"""`proofgrad descend`: which known gradients the expected gradient of a loss is made of."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check.answers import Decomposition
    from numerics.objective import Objective

LENGTHS = (1, 2)
ESTIMATORS = ("group_advantage", "token_reward")


def run(
    target: str,
    *,
    length: int | None = None,
    sampling: str = "on-policy",
    group_size: int = 4,
    advantages: str | None = None,
    rewards: str | None = None,
    gradient: Sequence[str] = (),
    as_json: bool = False,
    **declared: Any,
) -> int:
    """Resolve every objective of a target, at one length or at both, and print the answers.

    `advantages` and `rewards` name estimators that come before the loss, `gradient` adds to the
    basis (NAME=FILE.py:function). Exit status 0: all resolved; 1: an answer contradicts its
    claim; 2: unusable; 3: not resolved. `declared` are the flags of `options.declared`.
    """
    try:
        entries = _entries(target, options.declared(**declared), advantages, rewards)
        settings = {"sampling": sampling, "group_size": group_size}
        found = _answers(entries, LENGTHS if length is None else (length,), gradient, settings)
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE
    if as_json:
        print(json.dumps({"objectives": [_as_json(answer) for answer in found]}, indent=2))
    else:
        _print(found)
    return options.worst(_status(answer) for answer in found)


def _entries(
    target: str, declared: dict[str, Any], advantages: str | None, rewards: str | None
) -> list["Objective"]:
    """The losses of a target, each behind the estimators that were named."""
    from numerics.check.composition import composed
    from numerics.check.load import load

    loaded = list(load(target, declared))
    if advantages is None and rewards is None:
        return loaded
    parts = {"advantages": _estimator(advantages), "rewards": _estimator(rewards)}
    return [composed(entry, **parts) for entry in loaded]


def _estimator(text: str | None) -> "Objective | None":
    """`group_mean`, or `FILE.py:name,option=value,...`; None for None."""
    from numerics.check.load import load
    from numerics.objective import objective
    from numerics.objectives import references

    if text is None:
        return None
    name, comma, rest = text.partition(",")
    constants = {
        key: options.literal(value)
        for key, value in (options.pairs("--constant", [rest]) if comma else {}).items()
    }
    known = references()
    if name in known:
        return objective(known[name].function, constants=constants)
    if ":" not in name:
        raise UnusableInput(
            f"there is no estimator {name}",
            expected=", ".join(n for n, r in known.items() if r.family in ESTIMATORS),
            got=name,
            hint="for one of your own: FILE.py:name",
        )
    (entry,) = load(name, {"constants": constants})
    return entry


def _answers(
    entries: list["Objective"],
    lengths: tuple[int, ...],
    gradient: Sequence[str],
    settings: dict[str, Any],
) -> list["Decomposition"]:
    from numerics.check.added import added_gradients
    from numerics.check.descent import descend

    extra = added_gradients(gradient)
    return [descend(e, length=n, extra=extra, **settings) for e in entries for n in lengths]


def _status(answer: "Decomposition") -> int:
    if answer.warning:
        return options.FAIL
    return options.PASS if answer.resolved else options.INCONCLUSIVE


def _as_json(answer: "Decomposition") -> dict[str, Any]:
    grouped = {} if answer.size is None else _of_groups(answer)
    return {
        "objective": answer.objective,
        "sampling": answer.sampling,
        "length": answer.length,
        "terms": [{"gradient": t.gradient, "coefficient": t.coefficient} for t in answer.terms],
        "residual": answer.residual,
        "resolved": answer.resolved,
        "theorems": list(answer.theorems),
        **grouped,
    }


def _of_groups(answer: "Decomposition") -> dict[str, Any]:
    """What only the answer for a loss of groups has."""
    weights = [{"p": w.rate, "weight": w.observed, "known": w.known} for w in answer.weights]
    return {"group_size": answer.size, "weights": weights, "notes": list(answer.notes)}


def _print(found: list["Decomposition"]) -> None:
    from rich.console import Console
    from rich.markup import escape

    from numerics.check.answers import one_line

    console = Console(soft_wrap=True, highlight=False)
    for answer in found:
        group = "" if answer.size is None else f", groups of {answer.size}"
        where = f"{answer.sampling}, length {answer.length}{group}"
        console.print(f"[bold]{escape(answer.objective)}[/]  {where}")
        colour = "green" if answer.resolved else "yellow"
        console.print(f"  [{colour}]{escape(one_line(answer))}[/]")
        if answer.resolved:
            console.print(f"  [dim]residual {answer.residual:.1e}[/]")
        else:
            terms = ", ".join(f"{t.coefficient:.3g} {t.gradient}" for t in answer.terms)
            console.print(f"  [dim]closest, not an answer: {escape(terms)}[/]")
        for weight in sorted(answer.weights, key=lambda one: one.rate):
            known = "" if weight.known is None else f"  (the law: {weight.known:.6f})"
            console.print(f"    p = {weight.rate:.3f}  weight {weight.observed:.6f}{known}")
        for theorem in answer.theorems:
            console.print(f"  explained by {theorem}")
        for note in answer.notes:
            console.print(f"  [dim]{escape(note)}[/]")
        if answer.warning:
            console.print(f"  [red]WARNING[/] {escape(answer.warning)}")


def command(
    target: options.Target,
    arg: options.Arg = None,
    constant: options.Constant = None,
    option: options.Option = None,
    returns: options.Returns = None,
    like: options.Like = None,
    family: options.FamilyName = None,
    setup: options.Setup = None,
    length: Annotated[
        int | None, typer.Option("--length", help="longest response, 1 or 2; both if not given")
    ] = None,
    sampling: Annotated[
        str, typer.Option("--sampling", help="on-policy or off-policy")
    ] = "on-policy",
    group_size: Annotated[
        int, typer.Option("--group-size", help="responses to a prompt, 2 to 6; losses of groups")
    ] = 4,
    advantages: Annotated[
        str | None,
        typer.Option(
            "--advantages", help="estimator before the loss: group_mean or FILE:NAME[,option=value]"
        ),
    ] = None,
    rewards: Annotated[
        str | None,
        typer.Option(
            "--rewards", help="penalty in the reward: rlhf_token_reward,beta=0.05 or FILE:NAME"
        ),
    ] = None,
    gradient: Annotated[
        list[str] | None,
        typer.Option("--gradient", help="NAME=FILE.py:function of (world, sampling): a candidate"),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Say what a loss follows: its expected gradient as a combination of known gradients."""
    given = dict(locals())
    raise typer.Exit(run(**{name: value for name, value in given.items() if value is not None}))
