"""The verb ``census``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@click.argument("n", type=options.whole(1, 1000))
@click.option("-c", "--classes", "classes", metavar="NAMES", help="Classes to count; the known ones by default.")
@click.option("--single-root", is_flag=True, help="Look only at trees with one root: faster.")
@click.option(
    "--braids",
    is_flag=True,
    help="Instead, the ill-nested trees of MH4 with 1 to N gaps, and the classes that hold them.",
)
@click.option("--nesting", is_flag=True, help="Also count well-nested, mildly and strongly ill-nested trees.")
@click.option(
    "--in",
    "treebanks",
    multiple=True,
    metavar="FILE",
    help="Also count the trees of N words in a treebank (repeatable), and how many different ones they are.",
)
@options.filters
@options.both(options.threads, options.format_and_output("table", "csv", "json", "markdown", "latex"))
def census(
    n: int,
    classes: str | None,
    single_root: bool,
    braids: bool,
    nesting: bool,
    treebanks: tuple[str, ...],
    only: Filter,
    form: str,
    threads: int,
    output: str | None,
) -> None:
    """Count, class by class, the trees of N words, by looking at every one of them.

    There are (N+1)^(N-1) trees: 7 words take a second, 8 some ten seconds, 9 a few minutes; 10 take minutes for
    one class with --single-root, and a good part of an hour for all of them. From ten seconds on the time is said
    beforehand.

    \b
    nonproj census 6
    nonproj census 4 --braids                                # Figure 1 of Gómez-Rodríguez 2016
    nonproj census 10 --single-root --nesting -c spanning    # 3520 are strongly ill-nested
    nonproj census 6 --in corpus.conllu --no-punctuation     # how many of them a treebank has
    """
    from nonproj.report.table import Column, Table
    from nonproj.trees import census as count
    from nonproj.trees.census import CENSUS_CLASSES, seconds_of_census

    if braids:
        _write_braids(n, classes, form, output)
        return
    if nesting and treebanks:
        raise click.UsageError("--nesting goes without --in")
    if not treebanks and not only.keeps_all:
        raise click.UsageError("filters are for the treebanks that --in names")
    real = _real(n, classes or CENSUS_CLASSES, treebanks, only, single_root, threads) if treebanks else {}
    settings: dict[str, Any] = {"threads": threads, "only_single_root": single_root, "nesting": nesting}
    seconds = seconds_of_census(n, classes or CENSUS_CLASSES, **settings)
    if seconds >= _LONG:
        click.echo(f"{(n + 1) ** (n - 1)} trees take about {_duration(seconds)}: Ctrl-C ends it", err=True)
    with options.progress_bar(f"trees of {n} words", "") as progress:
        counted = count(n, classes or CENSUS_CLASSES, progress=progress, **settings)
    with options.written(output, form) as write:
        if form == "json":
            found = {**counted.to_dict(), **({"in_treebanks": real} if treebanks else {})}
            write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
            return
        columns = [Column("class", align_left=True)]
        columns += [] if single_root else [Column("all trees")]
        nested = counted.nesting or {"all": {}, "single_root": {}}
        every, single = counted.all | nested["all"], counted.single_root | nested["single_root"]
        rows = [[name, *([] if single_root else [str(every[name])]), str(single[name])] for name in single]
        columns.append(Column("single root"))
        if treebanks:
            columns += [Column("in treebanks"), Column("different")]
            rows = [[*row, str(real[row[0]]["trees"]), str(real[row[0]]["different"])] for row in rows]
        write(options.laid_out(Table(columns, rows), form, output is None))


_LONG = 10
"""Seconds from which on the time is said beforehand."""


def _duration(seconds: float) -> str:
    """A time that is only roughly known."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _real(
    n: int, classes: str, files: tuple[str, ...], only: Filter, single_root: bool, threads: int
) -> dict[str, dict[str, int]]:
    """How many trees of so many words each class holds in treebanks, and how many different ones."""
    import numpy as np

    from nonproj.trees import profile_trees, tree_classes

    treebank = only.apply(options.one_treebank(options.inputs(files, False), "stop", threads, options.Skips(False)))
    options.warn_when_none(only, len(treebank) > 0)
    starts = treebank.offsets[:-1][np.diff(treebank.offsets) == n]
    heads = treebank.heads[starts[:, None] + np.arange(n)].reshape(-1, n)
    heads = heads[(heads == 0).sum(axis=1) == 1] if single_root else heads
    different, times = np.unique(heads, axis=0, return_counts=True)
    chosen = tree_classes(classes)
    at = np.arange(len(different) + 1) * n
    profiles = profile_trees(different.ravel(), at, solvers=[cls.solver for cls in chosen], threads=threads)
    held = {cls.name: cls.holds(profiles) == 1 for cls in chosen}
    return {name: {"trees": int(times[own].sum()), "different": int(own.sum())} for name, own in held.items()}


def _write_braids(n: int, classes: str | None, form: str, output: str | None) -> None:
    from nonproj.report.table import Column, Table
    from nonproj.trees import braid, tree_classes

    chosen = tree_classes(classes or "MH4 2-P 1EC WG1 WG2")
    trees = {gaps: braid(gaps) for gaps in range(1, n + 1)}
    with options.written(output, form) as write:
        if form == "json":
            data = [
                {"gap_degree": gaps, "heads": list(tree.heads), "classes": [c.name for c in chosen if tree in c]}
                for gaps, tree in trees.items()
            ]
            write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
            return
        rows = [
            [str(gaps), " ".join(map(str, tree.heads)), *("yes" if tree in cls else "no" for cls in chosen)]
            for gaps, tree in trees.items()
        ]
        columns = [Column("gaps"), Column("heads", align_left=True), *(Column(cls.name) for cls in chosen)]
        write(options.laid_out(Table(columns, rows), form, output is None))
