"""From the notation to Python: each antecedent of each step becomes a function that finds its partners in an index.

When an item is taken from the agenda it is entered in every index it belongs to, and then offered to every antecedent
it matches. The other antecedents are looked up by the fields that are known by then, so that a step costs what its free
indices cost and no more; conditions and D-rules are asked as soon as their indices are bound. The functions are written
as source text, made only of checked fields and conditions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from nonproj.schema.condition import GIVEN, Condition
from nonproj.schema.notation import Hypothesis, ItemForm, Link, Step
from nonproj.schema.pattern import Item, Pattern

Enter: TypeAlias = Callable[[int, Item], None]
_Index: TypeAlias = tuple[str, tuple[int, ...], tuple[str, ...]]
"""What an index holds: a shape, the places its items are looked up by, and tests that its items pass."""


@dataclass(frozen=True)
class Matcher:
    """The functions of one run. A key is a shape; shapes that begin with ``~`` are met by every form of an item."""

    hypotheses: Callable[[], Iterator[Item]]
    is_item: dict[str, list[Callable[[Item], bool]]]
    enter: dict[str, list[Enter]]
    offer: dict[str, list[Enter]]


@dataclass
class _Writer:
    """Lines of source, indented."""

    lines: list[str] = dataclasses.field(default_factory=list)
    depth: int = 1

    def line(self, text: str, *, opens: bool = False) -> None:
        self.lines.append("    " * self.depth + text)
        self.depth += opens


def compiled(
    forms: Sequence[ItemForm], hypotheses: Sequence[Hypothesis], steps: Sequence[Step]
) -> Callable[..., Matcher]:
    """A function that makes the matcher of a run from what ``arguments`` lists.

    Names with ``_`` in front cannot be indices, so that no index hides one of them.
    """
    arguments = "n, first, cat, _categories, _licensed, _licensed_categories, _conclude, _range, _matcher"
    writer = _Writer([f"def make({arguments}):"])
    indexes: dict[_Index, str] = {}
    offers: dict[str, list[str]] = {}
    checks: dict[str, list[str]] = {}
    searches = _Writer()
    for number, step in enumerate(steps):
        for first, pattern in enumerate(step.antecedents):
            name = f"_offer{number}_{first}"
            _write_search(searches, name, number, step, first, indexes)
            offers.setdefault(_key(pattern), []).append(name)
    for number, form in enumerate(forms):
        _write_check(writer, f"_check{number}", form)
        checks.setdefault(form.pattern.shape, []).append(f"_check{number}")
    _write_hypotheses(writer, hypotheses)
    enters = _write_indexes(writer, indexes)
    writer.lines += searches.lines
    tables = ", ".join(_table(names) for names in (checks, enters, offers))
    writer.line(f"return _matcher(_hypotheses, {tables})")
    namespace: dict[str, Any] = {}
    exec(compile("\n".join(writer.lines), "<schema>", "exec"), namespace)
    return lambda *given: namespace["make"](*given, range, Matcher)


def _key(pattern: Pattern) -> str:
    return "~" * pattern.up_to_normalisation + pattern.shape


def _table(names: dict[str, list[str]]) -> str:
    return "{" + ", ".join(f"{key!r}: [{', '.join(functions)}]" for key, functions in names.items()) + "}"


def _write_check(writer: _Writer, name: str, form: ItemForm) -> None:
    """Whether an item of the right shape satisfies the constraints of its form."""
    writer.line(f"def {name}(_item):", opens=True)
    bound = set(GIVEN)
    _write_binding(writer, form.pattern, "_item", bound, [])
    _write_conditions(writer, list(form.condition.conjuncts), bound)
    writer.line("return True")
    writer.depth = 2
    writer.line("return False")
    writer.depth = 1


def _write_hypotheses(writer: _Writer, hypotheses: Sequence[Hypothesis]) -> None:
    writer.line("def _hypotheses():", opens=True)
    for hypothesis in hypotheses:
        bound, waiting = set(GIVEN), list(hypothesis.condition.conjuncts)
        for name in sorted(hypothesis.pattern.names - GIVEN):
            values = "_categories" if name[0].isupper() else "n + 2"
            writer.line(f"for {name} in _range({values}):", opens=True)
            bound.add(name)
            _write_conditions(writer, waiting, bound)
        for field in hypothesis.pattern.fields:
            if field.of_word:  # only words have categories
                writer.line(f"if {field.source} >= 0:", opens=True)
        writer.line(f"yield {_built(hypothesis.pattern)}")
        writer.depth = 2
    writer.depth = 1


def _write_indexes(writer: _Writer, indexes: dict[_Index, str]) -> dict[str, list[str]]:
    """Each index with the function that enters an item in it."""
    enters: dict[str, list[str]] = {}
    for (key, places, tests), name in indexes.items():
        fields = "".join(f"_item[{place + 1}], " for place in places)
        writer.line(f"{name} = {{}}")
        writer.line(f"def {name}_enter(_id, _item):", opens=True)
        if tests:
            writer.line(f"if {' and '.join(tests)}:", opens=True)
        writer.line(f"{name}.setdefault(({fields}), []).append((_id, _item))")
        writer.depth = 1
        enters.setdefault(key, []).append(f"{name}_enter")
    return enters


def _write_search(
    writer: _Writer,
    name: str,
    number: int,
    step: Step,
    first: int,
    indexes: dict[_Index, str],
) -> None:
    """All uses of a step in which the given item is the antecedent at `first`."""
    writer.line(f"def {name}(_id{first}, _item{first}):", opens=True)
    bound, waiting = set(GIVEN), list(step.condition.conjuncts)
    link_waits = _write_binding(writer, step.antecedents[first], f"_item{first}", bound, waiting, step)
    others = [place for place in range(len(step.antecedents)) if place != first]
    while others:
        place = max(others, key=lambda other: len(_known(step.antecedents[other], bound)))
        others.remove(place)
        pattern = step.antecedents[place]
        known = _known(pattern, bound)
        index = indexes.setdefault((_key(pattern), known, _repeats(pattern, bound)), f"_index{len(indexes)}")
        values = "".join(pattern.fields[at].source + ", " for at in known)
        writer.line(f"for _id{place}, _item{place} in {index}.get(({values}), ()):", opens=True)
        if place < first:  # a pair of the item with itself is found when it is offered as the earlier one
            writer.line(f"if _id{place} != _id{first}:", opens=True)
        still = _write_binding(writer, pattern, f"_item{place}", bound, waiting, step if link_waits else None, known)
        link_waits = link_waits and still
    parts = (place for place, pattern in enumerate(step.antecedents) if not pattern.is_prediction)
    antecedents = "".join(f"_id{place}, " for place in parts)
    consequent = "('goal',)" if step.consequent is None else _built(step.consequent)
    writer.line(f"_conclude({consequent}, {number}, ({antecedents}), {_link_value(step)})")
    writer.depth = 1


def _known(pattern: Pattern, bound: set[str]) -> tuple[int, ...]:
    """The places of a pattern whose value is known before it is matched."""
    fields = enumerate(pattern.fields)
    return tuple(at for at, field in fields if not field.is_diamond and (not field.name or field.name in bound))


def _repeats(pattern: Pattern, bound: set[str]) -> tuple[str, ...]:
    """Tests that an item passes whatever is known: an index that stands in it twice has one value."""
    tests: list[str] = []
    seen: dict[str, int] = {}
    for at, field in enumerate(pattern.fields):
        if field.name and field.name not in bound:
            if field.name in seen:
                before = seen[field.name]
                offset = (field.number or 0) - (pattern.fields[before].number or 0)
                tests.append(f"_item[{at + 1}] == _item[{before + 1}] + {offset}")
            seen.setdefault(field.name, at)
    return tuple(tests)


def _write_binding(
    writer: _Writer,
    pattern: Pattern,
    item: str,
    bound: set[str],
    waiting: list[Condition],
    step: Step | None = None,
    known: tuple[int, ...] = (),
) -> bool:
    """Solve the fields for their indices, then ask what can be asked; returns whether the D-rule still waits."""
    tests = []
    for at, field in enumerate(pattern.fields):
        if field.is_diamond or at in known:
            continue
        if field.name and field.name not in bound:
            offset = f" - {field.number}" if field.number else ""
            writer.line(f"{field.name} = {item}[{at + 1}]{offset}")
            bound.add(field.name)
        else:
            tests.append(f"{item}[{at + 1}] == {field.source}")
    if tests:
        writer.line(f"if {' and '.join(tests)}:", opens=True)
    _write_conditions(writer, waiting, bound)
    link = None if step is None else step.linked
    if link is None or not link.names <= bound:
        return link is not None
    if link.is_between_categories:
        writer.line(f"if _licensed_categories[{_head(link)}][{link.dependent}]:", opens=True)
    else:
        within = f"0 <= {link.head} <= n and 0 < {link.dependent} <= n"
        writer.line(f"if {within} and _licensed[{link.head}][{link.dependent}]:", opens=True)
    return False


def _write_conditions(writer: _Writer, waiting: list[Condition], bound: set[str]) -> None:
    ready = [condition for condition in waiting if condition.names <= bound]
    for condition in ready:
        waiting.remove(condition)
    if ready:
        writer.line(f"if {' and '.join(f'({condition.source})' for condition in ready)}:", opens=True)


def _built(pattern: Pattern) -> str:
    return f"({pattern.kind!r}, " + "".join(field.source + ", " for field in pattern.fields) + ")"


def _link_value(step: Step) -> str:
    link = step.linked
    if link is None:
        return "None"
    return f"({_head(link)}, {link.dependent}{', ' + link.grandparent if link.grandparent else ''})"


def _head(link: Link) -> str:
    return "cat(0)" if link.head == "0" and link.is_between_categories else link.head
