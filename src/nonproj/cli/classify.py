"""The verb ``classify``."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import click
import numpy as np

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter, Sentence
    from nonproj.trees import TreeClass

_PORTION = 2000  # sentences measured at once


@click.command()
@options.both(options.files, options.sample, options.class_names, options.sentence_ids)
@click.option("--non-projective", is_flag=True, help="Only sentences with crossing arcs.")
@options.both(
    options.filters,
    options.threads,
    options.on_error,
    options.strict,
    options.format_and_output(
        "text",
        "json",
        "conllu",
        help="A line or a JSON object a sentence, or the treebank with '# nonproj' comments added.",
    ),
)
def classify(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    sentences: tuple[str, ...],
    form: str,
    non_projective: bool,
    threads: int,
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
    from nonproj.trees import tree_classes

    chosen = tree_classes(classes)
    skips = options.Skips(strict)
    stream = options.chosen_sentences(files, sample, sentences, on_error, skips, only)
    has_room = options.has_room_for_progress(output)
    done = 0
    with options.written(output, form) as write, options.progress_bar("measuring", "trees", has_room) as progress:
        for portion in _portions(stream):
            for sentence, values, outside in _measured(portion, chosen, threads):
                if not non_projective or values["core"] > 0:
                    write(_FORMATS[form](sentence, values, outside))
            done += len(portion)
            progress(done, None)
    skips.report()


def _portions(sentences: Iterator[Sentence]) -> Iterator[list[Sentence]]:
    while portion := list(itertools.islice(sentences, _PORTION)):
        yield portion


def _measured(
    sentences: Sequence[Sentence], classes: Sequence[TreeClass], threads: int
) -> Iterator[tuple[Sentence, dict[str, int], list[str]]]:
    from nonproj.trees import profile_trees
    from nonproj.trees.profile import PROPERTIES

    heads = [np.asarray(sentence.heads, dtype=np.int32) for sentence in sentences]
    offsets = np.concatenate([[0], np.cumsum([len(tree) for tree in heads])])
    profiles = profile_trees(np.concatenate(heads), offsets, solvers=[cls.solver for cls in classes], threads=threads)
    held = [cls.holds(profiles) for cls in classes]
    for i, sentence in enumerate(sentences):
        outside = [cls.name for cls, member in zip(classes, held, strict=True) if member[i] == 0]
        yield sentence, dict(zip(PROPERTIES, profiles.table[i].tolist(), strict=True)), outside


def _text(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    facts = "projective" if values["core"] == 0 else " ".join(_facts(values))
    return f"{sentence.sent_id}\t{len(sentence)}\t{facts}\t{' '.join(outside) or '-'}\n"


def _facts(values: dict[str, int]) -> Iterator[str]:
    from nonproj._core import UNBOUNDED

    for name, value in values.items():
        if name not in ("words", "roots", "core"):
            yield f"{name}={'?' if value < 0 else '-' if value == UNBOUNDED else value}"


def _json(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    from nonproj._core import UNBOUNDED

    plain = {name: None if value in (-1, UNBOUNDED) else value for name, value in values.items()}
    return json.dumps({"sent_id": sentence.sent_id, **plain, "outside": outside}, ensure_ascii=False) + "\n"


def _conllu(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    facts = "projective" if values["core"] == 0 else " ".join(_facts(values))
    comments = [f"# nonproj = {facts}"]
    if outside:
        comments.append(f"# nonproj_outside = {' '.join(outside)}")
    return str(sentence.with_heads(sentence.heads, comments_added=comments))


_FORMATS = {"text": _text, "json": _json, "conllu": _conllu}
