"""A sentence parsed: its forest and analyses, or why there are none.

Nothing is computed before it is asked for. Whether there is an analysis, and which is the best, is mostly known from
the coarse chart, in which lifts come from nowhere: its best analysis bounds all others, and the chart is then made of
what comes near that bound, further and further down until an analysis turns up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import inf

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.grammar.explanation import MAX_LIFTS, broken_rules, longest_parts, relaxed
from nonproj.grammar.forest import Analysis, Forest
from nonproj.grammar.machine import Machine
from nonproj.grammar.rules import Given
from nonproj.lifting import Category

MAX_WORDS = 400
MAX_WAYS = 5_000_000
"""How many ways in which items come about a chart may have, some 50 bytes each."""
PROOF_WAYS = 1_000_000
"""The same where only the best analyses are asked for: about a second, then one with few lifts has to do."""
GAPS = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 11.0, 15.0, 20.0, 28.0, 40.0, 60.0, inf)
"""How far below the bound the chart is made, one after the other."""


@dataclass(frozen=True)
class Parse:
    """A sentence parsed: iterate over its analyses, count them, take the best."""

    machine: Machine
    words: tuple[str, ...]
    known: tuple[tuple[Category, ...], ...]
    max_lifts: int | None = None
    is_lexical: bool = True
    """Whether the categories come from the lexicon, and weigh what it says."""
    max_ways: int = MAX_WAYS

    def chart(
        self,
        *,
        counts_lifts: bool = False,
        max_lifts: int | None = None,
        max_ways: int | None = None,
        is_pruned: bool = True,
    ) -> _core.GrammarChart:
        """A native chart, not filled yet."""
        machine = self.machine
        native = machine.native(category for known in self.known for category in known)
        weigh = machine.grammar.weight_of_word if self.is_lexical else lambda word, category: 0.0
        words = [
            [(machine.number(category), weigh(word, category)) for category in known]
            for word, known in zip(self.words, self.known, strict=True)
        ]
        lifts = self.max_lifts if max_lifts is None else max_lifts
        most = len(words) if lifts is None else min(lifts, len(words))
        ways = self.max_ways if max_ways is None else min(max_ways, self.max_ways)
        return _core.GrammarChart(native, words, most, ways, counts_lifts, is_pruned)

    @cached_property
    def is_grammatical(self) -> bool:
        """Whether there is any analysis."""
        if "forest" in self.__dict__:
            return self.forest.chart.goals > 0
        chart = self.chart(counts_lifts=True)
        if chart.bound == -inf or not chart.has_lifts:
            return chart.bound > -inf
        for lifts in range(len(self.words)):
            if not chart.fill(chart.bound - lifts):
                raise self._too_large()
            if chart.goals:
                return True
        return False

    def __bool__(self) -> bool:
        return self.is_grammatical

    @cached_property
    def forest(self) -> Forest:
        """All analyses, shared parts once."""
        chart = self.chart()
        if not chart.fill(-inf):
            raise self._too_large()
        return Forest(self.machine, self.words, chart)

    def _too_large(self) -> NonprojError:
        bound = "" if self.max_lifts is None else f", now {self.max_lifts}"
        return NonprojError(
            f"the chart of these {len(self.words)} words has more than {self.max_ways} ways to make its items: let "
            f"fewer words be on their way up at a time with max_lifts{bound}, or ask for the best analysis only"
        )

    @property
    def count(self) -> int:
        """How many analyses there are: they differ in a category or a governor."""
        return self.forest.count

    def __iter__(self) -> Iterator[Analysis]:
        return iter(self.forest)

    @cached_property
    def best(self) -> Analysis | None:
        """The analysis whose rules weigh most, and of those that weigh the same one with few lifts; None without any.

        ``is_optimal`` says whether that is proven: it is, unless the chart became too large.
        """
        return next(iter(self.k_best(1)), None)

    def k_best(self, k: int) -> list[Analysis]:
        """The k analyses that weigh most, in order; fewer when there are not so many."""
        chart = self.chart(max_ways=max(PROOF_WAYS, 1000 * k))
        if chart.bound == -inf or k < 1:
            return []
        for gap in GAPS if chart.has_lifts else GAPS[-1:]:
            if not chart.fill(chart.bound - gap):
                return self._without_proof(k)
            found = list(islice(Forest(self.machine, self.words, chart), k))
            # Below the threshold the chart has some analyses, yet not all.
            least = chart.bound - gap - 1e-9 * (1 + abs(chart.bound))
            if gap == inf or (len(found) == k and found[-1].weight >= least):
                return found
        raise AssertionError("the last gap is infinite")

    def _without_proof(self, k: int) -> list[Analysis]:
        """The best analyses with few lifts, where the chart of all is too large."""
        for max_lifts in (1, 0):
            chart = self.chart(max_lifts=max_lifts, max_ways=PROOF_WAYS)
            for gap in GAPS:
                if not chart.fill(chart.bound - gap):
                    break
                forest = Forest(self.machine, self.words, chart)
                if chart.goals:
                    return [forest.analysis(d, is_optimal=False) for d in map(chart.derivation, range(k)) if d]
        raise self._too_large()

    def explain(self) -> str:
        """Why there is no analysis: what the nearest one breaks, and how far the chart came.

        Which s-rule lacks which argument, what no rule lets depend on what, which LP rule forbids an order, which
        lifting condition died where, and what is no start category.
        """
        if self.is_grammatical:
            return "the sentence is grammatical"
        if self.max_lifts is not None and replace(self, max_lifts=None).is_grammatical:
            return "more words have to be lifted at a time: raise max_lifts"
        told = list(broken_rules(self.machine, self.nearest)) if self.nearest else []
        chart = self.chart(max_lifts=0, is_pruned=False)
        if chart.fill(-inf):
            told += longest_parts(self.machine, self.words, chart)
        return "; ".join(told) or "the chart of what comes near an analysis is too large to say why"

    @cached_property
    def nearest(self) -> Analysis | None:
        """The analysis that breaks least of the grammar; None when the chart of all becomes too large."""
        machine = relaxed(self.machine.grammar, (category for known in self.known for category in known))
        for max_lifts in (MAX_LIFTS, 0):
            try:
                return Parse(machine, self.words, self.known, max_lifts, max_ways=self.max_ways // 4).best
            except NonprojError:
                continue
        return None


def parse(
    machine: Machine, words: list[str], categories: Sequence[Given] | None, max_lifts: int | None = None
) -> Parse:
    """Parse a sentence with a grammar."""
    if not words:
        raise NonprojError("there is nothing to parse: give at least one word")
    if len(words) > MAX_WORDS:
        raise NonprojError(f"{len(words)} words are too many for the chart: at most {MAX_WORDS}")
    if max_lifts is not None and max_lifts < 0:
        raise NonprojError(f"max_lifts is {max_lifts}, expected 0 or more, or None for no bound")
    max_lifts = machine.grammar.max_lifts if max_lifts is None else max_lifts
    known = machine.grammar.categories_of(words, categories)
    for choices in known:
        for category in choices:
            machine.add(category)
    return Parse(machine, tuple(words), tuple(known), max_lifts, categories is None)
