"""What the full report of a loss from logits costs: seconds, and how they grow with B T V.

The report is the command itself in a new process with torch's own number of threads, its start
included: wall time, and the CPU time of both cores beside it, which a busy machine disturbs less.
The growth is that of the default gradient check (least of a few rounds) and of a report with one
seed (one round), in CPU time of one thread, as the slope of a straight line through the logarithms:
one is time proportional to the number of logits, and the slope between the two largest shapes,
where nothing but the logits counts, is printed too.
"""

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch

from numerics import check
from tests.benchmarks.gradient_cost import default_check, spent
from tests.benchmarks.losses import from_logits, loss_of_logits, size

LARGE = {"B": 8, "T": 128, "V": 1024}
GROWING = (
    {"B": 2, "T": 8, "V": 64},
    {"B": 4, "T": 32, "V": 256},
    LARGE,
    {"B": 8, "T": 256, "V": 4096},
)
SECONDS, SLOPE = 60.0, 1.15


def report_seconds(shape: Mapping[str, int]) -> tuple[float, float, int]:
    """Wall and CPU time of `proofgrad check FILE --shape B,T,V` in a new process, and its exit
    status.
    """
    file = Path(__file__).with_name("losses.py")
    command = "from numerics.cli import main; main()"
    flags = ["check", str(file), "--shape", ",".join(map(str, shape.values()))]
    start, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-c", command, *flags], check=False, stdout=subprocess.DEVNULL
    )
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return time.perf_counter() - start, used, done.returncode


def gradient_seconds(shape: Mapping[str, int], rounds: int = 5) -> float:
    """CPU time of the default gradient check; small shapes are tried more often."""
    loss, point = loss_of_logits(shape)
    times = max(rounds, min(100, 10**6 // point.numel()))
    return min(spent(default_check, loss, point) for _ in range(times))


def one_seed_seconds(shape: Mapping[str, int]) -> float:
    """CPU time of a report with one seed in this process."""
    start = time.process_time()
    check(from_logits, shapes=(shape,), seeds=1)
    return time.process_time() - start


def slope(shapes: Sequence[Mapping[str, int]], seconds: Sequence[float]) -> float:
    """Least squares of log seconds on log (B T V).

    >>> slope(({"B": 1, "V": 2}, {"B": 2, "V": 4}), (1.0, 16.0))
    2.0
    """
    x = [math.log(math.prod(shape.values())) for shape in shapes]
    y = [math.log(found) for found in seconds]
    mean = sum(x) / len(x)
    return sum((a - mean) * b for a, b in zip(x, y, strict=True)) / sum((a - mean) ** 2 for a in x)


def growth(what: str, measure: Callable[[Mapping[str, int]], float]) -> None:
    """Print the seconds at each shape and their slope."""
    measure(GROWING[0])  # imports
    seconds = [measure(shape) for shape in GROWING]
    each = ", ".join(f"{size(s)} {t:.3g} s" for s, t in zip(GROWING, seconds, strict=True))
    found, last = slope(GROWING, seconds), slope(GROWING[-2:], seconds[-2:])
    print(f"{what}: {each}")
    print(f"  slope {found:.2f}, promised at most {SLOPE}; at the end {last:.2f}")


def main() -> None:
    """Print the seconds of a report and both slopes."""
    seconds, used, status = report_seconds(LARGE)
    print(f"full report at {size(LARGE)}: {seconds:.1f} s, promised under {SECONDS:g} s")
    print(f"  {used:.1f} s of CPU, exit status {status}")
    torch.set_num_threads(1)
    growth("gradient check", gradient_seconds)
    growth("report, one seed", one_seed_seconds)


if __name__ == "__main__":
    main()
