"""A dependency tree and its structural properties."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError, TreeError
from nonproj.trees.mh4_planes import mh4_planes
from nonproj.trees.order_annotation import order_annotation
from nonproj.trees.profile import PROPERTIES, profile_trees


class Arc(NamedTuple):
    """An arc from a head to its dependent; the head may be the dummy root 0."""

    head: int
    dependent: int


class Tree:
    """A dependency tree over words 1..n, with every structural property as an attribute.

    ``heads[i - 1]`` is the head of word ``i``; 0 is the dummy root, which stands to the left of word 1.
    Several words may have head 0. ``forms`` and ``deprels``, when given, are used in explanations and
    drawings.

    >>> tree = Tree([2, 3, 0, 3, 2, 7, 5, 4, 3], forms="A hearing is scheduled on the issue today .".split())
    >>> tree.gap_degree, tree.is_well_nested, tree.planes, len(tree.crossings)
    (1, False, 2, 3)
    >>> tree.blocks(2)
    [(1, 2), (5, 7)]
    """

    __slots__ = ("__dict__", "deprels", "forms", "heads")

    heads: tuple[int, ...]
    forms: tuple[str, ...] | None
    deprels: tuple[str, ...] | None

    def __init__(
        self,
        heads: Sequence[int] | npt.NDArray[np.integer],
        *,
        forms: Sequence[str] | None = None,
        deprels: Sequence[str] | None = None,
    ) -> None:
        try:
            self.heads = tuple(operator.index(head) for head in heads)
        except TypeError:
            raise TreeError(f"heads must be whole numbers, one a word, not {heads!r}") from None
        self.forms = None if forms is None else tuple(forms)
        self.deprels = None if deprels is None else tuple(deprels)
        for name, column in (("forms", self.forms), ("deprels", self.deprels)):
            if column is not None and len(column) != len(self.heads):
                raise TreeError(f"{len(self.heads)} heads, but {len(column)} {name}: give one a word")
        if not self.heads:
            raise TreeError("a tree needs at least one word")
        if any(not -1 < head <= len(self.heads) for head in self.heads):
            word = next(i for i, head in enumerate(self.heads, 1) if not -1 < head <= len(self.heads))
            raise TreeError(f"word {word} has head {self.heads[word - 1]}, but heads run from 0 to {len(self.heads)}")
        fault = _core.heads_fault(self._array)
        if fault is not None:
            raise TreeError(f"heads do not form a tree: {fault}")

    @cached_property
    def _array(self) -> npt.NDArray[np.int32]:
        return np.array(self.heads, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.heads)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.heads == other.heads

    def __hash__(self) -> int:
        return hash(self.heads)

    def __repr__(self) -> str:
        return f"Tree({list(self.heads)})"

    def _repr_svg_(self) -> str:
        from nonproj.draw import svg  # a notebook's hook: drawing is a later room, met only when shown

        return svg(self)

    # Words and arcs

    def form(self, word: int) -> str:
        """The word's form if known, else its number; ``root`` for the dummy."""
        if word == 0:
            return "root"
        return self.forms[word - 1] if self.forms is not None else str(word)

    @cached_property
    def arcs(self) -> list[Arc]:
        """All arcs, those from the dummy included, by dependent."""
        return [Arc(head, word) for word, head in enumerate(self.heads, 1)]

    @cached_property
    def roots(self) -> list[int]:
        """The words whose head is the dummy."""
        return [word for word, head in enumerate(self.heads, 1) if head == 0]

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for word, head in enumerate(self.heads, 1):
            children[head].append(word)
        return children

    def children(self, node: int) -> list[int]:
        """The dependents of a node, from left to right."""
        return list(self._children[self._node(node)])

    def yield_of(self, node: int) -> list[int]:
        """Y(v): the node with all its descendants, in sentence order."""
        found = [self._node(node)]
        for above in found:
            found.extend(self._children[above])
        return sorted(found)

    def blocks(self, node: int) -> list[tuple[int, int]]:
        """The yield of a node as maximal intervals (first, last); one more than its gaps."""
        blocks: list[tuple[int, int]] = []
        for word in self.yield_of(node):
            if blocks and blocks[-1][1] == word - 1:
                blocks[-1] = (blocks[-1][0], word)
            else:
                blocks.append((word, word))
        return blocks

    def gaps(self, node: int) -> list[tuple[int, int]]:
        """The gaps of a node: the maximal intervals (first, last) between its blocks. Its gap degree is their number.

        >>> Tree([2, 3, 0, 3, 2, 7, 5, 4, 3]).gaps(2)
        [(3, 4)]
        """
        blocks = self.blocks(node)
        return [(last + 1, first - 1) for (_, last), (first, _) in pairwise(blocks)]

    def inheriting_children(self, node: int) -> list[int]:
        """The children that inherit the gap of a node: their yields lie on both sides of it.

        Only a node with a single gap has such children (Pitler, Kannan & Marcus 2012, definition 5); their number is
        the inheritance degree of the node.

        >>> Tree([2, 3, 6, 3, 4, 0, 6, 11, 11, 11, 3, 2, 12]).inheriting_children(3)
        [2]
        """
        gaps = self.gaps(node)
        if len(gaps) != 1:
            return []
        yields = {child: self.yield_of(child) for child in self.children(node)}
        return [child for child, words in yields.items() if words[0] < gaps[0][0] and words[-1] > gaps[0][1]]

    def arcs_into(self, first: int, last: int) -> list[Arc]:
        """The arcs from words outside an interval to words in it.

        Into each block of a gap-minding tree's yields, and into each of their gaps, all come from one word (Pitler,
        Kannan & Marcus 2012, Claim 1).

        >>> Tree([2, 3, 0, 3, 2, 7, 5, 4, 3]).arcs_into(5, 7)
        [Arc(head=2, dependent=5)]
        """
        if not 0 <= first <= last <= len(self):
            raise NonprojError(f"no interval from {first} to {last}: the tree has words 1 to {len(self)}")
        inside = range(first, last + 1)
        return [arc for arc in self.arcs if arc.dependent in inside and arc.head not in inside]

    def order_annotation(self, node: int) -> str:
        """The order annotation of a node (Kuhlmann & Möhl 2007): 0 is the node, 1, 2, ... its children's blocks.

        Children are numbered by their first words, and a comma is a gap.

        >>> Tree([2, 3, 0, 3, 2, 7, 5, 4, 3]).order_annotation(2)
        '1 0, 2'
        """
        self._node(node)
        return order_annotation(dict(enumerate(self.heads, 1)), node)

    def _node(self, node: int) -> int:
        if not 0 <= node <= len(self):
            raise NonprojError(f"no word {node}: the tree has words 1 to {len(self)}")
        return node

    def reversed(self) -> Tree:
        """The mirror image: the same tree with its words in the opposite order.

        >>> Tree([2, 0, 2, 3], forms="the dog barks loudly".split()).reversed()
        Tree([2, 3, 0, 3])
        """
        words = len(self)
        mirrored = [words + 1 - head if head else 0 for head in reversed(self.heads)]
        forms = None if self.forms is None else self.forms[::-1]
        return Tree(mirrored, forms=forms, deprels=None if self.deprels is None else self.deprels[::-1])

    # Crossings

    @cached_property
    def crossings(self) -> list[tuple[Arc, Arc]]:
        """The pairs of arcs that cross, those with the dummy's arcs included: none in a projective tree."""
        return [(Arc(*first), Arc(*second)) for first, second in _core.crossing_arcs(self._array)]

    @cached_property
    def plane_of(self) -> dict[Arc, int]:
        """A plane for each arc between words, in the smallest number of planes in which no two arcs cross."""
        planes = _core.planes(self._array)
        return {arc: plane for arc, plane in zip(self.arcs, planes, strict=True) if plane >= 0}

    def planes_of(self, name: str) -> dict[Arc, int]:
        """A plane for each arc, in planes in which no two arcs cross, as a class of trees has them.

        ``"MH4"`` gives the two planes of its parser (Gómez-Rodríguez 2016, section 5), which arcs from the dummy root
        have as well; ``"2-P"``, ``"3-P"`` ... those of `plane_of`. It is an error if the tree is not in the class.

        >>> Tree([0, 1, 1, 2, 3, 4]).planes_of("MH4")[Arc(3, 5)]
        1
        """
        key = re.sub(r"[-_\s]", "", name).lower()
        if key == "mh4":
            planes = mh4_planes(self.heads)
            if planes is None:
                raise NonprojError("the tree is not in MH4, so it has no such planes")
            return dict(zip(self.arcs, planes, strict=True))
        family = re.fullmatch(r"(\d+)p(lanar)?", key)
        if family is None:
            raise NonprojError(f"planes are those of MH4 and of k-P, such as '2-P', not of {name!r}")
        if (fewest := max(self.plane_of.values(), default=0) + 1) > int(family[1]):
            raise NonprojError(f"the tree is not in {family[1]}-P: it needs {fewest} planes")
        return dict(self.plane_of)

    # The profile

    @cached_property
    def profile(self) -> dict[str, int | None]:
        """Every measured property by name; -1 for what could not be settled, -b for planes that are at least b.

        ``ad`` is None where no degree suffices.
        """
        row: list[int] = profile_trees(self._array, [0, len(self)], threads=1).table[0].tolist()
        values: dict[str, int | None] = dict(zip(PROPERTIES, row, strict=True))
        return {**values, "ad": _degree(row[PROPERTIES.index("ad")])}

    @cached_property
    def _values(self) -> dict[str, int]:
        return {}

    def _value(self, name: str) -> int:
        """One property of the profile: the others, some of which can take long, are left alone."""
        if name not in self._values:
            found = profile_trees(self._array, [0, len(self)], wanted=[name], threads=1)
            self._values[name] = int(found.table[0, PROPERTIES.index(name)])
        return self._values[name]

    def _measure(self, name: str) -> int:
        value = self._value(name)
        if value < 0:
            known = f" (at least {-value})" if value < -1 else ""
            raise NonprojError(
                f"{name} of this tree could not be settled{known}: {self._value('core')} of its {len(self)} words "
                f"are left when the projective parts are taken away, which is too entangled to search"
            )
        return value

    @property
    def is_projective(self) -> bool:
        """Every yield is an interval."""
        return self._value("core") == 0

    @property
    def is_planar(self) -> bool:
        """No two arcs between words cross."""
        return self._value("planes") == 1

    @property
    def planes(self) -> int:
        """The smallest k for which the tree is k-planar."""
        return self._measure("planes")

    @property
    def gap_degree(self) -> int:
        """The largest number of gaps in any yield."""
        return self._measure("gap_degree")

    @property
    def edge_degree(self) -> int:
        """The largest number of components under any one arc that its head does not dominate."""
        return self._measure("edge_degree")

    @property
    def is_well_nested(self) -> bool:
        """No two disjoint yields interleave."""
        return bool(self._measure("well_nested"))

    @property
    def inheritance_degree(self) -> int:
        """The largest number of children, over nodes with one gap, that lie on both sides of it."""
        return self._measure("inheritance_degree")

    @property
    def is_head_split(self) -> bool:
        """No gap of a word contains the word's head without containing all the gaps of that head."""
        return bool(self._measure("head_split"))

    @property
    def is_one_endpoint_crossing(self) -> bool:
        """All arcs that cross a given one share a vertex."""
        return bool(self._measure("one_endpoint_crossing"))

    @property
    def crossing_interval(self) -> int:
        """The smallest k for which the tree is k-crossing-interval."""
        return self._measure("crossing_interval")

    @property
    def mg(self) -> int:
        """The smallest k for which the tree is in MG_k."""
        return self._measure("mg")

    @property
    def mh(self) -> int:
        """The smallest k for which the tree is in MH_k."""
        return self._measure("mh")

    @property
    def ad(self) -> int | None:
        """The smallest d for which the tree is in AD_d; None when no degree suffices."""
        return _degree(self._measure("ad"))

    @property
    def drop_distance(self) -> int:
        """The smallest d for which the tree is in DD_d: how far words are from their heads when they are dropped."""
        return self._measure("drop_distance")

    @property
    def nesting(self) -> str:
        """``well-nested``, or ``mildly`` or ``strongly ill-nested``: in MG_k or not, for k the gap degree."""
        if self.is_well_nested:
            return "well-nested"
        return "mildly ill-nested" if self.mg == self.gap_degree else "strongly ill-nested"

    @cached_property
    def projective_order(self) -> list[int]:
        """The words in the order of the inorder traversal, in which the tree is projective.

        >>> Tree([2, 3, 0, 3, 2, 7, 5, 4, 3]).projective_order
        [1, 2, 5, 6, 7, 3, 4, 8, 9]
        """
        return [word for word in self._inorder() if word != 0]

    def _inorder(self) -> Iterator[int]:
        pending = [(0, False)]
        while pending:
            node, opened = pending.pop()
            if opened:
                yield node
                continue
            children = self._children[node]
            pending.extend((child, False) for child in reversed(children) if child > node)
            pending.append((node, True))
            pending.extend((child, False) for child in reversed(children) if child < node)


def _degree(stored: int) -> int | None:
    """A degree of Attardi's system as users see it: None where no degree suffices."""
    return None if stored == _core.UNBOUNDED else stored
