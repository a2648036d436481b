"""What to compute over a forest: each semiring says how to add alternatives and multiply parts."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

Value = TypeVar("Value")
Edge: TypeAlias = tuple[int, tuple[int, ...], "tuple[int, ...] | None"]
"""One use of a step: its number, the numbers of its antecedents, and (head, dependent[, grandparent]) if it links."""
Rope: TypeAlias = "tuple[Any, ...]"


class Semiring(Protocol, Generic[Value]):
    """Alternatives are added with ``plus``, parts multiplied with ``times``; an edge contributes ``lift``."""

    @property
    def zero(self) -> Value:
        """No derivation."""
        ...

    @property
    def one(self) -> Value:
        """A hypothesis."""
        ...

    def plus(self, a: Value, b: Value) -> Value:
        """Either derivation."""
        ...

    def times(self, a: Value, b: Value) -> Value:
        """Both parts."""
        ...

    def lift(self, node: int, edge: Edge) -> Value:
        """What using a step contributes by itself."""
        ...


class Boolean:
    """Whether there is a derivation."""

    zero, one = False, True

    def plus(self, a: bool, b: bool) -> bool:
        """Or."""
        return a or b

    def times(self, a: bool, b: bool) -> bool:
        """And."""
        return a and b

    def lift(self, node: int, edge: Edge) -> bool:
        """Every edge there is may be used."""
        return True


class Counting:
    """How many derivations there are."""

    zero, one = 0, 1

    def plus(self, a: int, b: int) -> int:
        """Sum."""
        return a + b

    def times(self, a: int, b: int) -> int:
        """Product."""
        return a * b

    def lift(self, node: int, edge: Edge) -> int:
        """One use of one step."""
        return 1


@dataclass(frozen=True)
class TreeSets:
    """The set of partial trees, each a number with one bit for each arc, so that two are joined by ``|``."""

    n: int
    zero = frozenset[int]()
    one = frozenset({0})

    def plus(self, a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
        """Union."""
        return a | b

    def times(self, a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
        """Every pair, joined."""
        return frozenset([left | right for left in a for right in b])

    def lift(self, node: int, edge: Edge) -> frozenset[int]:
        """The arc of the step, if it makes one."""
        return self.one if edge[2] is None else frozenset({self.bit(edge[2][0], edge[2][1])})

    def bit(self, head: int, dependent: int) -> int:
        """The number of one arc."""
        return 1 << ((dependent - 1) * (self.n + 1) + head)

    def heads(self, bits: int) -> tuple[int, ...]:
        """The heads of a whole tree; -1 for a word that has none or several."""
        width = self.n + 1
        rows = [(bits >> (word * width)) & ((1 << width) - 1) for word in range(self.n)]
        return tuple(row.bit_length() - 1 if row.bit_count() == 1 else -1 for row in rows)


@dataclass(frozen=True)
class KBest:
    """The k best partial trees, best first: (score, arcs as bits, the edges used as nested pairs).

    Two derivations of one partial tree are kept once, so that k different trees come out. An item's best k come from
    its parts' best k, because better parts make better wholes.
    """

    k: int
    trees: TreeSets
    scores: Any
    zero: tuple[tuple[float, int, Rope], ...] = ()
    one: tuple[tuple[float, int, Rope], ...] = ((0.0, 0, ()),)

    def plus(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
        """The best of both."""
        if not a or not b:
            return a or b
        if self.k == 1:
            return a if a[0][0] >= b[0][0] else b
        return self._distinct(heapq.merge(a, b, key=lambda parse: -parse[0]))

    def times(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
        """The best of all pairs."""
        pairs = [(x[0] + y[0], x[1] | y[1], (x[2], y[2])) for x in a for y in b]
        return tuple(pairs) if len(pairs) < 2 else self._distinct(sorted(pairs, key=lambda parse: -parse[0]))

    def lift(self, node: int, edge: Edge) -> tuple[Any, ...]:
        """The score of the step's arc; nothing where it is forbidden."""
        link = edge[2]
        if link is None:
            return ((0.0, 0, (node, edge)),)
        if len(link) == 3 and self.scores.ndim == 3:
            score = float(self.scores[link[2], link[0], link[1]])
        else:
            score = float(self.scores[link[0], link[1]])
        return ((score, self.trees.bit(link[0], link[1]), (node, edge)),) if score > float("-inf") else ()

    def _distinct(self, parses: Any) -> tuple[Any, ...]:
        found: dict[int, Any] = {}
        for parse in parses:
            if parse[1] not in found:
                found[parse[1]] = parse
                if len(found) == self.k:
                    break
        return tuple(found.values())
