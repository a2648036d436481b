"""The parts of a schema as they are written: item forms, hypotheses, deduction steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from nonproj.schema.condition import GIVEN, Condition
from nonproj.schema.errors import SchemaError
from nonproj.schema.pattern import Pattern, read_patterns

_LINK = re.compile(r"\s*([A-Za-z]\w*)\s*->\s*([A-Za-z]\w*|0)\s*(?:->\s*([A-Za-z]\w*|0)\s*)?", re.ASCII)
_ARC = re.compile(r"\s*(?:([A-Za-z]\w*|0)\s*->\s*)?([A-Za-z]\w*|0)\s*->\s*([A-Za-z]\w*)\s*", re.ASCII)
_MAX_ANTECEDENTS = 8


@dataclass(frozen=True)
class ItemForm:
    """A form that items may have, what must hold of its indices, and what such an item stands for."""

    pattern_text: str
    where: str = ""
    meaning: str = ""

    @cached_property
    def pattern(self) -> Pattern:
        """The form as a pattern."""
        return _one(self.pattern_text, "an item form")

    @cached_property
    def condition(self) -> Condition:
        """What must hold of the indices."""
        return _condition(self.where, self.pattern.names, f"the item form {self.pattern.text}")


@dataclass(frozen=True)
class Hypothesis:
    """Items that need no derivation: the pattern, for all values of its indices that satisfy the condition."""

    pattern_text: str
    where: str

    @cached_property
    def pattern(self) -> Pattern:
        """The form of the items."""
        return _one(self.pattern_text, "a hypothesis")

    @cached_property
    def condition(self) -> Condition:
        """Which values the indices take."""
        return _condition(self.where, self.pattern.names, f"the hypothesis {self.pattern.text}")


@dataclass(frozen=True)
class Link:
    """A head and its dependent in a step, with the head's own head where a score depends on it."""

    dependent: str
    head: str
    grandparent: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The indices it speaks of."""
        return frozenset({self.dependent, self.head, self.grandparent}) - {"", "0"}

    @property
    def is_between_categories(self) -> bool:
        """Whether it licenses categories rather than words."""
        return self.dependent[0].isupper()


@dataclass(frozen=True)
class Step:
    """A named deduction step: antecedents and consequent, a side condition, and at most one new arc.

    The arc is written as the schema's paper does: as a D-rule ``link="dependent -> head"``, or ``arc="head ->
    dependent"``. The final step of a schema has no consequent.

    >>> step = Step("Combine Ungapped", "[i, j, h, -, -] [j+1, k, h, -, -] => [i, k, h, -, -]")
    >>> len(step.antecedents), sorted(step.indices)
    (2, ['h', 'i', 'j', 'k'])
    """

    name: str
    rule: str
    where: str = ""
    link: str = ""
    arc: str = ""

    def __post_init__(self) -> None:
        try:
            self._check()
        except SchemaError as error:
            raise SchemaError(f"step {self.name!r}: {error}") from None

    def _check(self) -> None:
        if not 1 <= len(self.antecedents) <= _MAX_ANTECEDENTS:
            raise SchemaError(f"there are {len(self.antecedents)} antecedents, not 1 to {_MAX_ANTECEDENTS}")
        bound = frozenset().union(*(pattern.names for pattern in self.antecedents)) | GIVEN
        if any(field.of_word for pattern in self.patterns for field in pattern.fields):
            raise SchemaError("cat(h) may stand in a hypothesis or a condition, not in an item of a step")
        if self.consequent is not None:
            _all_bound(self.consequent.names, bound, f"the consequent {self.consequent.text}")
        _all_bound(self.condition.names, bound, f"the condition {self.where!r}")
        if self.linked is not None:
            _all_bound(self.linked.names, bound, f"the arc {self.arc!r}" if self.arc else f"the link {self.link!r}")

    @cached_property
    def patterns(self) -> list[Pattern]:
        """The antecedents, and the consequent after them if there is one."""
        return self.antecedents + ([] if self.consequent is None else [self.consequent])

    @cached_property
    def antecedents(self) -> list[Pattern]:
        """What must have been derived."""
        return read_patterns(self._sides[0])

    @cached_property
    def consequent(self) -> Pattern | None:
        """What follows; None in a final step."""
        return None if len(self._sides) == 1 else _one(self._sides[1], "the right of =>")

    @cached_property
    def _sides(self) -> list[str]:
        sides = self.rule.split("=>")
        if len(sides) > 2:
            raise SchemaError("write one => between antecedents and consequent")
        return sides

    @cached_property
    def condition(self) -> Condition:
        """The side condition."""
        return Condition(self.where)

    @cached_property
    def linked(self) -> Link | None:
        """What the step links, if the grammar, the tree or the scores allow it."""
        if self.link and self.arc:
            raise SchemaError("write a link, dependent -> head, or an arc, head -> dependent, and not both")
        if self.link:
            match = _LINK.fullmatch(self.link)
            if not match:
                raise SchemaError(f"cannot read the link {self.link!r}: write dependent -> head, such as h2 -> h1")
            return Link(match[1], match[2], match[3] or "")
        if self.arc:
            match = _ARC.fullmatch(self.arc)
            if not match:
                raise SchemaError(f"cannot read the arc {self.arc!r}: write head -> dependent, such as h1 -> h2")
            return Link(match[3], match[2], match[1] or "")
        return None

    @cached_property
    def indices(self) -> frozenset[str]:
        """The free string positions: what the step costs is n to their number."""
        names = frozenset().union(*(pattern.names for pattern in self.antecedents)) - GIVEN
        return frozenset(name for name in names if not name[0].isupper())


def _one(text: str, what: str) -> Pattern:
    patterns = read_patterns(text)
    if len(patterns) != 1:
        raise SchemaError(f"{what} is one item, not {text.strip()!r}")
    return patterns[0]


def _condition(where: str, bound: frozenset[str], what: str) -> Condition:
    condition = Condition(where)
    _all_bound(condition.names, bound | GIVEN, f"the condition {where!r} of {what}")
    return condition


def _all_bound(names: frozenset[str], bound: frozenset[str], what: str) -> None:
    unbound = sorted(names - bound)
    if unbound:
        raise SchemaError(f"{what} uses {', '.join(unbound)}, which no antecedent binds")
