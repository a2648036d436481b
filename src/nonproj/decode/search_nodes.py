"""Relax and check step by step, as a tree of nodes to look at: the native search does the same, much faster."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nonproj.decode.best import decode
from nonproj.decode.scores import Scores
from nonproj.errors import NonprojError
from nonproj.trees import Arc, Explanation, Tree, TreeClass, tree_class


@dataclass
class SearchNode:
    """All trees that hold the required arcs and none of the forbidden ones, and the best of them."""

    number: int
    parent: int | None
    required: tuple[Arc, ...]
    forbidden: tuple[Arc, ...]
    bound: float
    """No tree of the node scores more."""
    tree: Tree | None = None
    """The best spanning tree of the node, once it is solved; None also where the arcs leave no tree."""
    state: str = "open"
    """``open``, ``branched``, ``empty`` (no tree is left), or ``best`` (its tree is the answer)."""
    explanation: Explanation | None = None
    """Why its tree is outside the class."""

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {
            "number": self.number,
            "parent": self.parent,
            "required": [list(arc) for arc in self.required],
            "forbidden": [list(arc) for arc in self.forbidden],
            "bound": self.bound,
            "heads": None if self.tree is None else list(self.tree.heads),
            "state": self.state,
            "why": None if self.explanation is None else self.explanation.to_dict(),
        }


def search_tree(
    scores: Scores,
    *,
    within: str | TreeClass,
    single_root: bool = False,
    forms: Sequence[str] | None = None,
    limit: int = 200,
) -> list[SearchNode]:
    """How relax and check finds the best tree of a class: its nodes, in the order in which they were made.

    A node is solved for its best spanning tree. Is that outside the class, then the class names arcs that none of its
    trees holds together, and every child forbids one of them and requires those before it. Nodes are taken by falling
    bound, so the first tree inside is the best. At most ``limit`` nodes are solved; then none of them is ``best``.
    ``forms`` are the words, for explanations.

    >>> scores = [[0, 1, 1, 9, 1], [0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0, 8, 1, 0, 8], [0, 1, 9, 1, 0]]
    >>> nodes = search_tree(scores, within="Pr")
    >>> [(node.number, node.parent, node.state) for node in nodes]
    [(0, None, 'branched'), (1, 0, 'branched'), (2, 0, 'best'), (3, 1, 'open'), (4, 1, 'open')]
    >>> nodes[2].tree, nodes[2].bound == decode(scores, within="Pr").score
    (Tree([3, 1, 0, 3]), True)
    """
    if limit < 1:
        raise NonprojError(f"limit must be at least 1, not {limit}")
    cls = tree_class(within)
    nodes = [SearchNode(0, None, (), (), float("inf"))]
    _solve(nodes[0], scores, single_root, forms)
    queue = [(-nodes[0].bound, 0)]
    solved = 1
    while queue:
        node = nodes[heapq.heappop(queue)[1]]
        if node.tree is None:
            node.state = "empty"
            continue
        explanation = cls.explain(node.tree)
        if explanation.is_inside:
            node.state = "best"
            break
        node.state, node.explanation = "branched", explanation
        arcs = [arc for arc in explanation.arcs if arc not in node.required]
        for place, arc in enumerate(arcs):
            if solved == limit:
                return nodes
            required = (*node.required, *arcs[:place])
            child = SearchNode(len(nodes), node.number, required, (*node.forbidden, arc), node.bound)
            _solve(child, scores, single_root, forms)
            solved += 1
            nodes.append(child)
            heapq.heappush(queue, (-child.bound, child.number))
    return nodes


def _solve(node: SearchNode, scores: Scores, single_root: bool, forms: Sequence[str] | None) -> None:
    try:
        best = decode(scores, single_root=single_root, required=node.required or None, forbidden=node.forbidden or None)
    except NonprojError:
        if node.parent is None:  # there is no tree at all: the caller should know why
            raise
        node.state, node.bound = "empty", float("-inf")
        return
    node.tree, node.bound = Tree(best.heads, forms=forms), best.score
