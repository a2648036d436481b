"""The rules of the layout: arcs are drawn crossing when they cross, and labels stay free."""

from __future__ import annotations

from itertools import combinations

import pytest
from drawn_trees import LONG, TEN, cross, trees
from hypothesis import given
from hypothesis import strategies as st

from nonproj.draw.layout import Columns, place, skeleton
from nonproj.draw.measure import cell_width, printable, text_width


def placed(tree, word_width, label_width):
    """The tree with feet two apart and words at least three apart, and the legs of each arc."""
    bones = skeleton(tree)
    width = [
        0,
        *(max(word_width[word - 1], 2 * len(bones.feet[word]) - 1) for word in range(1, len(tree) + 1)),
    ]
    offset = [[2 * i for i in range(len(feet))] for feet in bones.feet]
    at = place(bones, Columns(width, [0, 0] + [3] * (len(tree) - 1), offset), [0, *label_width])
    legs = {
        arc: [at.left_foot[arc[1]]] if arc[0] == 0 else [at.left_foot[arc[1]], at.right_foot[arc[1]]]
        for arc in tree.arcs
    }
    return at, legs


sizes = st.lists(st.integers(1, 9), min_size=12, max_size=12)


def meetings(at, legs, one, two):
    """How often the outlines of two arcs meet: a leg of the higher passes the run of the lower."""
    (lower, upper) = sorted([one, two], key=lambda arc: (arc[0] == 0, at.level[arc[1]]))
    if lower[0] == 0:
        return 0
    first, last = legs[lower]
    if upper[0] and at.level[lower[1]] == at.level[upper[1]]:
        other_first, other_last = legs[upper]
        assert last < other_first or other_last < first, "two runs lie on each other"
        return 0
    return sum(first < leg < last for leg in legs[upper])


@given(trees(), sizes, sizes)
def test_arcs_meet_once_when_they_cross_and_never_otherwise(tree, word_width, label_width):
    at, legs = placed(tree, word_width, label_width[: len(tree)])
    feet = [leg for arc in tree.arcs for leg in legs[arc]]
    assert len(set(feet)) == len(feet)
    for one, two in combinations(tree.arcs, 2):
        assert meetings(at, legs, one, two) == cross(one, two)


@given(trees(), sizes, sizes)
def test_labels_are_free(tree, word_width, label_width):
    at, legs = placed(tree, word_width, label_width[: len(tree)])
    for head, arc in tree.arcs:
        low, high = at.label[arc] - label_width[arc - 1] / 2, at.label[arc] + label_width[arc - 1] / 2
        if head:
            assert legs[head, arc][0] <= low
            assert high <= legs[head, arc][1]
        for other in tree.arcs:
            reaches = at.level[other[1]] >= at.level[arc] if head else at.level[other[1]] > at.level[arc]
            if other[1] != arc and (reaches or other[0] == 0):
                assert not any(low < leg < high for leg in legs[other])
            if other[1] != arc and other[0] == 0 == head:
                apart = abs(at.label[other[1]] - at.label[arc])
                assert apart >= (label_width[arc - 1] + label_width[other[1] - 1]) / 2


@given(trees())
def test_longer_arcs_lie_higher(tree):
    level = skeleton(tree).level
    inner = [arc for arc in tree.arcs if arc[0]]
    for one, two in combinations(inner, 2):
        short, long = sorted([one, two], key=lambda arc: abs(arc[0] - arc[1]))
        if abs(short[0] - short[1]) < abs(long[0] - long[1]) and max(min(one), min(two)) < min(max(one), max(two)):
            assert level[short[1]] < level[long[1]]


def test_levels_of_a_projective_tree_are_its_nesting():
    level = skeleton(LONG).level
    arcs = [sorted(arc) for arc in LONG.arcs if arc[0]]

    def nesting(arc):
        within = [a for a in arcs if a != arc and arc[0] <= a[0] and a[1] <= arc[1]]
        return 1 + max(map(nesting, within), default=0)

    assert all(level[arc[1]] == nesting(sorted(arc)) for arc in LONG.arcs if arc[0])


def test_feet_stand_in_the_order_of_the_rules():
    assert skeleton(TEN).feet[1] == [10, 9, 1, 7, 2]
    assert skeleton(TEN).feet[9] == [5, 9]


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", 0), ("tree", 4), ("語", 2), ("e\u0301", 1), ("각", 2), ("\u1100\u1161\u11a8", 2), ("ｗ", 2)],
)
def test_cells(text, cells):
    assert cell_width(text) == cells


def test_width_on_a_page():
    assert text_width("mm", 10) > text_width("nn", 10) > text_width("ii", 10) > 0
    assert text_width("é", 10) == text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("語", 10) == 10


def test_what_cannot_be_shown_is_replaced():
    assert printable("a\nb\x00c\x1b\ud800\ufffe\u202ed") == "a b\ufffdc\ufffd\ufffd\ufffdd"
    assert printable("क्षि ♥") == "क्षि ♥"
    assert printable("\u0301e") == "◌\u0301e"
