"""From raw text to trees: tokenizer, tagger and parser in one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO

from nonproj.errors import NonprojError
from nonproj.parser import Parser, SearchReport
from nonproj.parser.container import read_container, write_container
from nonproj.parser.options import GraphOptions, Options
from nonproj.parser.training import Progress, Report, Run, arrays_under, as_treebank, must_be_writable, remove, silent
from nonproj.parser.vocabulary import COLUMNS
from nonproj.text import training
from nonproj.text.sources import (
    KINDS,
    Kind,
    as_file,
    checked_text,
    empty_columns,
    looks_like_conll,
    opened,
    refuse_broken_start,
    words_as_conllu,
)
from nonproj.text.tagger import TAGS, Tagger
from nonproj.text.tokenizer import LONGEST, Tokenizer
from nonproj.treebank import Source, Treebank
from nonproj.treebank.document import Document, OnError, ReadOptions, Skipped
from nonproj.treebank.inputs import sources
from nonproj.treebank.reading import ADVICE, block_documents
from nonproj.treebank.rewriting import with_cells
from nonproj.treebank.writing import joined_blocks

WITHOUT_PARSER = "text"
_NAME = "<text>"
"""Of what a pipeline is called with, in errors."""


class Pipeline:
    """A tokenizer, a tagger and a parser, as far as they were trained; each may be ``None``.

    Call it with raw text for sentences. `parse_stream` takes files of raw text, of words, or of CoNLL with any columns
    missing, and fills in what they lack.

    >>> from nonproj.treebank import example_treebank
    >>> pipeline = Pipeline.train(example_treebank(), epochs=2, threads=1)
    >>> pipeline
    <Pipeline: tokens, tags (lemma, upos), parse>
    >>> sentence = pipeline("A hearing is scheduled on the issue today .")[0]
    >>> sentence.forms[:3], len(sentence.heads)
    (['A', 'hearing', 'is'], 9)
    """

    def __init__(self, tokenizer: Tokenizer | None, tagger: Tagger | None, parser: Parser | None) -> None:
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser

    @classmethod
    def train(
        cls,
        train: Treebank | Source,
        dev: Treebank | Source | None = None,
        *,
        steps: str | Iterable[str] = "all",
        gold_tags: bool = False,
        options: Options | None = None,
        epochs: int | None = None,
        patience: int | None = None,
        seed: int = 1,
        threads: int = 0,
        checkpoint: str | os.PathLike[str] | None = None,
        save_as: str | os.PathLike[str] | None = None,
        replace: bool = False,
        progress: Progress = silent,
        report: Report = silent,
        tell: Callable[[str], None] = silent,
    ) -> Pipeline:
        """Train all steps that a treebank supports; the same data, options and seed give the same weights.

        Parameters
        ----------
        train, dev
            As in `Parser.train`; the dev set chooses the best epoch of every step.
        steps
            ``"all"``, or some of ``"tokens"``, ``"tags"`` (with lemmas) and ``"parse"``.
        gold_tags
            Train the parser on the tags of the treebank. By default it learns from predicted ones, as it will get:
            each tenth of the training set is tagged by a tagger that was trained on the rest.
        options, epochs, patience, seed, threads
            Of the parser, as in `Parser.train`.
        checkpoint, save_as, replace
            Each step has a checkpoint whose name begins so, written at its end and before that every 20 seconds at
            most; all are removed at the end, after the model is saved. A file at ``save_as`` is an error before
            anything is learnt, unless it may be ``replace``d.
        progress, report, tell
            Called with (step, done, total), with each epoch, and with what each step did and how long it took.
        """
        must_be_writable(checkpoint, save_as, replace)
        treebank, held_out = as_treebank(train), None if dev is None else as_treebank(dev)
        if len(treebank) == 0:
            raise NonprojError(f"{treebank.name}: no sentences to learn from")
        if held_out is not None and len(held_out) == 0:
            raise NonprojError(f"{held_out.name}: no sentences to choose the best epoch by")
        kind = options or GraphOptions()
        run = Run(None if checkpoint is None else os.fspath(checkpoint), progress, report)
        job = training.Job(treebank, held_out, kind, gold_tags, epochs, patience, seed, threads, run, tell)
        pipeline = cls(*training.trained(job, training.chosen_steps(steps, treebank)))
        if save_as is not None:
            pipeline.save(save_as)
        if run.checkpoint is not None:
            remove(training.checkpoints(run.checkpoint))
        return pipeline

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all steps to one file."""
        header, arrays = ({"content": WITHOUT_PARSER}, {}) if self.parser is None else self.parser.content()
        header, arrays = dict(header), {k: v for k, v in arrays.items() if not k.startswith(("tokenizer.", "tagger."))}
        for name, step in (("tokenizer", self.tokenizer), ("tagger", self.tagger)):
            header.pop(name, None)
            if step is not None:
                header[name], own = step.content()
                arrays |= {f"{name}.{key}": array for key, array in own.items()}
        write_container(path, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Pipeline:
        """Read a model, also one that is only a parser; a file that is none, or is damaged, is an error."""
        header, arrays = read_container(path)
        own = {name: header.pop(name, None) for name in ("tokenizer", "tagger")}
        try:
            tokenizer = tagger = None
            if own["tokenizer"] is not None:
                tokenizer = Tokenizer.from_content(own["tokenizer"], arrays_under("tokenizer", arrays))
            if own["tagger"] is not None:
                tagger = Tagger.from_content(own["tagger"], arrays_under("tagger", arrays))
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise NonprojError(f"{os.fspath(path)}: cannot be used as a model: {error}") from None
        if header.get("content") == WITHOUT_PARSER and (tokenizer or tagger):
            return cls(tokenizer, tagger, None)
        rest = {name: array for name, array in arrays.items() if not name.startswith(("tokenizer.", "tagger."))}
        return cls(tokenizer, tagger, Parser.from_content(header, rest, os.fspath(path)))

    @property
    def _columns(self) -> list[str]:
        """The columns of tags and lemmas that the tagger or the parser fills in."""
        if self.tagger is not None:
            return self.tagger.columns
        return [] if self.parser is None else self.parser.predicted_columns

    def __repr__(self) -> str:
        steps = [
            *(["tokens"] if self.tokenizer else []),
            *([f"tags ({', '.join(self._columns)})"] if self._columns else []),
            *(["parse"] if self.parser else []),
        ]
        return f"<Pipeline: {', '.join(steps)}>"

    def __call__(self, text: str, *, threads: int = 0) -> Treebank:
        """Sentences of raw text, with all that the pipeline predicts."""
        if not isinstance(text, str):
            raise NonprojError(f"a pipeline takes text, not {type(text).__name__}: for files there is parse_stream")
        tokenizer = self._known_tokenizer(_NAME)
        self._must_have_tags(_NAME, [column for column in COLUMNS if column not in self._columns])
        try:
            encoded = text.encode()
        except UnicodeEncodeError as error:
            raise NonprojError(
                f"{_NAME}: character {error.start + 1} is half of a surrogate pair, which no text has: take it out, or "
                f"read the text with errors='replace'"
            ) from None
        treebank = _raw_treebank(b"".join(tokenizer.cut_stream(checked_text([encoded], _NAME))))
        if self.tagger is not None:
            treebank = _raw_treebank(self.tagger.filled_text(treebank, self._columns, threads))
        if self.parser is None:
            return treebank
        return _raw_treebank(b"".join(self.parser.parsed_texts(treebank, threads, "stop", [])))

    def parse_stream(
        self,
        source: Source | Iterable[Source],
        *,
        kind: Kind = "auto",
        retag: bool = False,
        longest: int = LONGEST,
        threads: int = 0,
        on_error: OnError = "stop",
        skipped: list[Skipped] | None = None,
        notice: Callable[[str], None] = silent,
        tell: Callable[[str], None] = silent,
        progress: Callable[[int], None] = silent,
        searches: SearchReport | None = None,
    ) -> Iterator[bytes]:
        """Analyse sources block by block, in memory that does not grow with them; gives CoNLL-U in order.

        ``kind`` is ``"text"`` (raw), ``"words"`` (one sentence a line, words apart), ``"conll"``, or ``"auto"``: what
        the beginning looks like. It is CoNLL if the first line but for comments begins with a number and a tab, or has
        8 cells of which two are ``_``, or if there is a comment such as ``# sent_id = 1``, or nothing but comments; all
        else is raw text, also with headings that begin with ``#`` or tabs. Columns that CoNLL input has in its first
        256 KiB (of a pipe: in what comes with its first sentence) are kept, unless ``retag``. Line breaks of raw text
        are as in `Tokenizer`; sentences of more than ``longest`` tokens are cut. ``tell`` hears once a source what is
        predicted besides trees; the rest is as in
        `Parser.parse_stream`.
        """
        if kind not in KINDS:
            raise NonprojError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        skips = [] if skipped is None else skipped
        prepared = (
            self._prepared(each, kind, retag, longest, threads, on_error, skips, tell, notice)
            for each in sources(source)
        )
        if self.parser is None:
            return joined_blocks(iter(partial(file.read, 1), b"") for file in prepared)
        return self.parser.parse_stream(
            list(prepared),
            threads=threads,
            on_error=on_error,
            skipped=skips,
            notice=notice,
            progress=progress,
            searches=searches,
        )

    def _prepared(
        self,
        source: Source,
        kind: Kind,
        retag: bool,
        longest: int,
        threads: int,
        on_error: OnError,
        skipped: list[Skipped],
        tell: Callable[[str], None],
        notice: Callable[[str], None],
    ) -> IO[bytes]:
        """A source as CoNLL-U with words and tags."""
        name, beginning, blocks = opened(source, kind)
        if kind == "auto":
            kind = "conll" if looks_like_conll(beginning) else "text"
            if kind == "conll" and on_error == "stop":
                refuse_broken_start(beginning, name)
        predicted = [] if self.parser is None else ["heads and relations"]
        if kind == "conll":
            missing = empty_columns(beginning, name, COLUMNS)
        else:
            missing = list(COLUMNS)
            text = checked_text(blocks, name)
            if kind == "text":
                predicted = ["sentences and words", *predicted]
                blocks = self._known_tokenizer(name).cut_stream(text, longest=longest)
            else:
                blocks = words_as_conllu(text)
        wanted = [column for column in self._columns if retag or column in missing]
        self._must_have_tags(name, [column for column in missing if column not in wanted])
        if self.parser is None and kind == "conll":
            rest = "" if wanted else ", and there is nothing else that it would predict here"
            notice(f"{name}: the model has no parser: heads and relations stay as they are{rest}")
        if wanted or kind == "text":
            tell(f"{name}: predicting {', '.join([*predicted[:-1], *wanted, *predicted[-1:]])}")
        if wanted and (self.tagger is not None or any(column not in missing for column in wanted)):
            blocks = self._tagged(blocks, name, wanted, threads, on_error, skipped)
        return as_file(name, blocks)

    def _tagged(
        self,
        blocks: Iterable[bytes],
        name: str,
        columns: list[str],
        threads: int,
        on_error: OnError,
        skipped: list[Skipped],
    ) -> Iterator[bytes]:
        sessions = None if self.tagger is None else self.tagger.sessions()
        for document in block_documents(blocks, name, ReadOptions(on_error, ignores_heads=True)):
            treebank = Treebank.from_documents([document], name)
            if self.tagger is not None:
                yield self.tagger.filled_text(treebank, columns, threads, sessions)
            else:  # what is empty, the parser fills in
                empty = ["_"] * len(treebank.heads)
                yield b"".join(with_cells(treebank.runs, dict.fromkeys(columns, empty)))
            document.raise_first_fault(ADVICE)
            skipped += document.skipped
            yield document.rest

    def _known_tokenizer(self, name: str) -> Tokenizer:
        if self.tokenizer is None:
            raise NonprojError(
                f"{name} is raw text, and the model has no tokenizer: train it with the step tokens, or give one "
                f"sentence a line, words apart, with --input words"
            )
        return self.tokenizer

    def _must_have_tags(self, name: str, missing: list[str]) -> None:
        if self.parser is None:
            return
        trained = [column for column in self.parser.vocabulary.get("columns", []) if column in TAGS]
        if trained and all(column in missing for column in trained):
            raise NonprojError(
                f"{name} has no tags, the parser was trained with them ({', '.join(trained)}), and the model has no "
                f"tagger: train it with the step tags (nonproj train ... --steps all), or tag the input first"
            )


def _raw_treebank(text: bytes) -> Treebank:
    """CoNLL-U, maybe without trees, that was made of raw text."""
    document = Document(text, _NAME, ReadOptions(unparsed=True), format="conllu", start=0)
    document.raise_first_fault()
    return Treebank.from_documents([document], "text")
