"""The verb ``unusual``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@options.both(options.files, options.sample)
@click.option(
    "-n", "--max", "limit", type=options.whole(0), default=20, show_default=True, help="At most N trees; 0 for all."
)
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.format_and_output("table", "csv", "json", "markdown", "latex", "conllu"),
)
def unusual(
    files: tuple[str, ...],
    sample: bool,
    limit: int,
    only: Filter,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    form: str,
    output: str | None,
) -> None:
    """List the trees whose crossings are the most surprising for the treebank: likely annotation errors.

    What is usual is learnt from the other sentences: how often two relations cross where both are, and how often arcs
    of a relation are non-projective. Each tree comes with its most surprising crossing, by word numbers, and with its
    file and line. FILES are taken as one treebank.

    \b
    nonproj unusual corpus.conllu -n 50
    nonproj unusual corpus.conllu -n 100 -o to-check.conllu
    """
    from nonproj.report import unusual as find

    skips = options.Skips(strict)
    treebank = only.apply(options.one_treebank(options.inputs(files, sample), on_error, threads, skips))
    options.warn_when_none(only, len(treebank) > 0)
    found = find(treebank, limit)
    with options.written(output, form) as write:
        if form == "json":
            write(found.to_json())
        elif form == "conllu":
            for each in found.found:
                comment = f"# nonproj_unusual = {each.bits:.1f} bits, {each.arcs_in_words}"
                write(str(each.sentence.with_heads(each.sentence.heads, comments_added=[comment])))
        else:
            write(options.laid_out(found.table(), form, output is None))
    skips.report()
