"""Workers of a local cluster that are killed: the same answers, or an error; never a job that does not end."""

import os
import pathlib
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("distributed.client", reason="the extra dask is not installed")

import cloudpickle
from click.testing import CliRunner

import nonproj as npj
from nonproj import NonprojError, distributed, example_treebank
from nonproj.cli import cli
from nonproj.distributed.dask import dask_executor

pytestmark = pytest.mark.filterwarnings("ignore")
SAMPLE = example_treebank()
LIMIT = 120  # seconds; on a quiet machine a test takes less than 20


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A test that hangs fails."""

    def fail(*_: object) -> None:
        raise AssertionError(f"not done after {LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def by_value() -> Iterator[None]:
    """Workers get the functions of this file, which they cannot import."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def slowly(job: Any, folder: str | None, task: Any) -> Any:
    from nonproj.distributed.work import do_task

    time.sleep(0.05)
    return do_task(job, folder, task)


def or_die(job: Any, folder: str | None, task: Any) -> Any:
    from nonproj.distributed.work import do_task

    if any(piece.source.endswith("deadly.conllu") for piece in task.pieces):
        os.kill(os.getpid(), signal.SIGKILL)
    return do_task(job, folder, task)


def dies_once(folder: str, number: int) -> int:
    """A result that is lost: the worker dies while it is fetched, and then of the task itself."""
    seen = pathlib.Path(folder, str(number))
    if seen.exists():
        os.kill(os.getpid(), signal.SIGKILL)
    seen.touch()
    threading.Timer(number * 0.0015, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return number


def kill_some(client: Any, times: int, killed: list[int], stop: threading.Event) -> None:
    """Kill workers at random, at work or while they start."""
    chance = random.Random(7)
    while len(killed) < times and not stop.wait(0.3):
        alive = [nanny.pid for nanny in client.cluster.workers.values()]
        if processes := [pid for pid in alive if pid is not None and pid not in killed]:
            killed.append(chance.choice(processes))
            os.kill(killed[-1], signal.SIGKILL)


@pytest.mark.usefixtures("by_value")
def test_killed_workers_change_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large.conllu").write_bytes(bytes(SAMPLE) * 12)
    monkeypatch.setattr("nonproj.distributed.jobs.do_task", slowly)
    stop, killed = threading.Event(), list[int]()
    with dask_executor(workers=2) as executor:
        client: Any = executor._client  # type: ignore[attr-defined]
        killer = threading.Thread(target=kill_some, args=(client, 6, killed, stop))
        killer.start()
        try:
            found = distributed.coverage(tmp_path, executor=executor, megabytes=0.02)
        finally:
            stop.set()
            killer.join()
    assert len(killed) >= 3
    assert found == npj.coverage(tmp_path, keep=False)


@pytest.mark.usefixtures("by_value")
def test_a_task_whose_result_is_lost_with_its_worker_ends(tmp_path: pathlib.Path) -> None:
    with dask_executor(workers=2) as executor:
        futures = [executor.submit(dies_once, str(tmp_path), number) for number in range(1, 6)]
        for number, future in enumerate(futures, start=1):
            failure = future.exception(timeout=60)
            assert type(failure).__name__ == "KilledWorker" if failure is not None else future.result() == number


@pytest.mark.usefixtures("by_value")
def test_a_deadly_file_is_named_and_the_exit_code_says_so(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonproj.distributed.jobs.do_task", or_die)
    for number in range(6):
        (tmp_path / f"{number}.conllu").write_bytes(bytes(SAMPLE[number : number + 5]))
    (tmp_path / "deadly.conllu").write_bytes(bytes(SAMPLE))
    done = CliRunner().invoke(cli, ["coverage", str(tmp_path), "--engine", "dask", "-j", "2", "--format", "state"])
    assert done.exit_code == 3, done.output
    assert f"left out: {tmp_path}/deadly.conllu: every worker that took it died (5 of them)" in done.stderr
    assert "1 file or piece was left out" in done.stderr
    rest = [tmp_path / f"{number}.conllu" for number in range(6)]
    assert done.stdout == npj.coverage(rest, keep=False).to_state()


def test_a_cluster_without_workers_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    from distributed import Client, LocalCluster

    (tmp_path / "a.conllu").write_bytes(bytes(SAMPLE))
    monkeypatch.setattr("nonproj.distributed.running.PATIENCE", 2.0)
    with LocalCluster(n_workers=0, dashboard_address=":0") as cluster, Client(cluster) as client:
        begun = time.monotonic()
        with pytest.raises(NonprojError, match="there was no worker for 2 seconds: see whether the cluster runs"):
            distributed.coverage(tmp_path, executor=client.get_executor(pure=False))
    assert time.monotonic() - begun < 30
