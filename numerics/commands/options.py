"""What `check` and `descend` have in common on the command line; nothing typed is evaluated."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from torch import Tensor

Target = Annotated[
    str,
    typer.Argument(metavar="FILE[:NAME]", help="my_losses.py[:name] or package.module:function"),
]
Arg = Annotated[
    list[str] | None, typer.Option("--arg", "--args", help="ours=theirs, e.g. logp=log_prob")
]
Constant = Annotated[
    list[str] | None, typer.Option("--constant", help="name=value of an argument that is no data")
]
Option = Annotated[
    list[str] | None, typer.Option("--option", help="name=value, an option of what --like names")
]
Returns = Annotated[
    str | None, typer.Option("--returns", help="index or key of the loss in the result")
]
Like = Annotated[
    str | None, typer.Option("--like", help="the reference objective that it must equal")
]
FamilyName = Annotated[
    str | None, typer.Option("--family", help="else inferred from the argument names")
]
Setup = Annotated[
    str | None,
    typer.Option("--setup", help="module:function or FILE.py:function that returns the loss"),
]
Dtype = Annotated[
    str | None, typer.Option("--dtype", help="what the loss is given: float64, float32, ...")
]
Denominator = Annotated[
    list[str] | None,
    typer.Option(
        "--denominator", help="tokens=, sequences= or shards=argument: a number of the whole batch"
    ),
]
Claim = Annotated[
    list[str] | None, typer.Option("--claim", help='what is claimed, e.g. "ranks: mean"')
]
Device = Annotated[str, typer.Option("--device", help="where the loss runs")]
Seed = Annotated[int, typer.Option("--seed", help="first seed of the samples")]
Shapes = Annotated[
    list[str] | None, typer.Option("--shape", help="B,T,V of the samples; may be repeated")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", help="judge only this property; may be repeated")
]
Batch = Annotated[
    str | None, typer.Option("--inputs", help="a batch of your own, written by torch.save")
]
Ranks = Annotated[
    int, typer.Option("--ranks", help="combine the gradients of that many processes too")
]
Accumulate = Annotated[
    int, typer.Option("--accumulate", help="combine the gradients of that many micro-batches too")
]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]

PASS, FAIL, UNUSABLE, INCONCLUSIVE = 0, 1, 2, 3
PRECEDENCE = (UNUSABLE, FAIL, INCONCLUSIVE, PASS)


def worst(statuses: Iterable[int]) -> int:
    """The exit status of several results: unusable input, then something false, then inconclusive,
    then all pass.
    """
    found = set(statuses)
    return next((status for status in PRECEDENCE if status in found), PASS)


def pairs(flag: str, values: Sequence[str]) -> dict[str, str]:
    """`a=b` and `a=b,c=d` as a dictionary; raises UnusableInput."""
    found: dict[str, str] = {}
    for value in values:
        for part in value.split(","):
            key, equals, text = part.partition("=")
            if not (equals and key.strip() and text.strip()):
                raise UnusableInput(
                    f"cannot read {flag} {value}", expected=f"{flag} name=value", got=repr(part)
                )
            found[key.strip()] = text.strip()
    return found


def literal(text: str) -> Any:
    """A number, true, false, none, or the text itself.

    >>> [literal(t) for t in ("3", "0.2", "true", "none", "token-mean")]
    [3, 0.2, True, None, 'token-mean']
    """
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def declared(
    *,
    arg: Sequence[str] = (),
    constant: Sequence[str] = (),
    option: Sequence[str] = (),
    returns: str | None = None,
    like: str | None = None,
    family: str | None = None,
    setup: str | None = None,
    dtype: str | None = None,
    denominator: Sequence[str] = (),
    claim: Sequence[str] = (),
) -> dict[str, Any]:
    """The keywords of `objective(...)` that the flags stand for; only those that were given."""
    keywords: dict[str, Any] = {
        name: literal(text) for name, text in pairs("--option", option).items()
    }
    if arg:
        keywords["args"] = pairs("--arg", arg)
    if constant:
        keywords["constants"] = {
            name: literal(text) for name, text in pairs("--constant", constant).items()
        }
    if returns is not None:
        keywords["returns"] = literal(returns)
    if denominator:
        keywords["denominators"] = pairs("--denominator", denominator)
    if claim:
        keywords["claims"] = tuple(claim)
    named = {"like": like, "family": family, "setup": setup, "dtypes": dtype}
    return keywords | {name: value for name, value in named.items() if value is not None}


AXES = ("B", "T", "V")


def shape(text: str) -> dict[str, int]:
    """Sizes of axes from `B,T,V` or `B=2,T=4`; raises UnusableInput.

    >>> shape("2,8"), shape("N=3,T=5")
    ({'B': 2, 'T': 8}, {'N': 3, 'T': 5})
    """
    parts = [part.strip() for part in text.split(",")]
    halves = [part.partition("=") for part in parts if "=" in part]
    named: list[tuple[str, str]] = [(axis, size) for axis, _, size in halves]
    if not named and len(parts) <= len(AXES):
        named = list(zip(AXES, parts, strict=False))
    right = len(named) == len(parts) == len(dict(named))
    if not right or not all(size.isdecimal() and int(size) for _, size in named):
        raise UnusableInput(
            f"cannot read --shape {text}",
            expected="sizes of at least one, such as 2,8,32 (B,T,V) or N=3,T=8",
            got=text,
        )
    return {axis: int(size) for axis, size in named}


def device(name: str) -> str:
    """The name of a device that is there; raises UnusableInput."""
    import torch

    try:
        torch.zeros(1, device=name).cpu()
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        first = str(error).strip().splitlines()[0]
        expected = "a device that holds numbers, such as cpu or cuda:0"
        raise UnusableInput(f"cannot use --device {name}", None, expected, first) from error
    return name


def batch(path: str) -> dict[str, "Tensor"]:
    """A dictionary of tensors written by torch.save; loaded without running code from it."""
    import torch

    try:
        loaded = torch.load(Path(path), weights_only=True)
    except Exception as error:
        raise UnusableInput(
            f"cannot read {path}", expected="torch.save of a dictionary of tensors", got=str(error)
        ) from error
    if not isinstance(loaded, dict) or not all(
        isinstance(v, torch.Tensor) for v in loaded.values()
    ):
        raise UnusableInput(
            f"cannot use {path}", expected="a dictionary of tensors", got=type(loaded).__name__
        )
    return loaded
