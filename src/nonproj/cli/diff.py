"""The verb ``diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@options.class_names
@click.option(
    "--table",
    type=click.Choice(["classes", "moves", "relations", "sentences"]),
    default="classes",
    show_default=True,
    help="classes: how trees moved between classes; moves: by arcs of which relations; relations: which relations "
    "became of which; sentences: every word with another head or relation.",
)
@click.option(
    "-n", "--max", "limit", type=options.whole(0), default=20, show_default=True, help="At most N rows; 0 for all."
)
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.format_and_output("table", "csv", "json", "markdown", "latex"),
)
def diff(
    before: str,
    after: str,
    classes: str,
    table: str,
    limit: int,
    only: Filter,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    form: str,
    output: str | None,
) -> None:
    """Compare two versions of a treebank, or two parsers: changed words, and trees that changed class by them.

    A and B are files, folders or patterns. Sentences are paired by their ids, or in order where there are none. A tree
    leaves a class by new arcs that break its rule, and enters one when such arcs are gone; their relations are counted.

    \b
    nonproj diff corpus-2.13.conllu corpus-2.14.conllu
    nonproj diff gold.conllu parsed.conllu --table relations
    nonproj diff gold.conllu parsed.conllu --table sentences -n 0 -o changed.csv
    nonproj diff gold.conllu parsed.conllu -c Pr,1EC --table moves
    """
    from nonproj.report import diff as compare

    skips = options.Skips(strict)
    one, two = (
        only.apply(options.one_treebank(options.inputs((name,), False), on_error, threads, skips))
        for name in (before, after)
    )
    options.warn_when_none(only, len(one) + len(two) > 0)
    if one.name == two.name:
        one.name, two.name = before, after
    found = compare(one, two, classes, threads=threads)
    with options.written(output, form) as write:
        write(found.to_json() if form == "json" else options.laid_out(found.table(table, limit), form, output is None))
    skips.report()
