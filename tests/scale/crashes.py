"""A task that some files are deadly for: stands in for what would crash a worker, and is sent to it by value."""

import os
import signal
from typing import Any

from nonproj.distributed.running import Task
from nonproj.distributed.work import do_task


def do_or_die(job: Any, folder: str | None, task: Task) -> Any:
    if any("deadly" in piece.source for piece in task.pieces):
        os.kill(os.getpid(), signal.SIGKILL)
    if any("greedy" in piece.source for piece in task.pieces):
        taken = []
        while True:  # until the nanny ends the worker
            taken.append(bytearray(b"x") * (1 << 24))
    return do_task(job, folder, task)
