"""How much of a treebank a grammar derives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nonproj.grammar.grammar import Grammar
from nonproj.grammar.induction import refuse_other_columns, source_of, why_not
from nonproj.lifting import Category, sentence_categories
from nonproj.lifting.columns import Source
from nonproj.treebank import Sentence


@dataclass(frozen=True)
class GrammarCoverage:
    """How many trees of a treebank a grammar derives."""

    trees: int
    derived: int
    outside: tuple[tuple[str, str], ...]
    """The others, with the reasons."""

    @property
    def percent(self) -> float:
        """The percentage that is derived; 100 of no trees."""
        return 100 * self.derived / self.trees if self.trees else 100.0

    def __str__(self) -> str:
        return f"{self.trees} trees, of which the grammar derives {self.derived} ({self.percent:.2f}%)"


def grammar_coverage(
    grammar: Grammar, sentences: Iterable[Sentence], categories: Source | None = None
) -> GrammarCoverage:
    """Measure how many trees a grammar derives, best on trees that it was not read from.

    The categories come from the columns that the grammar names, unless others are given.

    >>> from nonproj import example_treebank
    >>> treebank = [sentence for sentence in example_treebank() if len(sentence.tree.roots) == 1]
    >>> grammar_coverage(Grammar.from_treebank(treebank), treebank).percent
    100.0
    """
    trees, outside = 0, []
    source = categories or source_of(grammar.machine)
    known = {category for listed in grammar.lexicon.values() for category in listed}
    seen: set[Category] = set()
    for sentence in sentences:
        trees += 1
        if known.isdisjoint(seen):
            seen.update(sentence_categories(sentence, source))
        reason = why_not(grammar.machine, sentence, source)
        if reason:
            outside.append((sentence.sent_id, reason))
    refuse_other_columns(source, known, seen)
    return GrammarCoverage(trees, trees - len(outside), tuple(outside))
