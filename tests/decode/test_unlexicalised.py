"""Scores by category, against all trees, the chart for words, and the schema of the paper."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from enumerated import members, totals

from nonproj import NonprojError
from nonproj.decode import decode, decode_unlexicalised
from nonproj.schema import DRules, parsing_schema
from nonproj.trees import tree_class

Table = npt.NDArray[np.float64]


def make(rng: np.random.Generator, words: int, sparse: bool) -> tuple[Table, npt.NDArray[np.int64]]:
    """Scores by category, and the categories of some words."""
    count = int(rng.integers(1, 5))
    scores = rng.normal(size=(count + 1, count + 1))
    if sparse:
        scores[rng.random(scores.shape) < 0.3] = -np.inf
    return scores, rng.integers(1, count + 1, size=words)


def by_words(scores: Table, categories: npt.NDArray[np.int64]) -> Table:
    """The same scores for each pair of words."""
    places = np.concatenate([[0], categories])
    return scores[np.ix_(places, places)]


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_best_of_all_trees(sparse: bool, single_root: bool) -> None:
    rng = np.random.default_rng(0)
    for words in [1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6] * 4:
        scores, categories = make(rng, words, sparse)
        expected = totals(by_words(scores, categories), members("WG1", words, single_root)).max()
        if expected == -np.inf:
            with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
                decode_unlexicalised(scores, categories, single_root=single_root)
            continue
        best = decode_unlexicalised(scores, categories, single_root=single_root)
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert best.is_optimal
        assert best.tree in tree_class("WG1")
        assert totals(by_words(scores, categories), best.heads[None])[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
def test_the_chart_for_words_finds_the_same(single_root: bool) -> None:
    rng = np.random.default_rng(1)
    for words in (9, 14, 19):
        scores, categories = make(rng, words, False)
        expected = decode(by_words(scores, categories), within="WG1", strategy="chart", single_root=single_root)
        best = decode_unlexicalised(scores, categories, single_root=single_root)
        assert best.score == pytest.approx(expected.score, abs=1e-9)


def test_the_schema_derives_the_same_trees() -> None:
    """The schema has one root, and rules (dependent, head) in the place of scores."""
    rng = np.random.default_rng(2)
    names = ["<root>", "a", "b", "c"]
    for _ in range(20):
        scores = np.where(rng.random((4, 4)) < 0.6, rng.normal(size=(4, 4)), -np.inf)
        categories = rng.integers(1, 4, size=4)
        rules = [(names[d], names[h]) for h in range(4) for d in range(1, 4) if scores[h, d] > -np.inf]
        forest = parsing_schema("WG1-unlexicalised").parse(" ".join(names[c] for c in categories), DRules(rules))
        derived = [list(tree.heads) for tree in forest]
        single = [heads for heads in derived if heads.count(0) == 1]
        if not single:
            continue
        expected = totals(by_words(scores, categories), np.array(single, dtype=np.int32)).max()
        best = decode_unlexicalised(scores, categories, single_root=True)
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert best.heads.tolist() in derived


def test_numbers_that_are_no_categories_are_refused() -> None:
    scores = np.zeros((3, 3))
    for categories in ([], [0], [1, 3], [1.5], [[1]]):
        with pytest.raises(NonprojError, match="categories must"):
            decode_unlexicalised(scores, categories)  # type: ignore[arg-type]
    for wrong in (np.zeros((2, 3)), np.zeros((1, 1)), np.zeros((2, 2, 2))):
        with pytest.raises(NonprojError, match="must have the shape"):
            decode_unlexicalised(wrong, [1])
    with pytest.raises(NonprojError, match="below"):
        decode_unlexicalised([[0, np.nan], [0, 0]], [1])
    with pytest.raises(NonprojError, match="memory_limit"):
        decode_unlexicalised(scores, [1, 2] * 40, memory_limit=1 << 20)
