"""Scores of siblings and grandparents, against all trees with the scores of their pairs of arcs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from enumerated import members

from nonproj import NonprojError
from nonproj.decode import Decoded, candidate_heads, decode, sample_trees
from nonproj.trees import tree_class

Cube = npt.NDArray[np.float64]


def with_parts(scores: Cube, within: str = "Pr", **options: Any) -> Decoded:
    """The chart for larger parts, also where there are none."""
    if options.get("siblings") is None and options.get("grandparents") is None:
        options["grandparents"] = []
    return decode(scores, within=within, **options)


def total(heads: list[int], scores: Cube, siblings: Cube | None, grandparents: Cube | None) -> float:
    """The score of a tree, by the definition."""
    found = 0.0
    for d, h in enumerate(heads, start=1):
        found += scores[h, d]
        if grandparents is not None and h > 0:
            found += grandparents[heads[h - 1], h, d]
        if siblings is not None:
            between = range(d + 1, h) if d < h else range(d - 1, h, -1)
            nearest = next((s for s in between if heads[s - 1] == h), h)
            found += siblings[h, nearest, d]
    return found


def make(seed: int, words: int, wanted: str, sparse: bool) -> tuple[Cube, Cube | None, Cube | None]:
    rng = np.random.default_rng(seed)
    side = words + 1
    scores = rng.normal(size=(side, side))
    if sparse:
        scores[rng.random((side, side)) < 0.4] = -np.inf
        scores[0, 1:] = np.maximum(scores[0, 1:], -3)
    siblings = rng.normal(size=(side, side, side)) if "sib" in wanted else None
    grandparents = rng.normal(size=(side, side, side)) if "grand" in wanted else None
    return scores, siblings, grandparents


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("wanted", ["", "sib", "grand", "sib+grand"])
def test_projective_trees_against_all_trees(wanted: str, sparse: bool, single_root: bool) -> None:
    for seed, words in enumerate([1, 2, 3, 4, 4, 5, 5, 6, 6]):
        scores, siblings, grandparents = make(seed, words, wanted, sparse)
        expected = max(total(t, scores, siblings, grandparents) for t in members("Pr", words, single_root).tolist())
        options: dict[str, Any] = {"siblings": siblings, "grandparents": grandparents, "single_root": single_root}
        if expected == -np.inf:
            with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
                with_parts(scores, **options)
            continue
        best = with_parts(scores, **options)
        assert best.is_optimal
        assert best.strategy == "chart"
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert total(best.heads.tolist(), scores, siblings, grandparents) == pytest.approx(expected, abs=1e-9)
        assert best.tree in tree_class("Pr")
        climbed = with_parts(scores, rearrange=True, **options)
        assert not climbed.is_optimal
        assert climbed.score >= best.score
        assert total(climbed.heads.tolist(), scores, siblings, grandparents) == pytest.approx(climbed.score, abs=1e-9)
        every = members("spanning", words, single_root).tolist()
        assert climbed.score <= max(total(t, scores, siblings, grandparents) for t in every) + 1e-9


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("wanted", ["", "grand"])
def test_gap_minding_trees_against_all_trees(wanted: str, sparse: bool, single_root: bool) -> None:
    for seed, words in enumerate([1, 2, 3, 4, 4, 5, 5, 5, 6]):
        scores, _, grandparents = make(seed, words, wanted, sparse)
        expected = max(total(t, scores, None, grandparents) for t in members("M0I", words, single_root).tolist())
        if expected == -np.inf:
            with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
                with_parts(scores, within="M0I", grandparents=grandparents, single_root=single_root)
            continue
        best = with_parts(scores, within="M0I", grandparents=grandparents, single_root=single_root)
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert total(best.heads.tolist(), scores, None, grandparents) == pytest.approx(expected, abs=1e-9)
        assert best.tree in tree_class("M0I")


@pytest.mark.parametrize("single_root", [False, True])
def test_pruning_keeps_the_best_tree_whose_arcs_survive(single_root: bool) -> None:
    """The chart for few possible heads, and the one that is not pruned."""
    rng = np.random.default_rng(4)
    for words in (6, 9, 14, 21):
        scores = rng.normal(size=(words + 1, words + 1))
        free = decode(scores, within="M0I", strategy="chart", single_root=single_root)
        mask = candidate_heads(scores, k=3, threshold=0.0)
        mask[free.heads, np.arange(1, words + 1)] = True
        assert decode(scores, within="M0I", strategy="chart", single_root=single_root, mask=mask).score == free.score
        few = with_parts(scores, within="M0I", single_root=single_root, mask=mask)
        assert few.score == pytest.approx(free.score, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
def test_gap_minding_trees_of_few_possible_heads(single_root: bool) -> None:
    """The two charts for possible arcs alone, against all trees, then against each other."""
    rng = np.random.default_rng(8)
    found = 0
    for words in [2, 3, 4, 5, 6] * 8 + [9, 12, 15, 20] * 3:
        scores = rng.integers(-3, 4, size=(words + 1, words + 1)).astype(np.float64)
        scores[rng.random(scores.shape) > (0.2 if words < 9 else 0.15)] = -np.inf
        tree = sample_trees(
            np.zeros((words + 1, words + 1)), 1, within="M0I", single_root=single_root, seed=words
        ).heads[0]
        scores[tree, np.arange(1, words + 1)] = rng.integers(-3, 1, size=words)
        best = decode(scores, within="M0I", strategy="chart", single_root=single_root)
        assert best.tree in tree_class("M0I")
        assert with_parts(scores, within="M0I", single_root=single_root).score == best.score
        if words <= 6:
            every = members("M0I", words, single_root).tolist()
            assert best.score == max(total(t, scores, None, None) for t in every)
        found += 1
    assert found == 52


def test_lists_of_triples_stand_for_arrays() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(6, 6))
    triples = [(0, 2, 3, 2.5), (2, 3, 1, 4.0), (3, 1, 5, -1.0)]
    cube = np.zeros((6, 6, 6))
    for g, h, d, score in triples:
        cube[g, h, d] = score
    for name in ("Pr", "M0I"):
        listed, dense = (with_parts(scores, within=name, grandparents=given) for given in (triples, cube))
        assert listed.heads.tolist() == dense.heads.tolist()
        assert listed.score == dense.score


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": "WG1"}, "for Pr, and grandparents for M0I, not for WG1"),
        ({"within": "M0I", "siblings": np.zeros((4, 4, 4))}, "siblings are for Pr"),
        ({"grandparents": np.zeros((3, 4, 4))}, "grandparents must have the shape"),
        ({"siblings": np.full((4, 4, 4), np.nan)}, "below \\+inf"),
        ({"grandparents": [(1, 2, 9, 1.0)]}, "name words from 0 to 3"),
        ({"memory_limit": 10}, "more than memory_limit"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        with_parts(np.zeros((4, 4)), **options)  # type: ignore[arg-type]
