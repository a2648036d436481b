"""The verb ``lower``."""

from __future__ import annotations

from typing import Any, Literal

import click

from nonproj.cli import options
from nonproj.cli.lift import encoding, rewrite


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

    skips = options.Skips(strict)
    found = options.inputs(files, False)
    rewrite(found, lambda treebank: lower_trees(treebank, encoding), "lowering", on_error, skips, output)
    skips.report()
