"""A shared forest: the items derived, and every way in which each follows from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.schema.errors import SchemaError
from nonproj.schema.notation import Step
from nonproj.schema.pattern import Item
from nonproj.schema.pictures import drawn, graph_to_dot, item_picture
from nonproj.schema.problem import Problem, checked_scores
from nonproj.schema.semiring import Boolean, Counting, Edge, KBest, Semiring, TreeSets
from nonproj.schema.unlexical import category_trees
from nonproj.trees import Arc, Tree
from nonproj.trees.order_annotation import order_annotation

Value = TypeVar("Value")


@dataclass(frozen=True)
class Parse:
    """A tree with its score, and the uses of steps that derive it, from the leaves up."""

    tree: Tree
    score: float
    derivation: list[Row]
    """The items that build it, each after those it follows from."""


@dataclass(frozen=True)
class Row:
    """One line of a trace or of a derivation: an item, and how it was concluded."""

    number: int
    item: str
    step: str
    antecedents: tuple[int, ...]
    arc: Arc | None
    words: tuple[int, ...]
    """The nodes that the item has seen, those still without a head included."""
    attached: tuple[int, ...]
    """The words among them whose head is settled."""
    order: str = ""
    """In a derivation: the order annotation of the item's head, where one node alone is still without a head."""

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape; ``order`` is there in derivations only."""
        return {
            "number": self.number,
            "item": self.item,
            "step": self.step,
            "from": list(self.antecedents),
            "arc": None if self.arc is None else list(self.arc),
            "words": list(self.words),
            "attached": list(self.attached),
            **({"order": self.order} if self.order else {}),
        }

    def picture(self, n: int) -> str:
        """One character a node, the dummy first: attached, waiting for its head, or not in the item.

        >>> from nonproj.schema import parsing_schema
        >>> forest = parsing_schema("WG1").trace(Tree([2, 0]))
        >>> [row.picture(2) for row in forest.rows()][-2:]
        ['□■■', '□■■']
        """
        return item_picture(self.words, self.attached, n)


class Forest:
    """All derivations of a sentence, sharing what they have in common. Iterating gives its trees, each once.

    >>> from nonproj.schema import parsing_schema, DRules
    >>> rules = DRules.read("a -> b; b -> a; a -> <root>; b -> <root>")
    >>> forest = parsing_schema("WG1").parse("a b", rules)
    >>> forest.count(), [tree.heads for tree in forest]
    (3, [(0, 0), (0, 1), (2, 0)])
    """

    def __init__(
        self,
        problem: Problem,
        steps: Sequence[Step],
        items: list[Item],
        edges: list[list[Edge]],
        hypotheses: int,
        goal: int | None,
    ) -> None:
        self.problem, self.steps, self.items, self.edges = problem, steps, items, edges
        self.hypotheses = hypotheses
        self.goal = goal

    def __repr__(self) -> str:
        uses = sum(map(len, self.edges))
        end = "derived" if self.is_derived else "not derived"
        return f"<Forest of {self.problem.n} words: {len(self.items)} items, {uses} uses of steps, {end}>"

    @property
    def is_derived(self) -> bool:
        """Whether a final item was derived."""
        return self.goal is not None

    # Computing over it

    @cached_property
    def order(self) -> list[int]:
        """The items that a whole parse can use, each after all that it follows from."""
        if self.goal is None:
            return []
        order: list[int] = []
        state = [0] * len(self.items)  # 0 unseen, 1 open, 2 done
        pending = [(self.goal, 0)]
        while pending:
            node, opened = pending.pop()
            if opened:
                state[node] = 2
                order.append(node)
            elif state[node] == 0:
                state[node] = 1
                pending.append((node, 1))
                for step, antecedents, _ in self.edges[node]:
                    for below in antecedents:
                        if state[below] == 1:
                            self._report_circle(step, node, below)
                        if state[below] == 0:
                            pending.append((below, 0))
        return order

    def _report_circle(self, step: int, node: int, below: int) -> None:
        raise SchemaError(
            f"step {self.steps[step].name!r} concludes {self.text(self.items[node])} from "
            f"{self.text(self.items[below])}, which follows from it in turn: "
            "such a schema can recognise, but not be counted or scored"
        )

    def evaluate(self, semiring: Semiring[Value]) -> Value:
        """The value of all whole parses together in a semiring."""
        if self.goal is None:
            return semiring.zero
        plus, times, lift = semiring.plus, semiring.times, semiring.lift
        values: list[Any] = [semiring.one] * len(self.items)
        for node in self.order:
            total = semiring.one if node < self.hypotheses else semiring.zero
            for edge in self.edges[node]:
                value = lift(node, edge)
                for below in edge[1]:
                    value = times(value, values[below])
                total = plus(total, value)
            values[node] = total
        return values[self.goal]  # type: ignore[no-any-return]

    def derivations(self) -> int:
        """How many derivations there are; a tree may have several."""
        return self.evaluate(Counting())

    def all_heads(self) -> set[tuple[int, ...]]:
        """The heads of all trees at once; -1 in place of a head that is missing or not one."""
        sets = TreeSets(self.problem.n)
        if self._is_unlexical:
            words = {
                node: min(self._positions(self.items[node]), default=None)
                for node in self.order
                if node < self.hypotheses
            }
            return {sets.heads(bits) for bits in category_trees(self.order, self.edges, words, sets)}
        return {sets.heads(bits) for bits in self.evaluate(sets)}

    def count(self) -> int:
        """How many trees there are; they are listed to be counted, since one tree may have several derivations."""
        return len(self.all_heads())

    def k_best(self, k: int, scores: npt.ArrayLike | None = None) -> list[Parse]:
        """The k best trees by the scores given, or by those the forest was made for; best first."""
        if k < 1:
            raise NonprojError(f"k must be at least 1, not {k}")
        table = self._score_table(scores)
        sets = TreeSets(self.problem.n)
        found: tuple[Any, ...] = self.evaluate(KBest(k, sets, table))
        return [
            Parse(self._tree(sets.heads(bits)), score, self._rows_of(dict(_flattened(rope))))
            for score, bits, rope in found
        ]

    def _score_table(self, scores: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
        """The scores to use, if they can be used with the links of this forest."""
        if self._is_unlexical:
            raise NonprojError("a forest over categories cannot be scored word by word: iterate over its trees")
        table = self.problem.scores if scores is None else checked_scores(scores)
        if table is None:
            raise NonprojError("there are no scores: give an array of shape (n+1, n+1), scores[head, dependent]")
        if len(table) != self.problem.n + 1:
            raise NonprojError(f"scores for {len(table) - 1} words, but the forest has {self.problem.n}")
        links = [step.linked for step in self.steps if step.linked is not None]
        if table.ndim == 3 and not all(link.grandparent for link in links):
            raise NonprojError("these are scores with grandparents: use a schema that knows them, M0I-grandparents")
        return table

    def best(self, scores: npt.ArrayLike | None = None) -> Parse:
        """The best tree; an error when there is none."""
        found = self.k_best(1, scores)
        if not found:
            raise NonprojError("no tree has a score above -inf")
        return found[0]

    # Its trees

    def __iter__(self) -> Iterator[Tree]:
        """Settle one head after another, going on only while a whole parse is left: no tree comes twice."""
        if self._is_unlexical:
            yield from map(self._tree, sorted(self.all_heads()))
        elif self.goal is not None:
            yield from self._settle([])

    def _settle(self, heads: list[int]) -> Iterator[Tree]:
        if len(heads) == self.problem.n:
            yield self._tree(tuple(heads))
            return
        word = len(heads) + 1
        for head in range(self.problem.n + 1):
            if self.problem.licensed[head][word] and self.evaluate(_Given([*heads, head])):
                yield from self._settle([*heads, head])

    def __contains__(self, tree: Tree) -> bool:
        if self._is_unlexical:
            return tree.heads in self.all_heads()
        return len(tree) == self.problem.n and self.evaluate(_Given(list(tree.heads)))

    def _tree(self, heads: tuple[int, ...]) -> Tree:
        return Tree(heads, forms=self.problem.forms)

    @property
    def _is_unlexical(self) -> bool:
        by_category = any(step.linked is not None and step.linked.is_between_categories for step in self.steps)
        return by_category and not self.problem.has_own_categories

    # Showing it

    def draw(self, max_trees: int = 10) -> str:
        """Its first trees, drawn as text.

        >>> from nonproj.schema import DRules, parsing_schema
        >>> rules = DRules.read("a -> b; b -> <root>")
        >>> print(parsing_schema("Eisner").parse("a b", rules).draw().splitlines()[-1])
        heads [2, 0]
        """
        return "\n\n".join(drawn(tree.heads, tree.forms) for tree in islice(self, max_trees))

    def to_dot(self) -> str:
        """The items and the uses of steps that whole parses share, as a graph for Graphviz.

        >>> from nonproj import Tree
        >>> from nonproj.schema import parsing_schema
        >>> print(parsing_schema("Eisner").trace(Tree([0])).to_dot().splitlines()[0])
        digraph forest {
        """
        labels = {node: "goal" if node == self.goal else self.text(self.items[node]) for node in self.order}
        uses = []
        for node in self.order:
            for step, antecedents, link in self.edges[node]:
                name = self.steps[step].name + ("" if link is None else f"\n{link[0]} -> {link[1]}")
                uses.append((name, antecedents, node))
        return graph_to_dot(labels, uses)

    def text(self, item: Item) -> str:
        """An item as the papers write it.

        >>> from nonproj import Tree
        >>> from nonproj.schema import parsing_schema
        >>> forest = parsing_schema("WG1").trace(Tree([2, 0]))
        >>> forest.text(forest.items[0])
        '[0, 0, 0, ⋄, ⋄]'
        """
        names = self._category_places.get((str(item[0]), len(item)), ())
        fields = (
            "⋄" if value is None else self.problem.category_names[int(value)] if place in names else str(value)
            for place, value in enumerate(item[1:])
        )
        return f"{item[0]}[{', '.join(fields)}]"

    @cached_property
    def _category_places(self) -> dict[tuple[str, int], set[int]]:
        patterns = [pattern for step in self.steps for pattern in step.patterns]
        return {
            (pattern.kind, len(pattern.fields) + 1): {at for at, f in enumerate(pattern.fields) if f.is_category}
            for pattern in patterns
        }

    def rows(self) -> list[Row]:
        """The items in order of deduction, each with the step that first concluded it."""
        rows: dict[int, Row] = {}
        for number in range(len(self.items)):
            rows[number] = self._row(number, self._first_use(number), rows)
        return list(rows.values())

    def _first_use(self, number: int) -> Edge | None:
        """How an item was first concluded; None for a hypothesis."""
        return None if number < self.hypotheses else self.edges[number][0]

    def _row(self, number: int, use: Edge | None, rows: Mapping[int, Row]) -> Row:
        """An item that was concluded by a use of a step from the items of earlier rows."""
        item = self.items[number]
        if use is None:
            return Row(number, self.text(item), "hypothesis", (), None, tuple(sorted(self._positions(item))), ())
        step, antecedents, link = use
        arc = None if link is None or self._is_unlexical else Arc(link[0], link[1])
        below = [rows[antecedent] for antecedent in antecedents]
        words = {word for row in below for word in row.words}.union(() if arc is None else arc)
        words |= set() if antecedents else self._positions(item)  # concluded from predictions alone
        attached = {word for row in below for word in row.attached}.union(() if arc is None else {arc.dependent})
        shown = "goal" if number == self.goal else self.text(item)
        name = self.steps[step].name
        return Row(number, shown, name, antecedents, arc, tuple(sorted(words)), tuple(sorted(attached)))

    def derivation(self) -> list[Row]:
        """One derivation of one tree, from the leaves up: the items that it needs, each as it was first concluded.

        Empty where no tree is derived. ``antecedents`` are numbers of these rows. `k_best` has those of its trees.

        >>> from nonproj.schema import parsing_schema
        >>> for row in parsing_schema("WG1").trace(Tree([2, 0])).derivation():
        ...     print(row.number, row.item, row.step, row.antecedents, row.arc, row.order)
        0 [0, 0, 0, ⋄, ⋄] hypothesis () None 0
        1 [2, 2, 2, ⋄, ⋄] hypothesis () None 0
        2 [1, 1, 1, ⋄, ⋄] hypothesis () None 0
        3 [1, 1, 2, ⋄, ⋄] Link Ungapped (1, 2) Arc(head=2, dependent=1) 1 0
        4 [0, 2, 0, ⋄, ⋄] Link Ungapped (0, 3) Arc(head=0, dependent=2) 0 1
        5 goal Final (4,) None 0 1
        """
        return self._rows_of({})

    def _rows_of(self, chosen: Mapping[int, Edge]) -> list[Row]:
        """The items of the derivation that concludes some by the uses chosen, and all others as they first were."""
        rows: dict[int, Row] = {}
        heads: dict[int, dict[int, int]] = {}
        pending = [] if self.goal is None else [(self.goal, False)]
        while pending:
            number, is_ready = pending.pop()
            if number in rows:
                continue
            use = chosen.get(number) or self._first_use(number)
            antecedents = () if use is None else use[1]
            if not is_ready:
                pending.append((number, True))
                pending.extend((below, False) for below in reversed(antecedents))
                continue
            row = self._row(number, use, rows)
            heads[number] = {} if row.arc is None else {row.arc.dependent: row.arc.head}
            for below in antecedents:
                heads[number] |= heads[below]
            # Between categories no word has its head yet.
            waiting = set() if self._is_unlexical else set(row.words) - set(row.attached)
            rows[number] = replace(row, order=order_annotation(heads[number], *waiting) if len(waiting) == 1 else "")
        place = {number: at for at, number in enumerate(rows)}
        return [
            replace(row, number=place[number], antecedents=tuple(place[below] for below in row.antecedents))
            for number, row in rows.items()
        ]

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape: ``derived``, and ``items`` in order of deduction, as `rows` has them."""
        return {"derived": self.is_derived, "items": [row.to_dict() for row in self.rows()]}

    def _positions(self, item: Item) -> set[int]:
        names = self._category_places.get((str(item[0]), len(item)), ())
        values = {value for place, value in enumerate(item[1:]) if place not in names and isinstance(value, int)}
        return {value for value in values if value <= self.problem.n}


class _Given(Boolean):
    """Whether a parse is left once the heads of the first words are settled."""

    def __init__(self, heads: list[int]) -> None:
        self._heads = heads

    def lift(self, node: int, edge: Edge) -> bool:
        link = edge[2]
        return link is None or link[1] > len(self._heads) or self._heads[link[1] - 1] == link[0]


def _flattened(rope: Any) -> Iterator[tuple[int, Edge]]:
    pending = [rope]
    while pending:
        part = pending.pop()
        if part and isinstance(part[0], int):
            yield part
        else:
            pending.extend(part)
