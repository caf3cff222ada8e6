"""One rank of `workers.py`: `python -m numerics.check.rank_worker FOLDER RANK`.

Reads FOLDER/job.json and FOLDER/inputs.pt, joins a gloo process group over a file, calls the loss
on the rows of its shard, and adds the gradients up by all_reduce. It ends with its parent: its
standard input is a pipe that closes then.
"""

import json
import os
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

UNUSABLE = 2


def main(folder: Path, rank: int) -> int:
    """Write FOLDER/NAME.RANK.pt for each objective, or FOLDER/error.RANK.txt."""
    from numerics.errors import UnusableInput

    job = json.loads((folder / "job.json").read_text())
    try:
        _run(folder, rank, job)
    except UnusableInput as error:
        (folder / f"error.{rank}.txt").write_text(str(error))
        return UNUSABLE
    return 0


def _run(folder: Path, rank: int, job: dict[str, Any]) -> None:
    import torch
    import torch.distributed as dist

    from numerics.check.load import load

    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=(folder / "rendezvous").resolve().as_uri(),
        rank=rank,
        world_size=job["ranks"],
        timeout=timedelta(seconds=job["timeout"]),
    )
    cuts = torch.load(folder / "cuts.pt", weights_only=True)
    entries = {entry.name: entry for entry in load(job["target"], job["declared"])}
    for name, given in cuts.items():
        results = _results(entries[name], given, rank)
        torch.save(results, folder / f"{name}.{rank}.pt")
    dist.destroy_process_group()


def _results(entry: Any, given: dict[str, Any], rank: int) -> dict[str, Any]:
    """The local gradient, and the sum over all ranks, each rank's at the rows of its shard."""
    from dataclasses import replace

    import torch.distributed as dist

    from numerics.check.ranks import Cut
    from numerics.check.subject import bind
    from numerics.check.trial import gradient

    rows = tuple(tuple(r) for r in given["rows"])
    whole = Cut(given["inputs"], rows, given["shape"], given["seed"])
    subject = replace(bind(entry, whole.shape), totals=whole.totals)
    local = gradient(subject, whole.shard(rank))
    total = local.new_zeros(whole.inputs[subject.wrt].shape)
    total[list(rows[rank])] = local
    dist.all_reduce(total)
    return {"local": local, "total": total}


def _end_with_the_parent() -> None:
    sys.stdin.read()
    os._exit(UNUSABLE)


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
