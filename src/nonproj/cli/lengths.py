"""The verb ``lengths``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@options.both(options.files, options.sample)
@click.option(
    "-c", "--classes", default="Pr 1EC WG1 MH4 MH5 2-P", show_default=True, metavar="NAMES", help="Classes of trees."
)
@click.option(
    "--times", type=options.whole(2, 10**6), default=500, show_default=True, help="Trees drawn for each length."
)
@click.option("--seed", type=options.whole(0), default=0, show_default=True, help="Where chance starts from.")
@click.option("--plot", metavar="FILE", callback=options.can_plot, help="Also draw the lines (.png, .svg, .pdf).")
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.format_and_output("table", "csv", "json", "markdown", "latex"),
)
def lengths(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    times: int,
    seed: int,
    plot: str | None,
    only: Filter,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    form: str,
    output: str | None,
) -> None:
    """Compare dependency lengths with those of random trees of each class.

    For every number of words (3 to 20, or as --min-words and --max-words say) the mean length of arcs between words:
    in the treebank, in trees drawn uniformly from each class, and in all trees. All trees have one root. Where a class
    has no sampler, trees are drawn from a wider one until enough are inside; where they are too rare there is no value.

    \b
    nonproj lengths corpus.conllu --plot lengths.svg
    nonproj lengths corpus.conllu -c Pr,WG1 --max-words 30 --no-punctuation
    """
    from nonproj.report import lengths as measure

    skips = options.Skips(strict)
    treebank = only.apply(options.one_treebank(options.inputs(files, sample), on_error, threads, skips))
    with options.progress_bar("drawing", "lengths") as progress:
        found = measure(
            treebank,
            classes,
            min_words=max(3, only.min_words),
            max_words=only.max_words or 20,
            times=times,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    with options.written(output, form) as write:
        write(found.to_json() if form == "json" else options.laid_out(found.table(), form, output is None))
    if plot:
        found.plot(plot)
    skips.report()
