"""Marginals of several sentences at once, against those of each by itself."""

from __future__ import annotations

from typing import Any

import native
import numpy as np
import numpy.typing as npt
import pytest

from nonproj import NonprojError, _core
from nonproj.trees import tree_class

Scores = npt.NDArray[Any]
BOTH = pytest.mark.parametrize("single_root", [False, True])
VECTORS = pytest.mark.parametrize("size", [16, 32, 64])
INFINITY = float("inf")


def side_by_side(size: int, scores: Scores, lengths: list[int], single_root: bool) -> tuple[int, Scores, Scores]:
    chances = np.zeros_like(scores)
    try:
        sound, log_partitions = getattr(_core, f"side_by_side_{size}")(scores, lengths, single_root, chances)
    except NonprojError as error:
        pytest.skip(str(error))
    return sound, log_partitions, chances


def batch(scores: Scores, lengths: Scores, single_root: bool, threads: int = 1) -> tuple[Scores, Scores]:
    chances = np.full_like(scores, np.nan)
    solver = tree_class("spanning").solver
    return _core.marginals_batch(solver, scores, lengths, single_root, threads, chances), chances


def check(scores: Scores, words: int, single_root: bool, log_partition: float, chance: Scores) -> None:
    table = np.ascontiguousarray(scores[: words + 1, : words + 1])
    assert log_partition == pytest.approx(native.matrix_tree_log_partition(table, single_root), rel=1e-12, abs=1e-10)
    expected = native.matrix_tree_marginals(table, single_root)
    tolerance = 1e-6 if scores.dtype == np.float32 else 1e-11
    np.testing.assert_allclose(chance[: words + 1, : words + 1], expected, atol=tolerance, rtol=tolerance)


@BOTH
@VECTORS
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("words", [1, 2, 3, 4, 5, 7, 8, 9, 13, 20, 21, 40, 67, 128])
def test_every_length(words: int, real: Any, size: int, single_root: bool) -> None:
    rng = np.random.default_rng(words)
    count = size // 8
    scores = rng.normal(size=(count, words + 1, words + 1), scale=3).astype(real)
    sound, log_partitions, chances = side_by_side(size, scores, [words] * count, single_root)
    # A word that has no head but the root is left to others.
    assert sound == (0 if words == 1 and single_root else 2**count - 1)
    for number in range(count if sound else 0):
        check(scores[number], words, single_root, log_partitions[number], chances[number])


@BOTH
@VECTORS
def test_shorter_sentences_beside_longer_ones(size: int, single_root: bool) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        count = int(rng.integers(1, size // 8 + 1))
        lengths = rng.integers(2, 24, size=count).tolist()
        scores = rng.normal(size=(count, 24, 24), scale=2)
        scores[rng.random(scores.shape) < 0.2] = -INFINITY
        scores[rng.random(scores.shape) < 0.01] = np.nan  # as good as -inf
        sound, log_partitions, chances = side_by_side(size, scores, lengths, single_root)
        for number in range(count):
            if sound >> number & 1:
                table = np.where(np.isnan(scores[number]), -INFINITY, scores[number])
                check(table, lengths[number], single_root, log_partitions[number], chances[number])
                outside = chances[number][lengths[number] + 1 :]
                assert (outside == 0).all()  # as it was


@BOTH
@VECTORS
def test_what_doubles_cannot_hold_is_left_to_others(size: int, single_root: bool) -> None:
    """Beside a sentence that they can."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(2, 11, 11))
    scores[1, 0] -= 1000  # every way to the root is far below
    scores[1, 1:, 1:3] = -1000
    scores[1, 1, 2] = scores[1, 2, 1] = 0
    sound, log_partitions, chances = side_by_side(size, scores, [10, 10], single_root)
    assert sound == 1
    check(scores[0], 10, single_root, log_partitions[0], chances[0])


@BOTH
def test_nearly_closed_cycles(single_root: bool) -> None:
    """A determinant would be 1 - 1; here nothing is subtracted."""
    scores = np.zeros((8, 3, 3))
    for number, gap in enumerate(np.linspace(5, 120, 8)):
        scores[number] = np.array([[0, -gap, -gap - 1], [0, 0, 0], [0, 0, 0]])
    found, chances = batch(scores, np.full(8, 2, dtype=np.int32), single_root)
    for number in range(8):
        expected = native.matrix_tree_log_partition(scores[number], single_root)
        assert found[number] == pytest.approx(expected, rel=1e-14)
        np.testing.assert_allclose(
            chances[number], native.matrix_tree_marginals(scores[number], single_root), rtol=1e-12
        )


@BOTH
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1, 100, 10_000])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 33])
def test_batches_of_any_size_and_scale(count: int, scale: float, real: Any, single_root: bool) -> None:
    rng = np.random.default_rng(count)
    scores = (scale * rng.normal(size=(count, 18, 18))).astype(real)
    lengths = rng.integers(1, 18, size=count).astype(np.int32)
    found, chances = batch(scores, lengths, single_root, threads=2)
    for number, words in enumerate(lengths):
        check(scores[number], words, single_root, found[number], chances[number])
        assert (chances[number][words + 1 :] == 0).all()
        assert (chances[number][:, words + 1 :] == 0).all()


@BOTH
def test_a_sentence_without_a_tree_beside_others(single_root: bool) -> None:
    scores = np.random.default_rng(5).normal(size=(8, 6, 6))
    scores[3, :, 2] = -INFINITY
    lengths = np.full(8, 5, dtype=np.int32)
    found, chances = batch(scores, lengths, single_root)
    assert found[3] == -INFINITY
    assert (chances[3] == 0).all()
    for number in [0, 1, 2, 4, 5, 6, 7]:
        check(scores[number], 5, single_root, found[number], chances[number])
