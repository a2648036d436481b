"""How many threads there are to use, and a pool of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from nonproj.errors import NonprojError


def processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def thread_pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads; when the system gives none, the error says so."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield pool
        except RuntimeError as error:
            if "start new thread" not in str(error):
                raise
            raise NonprojError("the system starts no more threads: ask for fewer with --threads, threads=") from None
