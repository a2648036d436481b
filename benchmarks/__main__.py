"""Run the benchmarks: ``python -m benchmarks [NAMES...]``."""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from benchmarks import QUESTIONS, SLOW, treebanks
from benchmarks.measure import Disagreement, Row

COLUMNS = ("what", "size", "ours", "peer", "ratio", "target", "", "note")
WIDE = 220
"""Columns of the output where it is not a terminal: a table that wraps is hard to compare."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*QUESTIONS, *SLOW]), metavar="[NAMES]...")
@click.option("--check", is_flag=True, help="End with exit code 1 when a target is missed or was not measured.")
def main(names: Sequence[str], check: bool) -> None:
    """Measure nonproj against its peers.

    NAMES are questions: reading, profile, coverage, startup, decoding, charts, nested, restricted, limits,
    transition, lifting, grammar, parsing, searching, text, torch, scale; all if none is named, and figures, which takes
    half an hour, only if it is. Answers that differ are an error, whatever the times.
    """
    console = Console(width=None if sys.stdout.isatty() else WIDE, highlight=False, markup=False)
    console.print(f"Python {platform.python_version()}, {os.cpu_count()} cores; {treebanks.described()}")
    if os.getloadavg()[0] > 0.5:
        console.print(f"The machine is busy (load {os.getloadavg()[0]:.1f}): expect noise.")
    verdicts: list[bool | None] = []
    differing: list[str] = []
    for name in names or QUESTIONS:
        question = importlib.import_module(f"benchmarks.{name}")
        start = time.perf_counter()
        rows: list[Row] = []
        try:
            rows.extend(question.run())
        except Disagreement as error:
            differing.append(f"{name}: {error}")
        console.print()
        console.print(f"{name}: {question.QUESTION}", style="bold")
        peers = f"peers: {', '.join(map(installed, question.PEERS))}; " if question.PEERS else ""
        console.print(f"{peers}took {time.perf_counter() - start:.0f} s")
        console.print(tabled(rows))
        verdicts += [row.met for row in rows if row.target]
    met, missed, unmeasured = (verdicts.count(verdict) for verdict in (True, False, None))
    console.print(f"targets: {met} met, {missed} missed, {unmeasured} not measured")
    for difference in differing:
        click.echo(f"ERROR: {difference}", err=True)
    sys.exit(1 if differing or (check and missed + unmeasured) else 0)


def tabled(rows: Iterable[Row]) -> Table:
    """The rows as a table."""
    table = Table(*COLUMNS, box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[2:5]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row.cells(), style="red" if row.met is False else "")
    return table


def installed(package: str) -> str:
    """A package with its version."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"


if __name__ == "__main__":
    main()
