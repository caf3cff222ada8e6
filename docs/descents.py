"""What each reference objective's expected gradient follows: `descend` asked when the site is
built, the answers cached by the text that they depend on."""

from __future__ import annotations

import inspect
import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

from docs.collect import Cache
from docs.sources import closure, digest, files_of

LENGTHS = (1, 2)
SAMPLINGS = ("on-policy", "off-policy")


@dataclass(frozen=True)
class Answer:
    """One answer of `descend`: the line that the command prints, the gradients in it, and what it
    notes; `wanted` are the theorems behind these gradients, whether or not there is one yet."""

    length: int
    sampling: str
    line: str
    wanted: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """What it follows under other options, one token long: on policy and off policy."""

    options: str
    on: str
    off: str


@dataclass(frozen=True)
class Descents:
    """All answers for one objective, or why it has none."""

    answers: tuple[Answer, ...]
    why: str = ""
    variants: tuple[Variant, ...] = ()


def descents(cache: Cache) -> dict[str, Descents]:
    """For every reference objective, by name."""
    from numerics.objectives import references

    refs = references()
    keys = {name: _key(ref) for name, ref in refs.items()}
    missing = [name for name, key in keys.items() if cache.get(key) is None]
    for name, found in _worked(missing):
        cache.put(keys[name], asdict(found))
    return {name: read(cache.get(key)) for name, key in keys.items()}


def _key(ref: Any) -> str:
    files = files_of(closure("numerics.check.descent") | closure(ref.function.__module__))
    own = Path(__file__)
    return "descend-" + digest([*files, own], ref.name, version("torch"))


def _worked(names: Sequence[str]) -> Iterator[tuple[str, Descents]]:
    if len(names) < 2 or sys.platform != "linux":
        yield from map(_work, names)
        return
    with multiprocessing.get_context("fork").Pool(2) as pool:
        yield from pool.imap_unordered(_work, names)


def _work(name: str) -> tuple[str, Descents]:
    import torch

    from numerics.objectives import references

    torch.set_num_threads(1)
    return name, descend_all(references()[name].function)


def descend_all(function: Any) -> Descents:
    """Both lengths, on and off policy; a loss without sampled responses has no answer."""
    from numerics.check.descent import SERVED, descend
    from numerics.errors import UnusableInput
    from numerics.objective import objective

    try:
        found = [
            answer_of(descend(objective(function), length=n, sampling=sampling))
            for n in LENGTHS
            for sampling in SAMPLINGS
        ]
    except UnusableInput as e:
        return Descents((), str(e).partition("\n")[0])
    except Exception as e:
        print(f"  descend {function.__name__}: {type(e).__name__}: {e}", file=sys.stderr)
        return Descents((), f"its family is none of {', '.join(SERVED)}")
    return Descents(tuple(found), "", tuple(variants(function)))


def variants(function: Any) -> Iterator[Variant]:
    """Every combination of the options that choose an estimator, a weight or a level."""
    from numerics.check.answers import one_line
    from numerics.check.descent import descend
    from numerics.objective import objective
    from numerics.objectives.gspo import LEVELS
    from numerics.objectives.kl_penalty import ESTIMATORS, WEIGHTS

    known = {"kind": ESTIMATORS, "ratio": WEIGHTS, "kl_ratio": WEIGHTS, "level": LEVELS}
    names = [name for name in inspect.signature(function).parameters if name in known]
    for row in product(*[known[name] for name in names]) if names else ():
        chosen = dict(zip(names, row, strict=True))
        loss = objective(function, constants=chosen)
        on, off = (one_line(descend(loss, sampling=sampling)) for sampling in SAMPLINGS)
        yield Variant(", ".join(f"{k}={v!r}" for k, v in chosen.items()), on, off)


def answer_of(d: Any) -> Answer:
    """An answer of `descend` as the page needs it."""
    from numerics.check.answers import one_line
    from numerics.check.explanations import EXPLANATIONS, GROUP_BASELINES

    wanted: list[str] = []
    for term in d.terms if d.resolved else ():
        grouped = term.gradient == "E[r]" and d.size is not None
        wanted += GROUP_BASELINES if grouped else EXPLANATIONS.get(term.gradient, ())
    return Answer(d.length, d.sampling, one_line(d), tuple(dict.fromkeys(wanted)), d.notes)


def read(stored: Mapping[str, Any]) -> Descents:
    """The answers read back from the cache."""
    answers = []
    for a in stored["answers"]:
        many = {k: tuple(a[k]) for k in ("wanted", "notes")}
        answers.append(Answer(a["length"], a["sampling"], a["line"], **many))
    variants = tuple(Variant(**v) for v in stored["variants"])
    return Descents(tuple(answers), stored["why"], variants)
