"""Pictures: trees through the drawing room, items by the words they have seen, forests as graphs.

Drawing is a later room, met only when something is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from nonproj.errors import TreeError
from nonproj.trees import Tree

if TYPE_CHECKING:
    from nonproj.schema.forest import Forest, Row

ATTACHED, OPEN, OUTSIDE = "■", "□", "·"
"""A word that has its head in the item, one that waits for it, and one that the item has not seen."""


def drawn(heads: Sequence[int], forms: Sequence[str] | None = None) -> str:
    """The tree with these heads as text, or the heads themselves where they form none."""
    from nonproj.draw import text

    try:
        tree = Tree(heads, forms=forms)
    except TreeError:
        return f"heads {list(heads)}"
    return f"{text(tree).rstrip()}\nheads {list(heads)}"


def draw_forest(forest: Forest, most: int = 10) -> str:
    """The first trees of a forest as text.

    >>> from nonproj.schema import DRules, parsing_schema
    >>> rules = DRules.read("a -> b; b -> <root>")
    >>> print(draw_forest(parsing_schema("Eisner").parse("a b", rules)).splitlines()[-1])
    heads [2, 0]
    """
    return "\n\n".join(drawn(tree.heads, tree.forms) for tree in islice(forest, most))


def row_picture(row: Row, n: int) -> str:
    """One character a node, the dummy first: attached, waiting for its head, or not in the item.

    >>> from nonproj.schema import parsing_schema
    >>> forest = parsing_schema("WG1").trace(Tree([2, 0]))
    >>> [row_picture(row, 2) for row in forest.rows()][-2:]
    ['□■■', '□■■']
    """
    attached, words = set(row.attached), set(row.words)
    return "".join(ATTACHED if node in attached else OPEN if node in words else OUTSIDE for node in range(n + 1))


def forest_to_dot(forest: Forest) -> str:
    """The part of a forest that whole parses use, as a graph for Graphviz: boxes are items, points uses of steps.

    >>> from nonproj.schema import parsing_schema
    >>> print(forest_to_dot(parsing_schema("Eisner").trace(Tree([0]))).splitlines()[0])
    digraph forest {
    """
    lines = ["digraph forest {", "  rankdir=BT; node [shape=box, fontsize=10]; edge [arrowsize=0.6];"]
    for node in forest.order:
        label = "goal" if node == forest.goal else forest.text(forest.items[node])
        lines.append(f"  n{node} [label={_dot(label)}];")
    for node in forest.order:
        for use, (step, antecedents, link) in enumerate(forest.edges[node]):
            name = forest.steps[step].name + ("" if link is None else f"\n{link[1]} -> {link[0]}")
            lines.append(f"  e{node}_{use} [shape=plaintext, label={_dot(name)}];")
            lines += [f"  n{below} -> e{node}_{use};" for below in antecedents]
            lines.append(f"  e{node}_{use} -> n{node};")
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
