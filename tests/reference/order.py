"""The projective order of Nivre 2009, section 3."""

from .enumeration import Heads
from .yields import children


def projective_order(heads: Heads) -> list[int]:
    """List the words as an inorder traversal visits them: a node among its children, by position."""

    def visit(node: int) -> list[int]:
        visited = []
        for other in sorted([node, *children(heads, node)]):
            visited += [node] if other == node else visit(other)
        return visited

    return visit(0)[1:]  # the dummy is leftmost, hence first
