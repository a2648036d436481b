"""Choosing what a grammar is read off with, on sentences that it is not read from: columns, and what lifts weigh.

The columns grow one at a time, beginning with the tags, for as long as more heads become right. Then l-rules are
weighed: both ends of a lift are counted as steps, so that lifts are paid for twice, and without a weight of their own
they are hardly ever the best. The weight is taken that finds most non-projective arcs without losing heads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from nonproj.errors import NonprojError
from nonproj.grammar.evaluation import NonProjectiveArcs, evaluate_grammar
from nonproj.grammar.grammar import Grammar
from nonproj.lifting.columns import Source
from nonproj.treebank import Sentence

LONGEST = 20
"""Words of a sentence that is judged: of these there are enough, and they are parsed in no time."""
LEAST = 20
"""Sentences that a grammar has to be read off for there to be a choice."""
MOST_JUDGED, MOST_READ = 400, 3000
"""How many sentences choices are judged on, and read off for that."""
FEATURES, KEPT, COLUMNS = 12, 5, 4
"""How many of the features that words have most often are tried, how many of them again, and columns at most."""
LEAST_GAIN = 0.2
"""Heads in percent that one more column has to make right."""
LIFT_WEIGHTS = (3.0, 4.0, 4.5, 5.0, 5.5, 6.0)
"""What l-rules may weigh, in nats."""
MAX_LIFTS = 1
"""Words on their way up at a time: with more, sentences take long, and rarely is one of them right."""


@dataclass(frozen=True)
class Tried:
    """A choice that was tried, with right heads in percent of all words, and the arcs that are not projective."""

    categories: Source
    lift_weight: float
    uas: float
    non_projective: NonProjectiveArcs

    def __str__(self) -> str:
        if not self.lift_weight:
            return f"{self.categories}: UAS {self.uas:.2f}"
        return f"{self.categories}, l-rules weigh {self.lift_weight:g}: UAS {self.uas:.2f}; {self.non_projective}"


@dataclass(frozen=True)
class Choice:
    """What was chosen, and all that was tried, the chosen last."""

    categories: Source
    """The columns that categories should come from."""
    lift_weight: float
    """What l-rules should weigh."""
    tried: tuple[Tried, ...]
    judged: int
    """How many sentences it was judged on."""
    is_held_out: bool
    """Whether these sentences were held out from those given, for want of others."""

    def __str__(self) -> str:
        if not self.tried:
            return f"too few sentences to choose by: categories from {self.categories}"
        held_out = " held out from training" if self.is_held_out else ""
        lines = [f"tried on {self.judged} sentences{held_out} of at most {LONGEST} words:"]
        return "\n".join([*lines, *(f"  {one}" for one in self.tried[:-1]), f"chosen: {self.tried[-1]}"])


def choose(
    sentences: Iterable[Sentence],
    dev: Iterable[Sentence] | None = None,
    categories: Source | None = None,
    *,
    arguments: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Choice:
    """Choose the columns of a grammar and the weight of its l-rules by how well it parses other sentences.

    These are ``dev`` or, without it, some of the sentences, evenly taken, which are then not read. ``categories`` says
    that the columns are settled already.

    >>> from nonproj import example_treebank
    >>> choice = choose(example_treebank())
    >>> choice.categories, choice.is_held_out
    ('upos', True)
    """
    single = [sentence for sentence in sentences if len(sentence.tree.roots) == 1]
    read, judged = (single, list(dev)) if dev is not None else _split(single)
    judged = [s for s in judged if len(s) <= LONGEST and len(s.tree.roots) == 1]
    judged = judged[:: max(1, -(-len(judged) // MOST_JUDGED))]
    if len(read) < LEAST or not judged:
        return Choice(categories or "upos", 0.0, (), len(judged), dev is None)
    read = read[:: max(1, -(-len(read) // MOST_READ))]
    search = _Search(read, judged, tuple(arguments), progress)
    search.choose_columns(categories)
    search.choose_lift_weight()
    chosen = search.tried[-1]
    return Choice(chosen.categories, chosen.lift_weight, tuple(search.tried), len(judged), dev is None)


def _split(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences to read a grammar off, and others to judge it on: at most every fifth."""
    step = max(5, len(sentences) // MOST_JUDGED)
    return [s for n, s in enumerate(sentences) if n % step], list(sentences[::step])


class _Search:
    """What was tried so far; the last is the best."""

    def __init__(
        self,
        read: Sequence[Sentence],
        judged: Sequence[Sentence],
        arguments: Sequence[str],
        progress: Callable[[int], None] | None,
    ) -> None:
        self.read, self.judged, self.arguments, self.progress = read, judged, arguments, progress
        self.tried: list[Tried] = []

    def choose_columns(self, categories: Source | None) -> None:
        """Try the tags, then one more feature at a time, for as long as that makes more heads right."""
        if categories is not None:
            self._try(categories)
            return
        tags = [name for name in ("upos", "xpos") if any(tag != "_" for s in self.read for tag in s.column(name))]
        if not tags:
            raise NonprojError("the treebank has neither upos nor xpos: name other columns with --categories")
        best = max(map(self._try, tags), key=lambda one: one.uas)
        features = self._features()
        for _ in range(COLUMNS - 1):
            found = [self._try(f"{best.categories}+{feature}") for feature in features]
            if not found or max(one.uas for one in found) < best.uas + LEAST_GAIN:
                break
            gains = sorted(zip(found, features, strict=True), key=lambda pair: -pair[0].uas)
            best = gains[0][0]
            features = [feature for _, feature in gains[1 : 1 + KEPT]]
        self._settle(best)

    def choose_lift_weight(self) -> None:
        """Take the least weight of l-rules that finds most non-projective arcs, of those that lose no heads."""
        best = start = self.tried[-1]
        grammar = self._grammar(start.categories)
        for weight in LIFT_WEIGHTS if grammar.l_rules else ():
            lifting = replace(grammar, l_rules=tuple(replace(rule, weight=weight) for rule in grammar.l_rules))
            one = self._judge(lifting, start.categories, weight)
            if one.uas >= start.uas and one.non_projective.right > best.non_projective.right:
                best = one
        self._settle(best)

    def _settle(self, best: Tried) -> None:
        self.tried.remove(best)
        self.tried.append(best)

    def _try(self, categories: Source) -> Tried:
        return self._judge(self._grammar(categories), categories, 0.0)

    def _grammar(self, categories: Source) -> Grammar:
        return Grammar.from_treebank(self.read, categories, weighted=True, arguments=self.arguments)

    def _judge(self, grammar: Grammar, categories: Source, lift_weight: float) -> Tried:
        scores = evaluate_grammar(grammar, self.judged, max_lifts=MAX_LIFTS)
        self.tried.append(Tried(categories, lift_weight, scores.uas_of_all, scores.non_projective))
        if self.progress:
            self.progress(len(self.tried))
        return self.tried[-1]

    def _features(self) -> list[str]:
        """The features that words have most often."""
        seen = Counter(
            pair.partition("=")[0]
            for s in self.read
            for written in s.feats
            for pair in written.split("|")
            if "=" in pair
        )
        return [feature for feature, _ in seen.most_common(FEATURES) if feature[:1].isupper()]
