"""Dask as the engine: a cluster of this machine's cores, or one that is there already; models for its workers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from nonproj.distributed.models import Model, ship
from nonproj.distributed.places import EXTRA, read_all
from nonproj.errors import NonprojError
from nonproj.processors import processors


@contextmanager
def dask_executor(scheduler: str | None = None, workers: int = 0, timeout: float = 30) -> Iterator[Executor]:
    """An executor over a local cluster of so many workers, or over the cluster of a scheduler.

    Local workers have one thread each, since tasks fill a core; 0 stands for as many as there are cores. A worker that
    dies is started again, and its task goes back to whoever sent it. ``timeout`` is how many seconds a scheduler has to
    answer.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise NonprojError(f"the engine dask is not installed: {EXTRA}") from None
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=timeout)
        except (OSError, ValueError, TypeError) as error:
            raise NonprojError(f"{scheduler}: no scheduler of Dask answers there: {error}") from None
        with client:
            yield client.get_executor(pure=False)
        return
    count = workers or processors()
    # Deaths are counted by the run itself, so that tasks which only stood by are not blamed.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        # The nanny of a worker that dies while it starts gives up: others take its place.
        cluster.adapt(minimum=count, maximum=count, interval="1s")
        yield client.get_executor(pure=False)


def send_model(executor: Executor, model: Model) -> None:
    """Send a model to every worker of a cluster, also to those that come later; other executors read its file."""
    client: Any = getattr(executor, "_client", None)
    if client is None:
        return
    from distributed import WorkerPlugin

    class SentModel(WorkerPlugin):  # type: ignore[misc]
        """A model on its way; pickled by value, so that the workers need not know this class."""

        name = f"nonproj-model-{model.checksum}"

        def __init__(self, checksum: str, content: bytes) -> None:
            self.checksum, self.content = checksum, content

        def setup(self, worker: Any) -> None:
            """Keep it where tasks look for it."""
            ship(self.checksum, self.content)

    client.register_plugin(SentModel(model.checksum, read_all(model.path)))
