"""Tags and lemmas: learnt from the columns of a treebank, and filled in where another lacks them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.learner import Arrays, Order, Progress, packed, portions, resume_tables, state_of_tables
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
        learner = TagLearner(treebank, columns_in(treebank), seed)
        for epoch in range(epochs):
            learner.learn(np.random.default_rng([seed, epoch]).permutation(len(treebank)), lambda *_: None)
        return cls(learner.model(), learner.columns, learner.bits)

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


class TagLearner:
    """A tagger in training, epoch by epoch."""

    kind = "tagger"
    tables = TABLES
    underivable = 0

    def __init__(self, treebank: Treebank, columns: list[str], seed: int) -> None:
        if not columns:
            raise NonprojError(f"{treebank.name}: no tags and no lemmas to learn from")
        self.columns, self._seed, self._epoch = columns, seed, 0
        self.bits = int(np.clip(max(len(treebank.heads), 1).bit_length() + 7, *_BITS))
        self._trainer = _core.TagTrainer(treebank.block(), self.bits, *(name in columns for name in COLUMNS))

    def header(self) -> dict[str, Any]:
        """What settles the training besides its data."""
        return {"columns": self.columns, "bits": self.bits}

    def prepare(self, orders: Callable[[int], Order], progress: Progress) -> None:
        """Nothing comes before the first epoch."""

    def learn(self, order: Order, progress: Progress) -> float:
        """Learn from every sentence once; the loss is the share of words that got wrong tags on the way."""
        wrong = done = 0
        for part in portions(order):
            wrong += self._trainer.learn(part, self._seed * 1000 + self._epoch)
            done += len(part)
            progress("tagging", done, len(order))
        if "lemma" in self.columns:
            self._trainer.learn_lemmas(self._seed * 1000 + self._epoch)
        self._epoch += 1
        return wrong / max(1, self._trainer.words)

    def model(self) -> Any:
        """The tagger as it is now."""
        return self._trainer.model()

    def arrays(self, model: Any) -> Arrays:
        """A tagger's weights as its file keeps them."""
        return packed(model, self.tables)

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        return {**state_of_tables(self._trainer, TABLES), "epoch": np.array([self._epoch], np.uint64)}

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        resume_tables(self._trainer, TABLES, state)
        self._epoch = int(state["epoch"][0])
