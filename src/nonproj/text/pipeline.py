"""From raw text to trees: tokenizer, tagger and parser in one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser import Parser, SearchReport
from nonproj.parser.container import read_container, write_container
from nonproj.parser.options import GraphOptions, Options
from nonproj.parser.steps import Given, Looking, Step, conll_blocks, run_steps, text_blocks
from nonproj.parser.training import Progress, Report, Run, arrays_under, as_treebank, must_be_writable, remove, silent
from nonproj.parser.vocabulary import COLUMNS
from nonproj.text import training
from nonproj.text.sources import KINDS, Beginning, Kind, blocks_of_words, checked_text, parts_by_empty_columns
from nonproj.text.tagger import TAGS, Tagger
from nonproj.text.tokenizer import LONGEST, Tokenizer
from nonproj.treebank import Source, Treebank
from nonproj.treebank.document import Document, OnError, ReadOptions, Skipped
from nonproj.treebank.inputs import sources

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
        try:
            encoded = text.encode()
        except UnicodeEncodeError as error:
            raise NonprojError(
                f"{_NAME}: character {error.start + 1} is half of a surrogate pair, which no text has: take it out, or "
                f"read the text with errors='replace'"
            ) from None
        blocks = self._known_tokenizer(_NAME).blocks(checked_text([encoded], _NAME))
        given = text_blocks(blocks, _NAME, [])
        steps = self._steps(self._wanted(_NAME, COLUMNS), None)
        written = b"".join(run_steps([(given, steps)], threads, "stop", []))
        document = Document(written, _NAME, ReadOptions(unparsed=True), format="conllu", start=0)
        document.raise_first_fault()
        return Treebank.from_documents([document], "text")

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
        256 KiB (of a pipe: in what comes with its first sentence) are kept, and where a column comes later so are the
        sentences that have something in it, unless ``retag``. Line breaks of raw text are as in `Tokenizer`; sentences
        of more than ``longest`` tokens are cut. ``tell`` hears once a source what is predicted besides trees; the rest
        is as in `Parser.parse_stream`. Sentences come as soon as they are known: of a pipe, not only when it ends.
        """
        if kind not in KINDS:
            raise NonprojError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        looking = None if self.parser is None else Looking(self.parser.vocabulary, notice)

        def prepared(each: Source) -> tuple[Iterable[Given | bytes], Sequence[Step]]:
            beginning = Beginning(each)
            name = beginning.name
            own = kind if kind != "auto" else "conll" if beginning.is_conll() else "text"
            missing: Sequence[str] = COLUMNS
            if own == "conll":
                refuses_broken = kind == "auto" and on_error == "stop"
                filled = [] if retag else self._columns
                one_of = [] if set(self._trained_tags) & set(self._columns) else self._trained_tags
                missing = beginning.empty_columns(filled, one_of, refuses_broken=refuses_broken)
            blocks = beginning.blocks()
            if own == "text":
                self._known_tokenizer(name)
            wanted = self._wanted(name, missing, retag)
            self._tell(name, own, wanted, notice, tell)
            steps = self._steps(wanted, looking, searches, retag, keeps=own == "conll" and not retag)
            empty = [] if looking is None else looking.empty
            if own == "conll":
                return conll_blocks(blocks, name, on_error, empty) if steps else blocks, steps
            pieces = checked_text(blocks, name)
            if own == "words":
                return text_blocks(blocks_of_words(pieces), name, empty), steps
            found = self._known_tokenizer(name).blocks(pieces, longest=longest, may_wait=beginning.may_wait)
            return text_blocks(found, name, empty), steps

        skips = [] if skipped is None else skipped
        texts = run_steps(map(prepared, sources(source)), threads, on_error, skips, progress)
        return texts if looking is None else looking.to_the_end(texts)

    @property
    def _trained_tags(self) -> list[str]:
        """The tags that the parser was trained with."""
        trained = [] if self.parser is None else self.parser.vocabulary.get("columns", [])
        return [column for column in trained if column in TAGS]

    def _wanted(self, name: str, missing: Sequence[str], retag: bool = False) -> list[str]:
        """The columns to fill in."""
        wanted = [column for column in self._columns if retag or column in missing]
        trained = self._trained_tags
        if trained and all(column in missing and column not in wanted for column in trained):
            raise NonprojError(
                f"{name} has no tags, the parser was trained with them ({', '.join(trained)}), and the model has no "
                f"tagger: train it with the step tags (nonproj train ... --steps all), or tag the input first"
            )
        return wanted

    def _tell(
        self, name: str, kind: Kind, wanted: list[str], notice: Callable[[str], None], tell: Callable[[str], None]
    ) -> None:
        """Say what is predicted."""
        if self.parser is None and kind == "conll":
            rest = "" if wanted else ", and there is nothing else that it would predict here"
            notice(f"{name}: the model has no parser: heads and relations stay as they are{rest}")
        predicted = ["sentences and words"] if kind == "text" else []
        predicted += [] if self.parser is None else ["heads and relations"]
        if wanted or kind == "text":
            tell(f"{name}: predicting {', '.join([*predicted[:-1], *wanted, *predicted[-1:]])}")

    def _steps(
        self,
        wanted: list[str],
        looking: Looking | None,
        searches: SearchReport | None = None,
        retag: bool = False,
        keeps: bool = False,
    ) -> list[Step]:
        """What is to be run over blocks, in order."""
        steps: list[Step] = []
        if wanted and self.tagger is not None:
            steps.append(partial(self._tag_where_empty if keeps else self.tagger.run, columns=wanted))
        elif wanted and retag:  # what is empty, the parser fills in
            steps.append(partial(_emptied, columns=wanted))
        if looking is not None:
            steps.append(looking)
        if self.parser is not None:
            steps.append(partial(self.parser.run, searches=searches))
        return steps

    def _tag_where_empty(self, block: _core.Block, threads: int, *, columns: Sequence[str]) -> None:
        assert self.tagger is not None
        for part, empty in parts_by_empty_columns(block, columns):
            if empty:
                self.tagger.run(part, threads, columns=empty)

    def _known_tokenizer(self, name: str) -> Tokenizer:
        if self.tokenizer is None:
            raise NonprojError(
                f"{name} is raw text, and the model has no tokenizer: train it with the step tokens, or give one "
                f"sentence a line, words apart, with --input words"
            )
        return self.tokenizer


def _emptied(block: _core.Block, threads: int, *, columns: Iterable[str]) -> None:
    for column in columns:
        block.fill(column, ["_"] * block.words)
