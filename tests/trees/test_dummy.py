"""Where the dummy root stands, judged by definitions over positions."""

import itertools
import random
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import pytest
import reference
from reference import dummy as brute
from reference.attardi import VARIANTS
from reference.crossings import cross

import nonproj as npj
from nonproj.errors import NonprojError
from nonproj.trees import Tree, profile_trees, tree_class, tree_classes
from nonproj.trees.profile import DUMMIES, NEED_A_DUMMY, PROPERTIES

Heads = tuple[int, ...]
DIFFERS = [2, 0, 1, 3, 4, 4, 5]
"""In 2-C with the dummy on the left, in 4-C alone with the dummy on the right."""


def random_trees(words: int, number: int) -> list[Heads]:
    """Draw trees of n words uniformly, always the same ones."""
    draw = random.Random(words)
    drawn = (tuple(draw.choices(range(words + 1), k=words)) for _ in itertools.count())
    return list(itertools.islice(filter(reference.is_tree, drawn), number))


def check(trees: Sequence[Heads]) -> None:
    """Compare what depends on the dummy with its definitions, and the rest with the dummy on the left."""
    flat = np.array([head for tree in trees for head in tree])
    ends = np.cumsum([0, *map(len, trees)])
    solvers = [cls.solver for cls in tree_classes("AV1 AV2 AV3")]
    found = {place: profile_trees(flat, ends, dummy=place, solvers=solvers) for place in DUMMIES}
    for name in set(PROPERTIES) - {
        "crossings",
        "one_endpoint_crossing",
        "crossing_interval",
        "mh",
        "ad",
        "drop_distance",
    }:
        for place in ("right", "none"):
            assert (found[place].column(name) == found["left"].column(name)).all(), (name, place)
    for place in DUMMIES:
        profiles = found[place]
        columns: dict[str, list[Any]] = {
            name: profiles.column(name).tolist() for name in PROPERTIES if place != "none" or name not in NEED_A_DUMMY
        }
        held = {name: tree_class(name).holds(profiles) for name in ("AV1", "AV2", "AV3") if place != "none"}
        for i, tree in enumerate(trees):
            arcs = brute.arcs(tree, place)
            crossings = sum(itertools.starmap(cross, itertools.combinations(arcs, 2)))
            assert columns["crossings"][i] == crossings, (tree, place)
            assert columns["one_endpoint_crossing"][i] == brute.is_one_endpoint_crossing(tree, place), (tree, place)
            assert columns["crossing_interval"][i] == brute.crossing_interval(tree, place), (tree, place)
            if place != "none":
                assert columns["mh"][i] == brute.mh(tree, place), (tree, place)
                assert columns["ad"][i] == brute.ad(tree, place), (tree, place)
                assert columns["drop_distance"][i] == brute.drop_distance(tree, place), (tree, place)
                for k, pairs in VARIANTS.items():
                    assert held[f"AV{k}"][i] == brute.can_reduce(tree, place, pairs), (tree, place, k)


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_all_small_trees(words: int) -> None:
    check(list(reference.trees(words)))


@pytest.mark.parametrize(("words", "number"), [(6, 1000), (7, 300), (8, 100), (9, 50)])
def test_random_trees(words: int, number: int) -> None:
    check(random_trees(words, number))


def check_crossings(trees: Iterable[Heads], place: str) -> None:
    for tree in trees:
        values = profile_trees(tree, [0, len(tree)], wanted=["crossing_interval", "one_endpoint_crossing"], dummy=place)
        assert values.column("crossing_interval")[0] == brute.crossing_interval(tree, place), (tree, place)
        assert values.column("one_endpoint_crossing")[0] == brute.is_one_endpoint_crossing(tree, place), (tree, place)


@pytest.mark.parametrize("place", ["right", "none"])
@pytest.mark.parametrize("words", [7, 8, 9])
def test_crossings_of_more_random_trees(words: int, place: str) -> None:
    check_crossings(random_trees(words, 1000), place)


def test_the_side_matters_from_seven_words_on() -> None:
    tree = Tree(DIFFERS)
    assert [tree in tree_class("2-C", dummy=place) for place in DUMMIES] == [True, False, True]
    assert tree_class("2-C@right") == tree_class("2c", dummy="right")
    for words in range(1, 7):
        trees = list(reference.trees(words))[::7]
        flat, ends = [head for one in trees for head in one], np.cumsum([0, *map(len, trees)])
        left, right = (profile_trees(flat, ends, dummy=place).column("crossing_interval") for place in DUMMIES[:2])
        assert (left == right).all()


@pytest.mark.parametrize(
    "name", ["1EC@none", "1-C@none", "2-C@none", "2-C@right", "MH4@right", "AD2@right", "AV1@right", "DD2@right"]
)
def test_classes_that_say_where_the_dummy_is(name: str) -> None:
    """They decide as the profiles do; decode finds their best tree; explanations are proofs."""
    plain, place = name.split("@")
    cls = tree_class(name)
    assert (cls.name, cls.dummy) == (name, place)
    trees = list(reference.trees(5))[::11] + random_trees(7, 150)
    flat, ends = [head for one in trees for head in one], np.cumsum([0, *map(len, trees)])
    profiles = profile_trees(flat, ends, dummy=place, solvers=[tree_class(plain).solver])
    inside = [Tree(tree) in cls for tree in trees]
    assert inside == (tree_class(plain).holds(profiles) == 1).tolist()
    assert {True, False} == set(inside)
    refused = Tree(trees[inside.index(False)])
    assert name in str(cls.explain(refused))
    rng = np.random.default_rng(0)
    for _ in range(5):
        scores = rng.normal(size=(5, 5))
        best = max(
            sum(scores[head, word] for word, head in enumerate(tree, 1))
            for tree in reference.trees(4)
            if Tree(tree) in cls
        )
        found = npj.decode(scores, within=name)
        assert found.is_optimal
        assert found.score == pytest.approx(best)
        assert found.tree in cls


def test_an_explanation_names_the_least_class_of_the_family() -> None:
    explained = tree_class("2-C@right").explain(Tree(DIFFERS))
    assert str(explained).endswith("with their heads alone are in 4-C@right, and outside 2-C@right")
    explained = tree_class("DD1@right").explain(Tree([0, 0, 1]))
    assert str(explained) == "the words 1, 2 and 3 with their heads alone are in DD2@right, and outside DD1@right"
    no_degree = tree_class("AD2@right").explain(Tree([2, 0, 0, 1]))
    assert str(no_degree) == "the words 1, 2, 3 and 4 with their heads alone are outside AD2@right"


def test_where_the_dummy_does_not_matter_the_class_is_the_same() -> None:
    for name in ("Pr", "2-P", "WG1", "MG2", "M0I", "spanning"):
        assert all(tree_class(name, dummy=place) is tree_class(name) for place in DUMMIES)
    assert tree_class("1EC", dummy="right") is tree_class("1EC")


def test_what_has_no_meaning_without_a_dummy() -> None:
    for name in ("MH3", "MH4", "AD1", "AD2", "AV3", "DD2"):
        with pytest.raises(NonprojError, match=f"{name} has no meaning without a dummy root"):
            tree_class(name, dummy="none")
    profiles = profile_trees(DIFFERS, [0, 7], dummy="none")
    with pytest.raises(NonprojError, match="mh has no meaning without a dummy root"):
        profiles.column("mh")
    with pytest.raises(NonprojError, match="MH4 has no meaning"):
        tree_class("MH4").holds(profiles)
    with pytest.raises(NonprojError, match="AD2 has no meaning"):
        npj.coverage(npj.example_treebank(), "Pr AD2", dummy="none")
    assert [cls.name for cls in tree_classes(dummy="none")] == [
        "Pr",
        "1-P",
        "1EC",
        "M0I",
        "M1IS",
        "M1I",
        "WG1S",
        "WG1",
        "MG1",
        "WG2",
        "2-P",
        "2-C",
    ]


@pytest.mark.parametrize("name", ["2-C@left", "2-C@top", "2-C@"])
def test_other_places_are_refused(name: str) -> None:
    with pytest.raises(NonprojError, match="right or none"):
        tree_class(name)
    with pytest.raises(NonprojError, match="expected one of left, right, none"):
        profile_trees([0], [0, 1], dummy="above")
    with pytest.raises(NonprojError, match="right"):
        tree_class("2-C@right", dummy="none")
    with pytest.raises(NonprojError, match="@"):
        npj.define_class("a@right", cast("Any", bool))
