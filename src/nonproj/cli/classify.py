"""The verb ``classify``."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options
from nonproj.cli.engine import Engine, engine_options, packed, task_bar

if TYPE_CHECKING:
    from nonproj.treebank import Filter, Sentence
    from nonproj.trees import TreeClass


@click.command()
@options.both(options.files, options.sample, options.class_names, options.sentence_ids)
@click.option("--non-projective", is_flag=True, help="Only sentences with crossing arcs.")
@options.dummy
@packed
@options.both(
    options.filters,
    options.threads,
    engine_options,
    options.on_error,
    options.strict,
    options.format_and_output(
        "text",
        "json",
        "conllu",
        "parquet",
        help="A line or a JSON object a sentence, the treebank with '# nonproj' comments added, or a table of "
        "sentences for DuckDB, Polars and Spark.",
    ),
)
def classify(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    sentences: tuple[str, ...],
    form: str,
    non_projective: bool,
    dummy: Literal["left", "right", "none"],
    pack: str | None,
    threads: int,
    engine: Engine | None,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Measure every tree: its properties, and the classes it is outside of.

    Works as a stream, so it can stand in a pipe.

    \b
    nonproj classify corpus.conllu --non-projective
    nonproj classify corpus.conllu --format json | jq .gap_degree
    """
    from nonproj.report.classified import FORMATS, measured
    from nonproj.trees import tree_classes

    chosen = tree_classes(classes, dummy=dummy)
    skips = options.Skips(strict)
    if engine is not None:
        engine.refuse(sample=sample, sentence=sentences)
        if form == "parquet" and (engine.parts is None or output is not None):
            raise click.UsageError("Parquet from an engine is a folder: name it with --parts, without -o")
        _on_engine(engine, files, classes, form, non_projective, dummy, pack, threads, only, on_error, output, skips)
        return
    if pack is not None:
        raise click.UsageError("--pack goes with --engine: else the ending of -o packs, such as .gz")
    stream = options.chosen_sentences(files, sample, sentences, on_error, skips, only)
    has_room = options.has_room_for_progress(output)
    done = 0
    if form == "parquet":
        _write_parquet(stream, chosen, non_projective, dummy, output)
        skips.report()
        return
    with options.written(output, form) as write, options.progress_bar("measuring", "trees", has_room) as progress:
        for portion in _portions(stream):
            for sentence, values, outside in measured(portion, chosen, threads, dummy):
                if not non_projective or values["core"] > 0:
                    write(FORMATS[form](sentence, values, outside))
            done += len(portion)
            progress(done, None)
    skips.report()


def _portions(sentences: Iterator[Sentence]) -> Iterator[list[Sentence]]:
    from nonproj.report.classified import PORTION

    while portion := list(itertools.islice(sentences, PORTION)):
        yield portion


def _write_parquet(
    sentences: Iterator[Sentence], classes: list[TreeClass], non_projective: bool, dummy: str, output: str | None
) -> None:
    """Rows of sentences to a file; a terminal has no use for them."""
    from nonproj.distributed.arrow import parquet_writer, sentence_table
    from nonproj.distributed.places import Hashed
    from nonproj.treebank import Treebank
    from nonproj.treebank.writing import opened

    if output is None and sys.stdout.isatty():
        raise click.UsageError("Parquet is no text: write it to a file with -o")
    with opened(output or "-") as file, parquet_writer(Hashed(file), classes) as writer:
        for portion in _portions(sentences):
            if non_projective:
                portion = [sentence for sentence in portion if not sentence.tree.is_projective]
            for source, group in itertools.groupby(portion, lambda sentence: sentence.document.file):
                writer.write_table(sentence_table(Treebank(group), source, classes, dummy))


def _on_engine(
    engine: Engine,
    files: tuple[str, ...],
    classes: str,
    form: Any,
    non_projective: bool,
    dummy: Literal["left", "right", "none"],
    pack: str | None,
    threads: int,
    only: Filter,
    on_error: Literal["stop", "skip"],
    output: str | None,
    skips: options.Skips,
) -> None:
    from nonproj import distributed

    with engine.folder() as folder, engine.executor(threads) as executor:
        with task_bar("measuring") as bar:
            written = distributed.classify(
                options.inputs(files, False),
                folder,
                classes,
                executor=executor,
                form=form,
                non_projective=non_projective,
                packed=f".{pack}" if pack else "",  # type: ignore[arg-type]
                on_error=on_error,
                dummy=dummy,
                only=only,
                megabytes=engine.megabytes,
                left_out=engine.left_out,
                progress=bar,
                notice=options.warn,
            )
        engine.write(written, output)
    skips.add(written.skipped, written.empty)
    engine.report(skips)
