"""`make bench`: the times that the project promises, measured here; nothing is asserted.

proofgrad --help        under 0.3 s
import derivations      under 1 s
the whole catalogue     under 10 s, two processes, proofs alone
the slowest step        under 0.5 s

and what a check of a loss costs: gradient_cost.py, report_cost.py, memory.py.
"""

import gc
import json
import subprocess
import sys
import time
from importlib.util import find_spec
from typing import Any

RUNS = 5
PROMISED = {"help": 0.3, "import": 1.0, "catalogue": 10.0, "step": 0.5}
COMMAND = [sys.executable, "-c", "from numerics.cli import main; main()"]
EVERYTHING = (
    "from derivations import by, calc, catalogue, claim, given, prove, theorem"  # not lazily
)


def fastest(command: list[str], runs: int = RUNS) -> float:
    """The least wall time of a command in a new process: the one the machine disturbed least."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def catalogue() -> dict[str, Any]:
    """What `proofgrad prove --json` says, with two processes and without the numbers."""
    flags = ["prove", "--json", "--no-crosscheck", "-j", "2"]
    done = subprocess.run([*COMMAND, *flags], check=False, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit("the catalogue cannot be proved, see above")
    return json.loads(done.stdout)


def slowest_step() -> tuple[float, str]:
    """The slowest line of all proofs, its theorem and its place.  Lemmas are proved before."""
    from derivations import catalogue, prove
    from numerics.proving import lemmas_of
    from numerics.refusal import place

    worst = 0.0, "no line"
    for theorem in catalogue():
        for lemma in lemmas_of(theorem):
            prove(lemma)
        gc.freeze()  # as `proofgrad prove` does
        for number, line in enumerate(prove(theorem).lines, 1):
            where = f"{theorem.name}, step {number} ({place(theorem.file)}:{line.line})"
            worst = max(worst, (line.seconds, where))
    return worst


def show(what: str, seconds: float, promised: float, note: str = "") -> None:
    """One measurement beside its promise."""
    print(f"{what:<28} {seconds:7.2f} s   {seconds / promised:5.2f} of {promised:g} s   {note}")


def main() -> None:
    """Measure everything that is installed."""
    show("proofgrad --help", fastest([*COMMAND, "--help"]), PROMISED["help"])
    show(
        "import derivations",
        fastest([sys.executable, "-c", "import derivations"]),
        PROMISED["import"],
    )
    show("  and all its names", fastest([sys.executable, "-c", EVERYTHING]), PROMISED["import"])
    found = catalogue()
    proved = sum(t["status"] == "proved" for t in found["theorems"])
    note = f"{proved} of {len(found['theorems'])} proved"
    show("catalogue, 2 processes", found["seconds"], PROMISED["catalogue"], note)
    seconds, where = slowest_step()
    show("slowest step", seconds, PROMISED["step"], where)
    if find_spec("torch"):
        from tests.benchmarks import gradient_cost, memory, report_cost

        for measured in (gradient_cost, report_cost, memory):
            print()
            measured.main()


if __name__ == "__main__":
    main()
