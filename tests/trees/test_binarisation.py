"""Binarisations against their definition, and the trees that show what MH_4 holds."""

from __future__ import annotations

import itertools
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import reference

from nonproj import NonprojError, Tree, tree_class
from nonproj.trees import Binarisation, binarise, braid
from nonproj.trees.binarisation import Bracket


def words_of(bracket: Bracket) -> list[int]:
    return [bracket] if isinstance(bracket, int) else words_of(bracket[0]) + words_of(bracket[1])


def unions(binarised: Binarisation, bracket: Bracket) -> list[set[int]]:
    """The words of every node of a bracket, with all below them."""
    heads = binarised.tree.heads

    def is_below(word: int, top: int) -> bool:
        while word not in (0, top):
            word = heads[word - 1]
        return word == top

    tops = words_of(bracket)
    here = {word for word in range(1, len(heads) + 1) if any(is_below(word, top) for top in tops)}
    return (
        [here] if isinstance(bracket, int) else [here, *unions(binarised, bracket[0]), *unions(binarised, bracket[1])]
    )


def gaps(words: set[int], head: int) -> int:
    """With the head taken out of the sentence."""
    places = sorted(word - (word > head) for word in words)
    return sum(b > a + 1 for a, b in pairwise(places))


def check(tree: Tree) -> Binarisation:
    found = binarise(tree)
    k = found.gap_degree
    assert tree in tree_class(f"MG{max(k, 1)}")
    assert k <= 1 or tree not in tree_class(f"MG{k - 1}")
    for head in range(len(tree) + 1):
        children = [word for word, above in enumerate(tree.heads, 1) if above == head]
        assert sorted(words_of(found.brackets[head])) == children if children else head not in found.brackets
    for head, bracket in found.brackets.items():
        assert all(gaps(union, head) <= k for union in unions(found, bracket))
    assert max(Counter(found.heads).values()) <= 2
    for word, head in enumerate(tree.heads, 1):
        above = found.heads[word - 1]
        while above > len(tree):
            above = found.heads[above - 1]
        assert above == head
    return found


@pytest.mark.parametrize("words", range(1, 6))
def test_every_tree_has_the_binarisation_that_its_class_promises(words: int) -> None:
    for heads in reference.trees(words):
        check(Tree(heads))


def test_longer_trees() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        words = int(rng.integers(6, 12))
        order = rng.permutation(words) + 1
        heads = [0] * words
        for place in range(1, words):
            heads[order[place] - 1] = int(order[rng.integers(place)])
        check(Tree(heads))


def test_a_strongly_ill_nested_tree_takes_more_gaps() -> None:
    tree = Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1])
    assert tree.gap_degree == 1
    assert check(tree).gap_degree == 2
    with pytest.raises(NonprojError, match="not in MG1"):
        binarise(tree, 1)
    assert binarise(tree, 2).gap_degree == 2


def test_the_place_of_the_head_is_no_gap() -> None:
    """The smallest trees that the definition of section 5.1, word for word, calls strongly ill-nested have 8 words."""
    tree = Tree([4, 4, 4, 6, 2, 0, 3, 1])
    yields = [set(tree.yield_of(child)) for child in tree.children(4)]
    pairs = [first | second for first, second in itertools.combinations(yields, 2)]
    gaps = [sum(word + 1 not in union for word in union) - 1 for union in pairs]
    assert (tree.gap_degree, gaps) == (1, [2, 2, 2])
    assert [sum(word + 1 not in {*union, 4} for word in {*union, 4}) - 1 for union in pairs] == [2, 2, 1]
    assert check(tree).gap_degree == 1


@pytest.mark.parametrize("degree", range(1, 8))
def test_braids_are_ill_nested_trees_of_mh4(degree: int) -> None:
    tree = braid(degree)
    assert tree.gap_degree == degree
    assert not tree.is_well_nested
    assert tree in tree_class("MH4")
    assert tree in tree_class("2-P")
    assert tree.heads.count(0) == 1


def test_a_braid_has_a_gap() -> None:
    with pytest.raises(NonprojError, match="1 gap or more"):
        braid(0)
