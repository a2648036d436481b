"""The kinds of parsers: graph-based, transition-based and neural, which is imported only when it is met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nonproj.errors import NonprojError
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
from nonproj.parser.options import OPTIONS, GraphOptions, Options, Schedule
from nonproj.parser.prices import LEAST_SENTENCES
from nonproj.parser.recipe import Header, Recipe
from nonproj.parser.training import Arrays, Run, Stage, silent


class GraphRecipe(Recipe):
    """A pruner, linear weights of trees, and a small network; then shares and prices."""

    kind = "graph"

    @staticmethod
    def model(header: Header, relations: list[str], arrays: Any, like: Any = None) -> Model:
        """A parser as its file keeps it, with its network if it has one."""
        model = filled_graph_model(header, len(relations), arrays)
        if header.get("network") is not None:
            join_network(model, header["network"], len(relations), arrays)
        return NativeModel(model, relations)

    def stages(self) -> Iterator[Stage]:
        """Give each stage when those before it are trained."""
        options = resolved(self.options, self.lessons)
        pruner = PrunerStage(self.lessons, self.relations, options, self.schedule.seed)
        yield pruner
        yield GraphStage(pruner, self.relations, self.schedule)
        if options.network:
            schedule = network_schedule(len(self.lessons.heads), self.schedule.seed)
            yield NetworkStage(self.lessons, self.relations, options.network, schedule)

    def settled(self, header: Header, arrays: Arrays, run: Run) -> Header:
        """The header with shares of the network, and with prices where no class was chosen."""
        dev = self.dev if self.dev is not None and len(self.dev) >= LEAST_SENTENCES else None
        if dev is not None and "network" in header:
            header = self._with_shares(header, arrays, run)
        if not learns_prices(self.options, header["options"]["within"]):
            return header
        if dev is not None:
            return self.priced(header, self.answers(header, arrays, dev, run))
        if len(self.train) < 2 * LEAST_SENTENCES:
            return header
        # Each half is parsed by a parser that learnt from the other half as long.
        options = GraphOptions(**header["options"])
        schedule = Schedule(self.schedule.epochs, seed=self.schedule.seed, threads=self.schedule.threads)
        halves = []
        for half in (0, 1):
            other = GraphRecipe(self.train[1 - half :: 2], None, options, schedule)
            content = other.trained(Run(run.path(f"half-{half + 1}"), run.progress, silent))
            halves.append(other.answers(content[0], content[1], self.train[half::2], run))
        return self.priced(header, halves[0] + halves[1])

    def _with_shares(self, header: Header, arrays: Arrays, run: Run) -> Header:
        tried = 0

        def weighed(shares: tuple[float, ...]) -> Header:
            return header | {"network": header["network"] | {"shares": list(shares)}}

        def right(shares: tuple[float, ...]) -> tuple[int, int]:
            nonlocal tried
            tried += 1
            run.progress("shares", tried, max(tried, 8))
            return self.right(weighed(shares), arrays)

        return weighed(settled_shares(right))


class TransitionRecipe(Recipe):
    """A single stage, and nothing to settle."""

    kind = "transition"

    @staticmethod
    def model(header: Header, relations: list[str], arrays: Any, like: Any = None) -> Model:
        """A parser as its file keeps it."""
        return NativeModel(filled(transition_model(header, len(relations)), TransitionStage.tables, arrays), relations)

    def stages(self) -> Iterator[Stage]:
        """Give the stage."""
        stage = TransitionStage(self.lessons, self.relations, self.options, self.schedule)
        yield stage
        self.left_out = stage.underivable


def recipe_of(kind: str | Options) -> type[Recipe]:
    """How parsers of a kind, given by its name or its options, are trained and read."""
    name = next((name for name, own in OPTIONS.items() if own is type(kind)), kind)
    if name == "neural":
        import nonproj.neural  # noqa: F401 (says what to install)
        from nonproj.parser.neural import NeuralRecipe

        return NeuralRecipe
    if not isinstance(name, str) or name not in _RECIPES:
        raise NonprojError(f"a parser of kind {name!r} is not known to this nonproj")
    return _RECIPES[name]


_RECIPES: dict[str, type[Recipe]] = {recipe.kind: recipe for recipe in (GraphRecipe, TransitionRecipe)}
