"""How well a grammar parses a treebank: its best analyses against the trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from time import perf_counter

from nonproj.errors import NonprojError
from nonproj.grammar.forest import Analysis
from nonproj.grammar.grammar import Grammar
from nonproj.grammar.induction import refuse_other_columns, source_of
from nonproj.grammar.steps import without_relation
from nonproj.lifting import Category, is_projective_arc, sentence_categories
from nonproj.lifting.columns import Source, columns_of
from nonproj.treebank import Sentence
from nonproj.trees import Tree


@dataclass(frozen=True)
class Judged:
    """The best analysis of a sentence; none when ``is_known`` says so, else the chart became too large."""

    sentence: Sentence
    analysis: Analysis | None
    is_known: bool
    seconds: float
    unknown: frozenset[Category] = frozenset()
    """The categories of its words that the grammar does not have."""


@dataclass(frozen=True)
class NonProjectiveArcs:
    """Arcs that are not projective: ``found`` in the analyses, ``gold`` in the trees, ``right`` in both."""

    right: int
    found: int
    gold: int

    @property
    def precision(self) -> float:
        """The percentage of those found that are right; 100 of none."""
        return 100 * self.right / self.found if self.found else 100.0

    @property
    def recall(self) -> float:
        """The percentage of those of the trees that were found; 100 of none."""
        return 100 * self.right / self.gold if self.gold else 100.0

    def __str__(self) -> str:
        return (
            f"non-projective arcs: {self.found} found, {self.right} right, of {self.gold} "
            f"(precision {self.precision:.2f}, recall {self.recall:.2f})"
        )


@dataclass(frozen=True)
class GrammarScores:
    """How well a grammar parses."""

    judged: tuple[Judged, ...]
    source: Source
    """The columns that the categories of the words came from."""

    @property
    def analysed(self) -> list[tuple[Sentence, Analysis]]:
        """The sentences that have an analysis."""
        return [(one.sentence, one.analysis) for one in self.judged if one.analysis]

    @cached_property
    def right(self) -> int:
        """How many heads are right."""
        return sum(a == b for s, analysis in self.analysed for a, b in zip(analysis.tree.heads, s.heads, strict=True))

    @property
    def uas(self) -> float:
        """Right heads in percent, of the words of sentences that have an analysis."""
        words = sum(len(sentence) for sentence, _ in self.analysed)
        return 100 * self.right / words if words else 100.0

    @property
    def uas_of_all(self) -> float:
        """Right heads in percent, of all words: those of a sentence without an analysis are wrong."""
        words = sum(len(one.sentence) for one in self.judged)
        return 100 * self.right / words if words else 100.0

    @property
    def las(self) -> float | None:
        """The same with the right relation; None where categories do not have the relation as the feature ``rel``."""
        right = words = 0
        for sentence, analysis in self.analysed:
            for word, category in enumerate(analysis.categories):
                relation = dict(category.features).get("rel")
                if relation is None:
                    return None
                is_head = analysis.tree.heads[word] == sentence.heads[word]
                right += is_head and relation == sentence.deprels[word]
                words += 1
        return 100 * right / words if words else 100.0

    @cached_property
    def non_projective(self) -> NonProjectiveArcs:
        """The non-projective arcs of the analyses against those of the trees."""
        right = found = gold = 0
        for one in self.judged:
            of_gold = _non_projective(one.sentence.tree)
            gold += len(of_gold)
            if one.analysis:
                of_analysis = _non_projective(one.analysis.tree)
                found += len(of_analysis)
                right += len(of_gold & of_analysis)
        return NonProjectiveArcs(right, found, gold)

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
        given = " (the relations are given)" if columns_of(self.source)[0] == "deprel" else ""
        none = f"{len(self.judged) - found - self.too_large} proven to have none"
        if unknown := sum(bool(one.unknown) for one in self.judged):
            none += f" ({unknown} have a category that the grammar does not)"
        parts = [
            f"categories from {self.source}{given}; {len(self.judged)} sentences, {found} with an analysis "
            f"({self.optimal} proven best), {none}, {self.too_large} too large"
        ]
        if found:
            of_all = f" ({self.uas_of_all:.2f} of all words)" if found < len(self.judged) else ""
            parts.append(f"UAS {self.uas:.2f}{of_all}" + ("" if self.las is None else f", LAS {self.las:.2f}"))
            parts.append(str(self.non_projective))
        if seconds:
            parts.append(f"median {1000 * median(seconds):.2f} ms, longest {max(seconds):.2f} s")
        return "; ".join(parts)


def _non_projective(tree: Tree) -> set[tuple[int, int]]:
    """The arcs of a tree that are not projective."""
    if tree.is_projective:
        return set()
    return {(head, word) for word, head in enumerate(tree.heads, 1) if not is_projective_arc(tree, word)}


def evaluate_grammar(
    grammar: Grammar,
    sentences: Iterable[Sentence],
    categories: Source | None = None,
    *,
    max_lifts: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> GrammarScores:
    """Parse sentences, their categories given but for the relations, and compare the best analyses with their trees.

    The categories come from the columns that the grammar names, unless others are given.

    >>> from nonproj import example_treebank
    >>> treebank = [sentence for sentence in example_treebank() if len(sentence.tree.roots) == 1 and len(sentence) < 10]
    >>> scores = evaluate_grammar(Grammar.from_treebank(treebank, weighted=True), treebank)
    >>> len(scores.analysed) == scores.optimal == len(treebank), 50 < scores.uas < 100, scores.las
    (True, True, None)
    """
    source = categories or source_of(grammar.machine)
    choices: dict[Category, tuple[Category, ...]] = {}
    for category in dict.fromkeys(category for known in grammar.lexicon.values() for category in known):
        tag = without_relation(category)
        choices[tag] = (*choices.get(tag, ()), category)
    tagged = [(sentence, list(map(without_relation, sentence_categories(sentence, source)))) for sentence in sentences]
    seen = dict.fromkeys(category for _, known in tagged for category in known)
    refuse_other_columns(source, choices, seen)
    for category in seen:
        # All at once: rule-FSMs are compiled anew where there is one more category.
        if category not in choices and grammar.machine.may_occur(category):
            grammar.machine.add(category)
    judged = []
    for done, (sentence, known) in enumerate(tagged):
        if progress:
            progress(done)
        unknown = frozenset(known) - choices.keys()
        start = perf_counter()
        if not all(map(grammar.machine.may_occur, unknown)):
            judged.append(Judged(sentence, None, True, perf_counter() - start, unknown))
            continue
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
        judged.append(Judged(sentence, best, is_known, perf_counter() - start, unknown))
    return GrammarScores(tuple(judged), source)
