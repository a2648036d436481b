"""The verb ``causes``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.report import Causes
    from nonproj.treebank import Filter


@click.command()
@options.both(options.files, options.sample, options.class_names)
@click.option(
    "--table",
    type=click.Choice(["relations", "tags", "directions", "lengths", "reasons", "patterns"]),
    default="relations",
    show_default=True,
    help="What to count in the violations; patterns have an example each.",
)
@click.option(
    "-n",
    "--max",
    "limit",
    type=options.whole(0),
    default=20,
    show_default=True,
    help="At most N rows (of patterns: a class); 0 for all.",
)
@click.option("--plot", metavar="FILE", callback=options.can_plot, help="Also draw the table (.png, .svg, .pdf).")
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.format_and_output(
        *("table", "csv", "json", "markdown", "latex", "state"),
        help="state: all the counts, exactly, to be added up by nonproj merge with those of other files.",
    ),
)
def causes(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    table: str,
    limit: int,
    plot: str | None,
    only: Filter,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    form: str,
    output: str | None,
) -> None:
    """Show which constructions make trees fall outside classes.

    For every tree outside a class a smallest set of arcs is found that breaks the class's rule, as 'explain' tells
    it, and their relations, tags, directions, lengths and patterns are counted. Non-projectivity by punctuation is
    told apart, as the validator of Universal Dependencies defines it. JSON has everything, with examples by id, file
    and line.

    \b
    nonproj causes corpus.conllu
    nonproj causes corpus.conllu -c Pr --table patterns -n 10
    nonproj causes treebanks/ --table tags --plot tags.svg
    """
    from nonproj.report import causes as find

    skips = options.Skips(strict)
    found = find(options.inputs(files, sample), classes, only=only, on_error=on_error, threads=threads)
    skips.add(found.skipped, found.empty)
    options.warn_when_none(only, found.trees > 0)
    with options.written(output, form) as write:
        write(shown(found, form, table, limit, output is None))
    if plot:
        found.plot(plot, table if table != "patterns" else "relations")
    skips.report()


def shown(found: Causes, form: str, table: str, limit: int, on_terminal: bool) -> str:
    """Causes in one of the formats."""
    if form == "state":
        return found.to_state()
    return found.to_json() if form == "json" else options.laid_out(found.table(table, limit), form, on_terminal)
