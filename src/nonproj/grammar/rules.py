"""The rules of a grammar, as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonproj.lifting import Category, Expression, LiftingRule
from nonproj.lifting.notation import written_name


def _weight(weight: float) -> str:
    return f" @ {weight!r}" if weight else ""


@dataclass(frozen=True)
class SRule:
    """What a head needs: exactly these dependents, in whatever order the LP rule says."""

    name: str
    head: Category
    dependents: tuple[Category, ...]
    weight: float = 0.0

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

    def __str__(self) -> str:
        return f"m {written_name(self.name)}: {self.head} -> {self.dependent}{_weight(self.weight)}"


@dataclass(frozen=True)
class LPRule:
    """The order of the linear dependents of a head."""

    name: str
    head: Category
    order: Expression

    def __str__(self) -> str:
        return f"lp {written_name(self.name)}: {self.head} = {self.order}"


@dataclass(frozen=True)
class LRule:
    """What may be lifted, with a name."""

    name: str
    rule: LiftingRule
    weight: float = 0.0

    def __str__(self) -> str:
        return f"l {written_name(self.name)}: {self.rule}{_weight(self.weight)}"

    def condition(self) -> str:
        """The lifting condition as in rule (6) of the paper, from the linear governor down."""
        rule = self.rule
        path = " ".join(str(part) for part in (rule.path.reversed(),) if part != Expression("sequence"))
        return " ".join(filter(None, [path, str(rule.syntactic_governor), str(rule.lifted)]))


def written_entry(word: str, categories: Sequence[Category]) -> str:
    """The line of a word in the lexicon."""
    return f"word {written_name(word)}: {' | '.join(map(str, categories))}"
