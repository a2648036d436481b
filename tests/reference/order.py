"""Orders in which a tree is projective, and the algorithm SORTPARSE (Nivre 2009, sections 3 and 4)."""

from collections.abc import Callable

from .enumeration import Heads
from .yields import children


def projective_order(heads: Heads) -> list[int]:
    """List the words as an inorder traversal visits them: a node among its children, by position."""
    return _inorder(heads, lambda child: child)


def completion_order(heads: Heads) -> list[int]:
    """List the words as an inorder traversal visits them, children by the last word of their yields."""
    return _inorder(heads, lambda child: last_word(heads, child))


def last_word(heads: Heads, node: int) -> int:
    """The last word of the yield of a node."""
    return max([node, *(last_word(heads, child) for child in children(heads, node))])


def _inorder(heads: Heads, key: Callable[[int], int]) -> list[int]:
    def visit(node: int) -> list[int]:
        visited = []
        for _, other in sorted([(node, node), *((key(child), child) for child in children(heads, node))]):
            visited += [node] if other == node else visit(other)
        return visited

    return visit(0)[1:]  # the dummy is leftmost, hence first


def sort_parse(heads: Heads, order: list[int]) -> list[str] | None:
    """Run SORTPARSE as printed, with an oracle that sorts into an order; None where it does not end with the tree."""
    place = {word: at for at, word in enumerate([0, *order])}
    listed, taken = [0], []
    made: dict[int, int] = {}
    for word in range(1, len(heads) + 1):
        listed.append(word)
        taken.append("SHIFT")
        at = len(listed) - 1
        while place[listed[at]] < place[listed[at - 1]]:
            listed[at - 1 : at + 1] = [listed[at], listed[at - 1]]
            at -= 1
            taken.append("SWAP")
        while at > 0:
            i, j = listed[at - 1], listed[at]
            for head, dependent, name in ((j, i, "LA"), (i, j, "RA")):
                is_arc = dependent != 0 and heads[dependent - 1] == head
                if is_arc and all(child in made for child in children(heads, dependent)):
                    made[dependent] = head
                    listed[at - 1 : at + 1] = [head]
                    at -= 1
                    taken.append(name)
                    break
            else:
                break
    return taken if listed == [0] else None
