"""How a parser is trained, of whatever kind: stage after stage, and then what is settled on sentences new to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, cast

import numpy as np

from nonproj import _core
from nonproj.lifting import Encoding, lift
from nonproj.lifting.encoding import Scheme
from nonproj.parser.counts import percent
from nonproj.parser.learner import Model
from nonproj.parser.options import Schedule, as_header
from nonproj.parser.prices import CHAIN, Answers, best_trees, graded
from nonproj.parser.training import Arrays, Epoch, Run, Score, Stage, relations_of
from nonproj.parser.vocabulary import Vocabulary, vocabulary_of
from nonproj.processors import processors
from nonproj.treebank import Treebank

Header = dict[str, Any]


class Recipe(ABC):
    """How a parser of a kind is trained, and read from what its file keeps."""

    kind: ClassVar[str]

    def __init__(
        self, train: Treebank, dev: Treebank | None, options: Any, schedule: Schedule, predicted: Treebank | None = None
    ) -> None:
        """Begin a training; ``predicted`` is the training set with predicted tags, where it has gold ones."""
        self.train, self.dev, self.options = train, dev, options
        self.schedule, self.predicted = schedule, predicted
        self.lessons = train if options.lifting is None else lift(train, cast(Scheme, options.lifting))
        self.relations = relations_of(self.lessons)
        self.left_out = 0

    @staticmethod
    @abstractmethod
    def model(header: Header, relations: list[str], arrays: Any, like: Any = None) -> Model:
        """A parser as its file keeps it; one that has the same weights may lend its network, which may be large."""

    @abstractmethod
    def stages(self) -> Iterator[Stage]:
        """Give each stage when those before it are trained."""

    def settled(self, header: Header, arrays: Arrays, run: Run) -> Header:
        """The header with what is left to settle on sentences that were not learnt from."""
        return header

    @property
    def vocabulary(self) -> Vocabulary:
        """What the parser will have seen."""
        return vocabulary_of(self.train)

    def trained(self, run: Run) -> tuple[Header, Arrays, list[Epoch]]:
        """What the file of the parser keeps, and the epochs that its trees took."""
        texts = (b"" if each is None else bytes(each) for each in (self.train, self.dev, self.predicted))
        data = self.relations, *texts
        header: Header = {"vocabulary": self.vocabulary}
        arrays: Arrays = {}
        epochs: list[Epoch] = []

        def judge(stage: Stage, found: Arrays) -> list[Score]:
            own, weights = stage.placed(found)
            heads, arcs = self.right(header | own, arrays | weights)
            words = 0 if self.dev is None else len(self.dev.heads)
            return [Score("UAS", percent(heads, words)), Score("LAS", percent(arcs, words))]

        for stage in self.stages():
            trained = run.learn(stage, data, None if self.dev is None else judge)
            own, weights = stage.placed(trained.arrays)
            header, arrays = header | own, arrays | weights
            epochs += trained.epochs if stage.is_judged else []
        return self.settled(header, arrays, run), arrays, epochs

    def right(self, header: Header, arrays: Arrays) -> tuple[int, int]:
        """How many heads of the dev set the parser gets right, and how many with their relations."""
        assert self.dev is not None
        block = self.dev.block()
        self.model(header, self.relations, arrays).run(block, self.schedule.threads or processors())
        lower(block, self.options.lifting)
        is_right = block.heads == self.dev.heads
        is_same = np.array(block.column("deprel"), object) == np.array(self.dev.column("deprel"), object)
        return int(is_right.sum()), int((is_right & is_same).sum())

    def answers(self, header: Header, arrays: Arrays, treebank: Treebank, run: Run) -> Answers:
        """The best trees of a treebank within each class of the chain whose prices are learnt."""
        like, models = None, []
        for name in CHAIN:
            like = self.model(self.within(header, name), self.relations, arrays, like)
            models.append(like)
        return best_trees(models, treebank, self.schedule.threads, run.progress)

    def priced(self, header: Header, answers: Answers) -> Header:
        """The header of the parser in the graded class whose prices these answers settle."""
        return self.within(header, graded(CHAIN, answers))

    def within(self, header: Header, name: str) -> Header:
        """The header of the parser held to another class."""
        return header | {"options": as_header(type(self.options)(**{**header["options"], "within": name}))}


def lower(block: _core.Block, lifting: str | None) -> None:
    """Make the trees that a parser of lifted trees found such as those of the treebank."""
    if lifting is not None:
        heads, deprels = Encoding(cast(Scheme, lifting)).decode_many(block.heads, block.offsets, block.column("deprel"))
        block.fill("deprel", deprels)
        block.fill_heads(heads)
