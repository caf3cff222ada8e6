"""Do the gradients of shards add up to the gradient of the whole batch?

A batch is cut into shards of equally many rows and unequal numbers of tokens: one a rank, or one a
micro-batch. Local gradients are combined as a trainer does, and compared with the gradient that one
process has of all rows:

    sum    the gradients are added (accumulation without a division; a loss with denominators of
           the whole batch, `denominators=`, or with a collective of its own)
    mean   they are averaged (DistributedDataParallel)

What reproduces the one-process gradient is reported; it is judged under a claim only, "ranks: sum",
"ranks: mean", "micro-batches: sum", "micro-batches: mean" ("none": nothing is promised). A loss
with batch statistics is exempt: there the numbers of one row move the gradient of another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numerics.check.precision import rounding
from numerics.check.reproduce import shard_lines
from numerics.check.subject import Inputs, Subject, totals_of
from numerics.check.trial import apart, gradient, value
from numerics.errors import UnusableInput
from numerics.families import Shape
from numerics.properties import Finding

ROWS, IN_GROUPS = 2, 4  # of each shard
ALLOWED = 1e-9
PROMISES = ("sum", "mean", "none")
RANKS, MICRO_BATCHES = "ranks", "micro-batches"
SEEDS = 20

Rows = tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """A batch and its shards. `totals` are the denominators of the whole batch."""

    inputs: Inputs
    rows: tuple[Rows, ...]
    shape: Shape
    seed: int

    def shard(self, index: int) -> dict[str, Tensor]:
        """The rows of one shard; a number that is no row of anything stays whole."""
        chosen = list(self.rows[index])
        return {n: x[chosen] if x.dim() else x for n, x in self.inputs.items()}

    @property
    def totals(self) -> Mapping[str, float]:
        return {**totals_of(self.inputs), "shards": len(self.rows)}


def cut(subject: Subject, count: int, seed: int) -> Cut:
    """A batch for `count` shards, drawn until their numbers of tokens differ where they can.

    Rows of one prompt stay in one shard. Raises UnusableInput for a family without rows.
    """
    family = subject.family
    axes = [a.axes[0] for a in family.arguments if a.name in subject.mapped.ours]
    if family.held or "" not in family.results or not all(a[:1] in ("B", "") for a in axes):
        raise UnusableInput(
            f"{subject.objective.name} cannot be cut into shards of rows",
            subject.objective.where,
            "a loss that is a scalar over the rows of a batch",
            f"the {family.name} family",
        )
    size = IN_GROUPS if "group" in subject.mapped.ours else ROWS
    shape = {**family.shapes[0], "B": size * count}
    for drawn in range(seed, seed + SEEDS):
        inputs = _with_whole_groups(subject.sample(shape, drawn, "near"), size)
        found = Cut(inputs, _shards(shape["B"], count), shape, drawn)
        tokens = {totals_of(found.shard(i))["tokens"] for i in range(count)}
        if len(tokens) == count or "mask" not in inputs:
            break
    return found


def _shards(rows: int, count: int) -> tuple[Rows, ...]:
    size = rows // count
    return tuple(tuple(range(i * size, (i + 1) * size)) for i in range(count))


def _with_whole_groups(inputs: dict[str, Tensor], size: int) -> dict[str, Tensor]:
    """Two prompts a shard, their rows in turn; a sampler's own may lie in several shards."""
    if "group" not in inputs:
        return inputs
    rows = torch.arange(len(inputs["group"]))
    return {**inputs, "group": 7 + 3 * (2 * (rows // size) + rows % 2)}


def local_gradients(subject: Subject, whole: Cut) -> list[Tensor]:
    """The gradient of each shard alone, with the denominators of the whole batch."""
    sharded = replace(subject, totals=whole.totals)
    return [gradient(sharded, whole.shard(i)) for i in range(len(whole.rows))]


def placed(local: Sequence[Tensor], whole: Cut, like: Tensor) -> Tensor:
    """The sum of local gradients, each at the rows of its shard."""
    total = torch.zeros_like(like)
    for rows, part in zip(whole.rows, local, strict=True):
        total[list(rows)] += part
    return total


def reproducing(whole: Cut, local: Sequence[Tensor], one_process: Tensor) -> dict[str, float]:
    """How far each combination is from the one-process gradient, relative to its largest entry."""
    shards = [totals_of(whole.shard(i)) for i in range(len(local))]
    found = {
        "sum": placed(local, whole, one_process),
        "mean": placed(local, whole, one_process) / len(local),
    }
    for kind in ("tokens", "sequences"):
        total = sum(shard[kind] for shard in shards)
        weighted = [g * shard[kind] / total for g, shard in zip(local, shards, strict=True)]
        found[f"mean weighted by {kind}"] = placed(weighted, whole, one_process)
    return {name: abs(apart(combined, one_process)) for name, combined in found.items()}


def has_batch_statistics(subject: Subject, whole: Cut) -> bool:
    """Other numbers in the rows of the first shard move the gradient of the other rows."""
    first = list(whole.rows[0])
    rest = [r for rows in whole.rows[1:] for r in rows]
    other = subject.sample(whole.shape, whole.seed + 1000, "near")
    moved = {name: x.clone() for name, x in whole.inputs.items()}
    for name, x in moved.items():
        if x.dim() and x.is_floating_point() and not bool(((x == 0) | (x == 1)).all()):
            x[first] = other[name][first]
    before, after = (gradient(subject, given)[rest] for given in (whole.inputs, moved))
    return apart(before, after) > max(1e-7, _rounded(subject, whole))


def finding(subject: Subject, whole: Cut, local: Sequence[Tensor], over: str) -> Finding:
    """What the combination of local gradients reproduces, judged under a claim "over: ..."."""
    name = f"adds_up_over_{over.replace('-', '_')}"
    claimed = claim_of(subject, over)
    if has_batch_statistics(subject, whole):
        message = "exempt: it has batch statistics, so no combination of its shards is the whole"
        return Finding(name, "not_applicable", message=message)
    one_process = gradient(subject, whole.inputs)
    errors = reproducing(whole, local, one_process)
    allowed = max(ALLOWED, _rounded(subject, whole))
    right = [c for c, error in errors.items() if error <= allowed]
    *most, last = [f"{totals_of(whole.shard(i))['tokens']:g}" for i in range(len(local))]
    tokens = f"{', '.join(most)} and {last}"
    what = f"the {right[0]} of the local gradients" if right else "neither sum nor mean"
    message = f"{len(local)} {over} of {tokens} tokens: {what} reproduces the one-process gradient"
    if claimed in (None, "none"):
        return Finding(name, "reported", message=message)
    observed = errors[claimed]
    if observed <= allowed:
        return Finding(name, "pass", observed, allowed, allowed, message=message)
    message, cause = f"claimed: {claimed}; {message}", _cause(right)
    example = {
        "shape": dict(whole.shape),
        "seed": whole.seed,
        "regime": "near",
        "guess": cause or message,
        "rows": [list(rows) for rows in whole.rows],
        "reproduction": _reproduction(subject, whole),
    }
    notes = (cause,) if cause else ()
    return Finding(name, "fail", observed, allowed, allowed, example, None, message, notes)


def _reproduction(subject: Subject, whole: Cut) -> str:
    group = whole.inputs["group"].tolist() if "group" in subject.mapped.ours else None
    return shard_lines(subject, whole.shape, whole.seed, whole.rows, whole.totals, group)


def _rounded(subject: Subject, whole: Cut) -> float:
    return rounding(lambda: (value(subject, whole.inputs), gradient(subject, whole.inputs)))


def claim_of(subject: Subject, over: str) -> str | None:
    """The combination that `claims=` promises; raises UnusableInput for an unknown one."""
    prefix = f"{over}: "
    said = [c.removeprefix(prefix) for c in subject.objective.claims if c.startswith(prefix)]
    if said and said[0] not in PROMISES:
        expected = ", ".join(f'"{prefix}{promise}"' for promise in PROMISES)
        raise UnusableInput("unknown claim", subject.objective.where, expected, prefix + said[0])
    return said[0] if said else None


def _cause(right: list[str]) -> str:
    if not right:
        return ""
    causes = {
        "sum": "its denominator is of the whole batch already: averaging divides once more",
        "mean": "its denominator is local: a sum counts each shard as if it were the whole batch",
        "mean weighted by tokens": "each local mean divides by its own number of tokens; divide by "
        "the number in all shards, or weight each shard by its tokens",
        "mean weighted by sequences": "each local mean divides by its own number of sequences",
    }
    return causes[right[0]]


def over_micro_batches(subject: Subject, count: int, seed: int) -> Finding:
    """`finding` for micro-batches, one after another in this process."""
    whole = cut(subject, count, seed)
    return finding(subject, whole, local_gradients(subject, whole), MICRO_BATCHES)
