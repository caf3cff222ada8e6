"""Proving many theorems in several processes; what crosses a border is a name or plain data.

Each process keeps the lemmas that it has proved.  A free process therefore gets the theorem whose
lemmas it has to prove again least, among those whose lemmas are all proved somewhere.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from derivations.library import Unusable
from numerics.proving import Outcome, Task, attempt

MANY = 3  # above it a second process pays for its start
Listener = Callable[[Outcome], None]


def attempt_all(tasks: Sequence[Task], jobs: int | None, heard: Listener) -> list[Outcome]:
    """The outcomes in the order of the tasks; `heard` is told of each as it comes.

    Raises Unusable as soon as one of the files cannot be used.
    """
    processes = min(jobs or (2 if len(tasks) > MANY else 1), len(tasks))
    if processes > 1:
        done = _Team(tasks, processes, heard).run()
        return [done[task.id] for task in tasks]
    out = []
    for task in tasks:
        out.append(attempt(task))
        heard(out[-1])
    return out


class _Team:
    """A few processes and what each of them has proved so far."""

    def __init__(self, tasks: Sequence[Task], processes: int, heard: Listener) -> None:
        # Forking keeps what is imported; elsewhere than on Linux it is not safe.
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self.pools = [ProcessPoolExecutor(1, context, _ignore_interrupt) for _ in range(processes)]
        self.knows: list[set[str]] = [set() for _ in range(processes)]
        self.waiting, self.heard = list(tasks), heard
        self.named = {task.id for task in tasks}
        self.citing = {t.id: sum(t.id in other.needs for other in tasks) for t in tasks}
        self.done: dict[str, Outcome] = {}

    def run(self) -> dict[str, Outcome]:
        """Prove everything; an interrupt, or a file that cannot be used, ends all processes."""
        try:
            self._work()
            for pool in self.pools:
                pool.shutdown()
        except BrokenProcessPool:
            raise Unusable("a process died while it was proving: too little memory?") from None
        finally:
            for pool in self.pools:
                pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
        return self.done

    def _work(self) -> None:
        running: dict[Future[Outcome], tuple[int, Task]] = {}
        idle = list(range(len(self.pools)))
        while self.waiting or running:
            for i in [*idle]:
                task = self._next_for(i, bool(running))
                if task is not None:
                    idle.remove(i)
                    self.waiting.remove(task)
                    running[self.pools[i].submit(attempt, task)] = i, task
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                i, task = running.pop(future)
                idle.append(i)
                self.knows[i] |= {task.id, *task.needs}
                self.done[task.id] = future.result()
                self.heard(self.done[task.id])

    def _next_for(self, i: int, others_work: bool) -> Task | None:
        ready = [t for t in self.waiting if all(map(self._is_known, t.needs))]
        if not ready and not others_work:  # imports in a circle: any order is as good
            ready = self.waiting
        cost = lambda t: (self._again(t, i), -self.citing[t.id], -t.length)  # noqa: E731
        return min(ready, key=cost, default=None)

    def _is_known(self, lemma: str) -> bool:
        return lemma in self.done or lemma not in self.named

    def _again(self, task: Task, i: int) -> float:
        """The seconds of lemmas that process i would have to prove again."""
        again = [self.done[n] for n in task.needs if n in self.done and n not in self.knows[i]]
        return sum(o.entry["seconds"] for o in again)


def _ignore_interrupt() -> None:
    """Ctrl-C reaches all processes; the parent decides, and says nothing twice."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
