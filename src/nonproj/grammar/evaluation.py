"""How well a grammar parses a treebank: its best analyses against the trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from nonproj.errors import NonprojError
from nonproj.grammar.forest import Analysis
from nonproj.grammar.grammar import Grammar
from nonproj.grammar.induction import source_of
from nonproj.grammar.steps import without_relation
from nonproj.lifting import Category, sentence_categories
from nonproj.lifting.columns import Source
from nonproj.treebank import Sentence


@dataclass(frozen=True)
class Judged:
    """The best analysis of a sentence; none when ``is_known`` says so, else the chart became too large."""

    sentence: Sentence
    analysis: Analysis | None
    is_known: bool
    seconds: float


@dataclass(frozen=True)
class GrammarScores:
    """How well a grammar parses."""

    judged: tuple[Judged, ...]

    @property
    def analysed(self) -> list[tuple[Sentence, Analysis]]:
        """The sentences that have an analysis."""
        return [(one.sentence, one.analysis) for one in self.judged if one.analysis]

    @property
    def uas(self) -> float:
        """Right heads in percent, of the words of sentences that have an analysis."""
        return _percent(
            [a == b for s, analysis in self.analysed for a, b in zip(analysis.tree.heads, s.heads, strict=True)]
        )

    @property
    def las(self) -> float | None:
        """The same with the right relation; None where categories do not have the relation as the feature ``rel``."""
        right = []
        for sentence, analysis in self.analysed:
            for word, category in enumerate(analysis.categories):
                relation = dict(category.features).get("rel")
                if relation is None:
                    return None
                is_head = analysis.tree.heads[word] == sentence.heads[word]
                right.append(is_head and relation == sentence.deprels[word])
        return _percent(right)

    @property
    def optimal(self) -> int:
        """How many analyses are proven to be the best."""
        return sum(analysis.is_optimal for _, analysis in self.analysed)

    @property
    def too_large(self) -> int:
        """How many charts became too large."""
        return sum(not one.is_known for one in self.judged)

    def __str__(self) -> str:
        found = len(self.analysed)
        seconds = [one.seconds for one in self.judged]
        parts = [
            f"{len(self.judged)} sentences, {found} with an analysis ({self.optimal} proven best), "
            f"{len(self.judged) - found - self.too_large} proven to have none, {self.too_large} too large"
        ]
        if found:
            parts.append(f"UAS {self.uas:.2f}" + ("" if self.las is None else f", LAS {self.las:.2f}"))
        if seconds:
            parts.append(f"median {1000 * median(seconds):.2f} ms, longest {max(seconds):.2f} s")
        return "; ".join(parts)


def _percent(right: list[bool]) -> float:
    return 100 * sum(right) / len(right) if right else 100.0


def evaluate_grammar(
    grammar: Grammar,
    sentences: Iterable[Sentence],
    categories: Source | None = None,
    *,
    max_lifts: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> GrammarScores:
    """Parse sentences, their categories given but for the relations, and compare the best analyses with their trees.

    >>> from nonproj import example_treebank
    >>> treebank = [sentence for sentence in example_treebank() if len(sentence.tree.roots) == 1 and len(sentence) < 12]
    >>> scores = evaluate_grammar(Grammar.from_treebank(treebank, weighted=True), treebank)
    >>> len(scores.analysed) == scores.optimal == len(treebank), 50 < scores.uas < 100, scores.las
    (True, True, None)
    """
    source = categories or source_of(grammar.machine)
    choices: dict[Category, tuple[Category, ...]] = {}
    for category in grammar.machine.categories:
        tag = without_relation(category)
        choices[tag] = (*choices.get(tag, ()), category)
    judged = []
    for done, sentence in enumerate(sentences):
        if progress:
            progress(done)
        known = [without_relation(category) for category in sentence_categories(sentence, source)]
        start = perf_counter()
        # A rule-FSM that cannot be compiled is an error of the grammar, not of one sentence.
        grammar.machine.native({one for category in known for one in choices.get(category, ())})
        parse = grammar.parse(
            sentence.forms, [choices.get(category, (category,)) for category in known], max_lifts=max_lifts
        )
        is_known, best = True, None
        try:
            best = parse.best
        except NonprojError:
            is_known = False
        judged.append(Judged(sentence, best, is_known, perf_counter() - start))
    return GrammarScores(tuple(judged))
