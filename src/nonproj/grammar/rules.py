"""The rules of a grammar, as they are written; what could not be read back is refused when a rule is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from nonproj.errors import NonprojError
from nonproj.lifting import Category, Expression, LiftingRule
from nonproj.lifting.expression import HEAD
from nonproj.lifting.notation import written_name


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


def written_entry(word: str, categories: Sequence[Category]) -> str:
    """The line of a word in the lexicon."""
    return f"word {written_name(word)}: {' | '.join(map(str, categories))}"


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
