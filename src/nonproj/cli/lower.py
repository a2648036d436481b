"""The verb ``lower``."""

from __future__ import annotations

from typing import Any, Literal

import click

from nonproj.cli import options
from nonproj.cli.lift import encoding


@click.command()
@options.both(options.files, encoding, options.on_error, options.strict, options.treebank_output)
def lower(
    files: tuple[str, ...],
    encoding: Any,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Undo 'nonproj lift', for a treebank or for what a parser trained on a lifted one gives.

    The labels of the result are always plain, whatever the parser made of them.

    \b
    nonproj lower parsed.conllu -o trees.conllu
    nonproj lift --sample | nonproj lower
    """
    from nonproj.lifting import lower as lower_trees
    from nonproj.treebank import read

    skips = options.Skips(strict)
    treebank = read(options.inputs(files, False), on_error=on_error)
    skips.add_from(treebank)
    with options.progress_bar("lowering", "trees") as report:
        lowered = lower_trees(treebank, encoding, progress=report)
    lowered.write(output or "-")
    skips.report()
