"""Pictures: trees through the drawing room, items by the words they have seen, deductions as graphs.

Drawing is a later room, met only when something is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from nonproj.errors import TreeError
from nonproj.trees import Tree

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


def item_picture(words: Collection[int], attached: Collection[int], n: int) -> str:
    """One character a node, the dummy first: attached, waiting for its head, or not in the item.

    >>> item_picture({0, 1}, {1}, 2)
    '□■·'
    """
    return "".join(ATTACHED if node in attached else OPEN if node in words else OUTSIDE for node in range(n + 1))


def graph_to_dot(labels: Mapping[int, str], uses: Iterable[tuple[str, Sequence[int], int]]) -> str:
    """A graph for Graphviz: boxes are items by their numbers, points uses of steps from some items to one.

    >>> print(graph_to_dot({0: "[1, 1]", 1: "goal"}, [("Finish", [0], 1)]), end="")
    digraph forest {
      rankdir=BT; node [shape=box, fontsize=10]; edge [arrowsize=0.6];
      n0 [label="[1, 1]"];
      n1 [label="goal"];
      e0 [shape=plaintext, label="Finish"];
      n0 -> e0;
      e0 -> n1;
    }
    """
    lines = ["digraph forest {", "  rankdir=BT; node [shape=box, fontsize=10]; edge [arrowsize=0.6];"]
    lines += [f"  n{node} [label={_dot(label)}];" for node, label in labels.items()]
    for use, (name, antecedents, node) in enumerate(uses):
        lines.append(f"  e{use} [shape=plaintext, label={_dot(name)}];")
        lines += [f"  n{below} -> e{use};" for below in antecedents]
        lines.append(f"  e{use} -> n{node};")
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
