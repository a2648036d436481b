"""A star on the arcs that are not projective, as in Figure 2 of Kahane, Nasr & Rambow (1998)."""

import pytest

import nonproj as npj
from nonproj.draw import latex, page, svg, text
from nonproj.lifting import is_projective_arc

TREES = [npj.Tree([2, 0, 2, 1], deprels=["a", "b", "c", "d"]), npj.Tree([3, 0, 2]), npj.Tree([2, 0, 2])]


@pytest.mark.parametrize("tree", TREES)
def test_just_the_arcs_that_are_not_projective_have_a_star(tree: npj.Tree) -> None:
    count = sum(not is_projective_arc(tree, word) for word in range(1, len(tree) + 1))
    for drawn in (text(tree, stars=True, width=80), text(tree, stars=True, width=0)):
        assert drawn.count("*") == count
    assert svg(tree, stars=True).count("*</text>") == count
    assert page([("one", tree)], stars=True).count("*</text>") == count
    assert latex(tree, stars=True).count("*}") == count
    assert "*" not in text(tree) + latex(tree) + svg(tree)


def test_the_star_stands_behind_the_relation() -> None:
    assert r"\depedge{1}{4}{d*}" in latex(TREES[0], stars=True)
    assert r"\depedge{1}{4}{*}" in latex(TREES[0], stars=True, labels=False)
