"""What an engine costs over the plain process on the same cores, how two workers scale, what commands cost."""

from __future__ import annotations

import gzip
import os
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterator
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
FILES, MEGABYTES = 32, 64
EMPTY = 200
"""Tasks with nothing to do."""
TIMES = 3
"""The best counts of so many: a job takes a few seconds, and virtual machines have better and worse ones."""


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
    """One process against one worker, and one worker against two; cluster and first calls are there before."""
    from nonproj.distributed.dask import dask_executor

    size = f"{sum(os.path.getsize(path) for path in folder.iterdir()) >> 20} MB in {FILES} files"
    expected = nonproj.coverage(folder, keep=False)
    plain = {}
    for threads in (1, 2):
        plain[threads], _ = _best(lambda threads=threads: nonproj.coverage(folder, keep=False, threads=threads))  # type: ignore[misc]
    yield Row("coverage, a plain process of one thread", size, ours=plain[1])
    yield Row("coverage, the same with two threads", size, plain[2], plain[1])
    seconds = {}
    for workers in (1, 2):
        begun = time.perf_counter()
        with dask_executor(workers=workers) as executor:
            start = time.perf_counter() - begun
            client: Any = getattr(executor, "_client")  # noqa: B009 - an Executor has none
            warmed = distributed.coverage(folder / "00.conllu", executor=executor)
            agree(warmed == nonproj.coverage(folder / "00.conllu"), "the coverage of one file")
            spent, cpu = sum(client.run(time.process_time).values()), time.process_time()
            seconds[workers], found = _best(lambda executor=executor: distributed.coverage(folder, executor=executor))  # type: ignore[misc]
            spent = (sum(client.run(time.process_time).values()) - spent) / TIMES
            cpu = (time.process_time() - cpu) / TIMES
            agree(found == expected, f"{workers} workers and the plain process")
            note = f"start {start:.1f} s; CPU {spent:.1f} s in workers, {cpu:.2f} s in the command"
            target = Target("share", 1.15) if workers == 1 else None
            yield Row(f"coverage, Dask, workers: {workers}", size, seconds[workers], plain[1], target, note=note)
            if workers == 1:
                begun = time.perf_counter()
                for future in [executor.submit(int) for _ in range(EMPTY)]:
                    future.result()
                each = (time.perf_counter() - begun) / EMPTY
                yield Row("an empty task", f"{EMPTY} of them", ours=each)
    yield Row("coverage, Dask, 1 to 2 workers", size, seconds[2], seconds[1], Target("faster", 1.8))


def _best(measure: Callable[[], Any]) -> tuple[float, Any]:
    """The least time that it takes, and what it gives."""
    times, found = [], None
    for _ in range(TIMES):
        begun = time.perf_counter()
        found = measure()
        times.append(time.perf_counter() - begun)
    return min(times), found


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
