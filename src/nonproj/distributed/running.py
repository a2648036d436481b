"""Tasks over an executor: a sliding window of them in flight, tried again when a worker dies, in the end left out."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from nonproj.distributed.splitting import Piece
from nonproj.errors import NonprojError

CRASHES = 4
"""How many workers a single file may cost before it is tried alone."""
PATIENCE = 300.0
"""For how many seconds a run goes on without any worker."""
_LOOK = 1.0
"""How many seconds pass between looks at the workers."""
# Errors of engines that are not imported here, by name: the worker died, or the scheduler lost the task.
_LOST = ("KilledWorker", "FutureCancelledError", "CommClosedError", "FuturesCancelledError", "WorkerCrashedError")


@dataclass(frozen=True)
class LeftOut:
    """A file, or a piece of one, that no worker could do."""

    source: str
    message: str

    def __str__(self) -> str:
        return f"{self.source}: {self.message}"


@dataclass
class Task:
    """Some pieces that one worker does in one go; those of a task that was taken apart have a number below its own."""

    number: int
    pieces: list[Piece]
    part: int | None = None
    is_last: bool = False
    crashes: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """What its part is called, without an ending."""
        return f"part-{self.number:06d}" + ("" if self.part is None else f"-{self.part:04d}")

    def taken_apart(self) -> list[Task]:
        """One task for each piece."""
        last = len(self.pieces) - 1 if self.is_last else -1
        return [Task(self.number, [piece], part, part == last) for part, piece in enumerate(self.pieces)]


class Stop(Exception):
    """Raised by what receives results: tasks after this one need not be done."""


def run(
    tasks: Sequence[Task],
    executor: Executor,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    receive: Callable[[Task, Any], None],
    workers: Callable[[], int],
) -> list[LeftOut]:
    """Call ``function(*arguments, task)`` for every task; `receive` gets each task and its result, in any order.

    When `receive` raises `Stop`, tasks after that one are dropped, those before it are still done. A task whose worker
    died is tried again, one of several pieces taken apart. Which of its tasks a worker died of nobody can tell: so one
    that lost several workers is tried at the very end with no other in flight, and left out if that costs a worker,
    too. Two tasks a worker are in flight; when there is no worker for a long time, that is an error.
    """
    waiting, flying = deque(tasks), dict[Future[Any], Task]()
    suspects = deque[Task]()
    left_out: list[LeftOut] = []
    last: int | None = None
    look = alive = time.monotonic()  # when there was last a worker
    count = 0
    try:
        while waiting or flying or suspects:
            if time.monotonic() >= look:
                count = workers()
                alive = _checked(alive, count)
                look = time.monotonic() + _LOOK
            if suspects and not waiting and not flying:
                waiting.append(suspects.popleft())
            while waiting and len(flying) < 2 * max(count, 1):
                task = waiting.popleft()
                if last is None or task.number < last:
                    flying[_submitted(executor, function, arguments, task)] = task
            for future in wait(flying, timeout=_LOOK, return_when=FIRST_COMPLETED).done:
                task = flying.pop(future)
                try:
                    receive(task, future.result())
                except Stop:
                    last = task.number if last is None else min(last, task.number)
                except (Exception, CancelledError) as error:
                    if not _is_crash(error):
                        raise
                    was_alone = task.crashes >= CRASHES
                    # Dask itself may have tried it on several workers before it gave up.
                    task.crashes += 1 + int(getattr(error, "allowed_failures", 0))
                    if len(task.pieces) > 1:
                        waiting.extend(task.taken_apart())
                    elif was_alone:
                        left_out.append(LeftOut(str(task.pieces[0]), _why(error, task)))
                    else:
                        (suspects if task.crashes >= CRASHES else waiting).append(task)
            if last is not None:
                for future in [future for future, task in flying.items() if task.number > last]:
                    future.cancel()
                    del flying[future]
    except BaseException:
        for future in flying:
            future.cancel()
        raise
    return left_out


def _checked(alive: float, workers: int) -> float:
    """When there was last a worker; an error when that is too long ago."""
    now = time.monotonic()
    if workers > 0:
        return now
    if now - alive > PATIENCE:
        raise NonprojError(
            f"there was no worker for {PATIENCE:.0f} seconds: see whether the cluster runs, and what the logs of its "
            "workers say; with --parts (folder=), what was done is kept, and a new start goes on there"
        )
    return alive


def _submitted(executor: Executor, function: Callable[..., Any], arguments: tuple[Any, ...], task: Task) -> Future[Any]:
    try:
        return executor.submit(function, *arguments, task)
    except BrokenExecutor as error:
        raise NonprojError(f"the engine broke down and takes no more tasks: {error}") from error


def _is_crash(error: BaseException) -> bool:
    lost = (BrokenExecutor, CancelledError, MemoryError, OSError)
    return isinstance(error, lost) or type(error).__name__ in _LOST


def _why(error: BaseException, task: Task) -> str:
    if isinstance(error, MemoryError):
        return "there was not enough memory for it, on any worker"
    if isinstance(error, OSError):
        return f"it cannot be read or its part written: {error}"
    return f"every worker that took it died ({task.crashes} of them): look into the logs of the workers"
