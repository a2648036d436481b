"""The verb ``census``."""

from __future__ import annotations

import json

import click

from nonproj.cli import options


@click.command()
@click.argument("n", type=int)
@click.option("-c", "--classes", "classes", metavar="NAMES", help="Classes to count; the known ones by default.")
@click.option("--single-root", is_flag=True, help="Look only at trees with one root: faster.")
@click.option("--nesting", is_flag=True, help="Also count well-nested, mildly and strongly ill-nested trees.")
@options.both(options.threads, options.format_and_output("table", "csv", "json", "markdown", "latex"))
def census(
    n: int, classes: str | None, single_root: bool, nesting: bool, form: str, threads: int, output: str | None
) -> None:
    """Count, class by class, the trees of N words, by looking at every one of them.

    There are (N+1)^(N-1) trees: 7 words take a second, 8 some ten seconds, 9 a few minutes; 10 take minutes for
    one class with --single-root, and a good part of an hour for all of them.

    \b
    nonproj census 6
    nonproj census 10 --single-root --nesting -c spanning    # 3520 are strongly ill-nested
    """
    from nonproj.report.table import Column, Table
    from nonproj.trees import census as count
    from nonproj.trees.census import CENSUS_CLASSES

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
        write(
            table.to_text(options.terminal_width(), color=options.wants_color())
            if form == "table"
            else getattr(table, f"to_{form}")()
        )
