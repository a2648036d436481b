"""The verb ``parse``."""

from __future__ import annotations

from typing import Literal

import click

from nonproj.cli import options


@click.command()
@click.argument("model", metavar="MODEL")
@options.files
@click.option(
    "--input",
    "kind",
    type=click.Choice(["auto", "conll", "text", "words"]),
    default="auto",
    show_default=True,
    help="text: raw; words: one sentence a line, words with spaces between them; auto: as the beginning looks.",
)
@click.option("--retag", is_flag=True, help="Predict also the columns that the input has.")
@click.option(
    "--longest", type=click.IntRange(1), default=1000, show_default=True, help="Cut longer sentences of raw text."
)
@click.option(
    "-w", "--within", metavar="CLASS", help="Hold the trees of a graph-based parser to this class.  [default: its own]"
)
@click.option(
    "--search",
    type=click.Choice(["exact", "climb"]),
    help="How a graph-based parser finds its trees: proven best, or faster.  [default: its own]",
)
@click.option("--report", is_flag=True, help="Say how many trees were proven best, and missed by climbing.")
@options.both(options.threads, options.on_error, options.strict, options.treebank_output)
def parse(
    model: str,
    files: tuple[str, ...],
    kind: Literal["auto", "conll", "text", "words"],
    retag: bool,
    longest: int,
    within: str | None,
    search: str | None,
    report: bool,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Analyse raw text, words or treebanks with a trained MODEL.

    FILES are raw text, CoNLL-U or CoNLL-X; without them standard input is read. What they lack is predicted, as far as
    MODEL has learnt it, and stderr says what: sentences and words, tags and lemmas. Heads and relations are always
    replaced; other columns stay, unless --retag. The output begins before the input ends. Raw text can be had again
    from the output byte for byte. When the input has tags that the model never saw, stderr says so. Ctrl-C keeps what
    was written as FILE.part.

    \b
    echo 'Dogs bark.' | nonproj parse my.model
    nonproj parse my.model book.txt -o book.conllu
    nonproj parse my.model test.conllu --within 1EC --report
    """
    from nonproj.parser import SearchReport
    from nonproj.text import Pipeline
    from nonproj.treebank import Skipped
    from nonproj.treebank.writing import opened

    pipeline = Pipeline.load(model)
    if within is not None or search is not None:
        if pipeline.parser is None:
            raise click.UsageError("the model has no parser: --within and --search have no meaning")
        pipeline.parser = pipeline.parser.restricted(within, search=search)
    searches = SearchReport() if report else None
    skips = options.Skips(strict)
    found = options.inputs(files, False)
    skipped: list[Skipped] = []
    has_room = options.has_room_for_progress(output)
    with (
        opened(output or "-", keep_when_stopped=True) as file,
        options.progress_bar("parsing", "sentences", has_room) as progress,
    ):
        parts = pipeline.parse_stream(
            found,
            kind=kind,
            retag=retag,
            longest=longest,
            tell=lambda message: click.echo(message, err=True),
            threads=threads,
            on_error=on_error,
            skipped=skipped,
            notice=options.warn,
            progress=lambda done: progress(done, None),
            searches=searches,
        )
        for part in parts:
            file.write(part)
            file.flush()
    if searches is not None:
        click.echo(str(searches), err=True)
    skips.add(skipped)
    skips.report()
