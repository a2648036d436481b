"""What a pseudo-projective grammar derives, by trying everything: categories, trees and projective lifts.

An analysis gives each word a category, a syntactic and a linear governor. It is right when there is one root of a start
category; the syntactic dependents of each head are those of one s-rule and of m-rules; its linear dependents are in an
order of its LP rule; and each lifted word is lifted by an l-rule along its linear governors. Expressions are Python's
own regular expressions, with a letter for each category of the lexicon.
"""

import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from .enumeration import trees
from .lifts import projective_lifts

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def matches(pattern: Any, category: Any) -> bool:
    """A category matches what has its name and all its features."""
    return pattern.is_any or (pattern.name == category.name and set(pattern.features) <= set(category.features))


def analyses(grammar: Any, words: list[str]) -> Iterator[tuple[tuple[Any, ...], tuple[int, ...], tuple[int, ...]]]:
    """Every analysis of a sentence: categories, syntactic heads, linear heads."""
    lexical = sorted({category for known in grammar.lexicon.values() for category in known})
    letter = dict(zip(lexical, LETTERS, strict=False))

    def regex(expression: Any) -> str:
        if expression.kind == "symbol":
            if expression.symbol == "#":
                return "#"
            return "[" + "".join(letter[c] for c in lexical if matches(expression.symbol, c)) + "!]"
        parts = [regex(part) for part in expression.parts]
        if expression.kind in ("sequence", "choice"):
            return "(?:" + ("|" if expression.kind == "choice" else "").join(parts) + ")"
        if expression.kind == "star" and parts[0].endswith(")*"):
            return parts[0]  # (x*)* takes Python's regular expressions exponential time
        return f"(?:{parts[0]})" + {"star": "*", "plus": "+", "maybe": "?"}[expression.kind]

    def has_rules(head: Any, dependents: list[Any]) -> bool:
        modifiers = [rule.dependent for rule in grammar.m_rules if matches(rule.head, head)]
        frames = [rule.dependents for rule in grammar.s_rules if matches(rule.head, head)] or [()]
        return any(
            all(matches(p, c) for p, c in zip(frame, order, strict=False))
            and all(any(matches(m, c) for m in modifiers) for c in order[len(frame) :])
            for frame in frames
            if len(frame) <= len(dependents)
            for order in permutations(dependents)
        )

    def is_ordered(head: Any, order: str) -> bool:
        rules = [rule for rule in grammar.lp_rules if matches(rule.head, head)]
        top = [
            rule
            for rule in rules
            if not any(is_wider(rule.head, other.head) and not is_wider(other.head, rule.head) for other in rules)
        ]
        return any(re.fullmatch(regex(rule.order), order) for rule in top) if rules else order == "#"

    for categories in product(*(grammar.lexicon[word] for word in words)):
        for heads in trees(len(words)):
            roots = [word for word, head in enumerate(heads, 1) if head == 0]
            if len(roots) != 1 or not any(matches(start, categories[roots[0] - 1]) for start in grammar.start):
                continue
            if not all(
                has_rules(category, [categories[d] for d, head in enumerate(heads) if head == word])
                for word, category in enumerate(categories, 1)
            ):
                continue
            for lifted in projective_lifts(heads):
                if (
                    lifted.count(0) == 1
                    and all(
                        is_ordered(
                            category,
                            "".join(
                                "#" if other == word else letter[categories[other - 1]]
                                for other in range(1, len(words) + 1)
                                if other == word or lifted[other - 1] == word
                            ),
                        )
                        for word, category in enumerate(categories, 1)
                    )
                    and all(
                        is_lifted_by_a_rule(grammar, regex, letter, categories, heads, lifted, word)
                        for word in range(1, len(words) + 1)
                    )
                ):
                    yield categories, heads, lifted


def weight(grammar: Any, categories: tuple[Any, ...], heads: tuple[int, ...], lifted: tuple[int, ...]) -> float:
    """What the best rules of an analysis weigh: an s-rule and m-rules for each word, an l-rule for each lift."""
    total = 0.0
    for word, category in enumerate(categories, 1):
        dependents = [categories[d] for d, head in enumerate(heads) if head == word]
        frames = [(rule.dependents, rule.weight) for rule in grammar.s_rules if matches(rule.head, category)]
        modifiers = [rule for rule in grammar.m_rules if matches(rule.head, category)]
        found = []
        for frame, frame_weight in frames or [((), 0.0)]:
            for order in permutations(dependents):
                rest = order[len(frame) :]
                if len(frame) <= len(order) and all(matches(p, c) for p, c in zip(frame, order, strict=False)):
                    weights = [[m.weight for m in modifiers if matches(m.dependent, c)] for c in rest]
                    if all(weights):
                        found.append(frame_weight + sum(map(max, weights)))
        total += max(found)
    for word, (governor, target) in enumerate(zip(heads, lifted, strict=True), 1):
        if governor != target:
            path = []
            node = lifted[governor - 1]
            while node != target:
                path.append(categories[node - 1])
                node = lifted[node - 1]
            total += max(
                rule.weight
                for rule in grammar.l_rules
                if rule.rule.matches(categories[word - 1], categories[governor - 1], path, categories[target - 1])
            )
    return total


def is_wider(pattern: Any, other: Any) -> bool:
    """Whether a pattern matches all that another does."""
    return pattern.is_any or (not other.is_any and matches(pattern, other))


def is_lifted_by_a_rule(
    grammar: Any,
    regex: Any,
    letter: dict[Any, str],
    categories: tuple[Any, ...],
    heads: tuple[int, ...],
    lifted: tuple[int, ...],
    word: int,
) -> bool:
    """Whether a word stays where it is, or some rule lifts it along its linear governors."""
    governor, target = heads[word - 1], lifted[word - 1]
    if governor == target:
        return True
    path = []
    node = lifted[governor - 1]
    while node not in (0, target):
        path.append(letter[categories[node - 1]])
        node = lifted[node - 1]
    return node == target and any(
        matches(rule.rule.lifted, categories[word - 1])
        and matches(rule.rule.syntactic_governor, categories[governor - 1])
        and matches(rule.rule.linear_governor, categories[target - 1])
        and re.fullmatch(regex(rule.rule.path), "".join(path)) is not None
        for rule in grammar.l_rules
    )
