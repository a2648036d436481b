"""Tags and lemmas: learnt from the columns of a treebank, and filled in where another lacks them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

import numpy as np

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.options import Schedule
from nonproj.parser.training import Arrays, Done, Run, TableStage, portions
from nonproj.parser.vocabulary import COLUMNS, columns_in
from nonproj.processors import processors
from nonproj.text.content import arrays_of, checked_bits, set_arrays
from nonproj.treebank import Treebank
from nonproj.treebank.document import Document, ReadOptions

TAGS = ("upos", "xpos", "feats")
TABLES = ("tag", "lemma")
LEXICONS = ("forms", "endings", "lemma_forms", "lemma_endings", "lemmas")
_BITS = (16, 24)


class Tagger:
    """UPOS, XPOS, FEATS and lemmas for words; ``columns`` are those that it learnt.

    >>> from nonproj.treebank import example_treebank
    >>> tagger = Tagger.train(example_treebank(), epochs=3)
    >>> tagged = tagger.fill_in(example_treebank(), ("upos",))
    >>> right = [a == b for a, b in zip(tagged.column("upos"), example_treebank().column("upos"))]
    >>> sum(right) / len(right) > 0.9
    True
    """

    def __init__(self, model: _core.TagModel, columns: list[str], bits: int) -> None:
        self._model, self.columns, self._bits = model, columns, bits
        self._tagging = _core.Tagging(model)

    @classmethod
    def train(cls, treebank: Treebank, *, epochs: int = 5, seed: int = 1) -> Tagger:
        """Train on all columns that have anything in them."""
        stage = TagStage(treebank, columns_in(treebank), Schedule(epochs, seed=seed, orders=(0, 1)))
        return cls.from_content(stage.header(), Run().learn(stage, ()).arrays)

    def fill_in(self, treebank: Treebank, columns: Collection[str] = COLUMNS, *, threads: int = 1) -> Treebank:
        """The treebank with these columns as the tagger has them; the others are kept, and tags agree with them."""
        text = self.filled_text(treebank, columns, threads)
        options = ReadOptions(unparsed=True)
        return Treebank.from_documents([Document(text, treebank.name, options)], treebank.name)

    def filled_text(self, treebank: Treebank, columns: Collection[str], threads: int) -> bytes:
        """The same as text."""
        block = treebank.block()
        self.run(block, threads, columns=columns)
        return b"".join(block.written())

    def run(self, block: _core.Block, threads: int = 0, *, columns: Collection[str] = COLUMNS) -> None:
        """Fill in these columns of a block; the others are kept, and tags agree with them."""
        lemma, upos, xpos, feats = (name in columns and name in self.columns for name in COLUMNS)
        self._tagging.run(block, lemma, upos, xpos, feats, threads or processors())

    def content(self) -> tuple[dict[str, Any], Arrays]:
        """What a model file keeps: a header and arrays."""
        header = {"columns": self.columns, "bits": self._bits, "tags": self._model.tags, "rules": self._model.rules}
        return header, arrays_of(self._model, TABLES, LEXICONS)

    @classmethod
    def from_content(cls, header: dict[str, Any], arrays: Arrays) -> Tagger:
        """A tagger as `content` gave it; whatever is wrong with it is an error."""
        columns, tags, rules = (header[name] for name in ("columns", "tags", "rules"))
        bits = checked_bits(header, _BITS)
        if not set(columns) <= set(COLUMNS):
            raise NonprojError("its tagger fills in columns that there are not")
        model = _core.TagModel(tags, rules, bits, "lemma" in columns)
        set_arrays(model, arrays, TABLES, LEXICONS)
        return cls(model, list(columns), bits)


class TagStage(TableStage):
    """Tags and lemmas."""

    place = "tagger"
    is_judged = True
    learning = TABLES

    def __init__(self, treebank: Treebank, columns: list[str], schedule: Schedule, name: str = "tags") -> None:
        if not columns:
            raise NonprojError(f"{treebank.name}: no tags and no lemmas to learn from")
        super().__init__(schedule)
        self.name, self._columns, self._sentences = name, columns, len(treebank)
        self._bits = int(np.clip(max(len(treebank.heads), 1).bit_length() + 7, *_BITS))
        self._trainer = _core.TagTrainer(treebank.block(), self._bits, *(name in columns for name in COLUMNS))
        self.trainers = [self._trainer]

    def header(self) -> dict[str, Any]:
        """What the model file says about the tagger."""
        return {"columns": self._columns, "bits": self._bits, **self._values}

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """The tags and the rules for lemmas, which the treebank has settled."""
        model = self._trainer.model()
        return {"tags": model.tags, "rules": model.rules}

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss is the share of words that got wrong tags on the way."""
        seed = self.schedule.seed * 1000 + number
        order = self.schedule.order(self._sentences, number)
        wrong = sum(self._trainer.learn(part, seed) for part in portions(order, done))
        if "lemma" in self._columns:
            self._trainer.learn_lemmas(seed)
        return wrong / max(1, self._trainer.words)

    def arrays(self) -> Arrays:
        """The averaged weights and the lexicons."""
        return arrays_of(self._trainer.model(), TABLES, LEXICONS)
