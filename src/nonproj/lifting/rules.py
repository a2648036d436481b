"""Lifting rules ``LD ^ SG w LG``: which words may be lifted from which governor, through what, to which other.

A word of category LD may be lifted from its syntactic governor SG to its linear governor LG when the categories of the
words between the two governors, read from SG up, match the regular expression w. A tree is *pseudo-projective under a
set of rules* when it has a projective lift in which every word stays where it is or is lifted as some rule allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nonproj.decode import decode
from nonproj.errors import NonprojError
from nonproj.lifting.category import Category, read_category
from nonproj.lifting.columns import Source, check_features, columns_of, read_columns, sentence_categories
from nonproj.lifting.encoding import Encoding, Scheme
from nonproj.lifting.expression import HEAD, Expression, Places, Reader, read_expression, sequence, symbol
from nonproj.lifting.lifts import ancestors, is_projective_arc
from nonproj.lifting.notation import Scanner, lines_of
from nonproj.treebank import Sentence
from nonproj.trees import Tree

ROOT = Category("<root>")
"""The category of the dummy root: words of a tree with several roots may be lifted to it."""
# Not a rule that lifts a category of that name.
_CHOICE_OF_CATEGORIES = re.compile(r"\s*categories(?:\s*$|\s+[^\s^↑\[])")


@dataclass(frozen=True)
class LiftingRule:
    """One rule; ``count`` is how often it was seen, when it was learned.

    >>> rule = LiftingRule.parse("N[case:obj] ^ V V[bridge +]* V[bridge +]")
    >>> verb, bridge = Category.of("V", bridge="-"), Category.of("V", bridge="+")
    >>> rule.matches(Category.of("N", case="obj"), verb, [bridge], bridge)
    True
    >>> rule.matches(Category.of("N", case="obj"), verb, [verb], bridge)
    False
    """

    lifted: Category
    syntactic_governor: Category
    path: Expression
    linear_governor: Category
    count: int = 0

    def __post_init__(self) -> None:
        if HEAD in self.path.symbols():
            raise NonprojError(f"the path of a lifting rule is of categories, without '#': {self.path}")
        if self.count < 0:
            raise NonprojError(f"a rule is seen 0 times or more, not {self.count}")

    @classmethod
    def parse(cls, text: str) -> LiftingRule:
        """Read a rule such as ``N ^ V V* V``, maybe with its count as in ``N ^ V V* V @ 12``."""
        return read_rule(Scanner(text))

    def matches(
        self, lifted: Category, syntactic_governor: Category, path: Sequence[Category], linear_governor: Category
    ) -> bool:
        """Whether the rule allows a lift, the path given from the syntactic governor up."""
        return (
            self.lifted.subsumes(lifted)
            and self.syntactic_governor.subsumes(syntactic_governor)
            and self.reader.accepts([*path, linear_governor])
        )

    @cached_property
    def reader(self) -> Reader:
        """Reads the path with the linear governor at its end."""
        return Reader(sequence([self.path, symbol(self.linear_governor)]))

    def __str__(self) -> str:
        path = "" if self.path == Expression("sequence") else str(self.path)
        path = f"({path}) " if self.path.kind == "choice" else f"{path} " if path else ""
        count = f" @ {self.count}" if self.count else ""
        return f"{self.lifted} ^ {self.syntactic_governor} {path}{self.linear_governor}{count}"


def read_rule(scanner: Scanner) -> LiftingRule:
    """Read a rule where the scanner stands, maybe with a count, up to the end of the line."""
    rule = read_lift(scanner)
    if scanner.take("@"):
        at = scanner.at
        word = scanner.name("a count")
        if not word.isdecimal() or len(word) > 18:
            raise scanner.error(f"expected a count, a whole number, found {word[:40]!r}", at)
        rule = replace(rule, count=int(word))
    scanner.end()
    return rule


def read_lift(scanner: Scanner) -> LiftingRule:
    """Read a rule without its count."""
    lifted = read_category(scanner)
    if not scanner.take("^", "↑"):
        raise scanner.error(f"expected '^' after the category that is lifted, found {scanner.found()}")
    syntactic = read_category(scanner)
    at = scanner.at
    rest = read_expression(scanner, with_head=False, stop=("@",))
    # The last symbol is the linear governor, what is before it the path.
    parts = rest.parts if rest.kind == "sequence" else (rest,)
    if not parts or parts[-1].kind != "symbol" or not isinstance(parts[-1].symbol, Category):
        raise scanner.error("a rule ends with the category of the linear governor, without '*', '?' or '|'", at)
    return LiftingRule(lifted, syntactic, sequence(parts[:-1]), parts[-1].symbol)


@dataclass(frozen=True)
class RuledLift:
    """A word that a rule lifts."""

    word: int
    syntactic_governor: int
    linear_governor: int
    rule: LiftingRule


@dataclass(frozen=True)
class Verdict:
    """Whether a tree is pseudo-projective under a set of rules, with the lift, or with the reason why not."""

    tree: Tree
    lifted: Tree | None
    lifts: tuple[RuledLift, ...] = ()
    reason: str = ""

    @property
    def is_pseudo_projective(self) -> bool:
        """Whether there is a projective lift that the rules allow."""
        return self.lifted is not None

    def __str__(self) -> str:
        if self.lifted is None:
            return f"not pseudo-projective under these rules: {self.reason}"
        if not self.lifts:
            return "projective"
        told = (
            f"{_named(self.tree, lift.word)} from {_named(self.tree, lift.syntactic_governor)} to "
            f"{_named(self.tree, lift.linear_governor)} by {lift.rule}"
            for lift in self.lifts
        )
        return "pseudo-projective: lifts " + "; ".join(told)


def _named(tree: Tree, word: int) -> str:
    return f"'{tree.form(word)}' ({word})" if word and tree.forms else "the root" if not word else f"word {word}"


class RuleSet:
    """Lifting rules, and where the categories of words come from.

    >>> rules = RuleSet([LiftingRule.parse("NOUN ^ VERB VERB* VERB")])
    >>> tree = Tree([3, 0, 2])
    >>> noun, verb = Category.of("NOUN"), Category.of("VERB")
    >>> rules.judge(tree, [noun, verb, verb]).lifted.heads
    (2, 0, 2)
    >>> print(rules.judge(tree, [verb, verb, verb]))  # doctest: +NORMALIZE_WHITESPACE
    not pseudo-projective under these rules: word 1 has to be lifted from word 3, since their arc is not projective,
    and no rule lifts VERB from VERB
    """

    def __init__(self, rules: Iterable[LiftingRule], categories: Source = "upos") -> None:
        self.rules = list(rules)
        columns_of(categories)
        self.categories: Source = categories
        self._is_checked = False
        self._for_pair: dict[tuple[Category, Category], list[LiftingRule]] = {}

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, index: int) -> LiftingRule:
        return self.rules[index]

    def __iter__(self) -> Iterator[LiftingRule]:
        return iter(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and (self.rules, self.categories) == (other.rules, other.categories)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return f"categories {self.categories}\n" + "".join(f"{rule}\n" for rule in self.rules)

    @classmethod
    def parse(cls, text: str, file: str = "<text>") -> RuleSet:
        """Read rules, one a line, after an optional line such as ``categories both``; ``//`` begins a comment."""
        rules: list[LiftingRule] = []
        categories: Source = "upos"
        for number, line in enumerate(lines_of(text), 1):
            scanner = Scanner(line, file, number)
            if scanner.is_at_end:
                continue
            if _CHOICE_OF_CATEGORIES.match(scanner.text):
                scanner.name("categories")
                categories = read_columns(scanner)
                scanner.end()
            else:
                rules.append(read_rule(scanner))
        return cls(rules, categories)

    @classmethod
    def load(cls, path: str) -> RuleSet:
        """Read rules from a file."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls.parse(file.read(), path)
        except OSError as error:
            raise NonprojError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise NonprojError(f"{path}: rules are UTF-8 text, and this file is not") from None

    def categories_of(self, sentence: Sentence) -> list[Category]:
        """The categories of the words of a sentence; rules must not ask for features that they cannot have."""
        if not self._is_checked:
            for rule in self.rules:
                written = (rule.lifted, rule.syntactic_governor, *rule.path.symbols(), rule.linear_governor)
                check_features(self.categories, (part for part in written if isinstance(part, Category)))
            self._is_checked = True
        return sentence_categories(sentence, self.categories)

    def allowed_heads(self, tree: Tree, categories: Sequence[Category], word: int) -> Iterator[tuple[int, LiftingRule]]:
        """The ancestors that some rule lets a word be lifted to, from below, with the first such rule."""
        above = ancestors(tree, word)
        running: list[tuple[LiftingRule, Places]] = [
            (rule, rule.reader.start) for rule in self._starting(categories[word - 1], _category(categories, above[0]))
        ]
        for node in above[1:]:
            category = _category(categories, node)
            stepped = ((rule, rule.reader.step(state, category)) for rule, state in running)
            running = [(rule, state) for rule, state in stepped if state]
            found = next((rule for rule, state in running if rule.reader.is_final(state)), None)
            if found:
                yield node, found

    def _starting(self, lifted: Category, governor: Category) -> list[LiftingRule]:
        key = (lifted, governor)
        if key not in self._for_pair:
            self._for_pair[key] = [
                rule
                for rule in self.rules
                if rule.lifted.subsumes(lifted) and rule.syntactic_governor.subsumes(governor)
            ]
        return self._for_pair[key]

    def judge(self, tree: Tree | Sentence, categories: Sequence[Category] | None = None) -> Verdict:
        """Say whether a tree is pseudo-projective under these rules, with the smallest lift that they allow.

        A sentence has its categories itself; those of a bare tree have to be given, one a word.
        """
        if isinstance(tree, Sentence):
            categories = self.categories_of(tree) if categories is None else categories
            tree = tree.tree
        if categories is None or len(categories) != len(tree):
            raise NonprojError(f"a tree of {len(tree)} words needs {len(tree)} categories")
        if tree.is_projective:
            return Verdict(tree, tree)
        choices = [dict(self.allowed_heads(tree, categories, word)) for word in range(1, len(tree) + 1)]
        heads = self._smallest(tree, choices)
        if heads is None:
            return Verdict(tree, None, reason=self._reason(tree, categories, choices))
        lifts = tuple(
            RuledLift(word, before, after, choices[word - 1][after])
            for word, (before, after) in enumerate(zip(tree.heads, heads, strict=True), 1)
            if before != after
        )
        return Verdict(tree, Tree(heads, forms=tree.forms, deprels=tree.deprels), lifts)

    def lift(self, sentence: Sentence, encoding: Scheme = "head+path") -> Sentence | None:
        """Lift a sentence as the rules allow, with labels that say how to lower it; None when they do not."""
        lifted = self.judge(sentence).lifted
        if lifted is None:
            return None
        return sentence.with_heads(*Encoding(encoding).encode_lift(sentence.heads, lifted.heads, sentence.deprels))

    def _smallest(self, tree: Tree, choices: list[dict[int, LiftingRule]]) -> list[int] | None:
        """The best projective tree when only arcs that the rules allow may be used, each step up costing one."""
        n = len(tree)
        scores = np.full((n + 1, n + 1), -np.inf)
        for word, above in enumerate(choices, 1):
            chain = ancestors(tree, word)
            scores[chain[0], word] = 0
            for head in above:
                scores[head, word] = -(chain.index(head) * (n + 1) + 1)
        try:
            heads: list[int] = decode(scores, within="Pr", strategy="chart").heads.tolist()
        except NonprojError:  # no projective tree is possible
            return None
        return heads

    def _reason(self, tree: Tree, categories: Sequence[Category], choices: list[dict[int, LiftingRule]]) -> str:
        for word, above in enumerate(choices, 1):
            if above or is_projective_arc(tree, word):
                continue
            governor = tree.heads[word - 1]
            pair = f"{categories[word - 1]} from {_category(categories, governor)}"
            has_to = (
                f"{_named(tree, word)} has to be lifted from {_named(tree, governor)}, "
                "since their arc is not projective, and "
            )
            starting = self._starting(categories[word - 1], _category(categories, governor))
            if not starting:
                return f"{has_to}no rule lifts {pair}"
            died = self._death(tree, categories, word, starting)
            return f"{has_to}of the {len(starting)} rules that lift {pair} none gets past {died}"
        return "every word could be lifted by some rule, but no choice of lifts makes the tree projective"

    def _death(self, tree: Tree, categories: Sequence[Category], word: int, rules: list[LiftingRule]) -> str:
        """The highest ancestor at which the last rule that was still possible died."""
        running = [(rule, rule.reader.start) for rule in rules]
        for node in ancestors(tree, word)[1:]:
            category = _category(categories, node)
            stepped = [(rule, rule.reader.step(state, category)) for rule, state in running]
            running = [(rule, state) for rule, state in stepped if state]
            if not running:
                return f"{_named(tree, node)}, a {category}"
        return "the root"


def _category(categories: Sequence[Category], node: int) -> Category:
    return categories[node - 1] if node else ROOT
