"""The verb ``census``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.report.table import Table


@click.command()
@click.argument("n", type=int)
@click.option("-c", "--classes", "classes", metavar="NAMES", help="Classes to count; the known ones by default.")
@click.option("--single-root", is_flag=True, help="Look only at trees with one root: faster.")
@click.option(
    "--braids",
    is_flag=True,
    help="Instead, the ill-nested trees of MH4 with 1 to N gaps, and the classes that hold them.",
)
@click.option("--nesting", is_flag=True, help="Also count well-nested, mildly and strongly ill-nested trees.")
@options.both(options.threads, options.format_and_output("table", "csv", "json", "markdown", "latex"))
def census(
    n: int,
    classes: str | None,
    single_root: bool,
    braids: bool,
    nesting: bool,
    form: str,
    threads: int,
    output: str | None,
) -> None:
    """Count, class by class, the trees of N words, by looking at every one of them.

    There are (N+1)^(N-1) trees: 7 words take a second, 8 some ten seconds, 9 a few minutes; 10 take minutes for
    one class with --single-root, and a good part of an hour for all of them.

    \b
    nonproj census 6
    nonproj census 4 --braids                                # Figure 1 of Gómez-Rodríguez 2016
    nonproj census 10 --single-root --nesting -c spanning    # 3520 are strongly ill-nested
    """
    from nonproj.report.table import Column, Table
    from nonproj.trees import census as count
    from nonproj.trees.census import CENSUS_CLASSES

    if braids:
        _write_braids(n, classes, form, output)
        return
    with options.progress_bar(f"trees of {n} words", "") as progress:
        counted = count(
            n,
            classes or CENSUS_CLASSES,
            threads=threads,
            only_single_root=single_root,
            nesting=nesting,
            progress=progress,
        )
    with options.written(output, form) as write:
        if form == "json":
            write(json.dumps(counted.to_dict(), ensure_ascii=False, indent=2) + "\n")
            return
        columns = [Column("class", align_left=True)]
        columns += [] if single_root else [Column("all trees")]
        nested = counted.nesting or {"all": {}, "single_root": {}}
        every, single = counted.all | nested["all"], counted.single_root | nested["single_root"]
        rows = [[name, *([] if single_root else [str(every[name])]), str(single[name])] for name in single]
        table = Table([*columns, Column("single root")], rows)
        write(_laid_out(table, form))


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
        write(_laid_out(Table(columns, rows), form))


def _laid_out(table: Table, form: str) -> str:
    if form == "table":
        return table.to_text(options.terminal_width(), color=options.wants_color())
    text: str = getattr(table, f"to_{form}")()
    return text
