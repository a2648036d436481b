"""Explanations: the arcs they give are a proof, for every tree of up to 5 words and every class."""

import random
from collections.abc import Sequence

import pytest
import reference

from nonproj import Tree
from nonproj.trees import CATALOGUE, tree_class

NAMES = [cls.name for cls in CATALOGUE] + ["3-C", "AD3", "MG2", "3-P", "DD2", "DD3"]


def holds_arcs(heads: tuple[int, ...], arcs: Sequence[tuple[int, int]]) -> bool:
    return all(heads[dependent - 1] == head for head, dependent in arcs)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("words", [3, 4, 5])
def test_no_tree_with_the_arcs_is_in_the_class(name: str, words: int) -> None:
    cls = tree_class(name)
    inside = [heads for heads in reference.trees(words) if Tree(heads) in cls]
    seen = set()
    for heads in reference.trees(words):
        tree = Tree(heads)
        explanation = cls.explain(tree)
        assert explanation.is_inside == (tree in cls)
        if explanation.is_inside:
            assert not explanation.arcs
            continue
        assert set(explanation.arcs) <= set(tree.arcs)
        if explanation.arcs not in seen:
            seen.add(explanation.arcs)
            assert not any(holds_arcs(other, explanation.arcs) for other in inside), (heads, explanation)


@pytest.mark.parametrize("name", NAMES)
def test_arcs_of_larger_trees_exclude_every_tree_near_by(name: str) -> None:
    """From a tree outside, change the heads that the explanation leaves free, and stay outside."""
    cls = tree_class(name)
    rng = random.Random(name)
    for _ in range(150):
        words = rng.randint(6, 12)
        heads = [rng.randint(0, words) for _ in range(words)]
        try:
            tree = Tree(heads)
        except ValueError:
            continue
        explanation = cls.explain(tree)
        if explanation.is_inside:
            continue
        bound = {dependent for _, dependent in explanation.arcs}
        for _ in range(40):
            changed = [h if w in bound else rng.randint(0, words) for w, h in enumerate(heads, 1)]
            try:
                other = Tree(changed)
            except ValueError:
                continue
            assert other not in cls, (heads, changed, explanation)


@pytest.mark.parametrize("name", ["MH4", "MH5", "AD2", "AD3", "DD2", "DD3", "MG1"])
def test_deleting_a_leaf_stays_in_the_class(name: str) -> None:
    """What makes an obstruction a proof."""
    cls = tree_class(name)
    for words in (4, 5):
        for heads in reference.trees(words):
            if Tree(heads) not in cls:
                continue
            for leaf in set(range(1, words + 1)) - set(heads):
                fewer = [h - (h > leaf) for w, h in enumerate(heads, 1) if w != leaf]
                assert Tree(fewer) in cls, (heads, leaf)


def test_the_sentences_read_well() -> None:
    forms = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."]
    tree = Tree([2, 3, 0, 3, 2, 7, 5, 4, 3], forms=forms)
    said = {name: str(tree_class(name).explain(tree)) for name in ("WG1", "Pr", "1EC", "MH4", "M0I", "2-C", "AD2")}
    assert said["WG1"] == "the yields of 'hearing' and 'scheduled' interleave: 2 < 4 < 5 < 8"
    assert said["MH4"] == "the tree is in MH4"
    assert said["Pr"] == "the arcs 'hearing' -> 'on' (2 -> 5) and 'scheduled' -> 'today' (4 -> 8) cross"
    assert "is crossed by" in said["1EC"]
    assert "interleave" in said["M0I"]
    assert "need 3 words" in said["2-C"]
    assert said["AD2"].startswith("the words ")


def test_the_arcs_of_the_strongly_ill_nested_tree() -> None:
    tree = Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1])
    assert tree.nesting == "strongly ill-nested"
    assert (tree.gap_degree, tree.mg) == (1, 2)
    assert "two at a time" in str(tree_class("MG1").explain(tree))
