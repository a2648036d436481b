"""The shared forest of a parse: the items that lead to a goal, with who is lifted from where made definite.

The chart's lift multisets say how many words of a category are being lifted, not from which governor. Here every item
is split into as many as there are choices of heads and syntactic governors, so that each analysis has exactly one
derivation: counts, the best analysis and the list of all are sums over the ways in which an item came about. Lifts in
which words would be syntactically below themselves, each lifted from under another, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from nonproj.grammar.chart import Chart, Complete, Finishing, Partial, Pending, Reading
from nonproj.lifting import Category, LiftedWord, governors
from nonproj.trees import Tree


@dataclass(frozen=True)
class Analysis:
    """One analysis of a sentence: the category of each word, its syntactic and its linear governor."""

    words: tuple[str, ...]
    categories: tuple[Category, ...]
    tree: Tree
    """The syntactic governors."""
    lifted: Tree
    """The linear governors: a projective lift of the tree."""
    weight: float = 0.0

    @property
    def lifts(self) -> list[LiftedWord]:
        """The words whose governors differ, with their lifting paths."""
        return [word for word in governors(self.tree, self.lifted) if word.is_lifted]

    def __str__(self) -> str:
        lines = []
        for number, (word, category) in enumerate(zip(self.words, self.categories, strict=True), 1):
            syntactic, linear = self.tree.heads[number - 1], self.lifted.heads[number - 1]
            lifted = "" if syntactic == linear else f"  lifted to {self.tree.form(linear)} ({linear})"
            lines.append(f"{number}\t{word}\t{category}\t{self.tree.form(syntactic)} ({syntactic}){lifted}")
        return "\n".join(lines)


class Lifting(NamedTuple):
    """A word that is being lifted: its category with the state of its condition, and its syntactic governor."""

    pending: Pending
    governor: int


class Brought(NamedTuple):
    """A word that is being lifted, with the linear dependent under which it comes up."""

    lifting: Lifting
    under: int


class PartKey(NamedTuple):
    """A partial item made definite; the head is 0 before it is read."""

    item: Partial
    head: int
    lifted_in: tuple[tuple[int, int], ...]
    """The dependents that were lifted to the head, with their categories."""
    brought: tuple[Brought, ...]
    own: tuple[int, ...]
    """The categories of its own dependents: kept where rules have weights, else left empty."""


class WholeKey(NamedTuple):
    """A complete item made definite."""

    item: Complete
    head: int
    lifted: tuple[Lifting, ...]


class PartWay(NamedTuple):
    """A reading made definite."""

    before: PartKey | None
    role: str
    dependent: WholeKey | None


class WholeWay(NamedTuple):
    """A finishing made definite: each word lifted to the head with its syntactic governor, and what the rules weigh."""

    part: PartKey
    resolved: tuple[tuple[int, int], ...]
    weight: float


Key: TypeAlias = PartKey | WholeKey
Way: TypeAlias = PartWay | WholeWay
Choice: TypeAlias = tuple[tuple[int, int, int, int], ...]
"""Word, category, syntactic governor, linear governor of the words decided on; 0 for a governor yet unknown."""


class Forest:
    """The analyses of a sentence; iterate over them."""

    def __init__(self, chart: Chart, words: tuple[str, ...]) -> None:
        self.chart, self.words = chart, words
        grammar = chart.machine.grammar
        self._is_weighted = any(
            rule.weight for rules in (grammar.s_rules, grammar.m_rules, grammar.l_rules) for rule in rules
        )
        self.ways: dict[Key, list[Way]] = {}
        self._keys: dict[Partial | Complete, list[Key]] = {}
        useful = self._useful()
        for item in self.chart.order:
            if item in useful:
                self._split(item)

    def _useful(self) -> set[Partial | Complete]:
        """The items that lead to a goal."""
        chart = self.chart
        pending: list[Partial | Complete] = list(chart.goals)
        found = set(pending)
        while pending:
            item = pending.pop()
            parts: list[Partial | Complete | None] = []
            if isinstance(item, Complete):
                parts += [way.partial for way in chart.finishings[item]]
            else:
                parts += [part for way in chart.readings[item] for part in (way.before, way.dependent)]
            for part in parts:
                if part is not None and part not in found:
                    found.add(part)
                    pending.append(part)
        return found

    def _split(self, item: Partial | Complete) -> None:
        self._keys[item] = []
        if isinstance(item, Partial):
            for reading in self.chart.readings[item]:
                for key, way in self._definite_readings(item, reading):
                    self._add(item, key, way)
        else:
            for finishing in self.chart.finishings[item]:
                for whole, finished in self._definite_finishings(item, finishing):
                    self._add(item, whole, finished)

    def _add(self, item: Partial | Complete, key: Key, way: Way) -> None:
        if key not in self.ways:
            self.ways[key] = []
            self._keys[item].append(key)
        self.ways[key].append(way)

    def _definite_readings(self, item: Partial, reading: Reading) -> Iterator[tuple[PartKey, PartWay]]:
        befores = [PartKey(item, 0, (), (), ())] if reading.before is None else self._keys[reading.before]
        for before in befores:
            assert isinstance(before, PartKey)
            known = None if reading.before is None else before
            if reading.dependent is None:
                yield before._replace(item=item, head=item.j + 1), PartWay(known, "#", None)
                continue
            for dependent in self._keys[reading.dependent]:
                assert isinstance(dependent, WholeKey)
                category = reading.dependent.category
                brought = (*before.brought, *(Brought(lifting, dependent.head) for lifting in dependent.lifted))
                key = before._replace(item=item, brought=tuple(sorted(brought)))
                if reading.role == "in":
                    key = key._replace(lifted_in=(*before.lifted_in, (dependent.head, category)))
                elif self._is_weighted:
                    key = key._replace(own=tuple(sorted((*before.own, category))))
                yield key, PartWay(known, reading.role, dependent)

    def _definite_finishings(self, item: Complete, finishing: Finishing) -> Iterator[tuple[WholeKey, WholeWay]]:
        chart = self.chart
        for part in self._keys[finishing.partial]:
            assert isinstance(part, PartKey)
            away = [Lifting(chart.new_pending(c, item.category), part.head) for c in finishing.lifted_out]
            for resolved, left, rule_weight in self._resolutions(part, item.category):
                lifted = tuple(sorted((*left, *away)))
                if tuple(lifting.pending for lifting in lifted) != item.lifted:
                    continue
                weight = rule_weight + self._rules_weight(part, finishing.lifted_out)
                yield WholeKey(item, part.head, lifted), WholeWay(part, resolved, weight)

    def _resolutions(
        self, part: PartKey, governor: int
    ) -> Iterator[tuple[tuple[tuple[int, int], ...], list[Lifting], float]]:
        """Each way to say who was lifted to the head from where: the lifts, what is left, the weight of the l-rules."""
        chart = self.chart
        read = [
            (Lifting(chart.advanced(b.lifting.pending, governor), b.lifting.governor), b.under) for b in part.brought
        ]
        if not part.lifted_in:
            yield (), [lifting for lifting, _ in read], 0.0
            return

        def choose(place: int, used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if place == len(part.lifted_in):
                yield used
                return
            category = part.lifted_in[place][1]
            tried = set()
            for index, (lifting, under) in enumerate(read):
                is_possible = chart.pendings[lifting.pending][0] == category and chart.arrives(lifting.pending)
                # Conditions that are alike in all are one choice, not several.
                if index in used or not is_possible or (lifting, under) in tried:
                    continue
                tried.add((lifting, under))
                yield from choose(place + 1, (*used, index))

        seen = set()
        for used in choose(0, ()):
            words = [word for word, _ in part.lifted_in]
            if _is_circular(dict(zip(words, (read[index][1] for index in used), strict=True))):
                continue
            resolved = tuple((word, read[index][0].governor) for word, index in zip(words, used, strict=True))
            left = [lifting for index, (lifting, _) in enumerate(read) if index not in used]
            once = (resolved, tuple(sorted(left)))
            if once in seen:
                continue
            seen.add(once)
            yield resolved, left, sum(self._lift_weight(read[index][0].pending) for index in used)

    def _lift_weight(self, pending: Pending) -> float:
        category, state = self.chart.pendings[pending]
        reader = self.chart.readers[category]
        return reader.best_rule(state).weight if self._is_weighted and reader else 0.0

    def _rules_weight(self, part: PartKey, lifted_out: tuple[int, ...]) -> float:
        if not self._is_weighted:
            return 0.0
        categories = self.chart.categories
        dependents = tuple(sorted(categories[c] for c in (*part.own, *lifted_out)))
        best = self.chart.machine.best_rules(categories[part.item.category], dependents)
        assert best is not None, "the rule-FSM accepted what no rules give"
        return best[0]

    @cached_property
    def goals(self) -> list[Key]:
        """The definite items that stand for whole analyses."""
        return [key for item in self.chart.goals for key in self._keys[item]]

    @cached_property
    def _counts(self) -> dict[Key, int]:
        counts: dict[Key, int] = {}
        for key, ways in self.ways.items():  # in the order of the chart: parts come before wholes
            counts[key] = sum(self._product(way, counts) for way in ways)
        return counts

    @staticmethod
    def _product(way: Way, counts: dict[Key, int]) -> int:
        if isinstance(way, WholeWay):
            return counts[way.part]
        before = 1 if way.before is None else counts[way.before]
        return before * (1 if way.dependent is None else counts[way.dependent])

    @property
    def count(self) -> int:
        """How many analyses there are."""
        return sum(self._counts[key] for key in self.goals)

    def __iter__(self) -> Iterator[Analysis]:
        for key in self.goals:
            for choices, weight in self._unpacked(key):
                yield self._analysis(choices, weight)

    def _unpacked(self, key: Key) -> Iterator[tuple[Choice, float]]:
        """Every way to derive an item, as the decisions on its words."""
        for way in self.ways[key]:
            if isinstance(way, WholeWay):
                assert isinstance(key, WholeKey)
                for choices, weight in self._unpacked(way.part):
                    yield _governed(choices, key, way), weight + way.weight
                continue
            befores = [((), 0.0)] if way.before is None else self._unpacked(way.before)
            for before, weight in befores:
                if way.dependent is None:
                    yield before, weight
                    continue
                own = -1 if way.role == "own" else -2
                for below, more in self._unpacked(way.dependent):
                    marked = tuple(
                        (word, c, own, own) if word == way.dependent.head else (word, c, s, g)
                        for word, c, s, g in below
                    )
                    yield (*before, *marked), weight + more

    def _analysis(self, choices: Choice, weight: float) -> Analysis:
        known = sorted(choices)
        tree = Tree([max(s, 0) for _, _, s, _ in known], forms=self.words)
        lifted = Tree([max(g, 0) for _, _, _, g in known], forms=self.words)
        categories = tuple(self.chart.categories[c] for _, c, _, _ in known)
        return Analysis(self.words, categories, tree, lifted, weight)

    @property
    def best(self) -> Analysis | None:
        """The analysis whose rules weigh most; None without any."""
        scores: dict[Key, tuple[float, Way]] = {}
        for key, ways in self.ways.items():
            possible = [(score, way) for way in ways if (score := self._score(way, scores)) is not None]
            if possible:
                scores[key] = max(possible, key=lambda pair: pair[0])
        goals = [key for key in self.goals if key in scores]
        if not goals:
            return None
        best = max(goals, key=lambda key: scores[key][0])
        kept = Forest.__new__(Forest)
        kept.chart, kept.words = self.chart, self.words
        kept.ways = {key: [way] for key, (_, way) in scores.items()}
        return self._analysis(*next(kept._unpacked(best)))

    @staticmethod
    def _score(way: Way, scores: dict[Key, tuple[float, Way]]) -> float | None:
        parts = [way.part] if isinstance(way, WholeWay) else [way.before, way.dependent]
        total = way.weight if isinstance(way, WholeWay) else 0.0
        for part in parts:
            if part is not None:
                if part not in scores:
                    return None
                total += scores[part][0]
        return total

    def _category_of(self, lifting: Lifting) -> str:
        return str(self.chart.categories[self.chart.pendings[lifting.pending][0]])

    def to_dict(self) -> dict[str, object]:
        """The forest as plain data: every item with the numbers of the items of each way it came about."""
        number = {key: index for index, key in enumerate(self.ways)}
        items = []
        for key, ways in self.ways.items():
            item = key.item
            parts = [
                [way.part] if isinstance(way, WholeWay) else [part for part in (way.before, way.dependent) if part]
                for way in ways
            ]
            items.append(
                {
                    "number": number[key],
                    "kind": "complete" if isinstance(key, WholeKey) else "partial",
                    "words": [item.i + 1, item.j + 1],
                    "category": str(self.chart.categories[item.category]),
                    "head": key.head,
                    "lifting": [
                        {"category": self._category_of(lifting), "governor": lifting.governor}
                        for lifting in _liftings(key)
                    ],
                    "ways": [[number[part] for part in way] for way in parts],
                }
            )
        return {"items": items, "goals": [number[key] for key in self.goals], "analyses": self.count}


def _liftings(key: Key) -> Sequence[Lifting]:
    return key.lifted if isinstance(key, WholeKey) else [brought.lifting for brought in key.brought]


def _governed(choices: Choice, key: WholeKey, way: WholeWay) -> Choice:
    """Give the dependents of a finished head their governors, and add the head."""
    resolved = dict(way.resolved)
    decided = []
    for word, category, syntactic, linear in choices:
        if syntactic == -1:
            decided.append((word, category, key.head, key.head))
        elif syntactic == -2:
            decided.append((word, category, resolved[word], key.head))
        else:
            decided.append((word, category, syntactic, linear))
    return (*decided, (key.head, key.item.category, 0, 0))


def _is_circular(under: dict[int, int]) -> bool:
    """Whether words are lifted from under each other in a circle; ``under[w]`` is the sister that w was lifted from."""
    for start in under:
        seen, word = {start}, under[start]
        while word in under and word not in seen:
            seen.add(word)
            word = under[word]
        if word in seen:
            return True
    return False
