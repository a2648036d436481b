"""The verb ``census``."""

from __future__ import annotations

import json

import click

from nonproj.cli import options


@click.command()
@click.argument("n", type=int)
@click.option("-c", "--classes", "classes", metavar="NAMES", help="Classes to count; the known ones by default.")
@click.option("--single-root", is_flag=True, help="Look only at trees with one root: faster.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json", "markdown", "latex"]), default="table")
@options.both(options.threads, options.output)
def census(n: int, classes: str | None, single_root: bool, form: str, threads: int, output: str | None) -> None:
    """Count, class by class, the trees of N words, by looking at every one of them.

    There are (N+1)^(N-1) trees: 7 words take a second, 8 some ten seconds, 9 minutes, 10 most of an hour, or
    some ten minutes with --single-root and a single class.

    \b
    nonproj census 6
    nonproj census 10 --single-root -c MG1    # 3520 fewer than the trees of gap degree 1
    """
    from nonproj.report.table import Column, Table
    from nonproj.trees import census as count
    from nonproj.trees.census import CENSUS_CLASSES

    with options.progress_bar(f"trees of {n} words", "") as progress:
        counted = count(n, classes or CENSUS_CLASSES, threads=threads, only_single_root=single_root, progress=progress)
    with options.written(output) as write:
        if form == "json":
            write(json.dumps(counted.to_dict(), ensure_ascii=False, indent=2) + "\n")
            return
        columns = [Column("class", align_left=True)]
        columns += [] if single_root else [Column("all trees")]
        rows = []
        for name, single in counted.single_root.items():
            rows.append([name, *([] if single_root else [str(counted.all[name])]), str(single)])
        table = Table([*columns, Column("single root")], rows)
        write(table.to_text(color=options.wants_color()) if form == "table" else getattr(table, f"to_{form}")())
