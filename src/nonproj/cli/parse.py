"""The verb ``parse``."""

from __future__ import annotations

from typing import Literal

import click

from nonproj.cli import options
from nonproj.cli.engine import Engine, engine_options, packed, task_bar


@click.command()
@click.argument("model", metavar="MODEL")
@options.files
@click.option(
    "--input",
    "kind",
    type=click.Choice(["auto", "conll", "text", "words"]),
    default="auto",
    show_default=True,
    help="text: raw; words: one sentence a line, words with spaces between them; auto: conll if the first line but for "
    "comments begins with a number and a tab, or looks like a broken row of a treebank, else text.",
)
@click.option("--retag", is_flag=True, help="Predict also the columns that the input has.")
@click.option(
    "--longest", type=options.whole(1), default=1000, show_default=True, help="Cut longer sentences of raw text."
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
@packed
@options.both(options.threads, engine_options, options.on_error, options.strict, options.treebank_output)
def parse(
    model: str,
    files: tuple[str, ...],
    kind: Literal["auto", "conll", "text", "words"],
    retag: bool,
    longest: int,
    within: str | None,
    search: str | None,
    report: bool,
    pack: str | None,
    threads: int,
    engine: Engine | None,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Analyse raw text, words or treebanks with a trained MODEL.

    FILES are raw text, CoNLL-U or CoNLL-X; without them standard input is read. What they lack is predicted, as far as
    MODEL has learnt it, and stderr says what: sentences and words, tags and lemmas. Where MODEL has a parser, heads and
    relations are always replaced; other columns stay, unless --retag. The output begins before the input ends. In raw
    text an empty line ends a sentence, and a single line break does where lines are whole sentences or paragraphs; in
    wrapped text it is a space. Raw text can be had again from the output byte for byte. When the input has tags that
    the model never saw, stderr says so. Ctrl-C keeps what was written as FILE.part.

    \b
    echo 'Dogs bark.' | nonproj parse my.model
    nonproj parse my.model book.txt -o book.conllu
    nonproj parse my.model test.conllu --within 1EC --report
    """
    from nonproj.parser import SearchReport
    from nonproj.text import Pipeline
    from nonproj.treebank import Skipped
    from nonproj.treebank.writing import opened

    if engine is not None:
        engine.refuse(input=kind not in ("auto", "conll"), retag=retag)
        _on_engine(engine, model, files, within, search, report, pack, threads, on_error, output, options.Skips(strict))
        return
    if pack is not None:
        raise click.UsageError("--pack goes with --engine: else the ending of -o packs, such as .gz")
    pipeline = Pipeline.load(model)
    if pipeline.parser is None and (within is not None or search is not None or report):
        raise click.UsageError("the model has no parser: --within, --search and --report have no meaning")
    if pipeline.parser is not None and (within is not None or search is not None):
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
        if pipeline.parser is not None and pipeline.parser.training_searches is not None:
            click.echo(f"found in training: {pipeline.parser.training_searches}", err=True)
    skips.add(skipped)
    skips.report()


def _on_engine(
    engine: Engine,
    path: str,
    files: tuple[str, ...],
    within: str | None,
    search: str | None,
    report: bool,
    pack: str | None,
    threads: int,
    on_error: Literal["stop", "skip"],
    output: str | None,
    skips: options.Skips,
) -> None:
    from nonproj import distributed
    from nonproj.distributed.dask import send_model

    model = distributed.Model.of(path, within, search)
    with engine.folder() as folder, engine.executor(threads) as executor:
        send_model(executor, model)
        with task_bar("parsing") as bar:
            written = distributed.parse(
                options.inputs(files, False),
                folder,
                model,
                executor=executor,
                report=report,
                packed=f".{pack}" if pack else "",  # type: ignore[arg-type]
                on_error=on_error,
                megabytes=engine.megabytes,
                left_out=engine.left_out,
                progress=bar,
                notice=options.warn,
            )
        engine.write(written, output)
    for misfit in written.misfits:
        options.warn(misfit)
    if written.searches is not None:
        click.echo(str(written.searches), err=True)
    skips.add(written.skipped, written.empty)
    engine.report(skips)
