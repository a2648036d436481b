"""Names, known counts, and relations between classes."""

import itertools

import numpy as np
import pytest
import reference
from reference import dummy

from nonproj import AD, DD, MG, MH, WG, NonprojError, decode, tree_class
from nonproj.trees import CATALOGUE, census, census_pairs, tree_classes

# How many trees of 3, 4, 5, 6 words each class has: all of them, then those with a single root.
COUNTS = {
    "spanning": ([16, 125, 1296, 16807], [9, 64, 625, 7776]),
    "Pr": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "MH3": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "AD1": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "1-C": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "1-P": ([16, 105, 756, 5738], [9, 48, 275, 1638]),
    "2-P": ([16, 125, 1296, 16379], [9, 64, 625, 7452]),
    "MG1": ([16, 125, 1215, 13342], [9, 64, 589, 6252]),
    "WG1": ([16, 121, 1103, 11102], [9, 64, 569, 5652]),
    "WG2": ([16, 121, 1166, 13508], [9, 64, 605, 6996]),
    "M1I": ([16, 121, 1103, 11054], [9, 64, 569, 5628]),
    "M0I": ([16, 105, 759, 5838], [9, 56, 393, 2964]),
    "WG1S": ([16, 121, 1095, 10850], [9, 64, 565, 5524]),
    "M1IS": ([16, 121, 1095, 10802], [9, 64, 565, 5500]),
    "MH4": ([16, 118, 1019, 9496], [9, 60, 485, 4328]),
    "MH5": ([16, 125, 1276, 15566], [9, 64, 613, 7102]),
    "MH6": ([16, 125, 1296, 16729], [9, 64, 625, 7728]),
    "AD2": ([16, 117, 1011, 9597], [9, 59, 475, 4308]),
    "AD3": ([16, 123, 1218, 14360], [9, 62, 563, 6176]),
    "AD4": ([16, 123, 1230, 15057], [9, 62, 569, 6470]),
    "DD1": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "DD2": ([16, 119, 1086, 11288], [9, 60, 509, 5026]),
    "DD3": ([16, 125, 1280, 16004], [9, 64, 613, 7260]),
    "AV1": ([16, 119, 1067, 10673], [9, 60, 501, 4786]),
    "AV2": ([16, 122, 1177, 13263], [9, 62, 559, 6018]),
    "AV3": ([16, 119, 1069, 10733], [9, 60, 500, 4766]),
    "1EC": ([16, 125, 1104, 10024], [9, 64, 545, 4876]),
    "2-C": ([16, 121, 1018, 8521], [9, 60, 475, 3894]),
    "3-C": ([16, 125, 1290, 15823], [9, 64, 619, 7092]),
}
# Checked by separate programs: all trees of 7 words, and of 8 for AD2 and 2-C.
COUNTS_OF_7 = {"1-P": 45088, "2-P": 236482, "AD2": 96597, "AD3": 190179, "2-C": 69202, "DD2": 127993}


@pytest.mark.parametrize("words", [3, 4, 5, 6])
def test_known_counts(words: int) -> None:
    counted = census(words, list(COUNTS))
    assert counted.all == {name: everything[words - 3] for name, (everything, _) in COUNTS.items()}
    assert counted.single_root == {name: single[words - 3] for name, (_, single) in COUNTS.items()}


def test_known_counts_of_7_words() -> None:
    assert census(7, list(COUNTS_OF_7)).all == COUNTS_OF_7


@pytest.mark.parametrize("words", [1, 2])
def test_every_class_holds_every_tree_of_one_and_two_words(words: int) -> None:
    counted = census(words, list(COUNTS))
    assert set(counted.all.values()) == {(words + 1) ** (words - 1)}


def test_no_tree_below_9_words_is_strongly_ill_nested() -> None:
    counted = census(8, "MG1", only_single_root=True, nesting=True)
    assert counted.all == {}
    assert counted.single_root == {"MG1": 881148}
    assert counted.nesting is not None
    nested = counted.nesting["single_root"]
    assert nested["strongly ill-nested"] == 0
    assert sum(nested.values()) == 8**7


def test_nesting_of_the_trees_of_6_words() -> None:
    nested = census(6, "Pr", nesting=True).to_dict()["nesting"]
    assert nested == {
        "all": {"well-nested": 13508, "mildly ill-nested": 3299, "strongly ill-nested": 0},
        "single_root": {"well-nested": 6996, "mildly ill-nested": 780, "strongly ill-nested": 0},
    }


def test_parts_of_a_census_add_up_whatever_the_threads() -> None:
    heard = []
    counted = census(7, "WG1 2-P", threads=3, progress=lambda done, total: heard.append((done, total)))
    assert counted == census(7, "WG1 2-P", threads=1)
    assert heard[-1] == (8**6, 8**6)


def test_census_refuses_what_it_cannot_count() -> None:
    for words in (0, 12):
        with pytest.raises(NonprojError, match="1 to 11 words"):
            census(words)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("wg_1", "WG1"),
        ("2p", "2-P"),
        ("2-p", "2-P"),
        ("MH-12", "MH12"),
        ("projective", "Pr"),
        ("1ec", "1EC"),
        ("m1is", "M1IS"),
    ],
)
def test_names_are_matched_loosely(written: str, name: str) -> None:
    assert tree_class(written).name == name


@pytest.mark.parametrize("name", ["WG0", "MH2", "AD0", "DD0", "0-P", "XY", "", "MG99999999999"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(NonprojError):
        tree_class(name)


def test_the_constructors_are_the_named_classes() -> None:
    assert [WG(1), MG(2), MH(4), AD(2), DD(2)] == tree_classes("WG1 MG2 MH4 AD2 DD2")
    named = tree_classes("Pr 1EC WG1 WG2 MG1 MG2 MH5 AD2 M0I M1I WG1S M1IS 2-P 2-C")
    assert [cls.exponent for cls in named] == [
        3, 4, 7, 9, 7, 10, 5, 7, 5, 6, 6, 5, None, None,
    ]  # fmt: skip
    assert len({cls.name for cls in CATALOGUE}) == len(CATALOGUE)


CONTAINED = [
    "MH4 MH5 MH6",
    "WG1 MG1",
    "WG2 MG2",
    "2-C 1EC 2-P",
    "MH4 2-P",
    "M0I M1I WG1",
    "M1IS M1I",
    "M1IS WG1S WG1",
    "AD2 AV1 AV2",
    "AV3 AV2",
    "MH4 DD2",
    "MH5 DD3",
    "AD2 AV1 DD2 DD3",
    "AV3 DD2",
    "AD3 DD3",
    "AV2 DD3",
]


@pytest.mark.parametrize("chain", CONTAINED)
def test_known_containments(chain: str) -> None:
    """A class within another loses no tree when the two are asked for together; checked tree by tree."""
    import reference

    from nonproj import Tree

    for smaller, larger in itertools.pairwise(tree_classes(chain)):
        for heads in reference.trees(5):
            tree = Tree(heads)
            assert tree not in smaller or tree in larger


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("projective", "Pr"),
        ("planar", "1-P"),
        ("2-planar", "2-P"),
        ("3-Planar", "3-P"),
        ("1-Endpoint-Crossing", "1EC"),
        ("1EPC", "1EC"),
        ("2-crossing-interval", "2-C"),
        ("gap-minding", "M0I"),
        ("Mild+0-Inherit", "M0I"),
        ("Mild+1-Inherit", "M1I"),
        ("mild", "WG1"),
        ("WIS", "M1IS"),
        ("WG_1S", "WG1S"),
        ("Well-Nested", "well-nested"),
        ("Attardi degree 2", "AD2"),
        ("attardi-3", "AD3"),
    ],
)
def test_names_that_papers_give(name: str, canonical: str) -> None:
    assert tree_class(name).name == canonical
    assert tree_class(name) == tree_class(canonical)


def test_well_nested_trees_have_any_gap_degree() -> None:
    counted = census(6, "well-nested WG5", nesting=True)
    assert counted.nesting is not None
    assert counted.all["well-nested"] == counted.all["WG5"] == counted.nesting["all"]["well-nested"] == 13508
    best = decode(-np.abs(np.subtract.outer([3, 4, 1, 2, 5, 0], range(6))).astype(float), within="well-nested")
    assert best.is_optimal
    assert best.tree in tree_class("well-nested")


@pytest.mark.parametrize("only_single_root", [False, True])
def test_pairs_of_classes(only_single_root: bool) -> None:
    names = ["MH4", "1EC", "2-P", "AV1"]
    trees = list(reference.trees(5, only_single_root))
    held = {name: {heads for heads in trees if reference.CLASSES[name](heads)} for name in names}
    pairs = census_pairs(5, names, only_single_root=only_single_root)
    assert [(pair.inside, pair.outside) for pair in pairs] == list(itertools.permutations(names, 2))
    for pair in pairs:
        left_over = held[pair.inside] - held[pair.outside]
        assert pair.trees == len(left_over)
        assert (pair.example is None) == (not left_over)
        assert pair.example is None or pair.example.heads in left_over
    with pytest.raises(NonprojError, match="two classes or more, not MH4 alone"):
        census_pairs(5, "MH4", only_single_root=only_single_root)


def test_a_census_with_the_dummy_elsewhere() -> None:
    trees = list(reference.trees(5))
    counted = census(5, "1EC 2-C", dummy="none").all
    assert counted["1EC"] == sum(dummy.is_one_endpoint_crossing(heads, "none") for heads in trees) == 1296
    assert counted["2-C"] == sum(dummy.crossing_interval(heads, "none") <= 2 for heads in trees)
    assert census(5, "AD2 MH4@right", dummy="right").all == {
        "AD2": sum((dummy.ad(heads, "right") or 9) <= 2 for heads in trees),
        "MH4@right": sum(dummy.mh(heads, "right") <= 4 for heads in trees),
    }
    with pytest.raises(NonprojError, match="no meaning"):
        census(3, "MH4", dummy="none")
