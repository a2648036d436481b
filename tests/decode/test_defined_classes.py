"""Classes that are defined from Python, wherever a class can be given."""

from __future__ import annotations

import numpy as np
import pytest
from enumerated import members

import nonproj as npj
from nonproj import NonprojError, Tree
from nonproj.trees import tree_class


def is_projective(tree: Tree) -> bool:
    return tree in tree_class("Pr")


def has_gap_degree_one(tree: Tree) -> bool:
    return tree.gap_degree <= 1


def is_head_first(tree: Tree) -> bool:
    return all(head < word for word, head in enumerate(tree.heads, start=1))


# The last one holds few projective trees, and deleting a leaf can take a tree out of it.
def has_even_root(tree: Tree) -> bool:
    return all(root % 2 == 0 for root in tree.roots)


OWN = {
    "own-projective": (is_projective, True),
    "own-gaps": (has_gap_degree_one, True),
    "head-first": (is_head_first, True),
    "own-gaps-blind": (has_gap_degree_one, False),
    "even-root": (has_even_root, False),
}


@pytest.fixture(params=OWN)
def own(request: pytest.FixtureRequest) -> npj.TreeClass:
    test, is_hereditary = OWN[request.param]
    return npj.define_class(request.param, test, is_hereditary=is_hereditary)


@pytest.mark.parametrize("single_root", [False, True])
def test_the_best_trees_agree_with_enumeration(own: npj.TreeClass, single_root: bool) -> None:
    rng = np.random.default_rng(1)
    for words in (1, 2, 3, 4, 5, 5):
        trees = [heads for heads in members("spanning", words, single_root).tolist() if Tree(heads) in own]
        scores = rng.normal(size=(words + 1, words + 1))
        places = np.arange(1, words + 1)
        totals = sorted((float(scores[heads, places].sum()) for heads in trees), reverse=True)
        if not trees:
            with pytest.raises(NonprojError, match=f"no {own.name} tree"):
                npj.decode(scores, within=own, single_root=single_root)
            continue
        best = npj.decode(scores, within=own, single_root=single_root)
        assert best.is_optimal
        assert best.tree in own
        assert best.score == pytest.approx(totals[0])
        listed = [each.score for each in npj.k_best(scores, 4, within=own, single_root=single_root)]
        assert listed == pytest.approx(totals[:4])


def test_a_work_limit_is_honest() -> None:
    rng = np.random.default_rng(0)
    none_of_these = npj.define_class("few", lambda tree: tree.heads == tuple(range(len(tree))))
    found = npj.decode(rng.normal(size=(7, 7)), within=none_of_these, required=[(1, 2), (2, 3), (3, 4), (4, 5)])
    assert found.is_optimal
    with pytest.raises(NonprojError, match="raise work_limit"):
        npj.decode(rng.normal(size=(12, 12)), within=none_of_these, work_limit=3)


def test_it_is_measured_like_any_other(own: npj.TreeClass) -> None:
    treebank = npj.example_treebank()
    inside = [sentence.tree in own for sentence in treebank]
    assert npj.coverage(treebank, [own, "Pr"]).treebanks[0].outside[own.name] == inside.count(False)
    counted = npj.census(4, [own, "Pr"])
    assert counted.all[own.name] == sum(Tree(heads) in own for heads in members("spanning", 4, False).tolist())
    assert counted.all["Pr"] == 55
    drawn = npj.sample_trees(np.zeros((5, 5)), 20, within=own, seed=1)
    assert all(tree in own for tree in drawn)
    assert npj.tree_class(own.name.upper()) is own


def test_explanations_are_proofs_for_hereditary_classes() -> None:
    own = npj.define_class("own-gaps", has_gap_degree_one, is_hereditary=True)
    outside = [Tree(heads) for heads in members("spanning", 5, False).tolist() if Tree(heads) not in own]
    assert outside
    for tree in outside:
        told = own.explain(tree)
        assert not told.is_inside
        assert set(told.arcs) <= {(head, word) for word, head in enumerate(tree.heads, start=1)}
        words = sorted(told.words)
        part = Tree([words.index(tree.heads[w - 1]) + 1 if tree.heads[w - 1] else 0 for w in words])
        assert part not in own
    assert "outside own-gaps" in str(own.explain(outside[0]))


def test_the_own_words_of_a_class() -> None:
    own = npj.define_class("head-first", is_head_first, explain=lambda tree: f"{len(tree)} words, one before its head")
    assert str(own.explain(Tree([2, 0]))) == "2 words, one before its head"
    assert own.explain(Tree([0, 1])).is_inside


def test_a_name_can_be_defined_again() -> None:
    scores = np.zeros((4, 4))
    npj.define_class("mine", is_projective)
    npj.decode(scores, within="mine")
    npj.define_class("mine", lambda tree: tree.heads == (0, 1, 2))
    assert npj.decode(scores, within="mine").heads.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["Pr", "wg_3", "1EC", "", "two words", "a,b"])
def test_names_are_checked(name: str) -> None:
    with pytest.raises(NonprojError, match=r"already|without spaces"):
        npj.define_class(name, is_projective)


def test_errors_of_the_test_come_through() -> None:
    def broken(tree: Tree) -> bool:
        raise RuntimeError("as it happens")

    own = npj.define_class("broken", broken)
    with pytest.raises(RuntimeError, match="as it happens"):
        npj.decode(np.zeros((4, 4)), within=own)
    with pytest.raises(RuntimeError, match="as it happens"):
        npj.decode_batch([np.zeros((4, 4))] * 4, within=own, threads=2)
    with pytest.raises(NonprojError, match="must be a function"):
        npj.define_class("x", 3)  # type: ignore[arg-type]
    with pytest.raises(NonprojError, match="no derivation"):
        npj.log_partition(np.zeros((4, 4)), within=npj.define_class("mine", is_projective))
