"""Proving many theorems in several processes; what crosses a border is a name or plain data.

Each process keeps the lemmas that it has proved.  A free process therefore gets the theorem whose
lemmas it has to prove again least, among those whose lemmas are all proved somewhere.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any

from derivations.library import Unusable
from numerics.proving import Outcome, Task, attempt

MANY = 3  # above it a second process pays for its start


class Team:
    """with Team(tasks, jobs) as team: for outcome in team.outcomes(): ..., as they come.

    The processes start with the block, before a progress bar has threads, and end with it, also by
    an interrupt.  One job is done in this process.
    """

    def __init__(self, tasks: Sequence[Task], jobs: int | None = None) -> None:
        self.size = min(jobs or (2 if len(tasks) > MANY else 1), len(tasks))
        self.waiting = list(tasks)
        self.named = {task.id for task in tasks}
        self.citing = {t.id: sum(t.id in other.needs for other in tasks) for t in tasks}
        self.done: dict[str, Outcome] = {}
        self.workers: list[tuple[BaseProcess, Connection]] = []

    def __enter__(self) -> Team:
        # Forking keeps what is imported; elsewhere than on Linux it is not safe.
        way = "fork" if sys.platform == "linux" else "spawn"
        context: Any = multiprocessing.get_context(way)
        for _ in range(self.size if self.size > 1 else 0):
            mine, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()  # so that the end of the process is the end of the pipe
            self.workers.append((process, mine))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, at: TracebackType | None
    ) -> None:
        for process, pipe in self.workers:
            pipe.close()
            process.terminate()
            process.join()

    def outcomes(self) -> Iterator[Outcome]:
        """Every outcome as it comes.  Raises Unusable as soon as a file cannot be used."""
        if not self.workers:
            yield from map(attempt, self.waiting)
            return
        knows: dict[Any, set[str]] = {pipe: set() for _, pipe in self.workers}
        running: dict[Any, Task] = {}
        while self.waiting or running:
            for pipe in [p for p in knows if p not in running]:
                task = self._next_for(knows[pipe], bool(running))
                if task is not None:
                    self.waiting.remove(task)
                    running[pipe] = task
                    pipe.send(task)
            for pipe in wait([*running]):
                task = running.pop(pipe)
                knows[pipe] |= {task.id, *task.needs}
                self.done[task.id] = _received(pipe, task)
                yield self.done[task.id]

    def _next_for(self, known: set[str], others_work: bool) -> Task | None:
        ready = [t for t in self.waiting if all(map(self._is_proved, t.needs))]
        if not ready and not others_work:  # imports in a circle: any order is as good
            ready = self.waiting
        cost = lambda t: (self._again(t, known), -self.citing[t.id], -t.length)  # noqa: E731
        return min(ready, key=cost, default=None)

    def _is_proved(self, lemma: str) -> bool:
        return lemma in self.done or lemma not in self.named

    def _again(self, task: Task, known: set[str]) -> float:
        """The seconds of lemmas that a process would have to prove again."""
        again = [self.done[n] for n in task.needs if n in self.done and n not in known]
        return sum(o.entry["seconds"] for o in again)


def _received(pipe: Any, task: Task) -> Outcome:
    try:
        answer = pipe.recv()
    except EOFError:
        why = "the process that was proving it ended: too little memory?"
        raise Unusable(f"{task.id}: {why}") from None
    if isinstance(answer, Unusable):
        raise answer
    return answer


def _serve(pipe: Connection) -> None:
    """The life of a process: a task in, an outcome out.  Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(attempt(task))
        except Unusable as e:
            pipe.send(e)
