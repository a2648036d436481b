"""What an engine costs over the plain process on the same cores, how two workers scale, what commands cost."""

from __future__ import annotations

import gzip
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, agree, peer
from nonproj import distributed
from nonproj.distributed.running import Task
from nonproj.distributed.splitting import Piece
from nonproj.distributed.work import ClassifyJob, CountJob, CoverageJob, Edges, EvaluateJob, Job, do_task
from nonproj.trees import tree_classes

NAME = "scale"
QUESTION = "What does an engine cost, and what do commands cost inside a task?"
PEERS = ("distributed",)

TREEBANK = ("ud/af_afribooms-ud-train", "ud/grc_perseus-ud-test", "ud/nl_alpino-ud-test")
FILES, MEGABYTES = 24, 64
EMPTY = 200
"""Tasks with nothing to do."""
ROUNDS = 4
"""How often the engine and what it is measured against take turns."""
TIMES = 10
"""The best counts of so many runs of a command."""


def run() -> Iterator[Row]:
    """First the engine, on some large files; then the jobs, each in this process."""
    try:
        peer("distributed")
    except Absent as reason:
        yield Row("coverage, Dask, 1 to 2 workers", target=Target("faster", 1.8)).unmeasured(reason)
        return
    once = treebanks.text(*TREEBANK)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for number in range(FILES):
            with open(folder / f"{number:02d}.conllu", "wb") as file:
                for _ in range((MEGABYTES << 20) // len(once) + 1):
                    file.write(once)
        yield from engine(folder)
    yield from commands(once)


def engine(folder: pathlib.Path) -> Iterator[Row]:
    """One process against one worker, and one worker against two; cluster and first calls are there before.

    Two plain processes with half of the files each tell what the machine itself has to give. All are measured in turn,
    and the best of each counts, for what a virtual machine has to give changes from minute to minute.
    """
    from nonproj.distributed.dask import dask_executor

    files = sorted(map(str, folder.iterdir()))
    size = f"{sum(map(os.path.getsize, files)) >> 20} MB in {FILES} files"
    expected = nonproj.coverage(folder, keep=False)
    times: dict[str, list[float]] = {name: [] for name in ("plain", "threads", "halves", "1", "2")}
    cpu: dict[str, list[float]] = {name: [] for name in times}
    starts: dict[str, list[float]] = {"1": [], "2": []}
    empty: list[float] = []

    def measure(name: str, function: Callable[[], Any]) -> Any:
        begun, used = time.perf_counter(), time.process_time()
        found = function()
        times[name].append(time.perf_counter() - begun)
        cpu[name].append(time.process_time() - used)
        return found

    with Plain(files) as whole, Plain(files, 2) as threads, Plain(files[::2]) as even, Plain(files[1::2]) as odd:
        for _ in range(ROUNDS):
            measure("plain", lambda: together(whole))
            measure("threads", lambda: together(threads))
            measure("halves", lambda: together(even, odd))
            for name in ("1", "2"):
                begun = time.perf_counter()
                with dask_executor(workers=int(name)) as executor:
                    starts[name].append(time.perf_counter() - begun)
                    distributed.coverage(files[: 2 * int(name)], executor=executor)
                    again = partial(distributed.coverage, folder, executor=executor)
                    agree(measure(name, again) == expected, f"{name} workers and the plain process")
                    measure(name, again)
                    if name == "1":
                        begun = time.perf_counter()
                        for future in [executor.submit(int) for _ in range(EMPTY)]:
                            future.result()
                        empty.append((time.perf_counter() - begun) / EMPTY)

    best = {name: min(each) for name, each in times.items()}
    usual = {name: median(each) for name, each in times.items()}
    yield Row(
        "coverage, a plain process of one thread", size, ours=best["plain"], note=f"median {usual['plain']:.2f} s"
    )
    for name, what in (("threads", "the same with two threads"), ("halves", "two such, half of the files each")):
        note = f"by medians {usual['plain'] / usual[name]:.2f} times faster"
        yield Row(f"coverage, {what}", size, best[name], best["plain"], note=note)
    for name in ("1", "2"):
        note = (
            f"start {min(starts[name]):.1f} s; {min(cpu[name]):.2f} s of CPU in the command; median {usual[name]:.2f} s"
        )
        target = Target("share", 1.15) if name == "1" else None
        yield Row(f"coverage, Dask, workers: {name}", size, best[name], best["plain"], target, note=note)
    yield Row("an empty task", f"{EMPTY} of them", ours=min(empty))
    note = f"by medians {usual['1'] / usual['2']:.2f} times faster"
    yield Row("coverage, Dask, 1 to 2 workers", size, best["2"], best["1"], Target("faster", 1.8), note=note)


PLAIN = """
import sys, nonproj
threads, *files = sys.argv[1:]
nonproj.coverage(files[:2], keep=False)
print(flush=True)
for line in sys.stdin:
    nonproj.coverage(files, keep=False, threads=int(threads))
    print(flush=True)
"""


class Plain:
    """A process of its own that measures files whenever it is told to."""

    def __init__(self, files: list[str], threads: int = 1) -> None:
        command = [sys.executable, "-c", PLAIN, str(threads), *files]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.wait()

    def begin(self) -> None:
        """Tell it to."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def wait(self) -> None:
        """Wait until it has done."""
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            raise RuntimeError("the plain process died")

    def __enter__(self) -> Plain:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()


def together(*processes: Plain) -> None:
    """All of them at once."""
    for each in processes:
        each.begin()
    for each in processes:
        each.wait()


def commands(once: bytes) -> Iterator[Row]:
    """The CPU time of each job for a million sentences."""
    names = tuple(cls.name for cls in tree_classes("all"))
    with tempfile.TemporaryDirectory() as scratch:
        path, packed = pathlib.Path(scratch) / "once.conllu", pathlib.Path(scratch) / "once.conllu.gz"
        path.write_bytes(once)
        packed.write_bytes(gzip.compress(once))
        piece = Piece(str(path))
        evaluation = EvaluateJob(((piece,),), ("gold", "system"), "conllu", names[:1])
        jobs: dict[str, tuple[Job, Piece]] = {
            "counting": (CountJob(), piece),
            "coverage": (CoverageJob(names), piece),
            "coverage, .gz": (CoverageJob(names), Piece(str(packed))),
            "classify, text": (ClassifyJob(names), piece),
            "classify, Parquet": (ClassifyJob(names, "parquet"), piece),
            "evaluate, one system": (evaluation, piece),
        }
        for what, (job, given) in jobs.items():
            times = []
            for _ in range(TIMES):
                begun = time.process_time()
                do_task(job, scratch, Task(0, [given]))
                times.append(time.process_time() - begun)
            sentences = CountJob().do(piece, print, Edges(True, True))["sentences"]
            million = 1e6 * min(times) / sentences
            size = f"{sentences} sentences, {os.path.getsize(given.source) / sentences:,.0f} bytes each"
            yield Row(f"{what}: CPU for a million sentences", size, ours=million)
