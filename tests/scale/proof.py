"""Proof at scale: a corpus drawn from treebanks by a seed, measured by one process and by clusters that things befall.

    python tests/scale/proof.py TREEBANKS [--words 100000000] [--kills 20] [--seed 1] [--folder FOLDER]

Every line is a claim that was checked; the first that fails ends the run.
"""

from __future__ import annotations

import argparse
import gzip
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

import cloudpickle
import crashes

import nonproj as npj
from nonproj import distributed
from nonproj.distributed import LeftOut, jobs, running
from nonproj.distributed.dask import dask_executor

FILES = 24


def make_corpus(treebanks: str, folder: pathlib.Path, words: int, seed: int) -> int:
    """Sentences drawn at random, in plain files and packed ones of one member and of many; how many there are."""
    chance = random.Random(seed)
    pool = [(bytes(sentence), len(sentence)) for sentence in npj.read(treebanks, on_error="skip")]
    each, total = words // FILES, 0
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FILES):
        parts, done, members = [], 0, []
        while done < each:
            text, length = chance.choice(pool)
            parts.append(text if text.endswith(b"\n\n") else text.rstrip(b"\r\n") + b"\n\n")
            done += length
            total += 1
            if number % 4 == 3 and len(parts) == 20_000:
                members.append(gzip.compress(b"".join(parts), 1))
                parts = []
        rest = b"".join(parts)
        if number % 4 < 2:
            (folder / f"{number:02d}.conllu").write_bytes(rest)
        else:
            (folder / f"{number:02d}.conllu.gz").write_bytes(b"".join([*members, gzip.compress(rest, 1)]))
    return total


def say(claim: str, is_true: bool, seconds: float | None = None) -> None:
    print(f"{'ok  ' if is_true else 'FAIL'} {claim}" + ("" if seconds is None else f"  [{seconds:.1f} s]"), flush=True)
    if not is_true:
        sys.exit(1)


@contextmanager
def shuffled(seed: int) -> Iterator[None]:
    """Tasks go out in a random order."""
    plain = running.run

    def run(tasks: Any, *others: Any) -> Any:
        mixed = list(tasks)
        random.Random(seed).shuffle(mixed)
        return plain(mixed, *others)

    jobs.run = run  # type: ignore[attr-defined, assignment]
    yield
    jobs.run = plain  # type: ignore[attr-defined]


@contextmanager
def deadly_tasks() -> Iterator[None]:
    """Files called deadly kill their worker, greedy ones take all its memory."""
    plain = jobs.do_task  # type: ignore[attr-defined]
    cloudpickle.register_pickle_by_value(crashes)
    jobs.do_task = crashes.do_or_die  # type: ignore[attr-defined]
    yield
    jobs.do_task = plain  # type: ignore[attr-defined]
    cloudpickle.unregister_pickle_by_value(crashes)


def kill_workers(executor: Any, times: int, stop: threading.Event, killed: list[int]) -> None:
    while len(killed) < times and not stop.wait(0.2):
        alive = executor._client.run(os.getpid, on_error="ignore").values()
        processes = [pid for pid in alive if isinstance(pid, int) and pid not in killed]
        if processes:
            killed.append(random.choice(processes))
            os.kill(killed[-1], signal.SIGKILL)


def with_kills(corpus: pathlib.Path, kills: int, size: float, expected: npj.Coverage) -> tuple[int, int]:
    """The job, and again if it ends before so many workers were killed: how many were, and in how many runs."""
    with dask_executor(workers=2) as executor:
        stop, killed = threading.Event(), list[int]()
        killer = threading.Thread(target=kill_workers, args=(executor, kills, stop, killed))
        killer.start()
        runs = 0
        while runs == 0 or len(killed) < kills:
            found = distributed.coverage(corpus, executor=executor, megabytes=size)
            runs += 1
            if found != expected:
                say(f"{len(killed)} workers killed: the same", False)
        stop.set()
        killer.join()
    return len(killed), runs


def small_files(folder: pathlib.Path, count: int) -> pathlib.Path:
    folder.mkdir()
    sample = npj.example_treebank()
    for i in range(count):
        (folder / f"{i:04d}.conllu.gz").write_bytes(gzip.compress(bytes(sample[i % 70 : i % 70 + 3])))
    return folder


def one_corrupt(folder: pathlib.Path, executor: Executor) -> None:
    corpus = small_files(folder / "thousand", 1000)
    broken = corpus / "0417.conllu.gz"
    broken.write_bytes(broken.read_bytes()[:-20])
    told: list[LeftOut] = []
    found = distributed.coverage(corpus, executor=executor, on_error="skip", left_out=told)
    rest = [path for path in sorted(corpus.iterdir()) if path != broken]
    right = found == npj.coverage(rest) and [each.source for each in told] == [str(broken)]
    say("a corrupt file among 1,000 is named, the others are counted", right)


def some_deadly(folder: pathlib.Path) -> None:
    import dask
    from distributed import Client, LocalCluster

    corpus = small_files(folder / "hundred", 100)
    rest = sorted(corpus.iterdir())
    for name in ("deadly", "greedy"):
        (corpus / f"{name}.conllu").write_bytes(bytes(npj.example_treebank()))
    told: list[LeftOut] = []
    with (
        deadly_tasks(),
        # Dask's own settings but for this one: a local cluster gives up the places of workers that die too fast.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"}),
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="500MB", dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        found = distributed.coverage(corpus, executor=client.get_executor(pure=False), left_out=told)
    named = sorted(os.path.basename(each.source) for each in told)
    say("files that kill their worker, or take all its memory, are named", named == ["deadly.conllu", "greedy.conllu"])
    say("and the others are counted", found == npj.coverage(rest))


def killed_driver(corpus: pathlib.Path, folder: pathlib.Path, expected: str, size: float) -> None:
    parts = folder / "parts"
    command = [sys.executable, "-m", "nonproj", "coverage", str(corpus), "--engine", "dask", "-j", "2"]
    command += ["--parts", str(parts), "--task-size", str(size), "--format", "state"]
    times = 0
    while times < 3:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        before, begun = len(list(parts.glob("part-*"))), time.monotonic()
        while process.poll() is None and len(list(parts.glob("part-*"))) <= before and time.monotonic() - begun < 120:
            time.sleep(0.05)
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        times += 1
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    say(f"the driver killed {times} times and the command run again: the same", times > 0 and done.stdout == expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks")
    parser.add_argument("--words", type=float, default=1e8)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        corpus = given.folder or folder / "corpus"
        if not corpus.exists():
            make_corpus(given.treebanks, corpus, int(given.words), given.seed)
        begun, cpu = time.monotonic(), time.process_time()
        expected = npj.coverage(corpus, keep=False, threads=2)
        seconds = time.monotonic() - begun
        say(f"one process, 2 threads: {expected.trees} trees, {time.process_time() - cpu:.1f} s of CPU", True, seconds)
        for workers in (1, 2, 4):
            with dask_executor(workers=workers) as executor, shuffled(workers):
                begun = time.monotonic()
                found = distributed.coverage(corpus, executor=executor)
                seconds = time.monotonic() - begun
            say(f"{workers} workers, tasks in random order: bit by bit the same", found == expected, seconds)
        size = max(given.words / 1e8 * 20, 0.05)
        begun = time.monotonic()
        killed, runs = with_kills(corpus, given.kills, size, expected)
        say(f"{killed} workers killed in {runs} runs: the same", True, time.monotonic() - begun)
        killed_driver(corpus, folder, expected.to_state(), size)
        with dask_executor(workers=2) as executor:
            one_corrupt(folder, executor)
        some_deadly(folder)
        found = distributed.coverage(given.treebanks, executor=_Threads(), on_error="skip", left_out=[], megabytes=0.5)
        say("all of the treebanks, in pieces: the same", found == npj.coverage(given.treebanks, on_error="skip"))


class _Threads(Executor):
    """The plainest executor there is: it does a task when it is told to."""

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Any:
        from concurrent.futures import Future

        future: Future[Any] = Future()
        future.set_result(function(*arguments))
        return future


if __name__ == "__main__":
    main()
