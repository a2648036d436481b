"""Frames around the yields of nodes: one rectangle a block, so that gaps are seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree

BoxedNodes = Iterable[int] | Literal["gaps"]


@dataclass(frozen=True)
class Box:
    """The frame of one node."""

    node: int
    blocks: list[tuple[int, int]]
    depth: int  # how many frames lie within this one


def framed(tree: Tree, nodes: BoxedNodes) -> list[Box]:
    """The frames of the nodes asked for, in the order asked for, outer ones around inner ones."""
    chosen = _chosen(tree, nodes)
    blocks = {node: list(tree.blocks(node)) for node in chosen}
    size = {node: sum(last - first + 1 for first, last in blocks[node]) for node in chosen}
    depth = dict.fromkeys(chosen, 0)
    for node in sorted(chosen, key=size.__getitem__):  # a yield is larger than those within it
        outer = tree.heads[node - 1]
        while outer and outer not in depth:
            outer = tree.heads[outer - 1]
        if outer:
            depth[outer] = max(depth[outer], depth[node] + 1)
    return [Box(node, blocks[node], depth[node]) for node in chosen]


def _chosen(tree: Tree, nodes: BoxedNodes) -> list[int]:
    if nodes == "gaps":
        return [node for node in range(1, len(tree) + 1) if len(tree.blocks(node)) > 1]
    if isinstance(nodes, str):
        raise NonprojError(f'boxes: expected nodes or "gaps", got {nodes!r}')
    chosen = list(dict.fromkeys(nodes))
    for node in chosen:
        if not 1 <= node <= len(tree):
            raise NonprojError(f"boxes: expected nodes from 1 to {len(tree)}, got {node}")
    return chosen
