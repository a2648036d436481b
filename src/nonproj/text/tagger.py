"""Tags and lemmas: learnt from the columns of a treebank, and filled in where another lacks them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.learner import Arrays, Order, Progress, portions, resume_tables, state_of_tables
from nonproj.processors import processors
from nonproj.treebank import Treebank
from nonproj.treebank.document import Document, ReadOptions

TAGS = ("upos", "xpos", "feats")
COLUMNS = ("lemma", *TAGS)
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
        lemma, upos, xpos, feats = (name in columns and name in self.columns for name in COLUMNS)
        return b"".join(self._model.fill_in(treebank.runs, lemma, upos, xpos, feats, threads or processors()))

    def content(self) -> tuple[dict[str, Any], Arrays]:
        """What a model file keeps: a header and arrays."""
        arrays: Arrays = {}
        for name in TABLES:
            arrays[f"{name}.marks"], arrays[f"{name}.values"] = self._model.pack(name)
        for name in LEXICONS:
            for part, array in zip(("keys", "ends", "entries"), self._model.lexicon(name), strict=True):
                arrays[f"{name}.{part}"] = array
        header = {"columns": self.columns, "bits": self._bits, "tags": self._model.tags, "rules": self._model.rules}
        return header, arrays

    @classmethod
    def from_content(cls, header: dict[str, Any], arrays: Arrays) -> Tagger:
        """A tagger as `content` gave it; whatever is wrong with it is an error."""
        columns, bits, tags, rules = (header[name] for name in ("columns", "bits", "tags", "rules"))
        if not set(columns) <= set(COLUMNS) or not isinstance(bits, int) or not _BITS[0] <= bits <= _BITS[1]:
            raise NonprojError("its tagger is damaged")
        model = _core.TagModel(tags, rules, bits, "lemma" in columns)
        for name in TABLES:
            model.fill(name, checked(arrays, f"{name}.marks"), arrays[f"{name}.values"])
        for name in LEXICONS:
            model.set_lexicon(name, *(checked(arrays, f"{name}.{part}") for part in ("keys", "ends", "entries")))
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
        self.bits = int(np.clip(max(len(treebank.heads), 1).bit_length() + 6, *_BITS))
        self._trainer = _core.TagTrainer(treebank.runs, self.bits, "lemma" in columns)

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

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        return {**state_of_tables(self._trainer, TABLES), "epoch": np.array([self._epoch], np.uint64)}

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        resume_tables(self._trainer, TABLES, state)
        self._epoch = int(state["epoch"][0])


def columns_in(treebank: Treebank) -> list[str]:
    """The columns of tags and lemmas that have anything in them."""
    return [name for name in COLUMNS if any(cell != "_" for cell in treebank.column(name))]


def checked(arrays: Arrays, name: str) -> npt.NDArray[np.uint64]:
    """An array of whole numbers of a model."""
    array = arrays[name]
    if array.dtype != np.uint64:
        raise NonprojError(f"{name} is of another type")
    return array
