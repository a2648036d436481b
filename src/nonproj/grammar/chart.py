"""The chart of section 5 of the paper: rule-FSMs with lift multisets, O(G Q n^(3 + 2L)); O(n^3) without l-rules.

    item                          meaning
    [i, j, C, q, in, LM]          the linear dependents of a head of category C that cover words i..j, and maybe the
                                  head itself, bring the rule-FSM of C to state q; ``in`` are the categories of those
                                  that were lifted, LM what is being lifted from the words i..j
    (i, j, C, LM)                 a complete subtree of a head of category C, with what is still being lifted from it

LM holds pairs of a category and the state of its lifting condition: those words have their syntactic governor within
i..j and yet no linear one. When a head is complete its lifting conditions read its category. Dependents that were
lifted to it take away the conditions that arrive, and dependents that it lacks add new ones.

The chart does not know which word is lifted from where when conditions are alike: that, and that no word is lifted
from below itself, is settled in the forest (`nonproj.grammar.forest`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from nonproj.grammar.machine import HEAD_LETTER, Letter, Machine
from nonproj.lifting import Automaton, Category
from nonproj.lifting.expression import Places

Pending: TypeAlias = int
"""A category that is being lifted with the state of its condition, by its number in `Chart.pendings`."""
Multiset: TypeAlias = tuple[Pending, ...]
"""Sorted, so that equal multisets are equal."""
DEAD: Pending = -1


class Partial(NamedTuple):
    """[i, j, C, q, in, LM]."""

    i: int
    j: int
    category: int
    state: int
    lifted_in: tuple[int, ...]
    lifted: Multiset


class Complete(NamedTuple):
    """(i, j, C, LM)."""

    i: int
    j: int
    category: int
    lifted: Multiset


class Reading(NamedTuple):
    """How a partial item came about: from one before it (None at the beginning), with a dependent or the head."""

    before: Partial | None
    role: str
    dependent: Complete | None


class Finishing(NamedTuple):
    """How a complete item came about: from a partial one, with the categories of dependents lifted away."""

    partial: Partial
    lifted_out: tuple[int, ...]


class Chart:
    """All items of a sentence, with how each came about, in the order in which they were found."""

    def __init__(self, machine: Machine, words: Sequence[tuple[Category, ...]], max_lifts: int | None = None) -> None:
        self.machine = machine
        self.max_lifts = len(words) if max_lifts is None else max_lifts
        self.n = len(words)
        self.categories = list(dict.fromkeys(category for known in words for category in known))
        number = {category: index for index, category in enumerate(self.categories)}
        self.words = [[number[category] for category in known] for known in words]
        self.readers = [machine.lift_reader(category) for category in self.categories]
        self.pendings: list[tuple[int, Places]] = []
        self._numbers: dict[tuple[int, Places], Pending] = {}
        self._advanced: dict[tuple[Pending, int], Pending] = {}
        self.readings: dict[Partial, list[Reading]] = {}
        self.finishings: dict[Complete, list[Finishing]] = {}
        self.order: list[Partial | Complete] = []
        self._fsms = [machine.rule_fsm(category) for category in self.categories]
        self._steps = [[self._numbered(row, number) for row in fsm.steps] for fsm in self._fsms]
        self._beginnings: dict[int, list[tuple[int, str, int]]] = {}
        for category, fsm in enumerate(self._fsms):
            for (role, dependent), state in self._steps[category][fsm.start].items():
                if dependent is not None and role != "out":
                    self._beginnings.setdefault(dependent, []).append((category, role, state))
        self._headless = [headless_states(fsm) for fsm in self._fsms]
        self._last = [max(p for p, known in enumerate(self.words) if c in known) for c in range(len(self.categories))]
        self._fill()

    @staticmethod
    def _numbered(
        row: dict[tuple[str, Category | None], int], number: dict[Category, int]
    ) -> dict[tuple[str, int | None], int]:
        return {
            (role, None if category is None else number[category]): state
            for (role, category), state in row.items()
            if category is None or category in number
        }

    @cached_property
    def goals(self) -> list[Complete]:
        """The complete items that stand for the whole sentence."""
        whole = self._completes.get((0, self.n - 1), {})
        return [
            item
            for items in whole.values()
            for item in items
            if not item.lifted and self.machine.may_start(self.categories[item.category])
        ]

    def _fill(self) -> None:
        # What a cell holds, by the category of the dependent that an item can read next, and by category.
        self._waiting: dict[tuple[int, int], dict[int, list[tuple[Partial, str, int]]]] = {}
        self._partials: dict[tuple[int, int], list[Partial]] = {}
        self._completes: dict[tuple[int, int], dict[int, list[Complete]]] = {}
        self._supply = self._outside_supply()
        for j in range(self.n):
            for i in range(j, -1, -1):
                self._cell(i, j)

    def _cell(self, i: int, j: int) -> None:
        for middle in range(i, j):
            waiting = self._waiting.get((i, middle))
            completes = self._completes.get((middle + 1, j))
            if not waiting or not completes:
                continue
            for category in waiting.keys() & completes.keys():
                for dependent in completes[category]:
                    for before, role, state in waiting[category]:
                        self._read(before, role, dependent, state)
        self._read_head(i, j)
        for partial in list(self._partials.get((i, j), ())):
            self._finish(partial)
        for category, items in list(self._completes.get((i, j), {}).items()):
            for head, role, state in self._beginnings.get(category, ()):
                if self._last[head] > j:
                    for dependent in items:
                        lifted_in = (category,) if role == "in" else ()
                        if not self._survive(dependent.lifted, head):
                            continue
                        item = Partial(i, j, head, state, lifted_in, dependent.lifted)
                        self._add(item, Reading(None, role, dependent))
        self._put_in_order(i, j)

    def _put_in_order(self, i: int, j: int) -> None:
        """Items without their head may begin with a complete item of the same cell; those with it never do."""
        partials = self._partials.get((i, j), ())
        self.order += [item for item in partials if item.state not in self._headless[item.category]]
        self.order += [item for items in self._completes.get((i, j), {}).values() for item in items]
        self.order += [item for item in partials if item.state in self._headless[item.category]]

    def _read(self, before: Partial, role: str, dependent: Complete, state: int) -> None:
        lifted_in = before.lifted_in
        if role == "in":
            lifted_in = tuple(sorted((*lifted_in, dependent.category)))
        lifted = before.lifted
        if dependent.lifted:
            lifted = union(lifted, dependent.lifted)
            if not self._survive(dependent.lifted, before.category) or not self._can_land(
                before.i, dependent.j, lifted, lifted_in
            ):
                return
        item = Partial(before.i, dependent.j, before.category, state, lifted_in, lifted)
        self._add(item, Reading(before, role, dependent))

    def _survive(self, lifted: Multiset, governor: int) -> bool:
        """Whether no lifting condition dies at a governor."""
        return all(self.advanced(pending, governor) != DEAD for pending in lifted)

    def _read_head(self, i: int, j: int) -> None:
        for category in self.words[j]:
            if i == j:
                start = self._fsms[category].start
                state = self._steps[category][start].get((HEAD_LETTER[0], None))
                if state is not None:
                    self._add(Partial(i, j, category, state, (), ()), Reading(None, "#", None))
        for before in self._partials.get((i, j - 1), ()):
            if before.category in self.words[j]:
                state = self._steps[before.category][before.state].get((HEAD_LETTER[0], None))
                if state is not None:
                    item = before._replace(j=j, state=state)
                    self._add(item, Reading(before, "#", None))

    def _add(self, item: Partial, reading: Reading) -> None:
        if item in self.readings:
            self.readings[item].append(reading)
            return
        self.readings[item] = [reading]
        cell = (item.i, item.j)
        self._partials.setdefault(cell, []).append(item)
        waiting = self._waiting.setdefault(cell, {})
        for (role, dependent), state in self._steps[item.category][item.state].items():
            if dependent is not None and role != "out":
                waiting.setdefault(dependent, []).append((item, role, state))

    def _finish(self, partial: Partial) -> None:
        head = partial.category
        found: set[tuple[Multiset, tuple[int, ...]]] = set()
        for left in self._arrivals(partial):
            for lifted_out, new in self._lifted_away(partial):
                found.add((union(left, new), lifted_out))
        for lifted, lifted_out in sorted(found):
            if lifted and not self._can_land(partial.i, partial.j, lifted):
                continue
            item = Complete(partial.i, partial.j, head, lifted)
            if item in self.finishings:
                self.finishings[item].append(Finishing(partial, lifted_out))
                continue
            self.finishings[item] = [Finishing(partial, lifted_out)]
            self._completes.setdefault((item.i, item.j), {}).setdefault(head, []).append(item)

    def _arrivals(self, partial: Partial) -> Iterator[Multiset]:
        """What is still being lifted after the dependents that were lifted to the head have taken theirs away."""
        if not partial.lifted:
            if not partial.lifted_in:
                yield ()
            return
        read = [self.advanced(pending, partial.category) for pending in partial.lifted]

        def choose(place: int, wanted: tuple[int, ...]) -> Iterator[Multiset]:
            if place == len(read):
                if not wanted:
                    yield ()
                return
            pending = read[place]
            for rest in choose(place + 1, wanted):
                yield (pending, *rest)
            category = self.pendings[pending][0]
            if category in wanted and self.arrives(pending):
                at = wanted.index(category)
                yield from choose(place + 1, wanted[:at] + wanted[at + 1 :])

        yield from {tuple(sorted(left)) for left in choose(0, partial.lifted_in)}

    def _lifted_away(self, partial: Partial) -> Iterator[tuple[tuple[int, ...], Multiset]]:
        """The dependents that the head may have beside its linear ones, lifted away from it, in sorted order."""
        head = partial.category
        steps, finals = self._steps[head], self._fsms[head].finals

        def extend(state: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if state in finals:
                yield chosen
            for (role, category), after in steps[state].items():
                if role != "out" or category is None or (chosen and category < chosen[-1]):
                    continue
                if len(chosen) == min(self.n - (partial.j - partial.i + 1), self.max_lifts):
                    continue
                if chosen.count(category) < self._supply[category][partial.i][partial.j]:
                    yield from extend(after, (*chosen, category))

        for chosen in extend(partial.state, ()):
            pending = [self.new_pending(category, head) for category in chosen]
            if DEAD not in pending:
                yield chosen, tuple(sorted(pending))

    def new_pending(self, lifted: int, governor: int) -> Pending:
        """A word that is lifted away from its syntactic governor."""
        reader = self.readers[lifted]
        return DEAD if reader is None else self._read_governor(lifted, reader.start, governor)

    def advanced(self, pending: Pending, governor: int) -> Pending:
        """A lifting condition that has read one more governor on its way up; it may be `DEAD`."""
        key = (pending, governor)
        if key not in self._advanced:
            self._advanced[key] = self._read_governor(*self.pendings[pending], governor)
        return self._advanced[key]

    def _read_governor(self, lifted: int, state: Places, governor: int) -> Pending:
        reader = self.readers[lifted]
        after = reader.step(state, self.categories[governor]) if reader else frozenset()
        if not after:
            return DEAD
        key = (lifted, after)
        if key not in self._numbers:
            self._numbers[key] = len(self.pendings)
            self.pendings.append(key)
        return self._numbers[key]

    def arrives(self, pending: Pending) -> bool:
        """Whether the governor read last may be the linear one."""
        category, state = self.pendings[pending]
        reader = self.readers[category]
        return reader is not None and reader.arrives(state)

    def _outside_supply(self) -> list[list[list[int]]]:
        """How many words outside i..j may have a category: no more can be lifted out of i..j."""
        tables = []
        for category in range(len(self.categories)):
            before = [0]
            for known in self.words:
                before.append(before[-1] + (category in known))
            tables.append(
                [[before[-1] - (before[max(j + 1, i)] - before[i]) for j in range(self.n)] for i in range(self.n)]
            )
        return tables

    def _can_land(self, i: int, j: int, lifted: Multiset, landed: tuple[int, ...] = ()) -> bool:
        """Whether there are words for all that is being lifted out of i..j: outside, or landed already."""
        if len(lifted) > min(self.n - (j - i + 1), self.max_lifts) + len(landed):
            return False
        wanted = [self.pendings[pending][0] for pending in lifted]
        return all(wanted.count(c) <= self._supply[c][i][j] + landed.count(c) for c in set(wanted))


def headless_states(fsm: Automaton[Letter]) -> set[int]:
    """The states in which the head has not been read."""
    found, pending = {fsm.start}, [fsm.start]
    while pending:
        for letter, state in fsm.steps[pending.pop()].items():
            if letter != HEAD_LETTER and state not in found:
                found.add(state)
                pending.append(state)
    return found


def union(first: Multiset, second: Multiset) -> Multiset:
    """Two multisets together."""
    if not first or not second:
        return first or second
    return tuple(sorted(first + second))
