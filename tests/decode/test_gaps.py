"""WG_k and MG_k for any k: the chart with all items and the one with few, each alone, against enumeration and relax."""

from __future__ import annotations

import native
import numpy as np
import numpy.typing as npt
import pytest
from enumerated import possible_totals, totals
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import NonprojError, Tree, decode, tree_class

Scores = npt.NDArray[np.float64]

NAMES = ["WG1", "WG2", "WG3", "MG1", "MG2", "MG3"]
KINDS = ["normal", "ties", "zeros", "sparse", "huge", "backwards", "few"]


def make_scores(kind: str, words: int, seed: int) -> Scores:
    """Scores of many kinds; for some of them there is no tree."""
    rng = np.random.default_rng(seed)
    shape = (words + 1, words + 1)
    normal = rng.normal(size=shape)
    if kind == "normal":
        return normal
    if kind == "ties":
        return rng.integers(-1, 2, size=shape).astype(np.float64)
    if kind == "zeros":
        return np.zeros(shape)
    if kind == "sparse":
        return np.where(rng.random(shape) < 0.5, normal, -np.inf)
    if kind == "huge":
        return rng.choice([-1e4, -1.0, 0.0, 1.0, 1e4], size=shape)
    if kind == "backwards":  # long arcs are the good ones: the best spanning tree crosses everywhere
        places = np.arange(words + 1)
        return np.abs(places[:, None] - places[None, :]) + normal
    assert kind == "few"  # three heads a word
    return np.where(rng.random(shape).argsort(axis=0).argsort(axis=0) < 3, normal, -np.inf)


def best(scores: Scores, name: str, single_root: bool, packed: bool) -> tuple[float, npt.NDArray[np.int32]]:
    score, heads = native.gaps_best(scores, int(name[2:]), name[:2] == "WG", single_root, packed)
    if score > -np.inf and len(heads):
        assert Tree(heads.tolist()) in tree_class(name)
        assert score == pytest.approx(totals(scores, heads[None])[0], abs=1e-9)
        assert not single_root or (heads == 0).sum() == 1
    return score, heads


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "sparse"])
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(words=st.integers(1, 6), kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1), single_root=st.booleans())
def test_both_charts_agree_with_enumeration(
    name: str, packed: bool, words: int, kind: str, seed: int, single_root: bool
) -> None:
    scores = make_scores(kind, words, seed)
    expected = possible_totals(scores, name, single_root)
    score, heads = best(scores, name, single_root, packed)
    if not len(expected):
        assert score == -np.inf
        assert not len(heads)
    else:
        assert score == pytest.approx(expected[0], abs=1e-9)


@pytest.mark.parametrize("name", ["WG2", "WG3", "MG1", "MG2"])
@settings(max_examples=40, deadline=None)
@given(words=st.integers(7, 10), kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1), single_root=st.booleans())
def test_both_charts_agree_with_relax_and_check(name: str, words: int, kind: str, seed: int, single_root: bool) -> None:
    scores = make_scores(kind, words, seed)
    packed, _ = best(scores, name, single_root, True)
    sparse, _ = best(scores, name, single_root, False)
    assert packed == sparse or packed == pytest.approx(sparse, abs=1e-9)
    if packed == -np.inf:
        with pytest.raises(NonprojError, match="forbidden"):
            decode(scores, within=name, strategy="relax", single_root=single_root)
        return
    relaxed = decode(scores, within=name, strategy="relax", single_root=single_root, work_limit=3000)
    assert relaxed.score <= packed + 1e-9 <= relaxed.bound + 2e-9


@pytest.mark.parametrize("name", ["WG2", "MG1"])
@pytest.mark.parametrize("single_root", [False, True])
def test_both_charts_agree_on_longer_sentences(name: str, single_root: bool) -> None:
    for words in (13, 16):
        for kind in ("normal", "few", "ties"):
            scores = make_scores(kind, words, words)
            packed, _ = best(scores, name, single_root, True)
            sparse, _ = best(scores, name, single_root, False)
            assert packed == sparse or packed == pytest.approx(sparse, abs=1e-9)


@pytest.mark.parametrize("packed", [True, False])
def test_without_gaps_the_trees_are_projective(packed: bool) -> None:
    for words in (1, 2, 5, 12):
        scores = make_scores("normal", words, words)
        for single_root in (False, True):
            score, _ = native.gaps_best(scores, 0, False, single_root, packed)
            assert score == pytest.approx(decode(scores, within="Pr", single_root=single_root).score, abs=1e-9)
    score, heads = native.gaps_best(np.zeros((1, 1)), 2, True, False, packed)
    assert (score, len(heads)) == (0, 0)


def test_arcs_that_are_required_or_forbidden() -> None:
    scores = make_scores("normal", 12, 5)
    free = decode(scores, within="WG2", strategy="chart")
    required = [(3, 9), (9, 4)]
    bound = decode(scores, within="WG2", strategy="chart", required=required)
    assert [bound.heads[d - 1] for _, d in required] == [3, 9]
    assert bound.score == pytest.approx(
        decode(scores, within="WG2", strategy="relax", required=required).score, abs=1e-9
    )
    without = decode(scores, within="WG2", strategy="chart", forbidden=[(int(free.heads[6]), 7)])
    assert without.heads[6] != free.heads[6]
    assert without.score <= free.score


def test_what_has_no_room_is_refused() -> None:
    with pytest.raises(NonprojError, match="no chart for 3 words and 7 gaps"):
        native.gaps_best(np.zeros((4, 4)), 7, True, False, False)
    with pytest.raises(NonprojError, match="no chart for 200 words and 3 gaps"):
        native.gaps_best(np.zeros((201, 201)), 3, True, False, True)
    with pytest.raises(NonprojError, match="shape"):
        native.gaps_best(np.zeros((4, 3)), 1, True, False, True)
    with pytest.raises(NonprojError, match="no chart for 251 words"):
        native.gaps_best(np.zeros((252, 252)), 1, True, False, False)
