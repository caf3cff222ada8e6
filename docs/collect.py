"""Every theorem of the catalogue as a record: proofs run and cross-checks made where no cache has
them, two at a time; every certificate replayed, cached or not.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from derivations.kernel.certificate import Replayed
from derivations.library import catalogue
from derivations.tactics.theorem import Proof, Theorem
from docs.record import Numbers, Record, made_of, numbers_of, replayed_record
from docs.sources import ROOT, closure, digest, files_of, folder
from numerics.proving import has_torch, lemmas_of, proved

SEEDS = (0,)
Found = TypeVar("Found")
MODELS = ("numerics.power", "numerics.necessity", "numerics.worked")
UNTRUSTED = ("derivations.language", "derivations.tactics")


@dataclass(frozen=True)
class Job:
    """A theorem by its place in the catalogue, and what no cache has of it."""

    place: int
    proof: bool
    numbers: bool


class Cache:
    """Results as JSON files, each named by the digest of everything it depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Any:
        path = self.folder / f"{key}.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    def put(self, key: str, value: Any) -> None:
        path = self.folder / f"{key}.json"
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        new.replace(path)


# ------------------------------------------------------------------ keys


def proof_key(t: Theorem) -> str:
    """Depends on the theorem's file, its lemmas' files, kernel, language and tactics."""
    files = {Path(t.file), *files_of(closure(t.proof.__module__)), *folder("derivations.kernel")}
    files |= {path for package in UNTRUSTED for path in folder(package)}
    own = [Path(__file__).with_name(name) for name in ("record.py", "symbols.py")]
    return "proof-" + digest([*sorted(files), *own], t.name, version("sympy"))


def models_key(made: dict[str, Any]) -> str:
    """Depends on the certificate and the lines, kernel, language, numerics, torch and the seeds."""
    files = files_of(set().union(*map(closure, MODELS)))
    text = json.dumps([made["certificate"]["main"], made["rows"]])
    packages = [version(name) for name in ("torch", "sympy")]
    return "models-" + digest(files, text, *packages, repr(SEEDS))


# ------------------------------------------------------------------ work


def records(cache: Cache, theorems: Sequence[Theorem] | None = None) -> list[Record]:
    """The records of all theorems, in the catalogue's order."""
    theorems = list(catalogue() if theorems is None else theorems)
    keys = [proof_key(t) for t in theorems]
    jobs = [job for i, key in enumerate(keys) if (job := _job(i, cache.get(key), cache))]
    jobs.sort(key=lambda job: len(lemmas_of(theorems[job.place])))
    for place, made, found in _worked(jobs, theorems):
        if made is not None:
            cache.put(keys[place], made)
        if found is not None:
            cache.put(models_key(cache.get(keys[place])), found)
    known: dict[str, Replayed] = {}
    return [replayed_record(_whole(cache.get(key), cache), known) for key in keys]


def _job(place: int, made: dict[str, Any] | None, cache: Cache) -> Job | None:
    if made is None:
        return Job(place, proof=True, numbers=has_torch())
    ready = made["certificate"] is None or not has_torch()
    if ready or cache.get(models_key(made)) is not None:
        return None
    return Job(place, proof=False, numbers=True)


def _whole(made: dict[str, Any], cache: Cache) -> dict[str, Any]:
    if made["certificate"] is None or not has_torch():
        return made
    # Nothing is there when a file was changed during the build: the page says "not run".
    return {**made, **(cache.get(models_key(made)) or {})}


Worked = tuple[int, dict[str, Any] | None, dict[str, Any] | None]
_theorems: Sequence[Theorem] = ()


def _worked(jobs: Sequence[Job], theorems: Sequence[Theorem]) -> Iterator[Worked]:
    """Two processes; each keeps the lemmas that it has proved."""
    global _theorems  # noqa: PLW0603 - what the forked processes start with
    _theorems = theorems
    if len(jobs) < 2 or sys.platform != "linux":
        yield from _told(map(_work, jobs), len(jobs))
        return
    with multiprocessing.get_context("fork").Pool(2) as pool:
        yield from _told(pool.imap_unordered(_work, jobs), len(jobs))


def _told(found: Iterable[Worked], total: int) -> Iterator[Worked]:
    for number, worked in enumerate(found, 1):
        print(f"  {number}/{total} {_theorems[worked[0]].name}", file=sys.stderr, flush=True)
        yield worked


def _work(job: Job) -> Worked:
    proof = proved(_theorems[job.place])
    made = made_of(proof, ROOT) if job.proof else None
    if not job.numbers or proof.replayed is None:
        return job.place, made, None
    return job.place, made, checked(proof)


def checked(proof: Proof) -> dict[str, Any]:
    """What random models say of a proof, of its statement without each hypothesis, and an
    example."""
    import torch

    from numerics.necessity import needs
    from numerics.power import full_check
    from numerics.worked import worked

    torch.set_num_threads(1)
    numbers, told = _tried(lambda: numbers_of(full_check(proof, SEEDS)))
    if numbers is None:  # a model that cannot be made or evaluated decides nothing
        numbers = Numbers("inconclusive", 0, None, 0, 0, why=told)
    without, _ = _tried(lambda: needs(proof))
    example, _ = _tried(lambda: worked(proof))
    return {
        "numbers": asdict(numbers),
        "without": [asdict(n) for n in without or ()],
        "worked": asdict(example) if example else None,
    }


def _tried(compute: Callable[[], Found]) -> tuple[Found | None, str]:
    """A result, or what went wrong; a page is written all the same, and the terminal is told."""
    try:
        return compute(), ""
    except Exception as e:
        told = f"{type(e).__name__}: {e}"
        print(f"  no models: {told}", file=sys.stderr)
        return None, told
