"""The packed forest of a parse: the chart with back pointers, walked only as far as it is asked.

The chart is native (``cpp/nonproj/grammar``). Each analysis has exactly one derivation in it, so that counts, the best
analyses, samples and any other sum go over the ways in which its items came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TypeVar

from nonproj import _core
from nonproj.decode.sums import counted
from nonproj.grammar.machine import Machine
from nonproj.lifting import Category, LiftedWord, governors
from nonproj.trees import Tree

Value = TypeVar("Value")


@dataclass(frozen=True)
class Analysis:
    """One analysis of a sentence: the category of each word, its syntactic and its linear governor."""

    words: tuple[str, ...]
    categories: tuple[Category, ...]
    tree: Tree
    """The syntactic governors."""
    lifted: Tree
    """The linear governors: a projective lift of the tree."""
    weight: float = 0.0
    is_optimal: bool = True
    """Of a best analysis: whether it is proven that none weighs more."""

    @property
    def lifts(self) -> list[LiftedWord]:
        """The words whose governors differ, with their lifting paths."""
        return [word for word in governors(self.tree, self.lifted) if word.is_lifted]

    def _repr_svg_(self) -> str:
        from nonproj.draw.double import analysis_svg  # a notebook's hook: drawing is a later room, met only when shown

        return analysis_svg(self)

    def __str__(self) -> str:
        lines = []
        for number, (word, category) in enumerate(zip(self.words, self.categories, strict=True), 1):
            syntactic, linear = self.tree.heads[number - 1], self.lifted.heads[number - 1]
            lifted = "" if syntactic == linear else f"  lifted to {self.tree.form(linear)} ({linear})"
            lines.append(f"{number}\t{word}\t{category}\t{self.tree.form(syntactic)} ({syntactic}){lifted}")
        return "\n".join(lines)


class Forest:
    """The analyses of a sentence that weigh at least ``threshold``; iterate over them, those that weigh most first."""

    def __init__(self, machine: Machine, words: tuple[str, ...], chart: _core.GrammarChart) -> None:
        self.machine, self.words, self.chart = machine, words, chart

    @cached_property
    def count(self) -> int:
        """How many analyses there are."""
        if not self.chart.goals:
            return 0
        bits = int(self.chart.log_count / log(2)) + 2
        return counted(2**bits, self.chart.count)

    def __iter__(self) -> Iterator[Analysis]:
        found = 0
        while True:
            derivation = self.chart.derivation(found)
            if derivation is None:
                return
            yield self.analysis(derivation)
            found += 1

    def analysis(self, derivation: tuple[float, list[int], list[int], list[int]], is_optimal: bool = True) -> Analysis:
        """A derivation of the chart as an analysis."""
        weight, categories, syntactic, linear = derivation
        return Analysis(
            self.words,
            tuple(self.machine.categories[category] for category in categories),
            Tree(syntactic, forms=self.words),
            Tree(linear, forms=self.words),
            weight,
            is_optimal,
        )

    @property
    def log_sum(self) -> float:
        """The logarithm of the sum of exp(weight) over all analyses; -inf without any."""
        return self.chart.log_sum

    def sample(self, samples: int = 1, seed: int = 0) -> list[Analysis]:
        """Analyses drawn with probability proportional to exp(weight): evenly where rules have no weights."""
        return [self.analysis(derivation) for derivation in self.chart.sample(samples, seed)]

    def sum(
        self,
        plus: Callable[[Value, Value], Value],
        times: Callable[[Value, Value], Value],
        weigh: Callable[[float], Value],
    ) -> Value | None:
        """The sum over all analyses in any semiring; ``weigh`` makes a value of a weight. None without any.

        >>> from nonproj.grammar import Grammar
        >>> forest = Grammar.load("beans.gdg").parse("Carlos eats beans today").forest
        >>> forest.sum(lambda a, b: a + b, lambda a, b: a * b, lambda weight: 1) == forest.count == 2
        True
        """
        values: list[Value] = []
        for item in range(self.chart.size[0]):
            total: Value | None = None
            for before, dependent, weight in self.chart.ways(item):
                value = weigh(weight)
                for part in (before, dependent):
                    if part >= 0:
                        value = times(value, values[part])
                total = value if total is None else plus(total, value)
            assert total is not None
            values.append(total)
        result: Value | None = None
        for item, weight in self.chart.goal_items():
            value = times(weigh(weight), values[item])
            result = value if result is None else plus(result, value)
        return result

    def to_dict(self) -> dict[str, object]:
        """The forest as plain data: every item of an analysis, with the numbers of the items of each way to make it."""
        number: dict[int, int] = {}
        items: list[dict[str, object]] = []
        for item, (is_complete, i, j, category, lifted, is_useful) in enumerate(self.chart.items()):
            if not is_useful:
                continue
            number[item] = len(items)
            ways = [[number[part] for part in (a, b) if part >= 0] for a, b, _ in self.chart.ways(item)]
            items.append(
                {
                    "number": len(items),
                    "kind": "complete" if is_complete else "partial",
                    "words": [i + 1, j + 1],
                    "category": str(self.machine.categories[category]),
                    "lifting": [str(self.machine.categories[c]) for c in lifted],
                    "ways": ways,
                }
            )
        return {
            "items": items,
            "goals": [number[item] for item, _ in self.chart.goal_items()],
            "analyses": self.count,
        }
