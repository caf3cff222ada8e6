"""Local gradients from real ranks: processes that torch.distributed joins over loopback (gloo).

A loss that calls a collective of its own is seen as it runs in training. Nothing is left behind:
every process is ended with the call, and ends by itself when this one is killed.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor

from numerics.check.ranks import RANKS, Cut, cut, finding, placed
from numerics.check.subject import Subject
from numerics.check.trial import apart
from numerics.errors import UnusableInput
from numerics.properties import Finding

TIMEOUT = 120.0  # seconds for all ranks, the import of torch included
MOST = 8  # ranks


def over_ranks(
    target: str,
    declared: Mapping[str, Any],
    subjects: Sequence[Subject],
    ranks: int,
    *,
    seed: int = 0,
    timeout: float = TIMEOUT,
) -> list[Finding]:
    """`ranks.finding` of every subject, its local gradients computed by one process a rank.

    target and declared are what `load` takes: each process loads the losses itself. Raises
    UnusableInput where gloo is missing, where a rank does not finish, or where the loss raises.
    """
    _require_gloo()
    if not 2 <= ranks <= MOST:
        raise UnusableInput("cannot use --ranks", expected=f"2 to {MOST}", got=str(ranks))
    cuts = [cut(subject, ranks, seed) for subject in subjects]
    with TemporaryDirectory(prefix="proofgrad-ranks-") as name:
        folder = Path(name)
        named = {s.objective.name: whole for s, whole in zip(subjects, cuts, strict=True)}
        _write(folder, {"target": target, "declared": dict(declared)}, named, timeout)
        _run(folder, ranks, timeout)
        each = [_read(folder, subject, ranks) for subject in subjects]
    return [
        finding(subject, whole, _agreed(subject, whole, results), RANKS)
        for subject, whole, results in zip(subjects, cuts, each, strict=True)
    ]


def _require_gloo() -> None:
    import torch.distributed as dist

    if not dist.is_available() or not dist.is_gloo_available():
        raise UnusableInput(
            "torch.distributed has no gloo here",
            expected="a build of torch with gloo",
            got=f"torch {torch.__version__}",
            hint="--accumulate compares shards in one process",
        )


def _write(
    folder: Path, loaded: Mapping[str, Any], cuts: Mapping[str, Cut], timeout: float
) -> None:
    ranks = len(next(iter(cuts.values())).rows)
    job = {**loaded, "ranks": ranks, "timeout": timeout}
    (folder / "job.json").write_text(json.dumps(job))
    saved = {
        name: {
            "inputs": dict(whole.inputs),
            "rows": [list(rows) for rows in whole.rows],
            "shape": dict(whole.shape),
            "seed": whole.seed,
        }
        for name, whole in cuts.items()
    }
    torch.save(saved, folder / "cuts.pt")


def _environment() -> dict[str, str]:
    """This process's, with its module path, one thread a rank, and gloo kept on loopback."""
    loopback = next((name for _, name in socket.if_nameindex() if name.startswith("lo")), None)
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    found["OMP_NUM_THREADS"] = "1"
    if loopback:
        found.setdefault("GLOO_SOCKET_IFNAME", loopback)
    return found


def _run(folder: Path, ranks: int, timeout: float) -> None:
    """All ranks, to their end; the first that fails, or time running out, ends the others."""
    environment, end = _environment(), time.monotonic() + timeout
    with ExitStack() as stack:
        processes = []
        for rank in range(ranks):
            log = stack.enter_context((folder / f"log.{rank}.txt").open("w"))
            command = [sys.executable, "-m", "numerics.check.rank_worker", str(folder), str(rank)]
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment
            )
            stack.callback(_ended, process)
            processes.append(process)
        while any(process.poll() is None for process in processes):
            if any(process.poll() for process in processes) or time.monotonic() > end:
                break
            time.sleep(0.02)
        _require_success(folder, [process.poll() for process in processes], timeout)


def _ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    if process.stdin:
        process.stdin.close()


def _require_success(folder: Path, codes: list[int | None], timeout: float) -> None:
    failed = next((rank for rank, code in enumerate(codes) if code), None)
    if failed is not None:
        told = folder / f"error.{failed}.txt"
        if told.exists():
            raise UnusableInput(f"rank {failed}: {told.read_text()}")
        last = (folder / f"log.{failed}.txt").read_text().strip().splitlines() or ["no message"]
        raise UnusableInput(f"rank {failed} ended with status {codes[failed]}", got=last[-1])
    waiting = [str(rank) for rank, code in enumerate(codes) if code is None]
    if waiting:
        raise UnusableInput(
            f"rank {', '.join(waiting)} did not finish",
            expected=f"an answer within {timeout:g} s",
            hint="a collective that not every rank calls waits for ever",
        )


def _read(folder: Path, subject: Subject, ranks: int) -> list[dict[str, Tensor]]:
    files = [folder / f"{subject.objective.name}.{rank}.pt" for rank in range(ranks)]
    return [torch.load(file, weights_only=True) for file in files]


def _agreed(subject: Subject, whole: Cut, results: list[dict[str, Tensor]]) -> list[Tensor]:
    """The local gradients; their sum must be what all_reduce gave each rank."""
    local = [result["local"] for result in results]
    total = placed(local, whole, whole.inputs[subject.wrt])
    for rank, result in enumerate(results):
        if apart(result["total"], total) > 1e-12:
            raise UnusableInput(f"all_reduce gave rank {rank} another sum than the local gradients")
    return local
