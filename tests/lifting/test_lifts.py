"""Lifts against their definition, by enumeration."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import is_projective, trees
from reference.lifts import projective_lifts as all_projective_lifts
from reference.lifts import steps

from nonproj import NonprojError, Tree, example_treebank
from nonproj.lifting import governors, is_lift, lifted_tree, projective_lifts


@st.composite
def random_trees(draw: st.DrawFn, most: int = 12) -> Tree:
    """Each word hangs from the dummy or from a word that was drawn before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, most)) + 1)))
    heads = [0] * len(order)
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return Tree(heads)


@pytest.mark.parametrize("n", range(1, 6))
def test_smallest_lifts_are_smallest(n: int) -> None:
    for heads in trees(n):
        lifted = lifted_tree(Tree(heads)).heads
        every = all_projective_lifts(heads)
        assert lifted in every
        fewest = min(steps(heads, other) for other in every)
        assert steps(heads, lifted) == fewest
        moved = [
            sum(a != b for a, b in zip(heads, other, strict=True)) for other in every if steps(heads, other) == fewest
        ]
        assert sum(a != b for a, b in zip(heads, lifted, strict=True)) == min(moved)


def test_smallest_lifts_of_six_words_are_smallest() -> None:
    every = list(trees(6))
    for heads in every[:: len(every) // 400]:
        found = min(steps(heads, other) for other in all_projective_lifts(heads))
        assert steps(heads, lifted_tree(Tree(heads)).heads) == found


@pytest.mark.parametrize("n", range(1, 5))
def test_all_projective_lifts(n: int) -> None:
    for heads in trees(n):
        found = [lifted.heads for lifted in projective_lifts(Tree(heads))]
        assert sorted(found) == sorted(all_projective_lifts(heads))
        assert len(set(found)) == len(found)
        single = [lifted.heads for lifted in projective_lifts(Tree(heads), single_root=True)]
        assert single == [lifted for lifted in found if lifted.count(0) == 1]


@given(random_trees())
def test_lifts_satisfy_the_definition(tree: Tree) -> None:
    for how in ("smallest", "iterated"):
        lifted = lifted_tree(tree, how)
        assert lifted.is_projective
        assert is_lift(tree, lifted)
        if tree.is_projective:
            assert lifted == tree
        assert len(lifted.roots) == 1 or len(tree.roots) > 1
    structural = lifted_tree(tree, "structural")
    assert is_lift(tree, structural)
    assert lifted_tree(structural, "structural") == structural
    if tree.is_projective:
        assert structural == tree


@given(random_trees(8))
def test_governors_and_paths(tree: Tree) -> None:
    lifted = lifted_tree(tree)
    found = governors(tree, lifted)
    assert [word.syntactic_governor for word in found] == list(tree.heads)
    assert [word.linear_governor for word in found] == list(lifted.heads)
    assert sum(word.steps for word in found) == steps(tree.heads, lifted.heads)
    for word in found:
        chain = [word.syntactic_governor, *word.path, word.linear_governor]
        assert word.is_lifted or (chain[0] == chain[-1] and not word.path)
        if word.is_lifted:
            assert all(tree.heads[a - 1] == b for a, b in pairwise(chain))


def test_is_lift_by_definition() -> None:
    for heads in trees(4):
        for other in trees(4):
            above = all(other[w - 1] in _ancestors(heads, w) for w in range(1, 5))
            assert is_lift(Tree(heads), Tree(other)) == above
    assert not is_lift(Tree([0]), Tree([0, 1]))


def _ancestors(heads: tuple[int, ...], word: int) -> set[int]:
    return set() if word == 0 else {heads[word - 1]} | _ancestors(heads, heads[word - 1])


def test_structural_lift_of_the_paper() -> None:
    beans = next(sentence for sentence in example_treebank() if sentence.forms[0] == "beans").tree
    assert beans.forms is not None
    assert lifted_tree(beans, "structural").heads[0] == beans.forms.index("thought") + 1
    assert is_projective(lifted_tree(beans, "structural").heads)


def test_lifts_say_what_is_wrong() -> None:
    with pytest.raises(NonprojError, match="no lift is called 'tallest'"):
        lifted_tree(Tree([0]), "tallest")  # type: ignore[arg-type]
    with pytest.raises(NonprojError, match="word 3 hangs from 1"):
        governors(Tree([2, 0, 2]), Tree([2, 0, 1]))
    with pytest.raises(NonprojError, match="the tree has 2"):
        governors(Tree([2, 0]), Tree([0]))
    with pytest.raises(NonprojError, match="too many"):
        next(projective_lifts(Tree([0, *range(1, 20)])))


def test_native_lifts_check_what_they_get() -> None:
    from nonproj import _core

    with pytest.raises(NonprojError, match="tree 0"):
        _core.smallest_lifts(np.array([2, 1], np.int32), np.array([0, 2], np.int64))
    with pytest.raises(NonprojError, match="offsets"):
        _core.smallest_lifts(np.array([0], np.int32), np.array([0, 2], np.int64))
