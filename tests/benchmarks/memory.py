"""The peak memory of a full report beside that of one forward and backward of the same loss.

Each is the peak of a fresh process with one thread minus the peak of the same at the smallest
shape, so that what is imported cancels and the batch itself counts in both.

    python -m tests.benchmarks.memory WHAT B T V     one of them, in this process, in MB
"""

import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import torch

from numerics import check
from numerics.check.gradient import check_gradient
from tests.benchmarks.gradient_cost import forward_backward
from tests.benchmarks.losses import from_logits, loss_of_logits, size
from tests.benchmarks.report_cost import LARGE

SMALL = {"B": 2, "T": 4, "V": 8}
PROMISED = 6.0


def one_pass(shape: Mapping[str, int]) -> None:
    """The unit."""
    forward_backward(*loss_of_logits(shape))


def gradient(shape: Mapping[str, int]) -> None:
    """The default gradient check."""
    check_gradient(*loss_of_logits(shape))


def report(shape: Mapping[str, int]) -> None:
    """Every property."""
    check(from_logits, shapes=(shape,))


MEASURED: Mapping[str, Callable[[Mapping[str, int]], None]] = {
    "one_pass": one_pass,
    "gradient": gradient,
    "report": report,
}


def peak() -> float:
    """The most memory that this process held, in MB."""
    status = Path("/proc/self/status")
    if status.is_file():  # unlike getrusage it forgets the process that started this one
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def of_a_process(what: str, shape: Mapping[str, int]) -> float:
    """The peak of a new process that does one of these, in MB."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", what, *map(str, shape.values())]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the peaks above the baseline and their ratios."""
    above = {name: of_a_process(name, LARGE) - of_a_process(name, SMALL) for name in MEASURED}
    unit = above.pop("one_pass")
    print(f"memory at {size(LARGE)}: one forward and backward {unit:.0f} MB above the baseline")
    for name, found in above.items():
        print(f"  {name} {found:.0f} MB, {found / unit:.1f} times, promised under {PROMISED:g}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        torch.set_num_threads(1)
        MEASURED[sys.argv[1]](dict(zip("BTV", map(int, sys.argv[2:]), strict=True)))
        print(peak())
    else:
        main()
