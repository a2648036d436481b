"""Every property and class of the native core against the definitions in tests/reference."""

import itertools
import random
import time

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.crossings import cross

from nonproj import NonprojError, Tree, TreeError
from nonproj.trees import profile_trees, tree_class

MEASURES = {
    "gap_degree": reference.gap_degree,
    "edge_degree": reference.edge_degree,
    "is_well_nested": reference.is_well_nested,
    "inheritance_degree": reference.inheritance_degree,
    "is_head_split": reference.is_head_split,
    "planes": reference.planes,
    "is_one_endpoint_crossing": reference.is_one_endpoint_crossing,
    "crossing_interval": reference.crossing_interval,
    "mg": reference.mg,
    "mh": reference.mh,
    "ad": reference.ad,
    "drop_distance": reference.drop_distance,
    "projective_order": reference.projective_order,
    "is_projective": reference.is_projective,
}


def random_heads(words: int, rng: random.Random) -> list[int]:
    """A random tree: each word, in random order, under one that is already in it."""
    order = list(range(1, words + 1))
    rng.shuffle(order)
    heads = [0] * words
    for position, word in enumerate(order):
        heads[word - 1] = rng.choice([0, *order[:position]])
    return heads


@st.composite
def tree_heads(draw: st.DrawFn, most: int = 9) -> list[int]:
    words = draw(st.integers(1, most))
    return random_heads(words, random.Random(draw(st.integers(0, 2**32))))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_property_agrees_with_its_definition_on_every_tree(name: str, words: int) -> None:
    for heads in reference.trees(words):
        assert getattr(Tree(heads), name) == MEASURES[name](heads), heads


@settings(max_examples=150, deadline=None)
@given(tree_heads())
def test_properties_agree_with_their_definitions_on_random_trees(heads: list[int]) -> None:
    tree = Tree(heads)
    for name, measure in MEASURES.items():
        assert getattr(tree, name) == measure(heads), name


@pytest.mark.parametrize("name", reference.CLASSES)
def test_membership_agrees_with_the_reference(name: str) -> None:
    for heads in reference.trees(4):
        assert (Tree(heads) in tree_class(name)) == reference.CLASSES[name](heads), heads


@settings(max_examples=60, deadline=None)
@given(tree_heads(12))
def test_crossings_and_planes_are_what_they_say(heads: list[int]) -> None:
    tree = Tree(heads)
    pairs = {frozenset(tuple(sorted(arc)) for arc in pair) for pair in tree.crossings}
    assert pairs == {frozenset(pair) for pair in reference.crossing_pairs(heads, True)}
    assert set(tree.plane_of) == {arc for arc in tree.arcs if arc.head != 0}
    for first, second in tree.crossings:
        if first.head != 0 and second.head != 0:
            assert tree.plane_of[first] != tree.plane_of[second]
    assert max(tree.plane_of.values(), default=0) + 1 == tree.planes


@settings(max_examples=60, deadline=None)
@given(tree_heads(12))
def test_blocks_partition_the_yield(heads: list[int]) -> None:
    tree = Tree(heads)
    for node, expected in reference.yields(heads).items():
        assert set(tree.yield_of(node)) == set(expected)
        covered = [w for first, last in tree.blocks(node) for w in range(first, last + 1)]
        assert covered == tree.yield_of(node)


@pytest.mark.parametrize("n", range(1, 7))
def test_gaps_and_who_inherits_them(n: int) -> None:
    """Of every word of all trees, against definitions 2 and 5 of Pitler, Kannan & Marcus 2012."""
    for heads in reference.trees(n):
        tree, covered = Tree(heads), reference.yields(heads)
        for word in range(1, n + 1):
            holes = reference.gaps(covered[word])
            assert [set(range(first, last + 1)) for first, last in tree.gaps(word)] == holes
            both = [
                child
                for child in reference.children(heads, word)
                if len(holes) == 1 and min(covered[child]) < min(holes[0]) and max(covered[child]) > max(holes[0])
            ]
            assert tree.inheriting_children(word) == both
        assert max(len(tree.gaps(word)) for word in range(n + 1)) == tree.gap_degree
        assert max(len(tree.inheriting_children(word)) for word in range(n + 1)) == tree.inheritance_degree


def test_wide_cores_agree_with_narrow_ones() -> None:
    """A tree put several times side by side has a core of more than 63 words, and keeps its properties."""
    rng = random.Random(7)
    for _ in range(30):
        heads = random_heads(9, rng)
        single = Tree(heads)
        copies = 40
        wide = Tree([h + 9 * i if h else 0 for i in range(copies) for h in heads])
        if single.profile["roots"] == 1:
            for name in (
                "gap_degree",
                "edge_degree",
                "inheritance_degree",
                "planes",
                "mg",
                "mh",
                "is_head_split",
            ):
                assert getattr(wide, name) == getattr(single, name), (name, heads)


def test_threads_and_wanted_properties_do_not_change_the_answer() -> None:
    rng = random.Random(3)
    trees = [random_heads(rng.randint(1, 30), rng) for _ in range(300)]
    flat = np.concatenate([np.array(heads) for heads in trees])
    offsets = np.concatenate([[0], np.cumsum([len(heads) for heads in trees])])
    one = profile_trees(flat, offsets, threads=1)
    assert np.array_equal(one.table, profile_trees(flat, offsets, threads=3).table)
    for name in ("mg", "mh", "planes"):
        assert np.array_equal(one.column(name), profile_trees(flat, offsets, wanted=[name]).column(name))


def test_a_very_long_projective_sentence() -> None:
    words = 100_000
    tree = Tree([0, *range(1, words)])
    assert tree.is_projective
    assert tree.mh == 3
    flat = Tree([0] + [1] * (words - 1))
    assert flat.gap_degree == 0


def test_a_tree_too_entangled_says_so() -> None:
    tree = Tree(random_heads(6000, random.Random(1)))
    assert not tree.is_projective
    with pytest.raises(NonprojError, match="too entangled"):
        _ = tree.mh
    with pytest.raises(NonprojError, match="too entangled"):
        tree_class("MH4").contains(tree)


def test_planes_are_given_up_in_time() -> None:
    tree = Tree(random_heads(500, random.Random(1)))
    started = time.process_time()
    with pytest.raises(NonprojError, match="could not be settled \\(at least"):
        _ = tree.planes
    assert time.process_time() - started < 15


def test_mild_ill_nestedness_is_given_up_in_time() -> None:
    heads = random_heads(2000, random.Random(17))  # which took a minute
    started = time.process_time()
    assert profile_trees(heads, [0, len(heads)], wanted=["mg"]).column("mg").tolist() == [-1]
    assert time.process_time() - started < 15


@pytest.mark.parametrize("words", [100, 500, 3000])
def test_few_planes_are_settled_however_entangled_a_tree_is(words: int) -> None:
    heads = random_heads(words, random.Random(1))
    tree = Tree(heads)
    assert not tree.is_planar
    profiles = profile_trees(heads, [0, words], wanted=["planes"])
    for name in ("1-P", "2-P"):
        assert tree not in tree_class(name)
        assert tree_class(name).holds(profiles).tolist() == [0]
    # More than two planes are looked for in cores of at most 2047 words.
    assert tree_class("3-P").holds(profiles).tolist() == [0 if words < 2047 else -1]
    if words < 2047:
        explained = tree_class("5-P").explain(tree)
        assert len(explained.arcs) == 6
        ends = [(min(arc), max(arc)) for arc in explained.arcs]
        assert all(cross(first, second) for first, second in itertools.combinations(ends, 2))


def test_a_tree_too_entangled_to_search_is_its_own_explanation() -> None:
    tree = Tree(random_heads(3000, random.Random(1)))
    for name in ("Pr", "1-P", "2-P"):
        explained = tree_class(name).explain(tree)
        assert (explained.reason, str(explained)) == ("whole_tree", f"the tree is outside {name}")
        assert set(explained.arcs) <= set(tree.arcs)


def test_two_planes_of_more_words_than_are_searched() -> None:
    # 1 and 2 are heads in turn of the words after them.
    words = 6001
    tree = Tree([0, 1, *(1 + i % 2 for i in range(3, words + 1))])
    assert (tree.profile["core"] or 0) > 2047
    assert tree.planes == 2
    assert tree in tree_class("2-P")
    assert tree in tree_class("3-P")
    assert tree not in tree_class("1-P")
    assert Tree([3, 0, 0, *range(3, words)]).is_planar


def test_a_part_that_needs_more_planes_is_no_matter_to_the_others() -> None:
    four_that_cross = [0, 1, 1, 1, 1, 2, 3, 4]
    rng = random.Random(16)
    for _ in range(200):
        parts = [random_heads(7, rng) for _ in range(3)] + [four_that_cross]
        rng.shuffle(parts)
        joined: list[int] = []
        for part in parts:
            joined += [head and head + len(joined) for head in part]
        planes = [Tree(part).planes for part in parts]
        tree = Tree(joined)
        assert tree.planes == max(planes)
        assert max(tree.plane_of.values()) + 1 == max(planes)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([], "at least one word"),
        ([1], "own head"),
        ([2, 1], "no word has head 0"),
        ([0, 3, 2], "2 -> 3 -> 2"),
        ([0, 5], "word 2 has head 5"),
        ([0, -1], "word 2 has head -1"),
        ([0, 2**40], "word 2 has head"),
        ([0.5, 1], "whole numbers"),
        (["0"], "whole numbers"),
    ],
)
def test_bad_heads_are_refused(heads: list[int], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        Tree(heads)


def test_columns_must_fit() -> None:
    with pytest.raises(TreeError, match="1 forms"):
        Tree([0, 1], forms=["a"])


def test_bad_batches_are_refused() -> None:
    with pytest.raises(NonprojError, match="tree 1: word 1 is its own head"):
        profile_trees([0, 1], [0, 1, 2])
    with pytest.raises(NonprojError, match="offsets"):
        profile_trees([0, 1], [0, 3])
    with pytest.raises(NonprojError, match="no property"):
        profile_trees([0], [0, 1]).column("depth")


def test_where_no_degree_suffices_no_number_stands_for_it() -> None:
    heads = (2, 5, 5, 1, 0)  # the reference says so as well: tests/test_reference.py
    assert reference.ad(heads) is None
    tree = Tree(heads)
    assert (tree.ad, tree.profile["ad"]) == (None, None)
    degrees = profile_trees([0, 1, *heads], [0, 2, 7]).column("ad")
    assert degrees.tolist() == [1, None]
    assert np.ma.filled(degrees <= 3, False).tolist() == [True, False]


@pytest.mark.parametrize("words", [1, 4, 5])
def test_the_mirror_image(words: int) -> None:
    """The same arcs between mirrored words; what knows no direction stays."""
    for heads in reference.trees(words):
        tree = Tree(heads, forms=[f"w{word}" for word in range(1, words + 1)], deprels=[str(h) for h in heads])
        mirrored = tree.reversed()
        flipped = {(words + 1 - head if head else 0, words + 1 - word) for head, word in tree.arcs}
        assert {tuple(arc) for arc in mirrored.arcs} == flipped
        assert mirrored.form(1) == f"w{words}"
        assert mirrored.reversed() == tree
        assert (tree.forms, tree.deprels) == (mirrored.reversed().forms, mirrored.reversed().deprels)
        for name in ("planes", "gap_degree", "is_well_nested", "mg", "is_one_endpoint_crossing", "inheritance_degree"):
            assert getattr(mirrored, name) == getattr(tree, name), name
        assert (mirrored in tree_class("MH4@right")) == (tree in tree_class("MH4"))
        assert (mirrored in tree_class("2-C@right")) == (tree in tree_class("2-C"))
    assert Tree([2, 0, 2]).reversed().forms is None
