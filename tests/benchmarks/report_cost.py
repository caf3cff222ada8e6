"""What the full report of a loss from logits costs: seconds, and how they grow with B T V.

The report is the command itself in a new process with torch's own number of threads, its start
included; the growth is that of the default gradient check (CPU time of one thread, least of a few
rounds) and of a report with one seed (wall time of one round), as the slope of a straight line
through the logarithms. A slope of one is time proportional to the number of logits.
"""

import math
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


def report_seconds(shape: Mapping[str, int]) -> tuple[float, int]:
    """Wall time of `proofgrad check FILE --shape B,T,V` in a new process, and its exit status."""
    file = Path(__file__).with_name("losses.py")
    command = "from numerics.cli import main; main()"
    flags = ["check", str(file), "--shape", ",".join(map(str, shape.values()))]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", command, *flags], check=False, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start, done.returncode


def gradient_seconds(shape: Mapping[str, int], rounds: int = 5) -> float:
    """CPU time of the default gradient check; small shapes are tried more often."""
    loss, point = loss_of_logits(shape)
    times = max(rounds, min(100, 10**6 // point.numel()))
    return min(spent(default_check, loss, point) for _ in range(times))


def one_seed_seconds(shape: Mapping[str, int]) -> float:
    """Wall time of a report with one seed in this process."""
    start = time.perf_counter()
    check(from_logits, shapes=(shape,), seeds=1)
    return time.perf_counter() - start


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
    seconds = [measure(shape) for shape in GROWING]
    each = ", ".join(f"{size(s)} {t:.3g} s" for s, t in zip(GROWING, seconds, strict=True))
    print(f"{what}: {each}; slope {slope(GROWING, seconds):.2f}, promised at most {SLOPE}")


def main() -> None:
    """Print the seconds of a report and both slopes."""
    seconds, status = report_seconds(LARGE)
    print(
        f"full report at {size(LARGE)}: {seconds:.1f} s (exit status {status}), "
        f"promised under {SECONDS:g} s"
    )
    torch.set_num_threads(1)
    growth("gradient check", gradient_seconds)
    growth("report, one seed", one_seed_seconds)


if __name__ == "__main__":
    main()
