"""Claims 1 and 2 of Pitler, Kannan & Marcus 2012, on every gap-minding tree of up to six words."""

from collections.abc import Iterator

import pytest
import reference

from nonproj import NonprojError, Tree, tree_class
from nonproj.schema import parsing_schema


def gap_minding_trees(n: int) -> Iterator[Tree]:
    trees = (Tree(heads) for heads in reference.trees(n))
    return (tree for tree in trees if tree in tree_class("M0I"))


def claim_1(tree: Tree) -> bool:
    """Whether the arcs into each block and each gap of every yield come from the one word that the claim names."""
    for node in range(1, len(tree) + 1):
        blocks = tree.blocks(node)
        if len(blocks) == 1:
            continue
        parent = tree.heads[node - 1]
        for first, last in blocks:
            into = tree.arcs_into(first, last)
            if first <= node <= last:
                if into != [(parent, node)]:
                    return False
            elif {arc.head for arc in into} != {node}:
                return False
        (_, before), (after, _) = blocks
        into = tree.arcs_into(before + 1, after - 1)
        if before < parent < after:
            if [arc.dependent for arc in into] != [parent]:
                return False
        elif {arc.head for arc in into} != {parent}:
            return False
    return True


@pytest.mark.parametrize("n", [4, 5, 6])
def test_claim_1_holds_of_gap_minding_trees(n: int) -> None:
    assert all(claim_1(tree) for tree in gap_minding_trees(n))


def test_claim_1_fails_where_a_gap_is_inherited() -> None:
    inherits = [Tree(heads) for heads in reference.trees(5) if Tree(heads) in tree_class("WG1")]
    inherits = [tree for tree in inherits if tree not in tree_class("M0I")]
    assert inherits
    assert not any(claim_1(tree) for tree in inherits)


def test_arcs_into_an_interval() -> None:
    for heads in reference.trees(4):
        tree = Tree(heads)
        for first in range(5):
            for last in range(first, 5):
                inside = set(range(first, last + 1))
                expected = [(head, word) for word, head in enumerate(heads, 1) if word in inside and head not in inside]
                assert tree.arcs_into(first, last) == expected
    with pytest.raises(NonprojError, match="no interval from 3 to 2"):
        Tree([0, 1, 1]).arcs_into(3, 2)


@pytest.mark.parametrize("n", [4, 5])
def test_claim_2_names_the_case_of_every_item(n: int) -> None:
    """S or M: the root has one dependent in the item, or several; C or D: its ends are below one of them, or not."""
    for tree in gap_minding_trees(n):
        rows = parsing_schema("M0I").trace(tree).derivation()
        for row in rows:
            if "/" not in row.step:
                continue
            i, j, root = map(int, row.item[2:-1].split(", "))
            below = {word: word for word in row.words}
            for word in row.words:
                while below[word] != root and tree.heads[below[word] - 1] != root:
                    below[word] = tree.heads[below[word] - 1]
            dependents = {child for word, child in below.items() if word != root}
            case = ("S" if len(dependents) == 1 else "M") + "/" + ("C" if below[i] == below[j] else "D")
            assert f"({case})" in row.step
