"""The verb ``report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@options.both(options.files, options.sample, options.class_names)
@click.option("--title", default="", metavar="TEXT", help="The page's title; the name of the treebank by default.")
@click.option(
    "--by",
    type=click.Choice(["file", "treebank", "total"]),
    default="treebank",
    show_default=True,
    help="One row a file, a treebank (its train, dev and test together), or one in all.",
)
@click.option(
    "--unusual", type=options.whole(0), default=20, show_default=True, metavar="N", help="Unusual trees to draw."
)
@click.option("--seed", type=options.whole(0), default=0, show_default=True, help="Where chance starts from.")
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.output_as("html", help="The page to write, such as report.html; standard output by default."),
)
def report(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    title: str,
    by: str,
    unusual: int,
    seed: int,
    only: Filter,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Write one page on treebanks to share: tables, plots, causes, chance, and the most unusual trees, drawn.

    The page is one HTML file with everything in it. It opens in any browser without a network; its tables are sorted by
    a click, and what they name is linked to where it is drawn or explained.

    \b
    nonproj report corpus.conllu -o report.html
    nonproj report treebanks/ --title 'Our treebanks' --no-punctuation -o report.html
    """
    from nonproj.sharing import report_page
    from nonproj.treebank import Treebank
    from nonproj.treebank.reading import read_many

    skips = options.Skips(strict)
    given = options.inputs(files, sample)
    treebanks = given if isinstance(given[0], Treebank) else read_many(*given, on_error=on_error, threads=threads)
    for treebank in treebanks:
        skips.add_from(treebank)
    with options.progress_bar("reporting", "steps") as progress:
        page = report_page(
            treebanks,
            classes,
            title=title,
            by=by,
            count=unusual,
            only=only,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    with options.written(output, "html") as write:
        write(page)
    skips.report()
