"""The rules of a grammar, as they are written; what could not be read back is refused when a rule is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TypeAlias

from nonproj.errors import NonprojError
from nonproj.grammar.steps import StepCounts
from nonproj.lifting import Category, Expression, LiftingRule
from nonproj.lifting.columns import Source, columns_of
from nonproj.lifting.expression import HEAD, Symbol
from nonproj.lifting.notation import written_name

Given: TypeAlias = Category | str | Sequence[Category]
"""The category that a word has, or those that it may have."""


def _weight(weight: float) -> str:
    # A plus sign is a mark of the notation, and 1e+20 is the same number without it.
    return f" @ {float(weight)!r}".replace("e+", "e") if weight else ""


def _check_weight(name: str, weight: float) -> None:
    if not isfinite(weight):
        raise NonprojError(f"the weight of rule {name!r} is {weight}, expected a finite number")


@dataclass(frozen=True)
class SRule:
    """What a head needs: exactly these dependents, in whatever order the LP rule says."""

    name: str
    head: Category
    dependents: tuple[Category, ...]
    weight: float = 0.0

    def __post_init__(self) -> None:
        _check_weight(self.name, self.weight)

    def __str__(self) -> str:
        dependents = ", ".join(map(str, self.dependents))
        return f"s {written_name(self.name)}: {self.head} ->{' ' * bool(dependents)}{dependents}{_weight(self.weight)}"


@dataclass(frozen=True)
class MRule:
    """A dependent that a head may have any number of times."""

    name: str
    head: Category
    dependent: Category
    weight: float = 0.0

    def __post_init__(self) -> None:
        _check_weight(self.name, self.weight)

    def __str__(self) -> str:
        return f"m {written_name(self.name)}: {self.head} -> {self.dependent}{_weight(self.weight)}"


@dataclass(frozen=True)
class LPRule:
    """The order of the linear dependents of a head."""

    name: str
    head: Category
    order: Expression

    def __post_init__(self) -> None:
        if heads_in(self.order) != {1}:
            raise NonprojError(f"rule {self.name!r}: '#', the head, stands once in every string, not in {self.order}")

    def __str__(self) -> str:
        return f"lp {written_name(self.name)}: {self.head} = {self.order}"


@dataclass(frozen=True)
class LRule:
    """What may be lifted, with a name."""

    name: str
    rule: LiftingRule
    weight: float = 0.0

    def __post_init__(self) -> None:
        if self.rule.count:
            raise NonprojError(f"rule {self.name!r}: a rule of a grammar has a weight, and no count: {self.rule}")
        _check_weight(self.name, self.weight)

    def __str__(self) -> str:
        return f"l {written_name(self.name)}: {self.rule}{_weight(self.weight)}"

    def condition(self) -> str:
        """The lifting condition as in rule (6) of the paper, from the linear governor down."""
        rule = self.rule
        path = " ".join(str(part) for part in (rule.path.reversed(),) if part != Expression("sequence"))
        return " ".join(filter(None, [path, str(rule.syntactic_governor), str(rule.lifted)]))


def heads_in(expression: Expression) -> set[int]:
    """How often ``#`` may stand in a string of the expression: numbers above 2 count as 2."""
    if expression.kind == "symbol":
        return {int(expression.symbol == HEAD)}
    parts = [heads_in(part) for part in expression.parts]
    if expression.kind == "choice":
        return set().union(*parts)
    if expression.kind == "sequence":
        counts = {0}
        for part in parts:
            counts = {min(a + b, 2) for a in counts for b in part}
        return counts
    once = parts[0] | ({0} if expression.kind != "plus" else set())
    return once if expression.kind == "maybe" else once | ({2} if parts[0] - {0} else set())


@dataclass(eq=False)
class GrammarRules:
    """All that a grammar says: start categories, rules and lexicon."""

    start: tuple[Category, ...]
    s_rules: tuple[SRule, ...] = ()
    m_rules: tuple[MRule, ...] = ()
    lp_rules: tuple[LPRule, ...] = ()
    l_rules: tuple[LRule, ...] = ()
    lexicon: dict[str, tuple[Category, ...]] = field(default_factory=dict)
    columns: Source = ""
    """The columns of a treebank that categories come from, such as ``upos+Case``; empty where nothing says it."""
    max_lifts: int | None = None
    """How many words may be on their way up at a time, where a parse is not told otherwise; None for any number."""
    left_out: int = 0
    """How many trees with several roots `from_treebank` could not use."""
    steps: StepCounts = field(default_factory=StepCounts)
    """How often the steps of rule-FSMs were seen: where there are any, their probabilities weigh."""
    start_weights: dict[Category, float] = field(default_factory=dict)
    word_weights: dict[tuple[str, Category], float] = field(default_factory=dict)
    unknown: dict[Category, float] = field(default_factory=dict)
    """The categories of words that the lexicon does not have, with what they weigh."""

    def __post_init__(self) -> None:
        """Refuse what has no notation, so that every grammar is read as it is written."""
        if not self.start:
            raise NonprojError("a grammar needs at least one start category")
        if self.columns:
            columns_of(self.columns)
        if self.max_lifts is not None and self.max_lifts < 0:
            raise NonprojError(f"at most {self.max_lifts} words on their way up: expected 0 or more, or None")
        rules: list[SRule | MRule | LPRule | LRule] = [*self.s_rules, *self.m_rules, *self.lp_rules, *self.l_rules]
        for name, count in Counter(rule.name for rule in rules).items():
            if count > 1:
                raise NonprojError(f"{count} rules are called {name!r}: each needs its own name")
        for word, known in self.lexicon.items():
            if not known or len(set(known)) < len(known) or any(category.is_any for category in known):
                shown = ", ".join(map(str, known)) or "none"
                raise NonprojError(f"the word {word!r} needs categories of its own, each once and not '.', has {shown}")
        self._check_features()
        for start, weight in self.start_weights.items():
            if start not in self.start or not isfinite(weight):
                raise NonprojError(f"the start category {start} has no place or the weight {weight}")
        for (word, category), weight in self.word_weights.items():
            if category not in self.lexicon.get(word, ()) or not isfinite(weight):
                raise NonprojError(f"the word {word!r} is no {category}, or has the weight {weight}")
        for category, weight in self.unknown.items():
            if category.is_any or not isfinite(weight):
                raise NonprojError(f"unknown words may not be {category} with the weight {weight}")

    def patterns(self) -> Iterator[tuple[str, Category]]:
        """Every category that is written in a rule, with the name of the rule."""
        for start in self.start:
            yield "start", start
        for s in self.s_rules:
            yield from ((s.name, category) for category in (s.head, *s.dependents))
        for m in self.m_rules:
            yield from ((m.name, category) for category in (m.head, m.dependent))
        for lp in self.lp_rules:
            written: list[Symbol] = [lp.head, *lp.order.symbols()]
            yield from ((lp.name, category) for category in written if isinstance(category, Category))
        for named in self.l_rules:
            rule = named.rule
            passed: list[Symbol] = [rule.lifted, rule.syntactic_governor, *rule.path.symbols(), rule.linear_governor]
            yield from ((named.name, category) for category in passed if isinstance(category, Category))

    def _check_features(self) -> None:
        """Refuse features that no word has: a rule that asks for one would never match, in silence."""
        known = {feature for categories in self.lexicon.values() for c in categories for feature, _ in c.features}
        known |= {feature for category in self.unknown for feature, _ in category.features}
        for rule, pattern in self.patterns() if self.lexicon else ():
            for feature, _ in pattern.features:
                if feature not in known:
                    has = f"those of its words are {', '.join(sorted(known))}" if known else "its words have none"
                    hint = "; the relation is called 'rel'" if feature == "deprel" and "rel" in known else ""
                    raise NonprojError(
                        f"rule {rule!r} asks for {pattern}, but the lexicon has no feature {feature!r}: {has}{hint}"
                    )

    def __str__(self) -> str:
        lines = [f"categories: {self.columns}"] if self.columns else []
        lines += [f"lifts: {self.max_lifts}"] if self.max_lifts is not None else []
        lines += [f"start: {', '.join(f'{c}{_weight(self.start_weights.get(c, 0.0))}' for c in self.start)}"]
        for rules in (self.s_rules, self.m_rules, self.lp_rules, self.l_rules):
            lines += map(str, rules)
        lines += self.steps.lines()
        lines += [
            f"word {written_name(word)}: {_choices((c, self.word_weights.get((word, c), 0.0)) for c in known)}"
            for word, known in self.lexicon.items()
        ]
        if self.unknown:
            lines.append(f"unknown: {_choices(self.unknown.items())}")
        return "\n".join(lines) + "\n"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrammarRules) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]

    def categories_of(self, words: Sequence[str], given: Sequence[Given] | None = None) -> list[tuple[Category, ...]]:
        """The categories that each word may have: those given, else those of the lexicon."""
        if given is not None:
            if len(given) != len(words):
                raise NonprojError(f"{len(words)} words, but {len(given)} categories: give one a word")
            choices = [(c,) if isinstance(c, str | Category) else tuple(c) for c in given]
            return [tuple(Category.parse(c) if isinstance(c, str) else c for c in known) for known in choices]
        unknown = list(dict.fromkeys(word for word in words if word not in self.lexicon))
        if unknown and not self.unknown:
            named = " nor ".join(map(repr, unknown[:10])) + (f" and {len(unknown) - 10} more" if unknown[10:] else "")
            raise NonprojError(f"the lexicon has no word {named}: add it, or give categories")
        return [self.lexicon.get(word) or tuple(self.unknown) for word in words]

    def weight_of_word(self, word: str, category: Category) -> float:
        """What a category of a word weighs."""
        if word in self.lexicon:
            return self.word_weights.get((word, category), 0.0)
        return self.unknown.get(category, 0.0)


def _choices(weighted: Iterable[tuple[Category, float]]) -> str:
    return " | ".join(f"{category}{_weight(weight)}" for category, weight in weighted)
