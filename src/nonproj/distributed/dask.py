"""Dask as the engine: a cluster of this machine's cores, or one that is there already; models for its workers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from typing import Any

from nonproj.distributed.models import Model, ship
from nonproj.distributed.places import EXTRA, read_all
from nonproj.errors import NonprojError
from nonproj.processors import processors

_LOCAL = {
    # Deaths are counted by the run itself.
    "distributed.scheduler.allowed-failures": 0,
    # A worker gets a task when it has nothing to do, so that tasks which only stand by are not lost with it.
    "distributed.scheduler.worker-saturation": 1.0,
    # By default a place whose worker is away when this time is over since any of its deaths is given up for good.
    "distributed.deploy.lost-worker-timeout": "1 day",
    # By default what is freed goes back to the system at once, to be fetched anew for every block: a third more time.
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1, "MKL_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1},
    # Looks at every worker a hundred times a second, for a page that nobody opens.
    "distributed.worker.profile.enabled": False,
    # By default scheduler, command and workers wake up fifty times a second to see whether they are late, and look at
    # processors, disks and networks twice: together 5% of a core.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
}


class DaskExecutor(Executor):
    """Tasks over a client of Dask, each of which ends: with its result, or with the error that it ended with.

    The executor that Dask itself has forgets a future whose worker dies while its result is fetched, when the task then
    fails: whoever waits for it waits for ever.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Send a task to the cluster."""
        sent = self._client.submit(function, *arguments, **named, pure=False)
        outcome: Future[Any] = Future()
        outcome.add_done_callback(lambda outcome: sent.cancel() if outcome.cancelled() else None)
        self._client.loop.add_callback(_settle, sent, outcome)
        return outcome


async def _settle(sent: Any, outcome: Future[Any]) -> None:
    result: Any = None
    failure: Exception | None = None
    try:
        result = await sent
    except asyncio.CancelledError as error:
        failure = CancelledError(str(error))
    except Exception as error:
        failure = error
    if not outcome.set_running_or_notify_cancel():
        return  # nobody waits for it
    if failure is None:
        outcome.set_result(result)
    else:
        outcome.set_exception(failure)


def that_settles(executor: Executor) -> Executor:
    """The executor itself, or, for the one that a client of Dask makes, one of ours over the same client."""
    client = getattr(executor, "_client", None)
    return executor if client is None or isinstance(executor, DaskExecutor) else DaskExecutor(client)


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
            yield DaskExecutor(client)
        return
    count = workers or processors()
    with (
        dask.config.set(_LOCAL),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield DaskExecutor(client)


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
