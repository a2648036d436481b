"""What verbs share that can work past one machine: the options of the engine, its bar, and what it left out."""

from __future__ import annotations

import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from nonproj.distributed import LeftOut, Written


@dataclass
class Engine:
    """Where the work is done: the cluster, and the folder that keeps the parts."""

    scheduler: str | None
    parts: str | None
    megabytes: float | None
    left_out: list[LeftOut] = field(default_factory=list)

    def refuse(self, **given: object) -> None:
        """Say which of the verb's options cannot go with an engine."""
        for name, value in given.items():
            if value:
                raise click.UsageError(f"--{name.replace('_', '-')} goes without --engine")

    @contextlib.contextmanager
    def executor(self, workers: int) -> Iterator[Executor]:
        """The cluster's executor."""
        from nonproj.distributed.dask import dask_executor

        if self.scheduler is not None and workers:
            raise click.UsageError("--threads is the number of local workers: a cluster has its own")
        with dask_executor(self.scheduler, workers) as executor:
            yield executor

    @contextlib.contextmanager
    def folder(self) -> Iterator[str]:
        """The folder for parts: the one that was named, else one that is gone afterwards."""
        if self.parts is not None:
            yield self.parts
            return
        if self.scheduler is not None:
            raise click.UsageError("name a folder that every worker of the cluster can write to: --parts FOLDER")
        import tempfile

        with tempfile.TemporaryDirectory(prefix="nonproj-") as folder:
            yield folder

    def write(self, written: Written, output: str | None) -> None:
        """Put the parts together, unless they were asked for themselves."""
        if self.parts is not None and output is None:
            sentences = f"{written.sentences} sentences in {len(written.parts)} parts"
            click.echo(f"{sentences}: {self.parts}", err=True)
            return
        from nonproj.treebank.writing import opened

        with opened(output or "-", keep_when_stopped=True) as file:
            for block in written.blocks():
                file.write(block)

    def report(self, skips: options.Skips) -> None:
        """Say what was left out; files that no worker could do end the command with 3 in any case."""
        for each in self.left_out:
            click.echo(f"left out: {each}", err=True)
        skips.report()
        if self.left_out:
            files = "1 file or piece was" if len(self.left_out) == 1 else f"{len(self.left_out)} files or pieces were"
            click.echo(f"{files} left out", err=True)
            sys.exit(3)


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options --engine, --scheduler, --parts and --task-size, handed on as one `Engine`, or None."""

    @functools.wraps(function)
    def with_engine(
        *arguments: Any,
        engine: str | None,
        scheduler: str | None,
        parts: str | None,
        task_size: float | None,
        **others: Any,
    ) -> Any:
        if engine is None and (scheduler or parts or task_size):
            raise click.UsageError("--scheduler, --parts and --task-size go with --engine dask")
        return function(
            *arguments, engine=Engine(scheduler, parts, task_size) if engine is not None else None, **others
        )

    return options.both(
        click.option(
            "--engine",
            type=click.Choice(["dask"]),
            help="Let the workers of a cluster do it: this machine's cores (as many as -j says), or see --scheduler. "
            "Files may then be anywhere that fsspec reaches, such as s3://. Needs nonproj[dask].",
        ),
        click.option("--scheduler", metavar="ADDRESS", help="A running cluster of Dask, such as tcp://host:8786."),
        click.option(
            "--parts",
            metavar="FOLDER",
            help="Keep the part of each task in FOLDER, here or at a URL, with a manifest; run again, finished parts "
            "are skipped.",
        ),
        click.option("--task-size", type=options.number(10**6), metavar="MB", help="Text that one task reads."),
    )(with_engine)


packed = click.option(
    "--pack", type=click.Choice(["gz", "bz2", "xz", "zst"]), help="Pack the parts that an engine writes."
)


@contextlib.contextmanager
def task_bar(title: str) -> Iterator[Callable[[int, int, int], None]]:
    """A bar on stderr over the tasks, with sentences a second."""
    if not sys.stderr.isatty():
        yield lambda done, total, sentences: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    begun = time.monotonic()
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("tasks, {task.fields[speed]}"))
    with Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=None, speed="")

        def show(done: int, total: int, sentences: int) -> None:
            speed = sentences / max(time.monotonic() - begun, 1e-9)
            bar.update(task, completed=done, total=total, speed=f"{speed:,.0f} sentences/s")

        yield show
