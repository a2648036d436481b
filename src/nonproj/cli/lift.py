"""The verb ``lift``."""

from __future__ import annotations

import sys
from typing import Any, Literal

import click

from nonproj.cli import options

encoding = click.option(
    "-e",
    "--encoding",
    type=click.Choice(["head", "path", "head+path"]),
    default="head+path",
    show_default=True,
    help="What the labels tell of a lifted word: the relation of its head, the path to it, or both.",
)


@click.command()
@options.both(options.files, options.sample, encoding)
@click.option(
    "--covered-roots",
    type=click.Choice(["keep", "left", "right", "head"]),
    default="keep",
    show_default=True,
    help="First hang roots that lie under an arc from that end of the shortest one.",
)
@options.both(options.on_error, options.strict, options.treebank_output)
def lift(
    files: tuple[str, ...],
    sample: bool,
    encoding: Any,
    covered_roots: Any,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Lift a treebank to projective trees, with labels that say how to lower them again.

    A projective parser trained on the result gives trees that 'nonproj lower' makes non-projective again.

    \b
    nonproj lift train.conllu -o lifted.conllu
    nonproj lift --sample --encoding head | nonproj lower --encoding head
    """
    from nonproj.lifting import lift as lift_trees
    from nonproj.treebank import read

    skips = options.Skips(strict)
    treebank = (
        read(options.inputs(files, sample), on_error=on_error) if not sample else options.inputs(files, sample)[0]
    )
    skips.add_from(treebank)
    with options.progress_bar("lifting", "trees") as report:
        lifted = lift_trees(treebank, encoding, covered_roots=covered_roots, progress=report)
    words = int((treebank.heads != lifted.heads).sum())
    lifted.write(output or "-")
    sys.stdout.flush()
    click.echo(f"{len(treebank)} trees, {words} of {len(treebank.heads)} words lifted", err=True)
    skips.report()
