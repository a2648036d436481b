"""A sentence parsed: the chart filled, its forest and analyses, or why there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from nonproj.errors import NonprojError
from nonproj.grammar.chart import Chart
from nonproj.grammar.explanation import explain
from nonproj.grammar.forest import Analysis, Forest
from nonproj.grammar.machine import Machine
from nonproj.lifting import Category


@dataclass(frozen=True)
class Parse:
    """A sentence parsed: iterate over its analyses, count them, take the best."""

    words: tuple[str, ...]
    chart: Chart

    @property
    def is_grammatical(self) -> bool:
        """Whether there is any analysis."""
        return self.forest.count > 0

    def __bool__(self) -> bool:
        return self.is_grammatical

    @cached_property
    def forest(self) -> Forest:
        """All analyses, shared parts once."""
        return Forest(self.chart, self.words)

    @property
    def count(self) -> int:
        """How many analyses there are: they differ in a category or a governor."""
        return self.forest.count

    def __iter__(self) -> Iterator[Analysis]:
        return iter(self.forest)

    @property
    def best(self) -> Analysis | None:
        """The analysis whose rules weigh most, each part of it by its best rules."""
        return self.forest.best

    def explain(self) -> str:
        """Why there is no analysis: which lifting condition died where, if lifting is what failed."""
        return explain(self.forest)


MAX_WORDS = 400


def parse(
    machine: Machine, words: list[str], categories: Sequence[Category | str] | None, max_lifts: int | None = None
) -> Parse:
    """Parse a sentence with a grammar."""
    if not words:
        raise NonprojError("there is nothing to parse: give at least one word")
    if len(words) > MAX_WORDS:
        raise NonprojError(f"{len(words)} words are too many for the chart: at most {MAX_WORDS}")
    if max_lifts is not None and max_lifts < 0:
        raise NonprojError(f"max_lifts is {max_lifts}, expected 0 or more, or None for no bound")
    known = machine.grammar.categories_of(words, categories)
    for choices in known:
        for category in choices:
            machine.add(category)
    return Parse(tuple(words), Chart(machine, known, max_lifts))
