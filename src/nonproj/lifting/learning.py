"""Lifting rules read off a treebank, and how much of another one they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from nonproj.lifting.category import Category
from nonproj.lifting.columns import Source, sentence_categories
from nonproj.lifting.expression import Expression, Reader, choice, repeated, sequence, symbol
from nonproj.lifting.lifts import governors, lifted_tree
from nonproj.lifting.rules import ROOT, LiftingRule, RuleSet, Verdict
from nonproj.treebank import Sentence

Path = tuple[Category, ...]
Progress = Callable[[int], None]


def learn(
    sentences: Iterable[Sentence], categories: Source = "upos", *, least: int = 1, progress: Progress | None = None
) -> RuleSet:
    """Read lifting rules off the smallest lifts of a treebank's trees, the most frequent first.

    Rules are gathered by the lifted word and its two governors; their paths are generalised as far as the data show
    it, see `generalised`. ``least`` leaves out rules that were seen less often.

    >>> from nonproj import example_treebank
    >>> print(learn(example_treebank(), "upos")[1])
    NOUN ^ VERB (VERB? | NOUN?) VERB @ 16
    """
    paths: dict[tuple[Category, Category, Category], Counter[Path]] = {}
    for done, sentence in enumerate(sentences):
        if progress:
            progress(done)
        tree = sentence.tree
        if tree.is_projective:
            continue
        known = sentence_categories(sentence, categories)
        for word in governors(tree, lifted_tree(tree)):
            if word.is_lifted:
                linear = known[word.linear_governor - 1] if word.linear_governor else ROOT
                key = (known[word.word - 1], known[word.syntactic_governor - 1], linear)
                paths.setdefault(key, Counter())[tuple(known[node - 1] for node in word.path)] += 1
    rules = [
        LiftingRule(lifted, syntactic, generalised(seen), linear, sum(seen.values()))
        for (lifted, syntactic, linear), seen in paths.items()
        if sum(seen.values()) >= least
    ]
    return RuleSet(sorted(rules, key=lambda rule: (-rule.count, str(rule))), categories)


def generalised(paths: Iterable[Path]) -> Expression:
    """An expression for paths: a run of one category that was seen at several lengths becomes a repetition.

    Paths with the same categories in the same order, runs counted once, are one shape. A run that was seen in two or
    more lengths, one of them above one, is ``X+``; with the shape also seen without it, ``X*``; and a run of one that
    may be absent is ``X?``.

    >>> a, b = Category("A"), Category("B")
    >>> str(generalised([(), (a,), (a, a)])), str(generalised([(), (a,)])), str(generalised([(a,), (a, a, b)]))
    ('A*', 'A?', 'A | A A B?')
    """
    shapes: dict[Path, list[list[int]]] = {}
    for path in paths:
        runs = [(category, len(list(run))) for category, run in groupby(path)]
        shapes.setdefault(tuple(category for category, _ in runs), []).append([length for _, length in runs])
    chosen: list[Expression] = []
    for shape in sorted(shapes, key=lambda shape: (-len(shape), shape)):
        if chosen and all(Reader(choice(chosen)).accepts(_path(shape, lengths)) for lengths in shapes[shape]):
            continue
        chosen.append(_of_shape(shape, shapes))
    return choice(chosen[::-1])


def _path(shape: Path, lengths: Sequence[int]) -> list[Category]:
    return [category for category, length in zip(shape, lengths, strict=True) for _ in range(length)]


def _of_shape(shape: Path, shapes: dict[Path, list[list[int]]]) -> Expression:
    parts = []
    for place, category in enumerate(shape):
        lengths = {seen[place] for seen in shapes[shape]}
        is_absent = shape[:place] + shape[place + 1 :] in shapes
        parts.append(_run(symbol(category), lengths, is_absent))
    return sequence(parts)


def _run(one: Expression, lengths: set[int], is_absent: bool) -> Expression:
    if len(lengths) + is_absent > 1 and max(lengths) > 1:
        return repeated(one, "star" if is_absent else "plus")
    run = sequence([one] * max(lengths))
    return repeated(run, "maybe") if is_absent else run


@dataclass(frozen=True)
class RuleCoverage:
    """How many trees of a treebank are pseudo-projective under a set of rules."""

    trees: int
    projective: int
    pseudo_projective: int
    """Without the projective ones."""
    outside: tuple[tuple[str, Verdict], ...]
    """The others, by the ids of their sentences."""

    @property
    def non_projective(self) -> int:
        """How many trees are not projective."""
        return self.trees - self.projective

    @property
    def percent(self) -> float:
        """The percentage of the non-projective trees that the rules cover; 100 when there is none."""
        return 100 * self.pseudo_projective / self.non_projective if self.non_projective else 100.0

    def __str__(self) -> str:
        return (
            f"{self.trees} trees, {self.non_projective} not projective, of which {self.pseudo_projective} "
            f"({self.percent:.2f}%) are pseudo-projective under these rules"
        )


def rule_coverage(rules: RuleSet, sentences: Iterable[Sentence], *, progress: Progress | None = None) -> RuleCoverage:
    """Measure what a set of rules covers, best on trees that it was not learned from.

    >>> from nonproj import example_treebank
    >>> rules = learn(example_treebank())
    >>> rule_coverage(rules, example_treebank()).percent
    100.0
    """
    trees = projective = pseudo = 0
    outside = []
    for done, sentence in enumerate(sentences):
        if progress:
            progress(done)
        verdict = rules.judge(sentence)
        trees += 1
        projective += verdict.tree.is_projective
        pseudo += bool(verdict.lifts)
        if not verdict.is_pseudo_projective:
            outside.append((sentence.sent_id, verdict))
    return RuleCoverage(trees, projective, pseudo, tuple(outside))
