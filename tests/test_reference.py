"""The brute force against known counts, known relations and hand-checked trees."""

from collections.abc import Callable
from functools import cache

import pytest
import reference
from reference import CLASSES, Heads, trees

SIZES = (3, 4, 5, 6)

# Trees of 3, 4, 5, 6 words in each class: all, then those with a single root.
COUNTS = {
    "Pr": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "MH3": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "AD1": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "1-C": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "1-P": ((16, 105, 756, 5738), (9, 48, 275, 1638)),
    "2-P": ((16, 125, 1296, 16379), (9, 64, 625, 7452)),
    "3-P": ((16, 125, 1296, 16807), (9, 64, 625, 7776)),
    "well-nested": ((16, 121, 1166, 13508), (9, 64, 605, 6996)),
    "gap degree 1": ((16, 125, 1215, 13342), (9, 64, 589, 6252)),
    "MG1": ((16, 125, 1215, 13342), (9, 64, 589, 6252)),
    "MG2": ((16, 125, 1296, 16807), (9, 64, 625, 7776)),
    "edge degree 1": ((16, 119, 1079, 11143), (9, 64, 590, 6344)),
    "WG1": ((16, 121, 1103, 11102), (9, 64, 569, 5652)),
    "WG2": ((16, 121, 1166, 13508), (9, 64, 605, 6996)),
    "M1I": ((16, 121, 1103, 11054), (9, 64, 569, 5628)),
    "M0I": ((16, 105, 759, 5838), (9, 56, 393, 2964)),
    "WG1S": ((16, 121, 1095, 10850), (9, 64, 565, 5524)),
    "M1IS": ((16, 121, 1095, 10802), (9, 64, 565, 5500)),
    "MH4": ((16, 118, 1019, 9496), (9, 60, 485, 4328)),
    "MH5": ((16, 125, 1276, 15566), (9, 64, 613, 7102)),
    "MH6": ((16, 125, 1296, 16729), (9, 64, 625, 7728)),
    "AD2": ((16, 117, 1011, 9597), (9, 59, 475, 4308)),
    "AD3": ((16, 123, 1218, 14360), (9, 62, 563, 6176)),
    "DD1": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "DD2": ((16, 119, 1086, 11288), (9, 60, 509, 5026)),
    "DD3": ((16, 125, 1280, 16004), (9, 64, 613, 7260)),
    "1EC": ((16, 125, 1104, 10024), (9, 64, 545, 4876)),
    "2-C": ((16, 121, 1018, 8521), (9, 60, 475, 3894)),
    "3-C": ((16, 125, 1290, 15823), (9, 64, 619, 7092)),
}

# Each class by its smallest k, which is searched once a tree and then kept.
mg, mh, ad = cache(reference.mg), cache(reference.mh), cache(reference.ad)
drop_distance = cache(reference.drop_distance)
planes, crossing_interval = cache(reference.planes), cache(reference.crossing_interval)


def is_attardi(heads: Heads, d: int) -> bool:
    smallest = ad(heads)
    return smallest is not None and smallest <= d


BY_SMALLEST: dict[str, Callable[[Heads], bool]] = {
    "1-P": lambda heads: planes(heads) <= 1,
    "2-P": lambda heads: planes(heads) <= 2,
    "3-P": lambda heads: planes(heads) <= 3,
    "1-C": lambda heads: crossing_interval(heads) <= 1,
    "2-C": lambda heads: crossing_interval(heads) <= 2,
    "3-C": lambda heads: crossing_interval(heads) <= 3,
    "MG1": lambda heads: mg(heads) <= 1,
    "MG2": lambda heads: mg(heads) <= 2,
    "MH3": lambda heads: mh(heads) <= 3,
    "MH4": lambda heads: mh(heads) <= 4,
    "MH5": lambda heads: mh(heads) <= 5,
    "MH6": lambda heads: mh(heads) <= 6,
    "AD1": lambda heads: is_attardi(heads, 1),
    "AD2": lambda heads: is_attardi(heads, 2),
    "AD3": lambda heads: is_attardi(heads, 3),
    "DD1": lambda heads: drop_distance(heads) <= 1,
    "DD2": lambda heads: drop_distance(heads) <= 2,
    "DD3": lambda heads: drop_distance(heads) <= 3,
}

PREDICATES: dict[str, Callable[[Heads], bool]] = {
    **CLASSES,
    **BY_SMALLEST,
    "well-nested": reference.is_well_nested,
    "gap degree 1": lambda heads: reference.gap_degree(heads) <= 1,
    "edge degree 1": lambda heads: reference.edge_degree(heads) <= 1,
}


@cache
def all_trees(n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(trees(n))


@cache
def members(name: str, n: int) -> frozenset[tuple[int, ...]]:
    return frozenset(heads for heads in all_trees(n) if PREDICATES[name](heads))


@pytest.mark.parametrize("n", range(7))
def test_number_of_trees(n: int) -> None:
    found = all_trees(n)
    assert len(found) == len(set(found)) == (1 if n == 0 else (n + 1) ** (n - 1))
    single_root = list(trees(n, single_root=True))
    assert single_root == [heads for heads in found if heads.count(0) == 1]
    assert len(single_root) == (0 if n == 0 else n ** (n - 1))


@pytest.mark.parametrize("heads", [(1,), (2, 1), (0, 3, 4, 2), (0, 4, 1), (0, -1)])
def test_not_a_tree(heads: tuple[int, ...]) -> None:
    assert not reference.is_tree(heads)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", COUNTS)
def test_number_of_trees_in_class(name: str, n: int) -> None:
    of_any_root, of_single_root = (counts[n - SIZES[0]] for counts in COUNTS[name])
    assert len(members(name, n)) == of_any_root
    assert sum(heads.count(0) == 1 for heads in members(name, n)) == of_single_root


@pytest.mark.parametrize("name", PREDICATES)
@pytest.mark.parametrize("n", [1, 2])
def test_one_and_two_words_are_always_inside(name: str, n: int) -> None:
    assert members(name, n) == set(all_trees(n))


@pytest.mark.parametrize("name", sorted(CLASSES.keys() & BY_SMALLEST.keys()))
@pytest.mark.parametrize("n", [3, 4, 5])
def test_class_agrees_with_its_smallest_k(name: str, n: int) -> None:
    assert members(name, n) == {heads for heads in all_trees(n) if CLASSES[name](heads)}


EQUAL = [("Pr", "MH3"), ("Pr", "AD1"), ("Pr", "1-C"), ("Pr", "DD1"), ("MG1", "gap degree 1")]

CONTAINED = [
    ("Pr", "1-P"),
    ("Pr", "M0I"),
    ("Pr", "AD2"),
    ("Pr", "2-C"),
    ("1-P", "2-P"),
    ("2-P", "3-P"),
    ("2-C", "3-C"),
    ("2-C", "1EC"),
    ("1EC", "2-P"),
    ("MH3", "MH4"),
    ("MH4", "MH5"),
    ("MH5", "MH6"),
    ("MH4", "2-P"),
    ("AD2", "AD3"),
    ("AD2", "DD2"),
    ("AD3", "DD3"),
    ("MH4", "DD2"),
    ("MH5", "DD3"),
    ("DD2", "DD3"),
    ("WG1", "WG2"),
    ("WG1", "MG1"),
    ("WG2", "MG2"),
    ("MG1", "MG2"),
    ("M0I", "M1I"),
    ("M1I", "WG1"),
    ("M1IS", "M1I"),
    ("M1IS", "WG1S"),
    ("WG1S", "WG1"),
]

# For each pair, the number of words at which the first class first holds a tree that the second does not.
NOT_CONTAINED = [("M0I", "M1IS", 5), ("M0I", "1EC", 5), ("MH4", "AD2", 4), ("AD2", "MH4", 4), ("DD2", "2-P", 6)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_classes(one: str, other: str, n: int) -> None:
    assert members(one, n) == members(other, n)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("inner", "outer"), CONTAINED)
def test_contained_classes(inner: str, outer: str, n: int) -> None:
    assert members(inner, n) <= members(outer, n)


@pytest.mark.parametrize(("one", "other", "n"), NOT_CONTAINED)
def test_classes_not_contained(one: str, other: str, n: int) -> None:
    assert members(one, n - 1) <= members(other, n - 1)
    assert not members(one, n) <= members(other, n)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_single_root_planar_trees_are_well_nested_with_one_gap(n: int) -> None:
    assert {heads for heads in members("1-P", n) if heads.count(0) == 1} <= members("WG1", n)


def test_some_single_root_planar_tree_is_not_1ec() -> None:
    assert any(heads.count(0) == 1 for n in SIZES for heads in members("1-P", n) - members("1EC", n))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_mh_is_symmetric_for_one_root(n: int) -> None:
    for heads in trees(n, single_root=True):
        mirrored = tuple(n + 1 - head if head else 0 for head in reversed(heads))
        assert mh(heads) == mh(mirrored)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_drop_distance_is_symmetric_for_one_root(n: int) -> None:
    for heads in trees(n, single_root=True):
        mirrored = tuple(n + 1 - head if head else 0 for head in reversed(heads))
        assert drop_distance(heads) == drop_distance(mirrored)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_attardi_with_words_put_back_derives_what_can_be_dropped(n: int) -> None:
    """Two definitions of one class, each tried in every order."""
    for heads in all_trees(n):
        for d in (1, 2, 3, 4):
            assert reference.is_attardi_with_words_put_back(heads, d) == (drop_distance(heads) <= d), (heads, d)


def test_a_hearing_is_scheduled_on_the_issue_today() -> None:
    heads = (2, 3, 0, 3, 2, 7, 5, 4, 3)
    assert reference.yields(heads)[2] == {1, 2, 5, 6, 7}
    assert reference.yields(heads)[4] == {4, 8}
    assert reference.gaps({1, 2, 5, 6, 7}) == [{3, 4}]
    assert reference.projective_order(heads) == [1, 2, 5, 6, 7, 3, 4, 8, 9]
    assert reference.crossing_pairs(heads, with_dummy=False) == [((2, 5), (4, 8)), ((2, 5), (3, 9))]
    assert ((0, 3), (2, 5)) in reference.crossing_pairs(heads, with_dummy=True)
    assert (reference.gap_degree(heads), reference.edge_degree(heads)) == (1, 1)
    assert (planes(heads), crossing_interval(heads), mg(heads), mh(heads), ad(heads)) == (2, 3, 1, 4, 3)


def test_smallest_strongly_ill_nested_tree() -> None:
    heads = (8, 1, 10, 7, 9, 2, 1, 0, 1, 1)
    assert reference.gap_degree(heads) == 1
    assert mg(heads) == 2


def test_no_degree_builds_this_tree() -> None:
    assert ad((2, 5, 5, 1, 0)) is None


def test_projective_order_leaves_projective_trees_alone() -> None:
    for n in SIZES:
        for heads in all_trees(n):
            is_in_order = reference.projective_order(heads) == list(range(1, n + 1))
            assert is_in_order == reference.is_projective(heads)
