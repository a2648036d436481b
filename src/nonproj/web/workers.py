"""Work beside the server's loop: a few jobs at a time, the others wait, and none goes on for ever."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from nonproj.web.guard import Refused

Result = TypeVar("Result")


class _Stopped(Exception):
    """Raised within a job that has taken too long."""


class Workers:
    """Runs jobs in threads: ``at_once`` of them, ``waiting`` more in the queue, each for a number of seconds."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="nonproj-page")
        self._most = at_once + waiting
        self._jobs = 0

    async def run(self, seconds: float, job: Callable[..., Result], *arguments: Any) -> Result:
        """The result of a job; `Refused` when there are too many, or when it takes too long."""
        if self._jobs >= self._most:
            raise Refused(503, "the page is busy: try again in a moment")
        self._jobs += 1
        started = _Started()
        future: Future[Result] = self._pool.submit(started.run, job, *arguments)
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except asyncio.TimeoutError:
            future.cancel()
            started.stop()
            raise Refused(503, f"this takes longer than {seconds:g} seconds: try a shorter sentence") from None
        except asyncio.CancelledError:  # the browser has gone
            future.cancel()
            started.stop()
            raise

    def _done(self, future: Future[Any]) -> None:
        self._jobs -= 1

    def close(self) -> None:
        """Let go of the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Started:
    """A job in its thread, which can be stopped from another: Python code at once, native code when it returns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: int | None = None

    def run(self, job: Callable[..., Result], *arguments: Any) -> Result:
        with self._lock:
            self._thread = threading.get_ident()
        try:
            return job(*arguments)
        finally:
            with self._lock:
                self._thread = None

    def stop(self) -> None:
        with self._lock:
            if self._thread is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(_Stopped))
