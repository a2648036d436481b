"""1-endpoint-crossing trees: the best, sums, counts and samples, against all trees of up to 6 words."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import native
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import is_one_endpoint_crossing, trees

from nonproj import NonprojError

Scores = npt.NDArray[np.floating]
INFINITY = math.inf
PRIME = 2**61 - 1
BOTH = pytest.mark.parametrize("single_root", [False, True])

# How many trees there are, with several roots and with one.
COUNTS = {
    False: [1, 1, 3, 16, 125, 1104, 10024, 92344, 865143, 8249220, 79916012, 784631688, 7789956343],
    True: [1, 1, 2, 9, 64, 545, 4876, 44496, 413316, 3909589, 37606558, 366984610, 3624667044],
}


# Scores that have led decoders astray.


def gaussian(rng: np.random.Generator, n: int) -> Scores:
    return rng.normal(size=(n + 1, n + 1))


def tied(rng: np.random.Generator, n: int) -> Scores:
    return rng.integers(-1, 2, size=(n + 1, n + 1)).astype(float)


Kind: TypeAlias = Callable[[np.random.Generator, int], npt.NDArray[np.float64]]


def without(share: float) -> Kind:
    def sparse(rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
        return np.where(rng.random((n + 1, n + 1)) < share, -INFINITY, rng.normal(size=(n + 1, n + 1)))

    return sparse


def huge(rng: np.random.Generator, n: int) -> Scores:
    return rng.uniform(-1e4, 1e4, size=(n + 1, n + 1))


def far_apart(rng: np.random.Generator, n: int) -> Scores:
    """Each arc outweighs all the lesser ones together, so that the best tree takes them greedily."""
    return (2.0 ** rng.permutation((n + 1) ** 2)).reshape(n + 1, n + 1)


def two_trees(rng: np.random.Generator, n: int) -> Scores:
    """The arcs of two random trees only, which cross each other."""
    scores = np.full((n + 1, n + 1), -INFINITY)
    for _ in range(2):
        heads, _ = all_trees(n, False)
        tree = heads[rng.integers(len(heads))]
        scores[tree, np.arange(1, n + 1)] = rng.normal(size=n)
    return scores


KINDS = [gaussian, tied, without(0.4), without(0.7), huge, far_apart, two_trees]


@cache
def all_trees(n: int, single_root: bool) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Give the heads of all trees, one a row, and which of them are 1-endpoint-crossing."""
    every = list(trees(n, single_root))
    heads = np.array(every, dtype=np.intp).reshape(len(every), n)
    return heads, np.array([is_one_endpoint_crossing(tree) for tree in every])


def tree_scores(scores: Scores, heads: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    return scores.astype(np.float64)[heads, np.arange(1, heads.shape[-1] + 1)].sum(axis=-1)


def class_scores(scores: Scores, single_root: bool) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    heads, inside = all_trees(len(scores) - 1, single_root)
    return heads[inside], tree_scores(scores, heads[inside])


def log_sum(values: npt.NDArray[np.float64]) -> float:
    high = float(values.max(initial=-INFINITY))
    return high + math.log(np.exp(values - high).sum()) if high > -INFINITY else high


def assert_best(scores: Scores, single_root: bool, best: tuple[float, npt.NDArray[np.int32]]) -> None:
    score, heads = best
    candidates, expected = class_scores(scores, single_root)
    most = expected.max(initial=-INFINITY)
    if most == -INFINITY:
        assert score == -INFINITY
        assert heads.shape == (0,)
        return
    slack = 1e-5 if scores.dtype == np.float32 else 1e-12
    assert score == pytest.approx(most, rel=slack, abs=slack)
    assert score == tree_scores(scores, heads)
    assert (candidates == heads).all(axis=1).any()


# The best tree.


@BOTH
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_best_of_all(kind: Kind, n: int, single_root: bool, real: type[np.floating]) -> None:
    rng = np.random.default_rng(n)
    for _ in range(60 if n < 6 else 25):
        scores = kind(rng, n).astype(real)
        assert_best(scores, single_root, native.one_endpoint_crossing_best(scores, single_root))


@BOTH
@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unique", [False, True])
def test_best_of_all_plainly(kind: Kind, n: int, single_root: bool, unique: bool) -> None:
    rng = np.random.default_rng(n)
    for _ in range(15):
        scores = kind(rng, n)
        assert_best(scores, single_root, native.one_endpoint_crossing_best_plainly(scores, single_root, unique))


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(
    st.just(n), st.lists(st.sampled_from([-INFINITY, -1.0, 0.0, 0.5, 1.0]), min_size=(n + 1) ** 2,
                         max_size=(n + 1) ** 2))), st.booleans())  # fmt: skip
def test_best_of_any(drawn: tuple[int, list[float]], single_root: bool) -> None:
    n, values = drawn
    scores = np.array(values).reshape(n + 1, n + 1)
    assert_best(scores, single_root, native.one_endpoint_crossing_best(scores, single_root))


@pytest.mark.parametrize("n", range(1, 7))
def test_each_tree_alone(n: int) -> None:
    heads, inside = all_trees(n, False)
    words = np.arange(1, n + 1)
    for tree, is_inside in zip(heads, inside, strict=True):
        scores = np.full((n + 1, n + 1), -INFINITY)
        scores[tree, words] = 1.0
        for single_root in [False, True]:
            exists = is_inside and not (single_root and (tree == 0).sum() > 1)
            score, found = native.one_endpoint_crossing_best(scores, single_root)
            assert score == (n if exists else -INFINITY)
            assert not exists or (found == tree).all()
            if n < 6:
                assert native.one_endpoint_crossing_count_mod(scores, single_root, PRIME) == exists


@BOTH
@pytest.mark.parametrize("kind", [gaussian, tied, without(0.6), huge])
def test_both_sets_of_rules_agree(kind: Kind, single_root: bool) -> None:
    rng = np.random.default_rng(7)
    for n in range(7, 13):
        for _ in range(4):
            scores = kind(rng, n)
            score, _ = native.one_endpoint_crossing_best(scores, single_root)
            for unique in [False, True]:
                plain, _ = native.one_endpoint_crossing_best_plainly(scores, single_root, unique)
                assert score == pytest.approx(plain, rel=1e-12)


@BOTH
@pytest.mark.parametrize("n", [31, 63, 65])
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_long_sentences(n: int, share: float, single_root: bool) -> None:
    rng = np.random.default_rng(n)
    scores = without(share)(rng, n)
    scores[np.arange(n), np.arange(1, n + 1)] = -1.0  # there is a tree
    score, heads = native.one_endpoint_crossing_best(scores, single_root)
    assert is_one_endpoint_crossing(heads.tolist())
    assert not single_root or (heads == 0).sum() == 1
    assert score == pytest.approx(tree_scores(scores, heads), rel=1e-12)
    plain, _ = native.one_endpoint_crossing_best_plainly(scores, single_root, False)
    assert score == pytest.approx(plain, rel=1e-12)
    in_float, _ = native.one_endpoint_crossing_best(scores.astype(np.float32), single_root)
    assert score == pytest.approx(in_float, rel=1e-5)


# Sums.


@BOTH
@pytest.mark.parametrize("n", range(13))
def test_counts(n: int, single_root: bool) -> None:
    expected = COUNTS[single_root][n]
    scores = np.zeros((n + 1, n + 1))
    assert native.one_endpoint_crossing_count_mod(scores, single_root, PRIME) == expected
    assert native.one_endpoint_crossing_count_mod(scores, single_root, 97) == expected % 97
    assert native.one_endpoint_crossing_log_partition(scores, single_root) == pytest.approx(math.log(expected))


@BOTH
@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_sums_over_all(kind: Kind, n: int, single_root: bool) -> None:
    rng = np.random.default_rng(n)
    for _ in range(10):
        scores = kind(rng, n)
        candidates, expected = class_scores(scores, single_root)
        total = log_sum(expected)
        assert native.one_endpoint_crossing_log_partition(scores, single_root) == pytest.approx(total, rel=1e-12)
        count = native.one_endpoint_crossing_count_mod(scores, single_root, PRIME)
        assert count == (expected > -INFINITY).sum()
        chance = np.zeros((n + 1, n + 1))
        if total > -INFINITY:
            weight = np.exp(expected - total)
            for dependent in range(1, n + 1):
                np.add.at(chance[:, dependent], candidates[:, dependent - 1], weight)
        # The scores themselves are only known up to a rounding error of their largest.
        slack = 1e-12 * max(1.0, abs(expected[expected > -INFINITY]).max(initial=0.0))
        np.testing.assert_allclose(
            native.one_endpoint_crossing_marginals(scores, single_root), chance, rtol=0, atol=slack
        )


@BOTH
@pytest.mark.parametrize("n", [9, 20, 33, 66])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_marginals_are_derivatives(n: int, scale: float, single_root: bool) -> None:
    rng = np.random.default_rng(n)
    scores = scale * without(0.3)(rng, n)
    scores[np.arange(n), np.arange(1, n + 1)] = 0.0
    chance = native.one_endpoint_crossing_marginals(scores, single_root)
    np.testing.assert_allclose(chance[:, 1:].sum(axis=0), 1.0, rtol=1e-12)
    if single_root:
        assert chance[0].sum() == pytest.approx(1.0)
    step = 1e-4
    for head, dependent in [(0, 1), (n, 1), (n // 2, n // 2 + 1), (n // 2, n // 3), (1, n)]:
        change = np.zeros_like(scores)
        change[head, dependent] = step
        above, below = (native.one_endpoint_crossing_log_partition(scores + d, single_root) for d in (change, -change))
        assert (above - below) / (2 * step) == pytest.approx(chance[head, dependent], abs=1e-6)


@BOTH
def test_sums_of_scores_far_apart(single_root: bool) -> None:
    """With scores this large one tree has all the weight, unless trees are tied."""
    rng = np.random.default_rng(5)
    for n in [8, 12, 20]:
        scores = 1e4 * rng.normal(size=(n + 1, n + 1))
        score, heads = native.one_endpoint_crossing_best(scores, single_root)
        assert native.one_endpoint_crossing_log_partition(scores, single_root) == pytest.approx(score, rel=1e-9)
        chance = native.one_endpoint_crossing_marginals(scores, single_root)
        np.testing.assert_allclose(chance[heads, np.arange(1, n + 1)], 1.0, atol=1e-6)
        drawn = native.one_endpoint_crossing_sample(scores, single_root, 3, 1)
        assert (drawn == heads).all()


@BOTH
def test_no_tree(single_root: bool) -> None:
    scores = np.full((4, 4), -INFINITY)
    assert native.one_endpoint_crossing_log_partition(scores, single_root) == -INFINITY
    assert not native.one_endpoint_crossing_marginals(scores, single_root).any()
    assert native.one_endpoint_crossing_count_mod(scores, single_root, PRIME) == 0
    with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
        native.one_endpoint_crossing_sample(scores, single_root, 1, 0)


@BOTH
def test_no_words(single_root: bool) -> None:
    scores = np.zeros((1, 1))
    score, heads = native.one_endpoint_crossing_best(scores, single_root)
    assert (score, heads.shape) == (0.0, (0,))
    assert native.one_endpoint_crossing_log_partition(scores, single_root) == 0.0
    assert native.one_endpoint_crossing_sample(scores, single_root, 3, 0).shape == (3, 0)


# Samples.


@BOTH
@pytest.mark.parametrize("kind", [gaussian, without(0.4), huge])
def test_samples_follow_the_weights(kind: Kind, single_root: bool) -> None:
    rng = np.random.default_rng(11)
    n, draws = 4, 20000
    scores = kind(rng, n)
    scores[np.arange(n), np.arange(1, n + 1)] = 0.0
    candidates, expected = class_scores(scores, single_root)
    chance = np.exp(expected - log_sum(expected))
    drawn = native.one_endpoint_crossing_sample(scores, single_root, draws, 3)
    assert drawn.dtype == np.int32
    index = {tuple(tree): at for at, tree in enumerate(candidates.tolist())}
    seen = np.bincount([index[tuple(tree)] for tree in drawn.tolist()], minlength=len(candidates))
    assert (seen[chance == 0] == 0).all()
    # Six standard deviations for each tree.
    assert (abs(seen - draws * chance) <= 6 * np.sqrt(draws * chance) + 1).all()


def test_samples_repeat_with_their_seed() -> None:
    scores = np.random.default_rng(2).normal(size=(13, 13))
    first, again, other = (native.one_endpoint_crossing_sample(scores, True, 20, seed) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert all(is_one_endpoint_crossing(tree) and tree.count(0) == 1 for tree in first.tolist())


def test_float_scores_have_the_same_sums() -> None:
    scores = np.random.default_rng(3).normal(size=(11, 11)).astype(np.float32)
    for function in (native.one_endpoint_crossing_log_partition, native.one_endpoint_crossing_marginals):
        np.testing.assert_allclose(function(scores, False), function(scores.astype(np.float64), False), rtol=1e-12)


# What the bindings refuse.


@pytest.mark.parametrize("shape", [(3, 4), (0, 0)])
def test_shape_of_scores(shape: tuple[int, int]) -> None:
    with pytest.raises(NonprojError, match=r"shape \(n \+ 1, n \+ 1\)"):
        native.one_endpoint_crossing_best(np.zeros(shape), False)


@pytest.mark.parametrize("scores", [np.zeros((3, 3), dtype=int), np.zeros((3, 6))[:, ::2], np.zeros(9)])
def test_type_of_scores(scores: npt.NDArray[np.generic]) -> None:
    with pytest.raises(TypeError):
        native.one_endpoint_crossing_best(scores, False)


@pytest.mark.parametrize("prime", [0, 1, 2**62 + 1])
def test_prime_of_counts(prime: int) -> None:
    with pytest.raises(NonprojError, match="modulus"):
        native.one_endpoint_crossing_count_mod(np.zeros((3, 3)), False, prime)


def test_bytes() -> None:
    sizes = [native.chart_bytes(n, "1EC") for n in range(100)]
    assert sizes == sorted(sizes)
    assert 50e6 < sizes[80] < 100e6
    with pytest.raises(NonprojError, match="no chart"):
        native.chart_bytes(-1, "1EC")


@given(st.integers(1, 12), st.integers(0, 2**32), st.booleans())
@settings(max_examples=40, deadline=None)
def test_trees_are_in_the_class(n: int, seed: int, single_root: bool) -> None:
    rng = np.random.default_rng(seed)
    scores = without(0.5)(rng, n)
    score, heads = native.one_endpoint_crossing_best(scores, single_root)
    if score > -INFINITY:
        assert is_one_endpoint_crossing(heads.tolist())
        assert not single_root or (heads == 0).sum() == 1
