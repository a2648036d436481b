"""The kinds of parsers: how each is trained, and how it is read from its file.

The neural kind is imported only when it is met.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from nonproj.errors import NonprojError
from nonproj.lifting import lift
from nonproj.lifting.encoding import Scheme
from nonproj.parser.learner import (
    GraphStage,
    Model,
    NativeModel,
    PrunerStage,
    TransitionStage,
    filled,
    filled_graph_model,
    learns_prices,
    resolved,
    transition_model,
)
from nonproj.parser.network import NetworkStage, join_network, network_schedule, settled_shares
from nonproj.parser.options import GraphOptions, NeuralOptions, Options, Schedule, TransitionOptions
from nonproj.parser.prices import LEAST_SENTENCES, priced_by_halves
from nonproj.parser.training import Run, Stage, relations_of
from nonproj.parser.vocabulary import Vocabulary, vocabulary_of
from nonproj.treebank import Treebank

if TYPE_CHECKING:
    from nonproj.parser.parser import Parser


class Recipe(ABC):
    """How a parser of a kind is trained: its stages, and what is settled after them on sentences new to it."""

    kind: ClassVar[str]

    def __init__(
        self, train: Treebank, dev: Treebank | None, options: Any, schedule: Schedule, predicted: Treebank | None
    ) -> None:
        """Begin a training; ``predicted`` is the training set with predicted tags, where it has gold ones."""
        self.train, self.dev, self.options = train, dev, options
        self.schedule, self.predicted = schedule, predicted
        self.lessons = train if options.lifting is None else lift(train, cast(Scheme, options.lifting))
        self.relations = relations_of(self.lessons)
        self.left_out = 0

    @property
    def vocabulary(self) -> Vocabulary:
        """What the parser will have seen."""
        return vocabulary_of(self.train)

    @abstractmethod
    def stages(self) -> Iterator[Stage]:
        """Give each stage when those before it are trained."""

    def settled(self, parser: Parser, run: Run) -> Parser:
        """The parser with what is left to settle on the dev set."""
        return parser


class GraphRecipe(Recipe):
    """A pruner, linear weights of trees, and a small network; then shares and prices."""

    kind = "graph"

    def stages(self) -> Iterator[Stage]:
        """Give each stage when those before it are trained."""
        options = resolved(self.options, self.lessons)
        pruner = PrunerStage(self.lessons, self.relations, options, self.schedule.seed)
        yield pruner
        yield GraphStage(pruner, self.relations, self.schedule)
        if options.network:
            schedule = network_schedule(len(self.lessons.heads), self.schedule.seed)
            yield NetworkStage(self.lessons, self.relations, options.network, schedule)

    def settled(self, parser: Parser, run: Run) -> Parser:
        """The parser with shares of its network, and with prices where no class was chosen."""
        dev = self.dev if self.dev is not None and len(self.dev) >= LEAST_SENTENCES else None
        learns = learns_prices(self.options, parser.options["within"])
        if dev is not None and "network" in parser.content()[0]:
            parser = self._with_shares(parser, dev, run)
        if learns and dev is not None:
            return parser.priced(dev, threads=self.schedule.threads, progress=run.progress)
        if learns and len(self.train) >= 2 * LEAST_SENTENCES:
            return priced_by_halves(parser, self.train, self.schedule, run)
        return parser

    def _with_shares(self, parser: Parser, dev: Treebank, run: Run) -> Parser:
        network, tried = parser.content()[0]["network"], 0

        def weighed(shares: tuple[float, ...]) -> Parser:
            return parser._with(network={**network, "shares": list(shares)})

        def right(shares: tuple[float, ...]) -> tuple[int, int]:
            nonlocal tried
            tried += 1
            run.progress("shares", tried, max(tried, 8))
            return weighed(shares)._right(dev, self.schedule.threads)

        return weighed(settled_shares(right))


class TransitionRecipe(Recipe):
    """A single stage, and nothing to settle."""

    kind = "transition"

    def stages(self) -> Iterator[Stage]:
        """Give the stage."""
        stage = TransitionStage(self.lessons, self.relations, self.options, self.schedule)
        yield stage
        self.left_out = stage.underivable


def recipe_of(options: Options) -> Callable[..., Recipe]:
    """How a parser with these options is trained."""
    return _RECIPES[type(options)]()


def _neural() -> Any:
    import nonproj.neural  # noqa: F401 (says what to install)
    from nonproj.parser import neural

    return neural


_RECIPES: dict[type[Options], Callable[[], Callable[..., Recipe]]] = {
    GraphOptions: lambda: GraphRecipe,
    TransitionOptions: lambda: TransitionRecipe,
    NeuralOptions: lambda: _neural().NeuralRecipe,
}


def loaded_model(kind: str, header: dict[str, Any], relations: list[str], arrays: Any, like: Any = None) -> Model:
    """A parser as its file keeps it: what its header says, with the weights in `arrays`.

    One that has the same weights may lend its network, which may be large.
    """
    if kind not in _MODELS:
        raise NonprojError(f"a parser of kind {kind!r} is not known to this nonproj")
    return _MODELS[kind](header, relations, arrays, like)


def _graph_model(header: dict[str, Any], relations: list[str], arrays: Any, like: Any) -> Model:
    model = filled_graph_model(header, len(relations), arrays)
    if header.get("network") is not None:
        join_network(model, header["network"], len(relations), arrays)
    return NativeModel(model, relations)


def _transition_model(header: dict[str, Any], relations: list[str], arrays: Any, like: Any) -> Model:
    model = filled(transition_model(header, len(relations)), TransitionStage.tables, arrays)
    return NativeModel(model, relations)


_MODELS: dict[str, Callable[..., Model]] = {
    "graph": _graph_model,
    "transition": _transition_model,
    "neural": lambda *content: _neural().NeuralModel.from_content(*content),
}
