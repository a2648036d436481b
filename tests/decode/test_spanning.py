"""Spanning trees: the best, bounds, sums, counts and samples, against all trees of up to 6 words."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import native
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import trees

from nonproj import NonprojError

Scores = npt.NDArray[np.float64]
INFINITY = math.inf
BOTH = pytest.mark.parametrize("single_root", [False, True])


# Scores that have led decoders astray.


def gaussian(rng: np.random.Generator, n: int) -> Scores:
    return rng.normal(size=(n + 1, n + 1))


def tied(rng: np.random.Generator, n: int) -> Scores:
    return rng.integers(-1, 2, size=(n + 1, n + 1)).astype(float)


def sparse(rng: np.random.Generator, n: int) -> Scores:
    return np.where(rng.random((n + 1, n + 1)) < 0.5, -INFINITY, rng.normal(size=(n + 1, n + 1)))


def nested_cycles(rng: np.random.Generator, n: int) -> Scores:
    """Words join one cycle after the other, each far below the one before, and the root last."""
    rank = np.concatenate([[n + 1], rng.permutation(n)])
    return rng.normal(size=(n + 1, n + 1)) - 50.0 * np.maximum.outer(rank, rank)


def huge(rng: np.random.Generator, n: int) -> Scores:
    return rng.uniform(-1e4, 1e4, size=(n + 1, n + 1))


def huge_ties(rng: np.random.Generator, n: int) -> Scores:
    return rng.choice([-1e4, 0.0, 1e4], size=(n + 1, n + 1))


def huge_nested_cycles(rng: np.random.Generator, n: int) -> Scores:
    return 30 * nested_cycles(rng, n)


def huge_sparse(rng: np.random.Generator, n: int) -> Scores:
    return 3000 * sparse(rng, n)


def tree_like(rng: np.random.Generator, n: int) -> Scores:
    """Noise and a tree that stands out, as from a trained model."""
    scores = rng.normal(size=(n + 1, n + 1))
    order = rng.permutation(n) + 1
    for i, dependent in enumerate(order):
        scores[0 if i == 0 else order[rng.integers(0, i)], dependent] += 4
    return scores


KINDS: list[Callable[[np.random.Generator, int], Scores]] = [
    gaussian,
    tied,
    sparse,
    nested_cycles,
    huge,
    huge_ties,
    huge_nested_cycles,
    huge_sparse,
    tree_like,
]


@st.composite
def tables(draw: st.DrawFn, max_words: int = 6) -> Scores:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = draw(st.sampled_from(KINDS))(rng, draw(st.integers(1, max_words)))
    if draw(st.booleans()):  # what must never be read
        np.fill_diagonal(scores, rng.choice([np.nan, INFINITY, 1e6]))
        scores[:, 0] = rng.choice([np.nan, INFINITY, 1e6])
    return scores


# The judge: all trees.


@cache
def all_trees(n: int, single_root: bool) -> npt.NDArray[np.int32]:
    heads = np.array(list(trees(n)), dtype=np.int32).reshape(-1, n)
    return heads[(heads == 0).sum(axis=1) == 1] if single_root else heads


def tree_scores(scores: Scores, heads: npt.NDArray[np.int32]) -> Scores:
    return scores[heads, np.arange(1, len(scores))].sum(axis=-1)


def best_with_each_arc(scores: Scores, single_root: bool) -> Scores:
    n = len(scores) - 1
    heads = all_trees(n, single_root)
    totals = tree_scores(scores, heads)
    best = np.full_like(scores, -INFINITY)
    for d in range(1, n + 1):
        np.maximum.at(best[:, d], heads[:, d - 1], totals)
    return best


def sums(scores: Scores, single_root: bool) -> tuple[float, Scores, float]:
    """Give the log-partition, the marginals and the entropy."""
    n = len(scores) - 1
    heads = all_trees(n, single_root)
    totals = tree_scores(scores, heads)
    marginals = np.zeros_like(scores)
    highest = totals.max()
    if highest == -INFINITY:
        return -INFINITY, marginals, -INFINITY
    log_partition = highest + math.log(np.exp(totals - highest).sum())
    chance = np.exp(totals - log_partition)
    for d in range(1, n + 1):
        np.add.at(marginals[:, d], heads[:, d - 1], chance)
    return log_partition, marginals, -float(chance @ np.where(chance > 0, totals - log_partition, 0))


def slow_best(scores: Scores) -> float:
    """Chu-Liu-Edmonds by its definition: contract one cycle, solve the rest, and recurse."""
    n = len(scores) - 1
    scores = scores.copy()
    np.fill_diagonal(scores, -INFINITY)
    heads = scores.argmax(axis=0)
    best = scores.max(axis=0)
    if (best[1:] == -INFINITY).any():
        return -INFINITY
    for start in range(1, n + 1):
        cycle = [start]
        while heads[cycle[-1]] != 0 and heads[cycle[-1]] not in cycle:
            cycle.append(int(heads[cycle[-1]]))
        if heads[cycle[-1]] == start:
            others = [v for v in range(n + 1) if v not in cycle]
            inner = np.full((len(others) + 1, len(others) + 1), -INFINITY)
            inner[:-1, :-1] = scores[np.ix_(others, others)]
            inner[:-1, -1] = (scores[np.ix_(others, cycle)] - best[cycle]).max(axis=1)
            inner[-1, :-1] = scores[np.ix_(cycle, others)].max(axis=0)
            return slow_best(inner) + float(best[cycle].sum())
    return float(best[1:].sum())


def slow_best_single_root(scores: Scores) -> float:
    found = -INFINITY
    for root in range(1, len(scores)):
        with_root = scores.copy()
        with_root[0] = -INFINITY
        with_root[0, root] = scores[0, root]
        found = max(found, slow_best(with_root))
    return found


def check_heads(scores: Scores, single_root: bool, score: float, heads: npt.NDArray[np.int32]) -> None:
    n = len(scores) - 1
    assert heads.shape == (n,)
    assert heads.dtype == np.int32
    assert score == pytest.approx(float(tree_scores(scores, heads)), rel=1e-12, abs=1e-9)
    if single_root:
        assert (heads == 0).sum() == 1
    reached = np.arange(n + 1)
    for _ in range(n):
        reached = np.concatenate([[0], heads])[reached]
    assert (reached == 0).all()


# The best tree.


@BOTH
@pytest.mark.parametrize("real", [np.float32, np.float64])
@settings(max_examples=200, deadline=None)
@given(scores=tables())
def test_best_agrees_with_enumeration(scores: Scores, real: type[np.floating], single_root: bool) -> None:
    rounded = scores.astype(real)
    scores = rounded.astype(np.float64)
    expected = tree_scores(scores, all_trees(len(scores) - 1, single_root)).max()
    score, heads = native.spanning_best(rounded, single_root)
    if expected == -INFINITY:
        assert score == -INFINITY
        assert heads.shape == (0,)
    else:
        assert score == pytest.approx(float(expected), rel=1e-13, abs=1e-12)
        check_heads(scores, single_root, score, heads)


@BOTH
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [9, 15, 16, 17, 23, 60])
def test_best_of_long_sentences(kind: Callable[..., Scores], n: int, single_root: bool) -> None:
    rng = np.random.default_rng(n)
    for _ in range(1 if single_root and n > 23 else 5):
        scores = kind(rng, n)
        expected = slow_best_single_root(scores) if single_root else slow_best(scores)
        score, heads = native.spanning_best(scores, single_root)
        assert score == pytest.approx(expected, rel=1e-12, abs=1e-9)
        if expected > -INFINITY:
            check_heads(scores, single_root, score, heads)


@BOTH
def test_best_is_exact_beside_large_scores(single_root: bool) -> None:
    """A penalty on root arcs would round the small differences away. All sums here are exact in double."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = 5
        scores = 2.0**30 * rng.integers(-4, 5, size=(n + 1, n + 1)) + 2.0**-18 * rng.integers(0, 9, size=(n + 1, n + 1))
        expected = tree_scores(scores, all_trees(n, single_root)).max()
        assert native.spanning_best(scores, single_root)[0] == expected


@BOTH
@settings(max_examples=100, deadline=None)
@given(scores=tables(), seed=st.integers(0, 999))
def test_best_without_some_arcs(scores: Scores, seed: int, single_root: bool) -> None:
    """Forbid arcs of the best tree one by one, as a search does."""
    rng = np.random.default_rng(seed)
    masked = scores.copy()
    forbidden: list[tuple[int, int]] = []
    score, heads = native.spanning_best(scores, single_root)
    while score > -INFINITY and len(forbidden) < 8:
        dependent = int(rng.integers(1, len(scores)))
        forbidden.append((heads[dependent - 1], dependent))
        masked[forbidden[-1]] = -INFINITY
        score, heads = native.spanning_best(scores, single_root, np.array(forbidden, dtype=np.int32))
        expected_score, expected_heads = native.spanning_best(masked, single_root)
        assert score == expected_score
        assert heads.tolist() == expected_heads.tolist()


@BOTH
def test_ties_are_broken_the_same_way_every_time(single_root: bool) -> None:
    scores = np.zeros((8, 8))
    first = native.spanning_best(scores, single_root)[1].tolist()
    native.spanning_best(gaussian(np.random.default_rng(0), 12), single_root)  # leaves its traces in the workspace
    assert native.spanning_best(scores, single_root)[1].tolist() == first


@BOTH
def test_sentences_without_words_or_trees(single_root: bool) -> None:
    nothing = np.zeros((1, 1))
    assert native.spanning_best(nothing, single_root)[0] == 0
    assert native.matrix_tree_log_partition(nothing, single_root) == 0
    assert native.matrix_tree_entropy(nothing, single_root) == 0
    assert native.matrix_tree_count_mod(nothing, single_root, 7) == 1  # the empty tree
    headless = np.zeros((4, 4))
    headless[:, 2] = -INFINITY
    assert native.spanning_best(headless, single_root)[0] == -INFINITY
    assert (native.spanning_arc_bounds(headless, single_root) == -INFINITY).all()
    assert native.matrix_tree_log_partition(headless, single_root) == -INFINITY
    assert (native.matrix_tree_marginals(headless, single_root) == 0).all()
    assert native.matrix_tree_count_mod(headless, single_root, 7) == 0
    with pytest.raises(NonprojError, match="no spanning tree"):
        native.spanning_sample(headless, single_root, 3, 0)


def test_scores_must_be_square_and_real() -> None:
    for shape in [(3, 4), (0, 0)]:
        with pytest.raises(NonprojError, match="shape"):
            native.spanning_best(np.zeros(shape), False)
    for table in [np.zeros((3, 3), dtype=int), np.zeros((3, 3)).T[::-1], np.zeros((3, 3, 3))]:
        with pytest.raises(TypeError):
            native.spanning_best(table, False)
    with pytest.raises(NonprojError, match="no arc from 4 to 1"):
        native.spanning_best(np.zeros((3, 3)), False, np.array([[4, 1]], dtype=np.int32))


def test_threads_do_not_share_their_work() -> None:
    rng = np.random.default_rng(3)
    many = [gaussian(rng, int(n)) for n in rng.integers(1, 40, size=300)]
    expected = [native.spanning_best(scores, True)[1].tolist() for scores in many]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda scores: native.spanning_best(scores, True)[1].tolist(), many)
    assert list(found) == expected


# Bounds.


@BOTH
@settings(max_examples=200, deadline=None)
@given(scores=tables())
def test_arc_bounds_hold(scores: Scores, single_root: bool) -> None:
    expected = best_with_each_arc(scores, single_root)
    bounds = native.spanning_arc_bounds(scores, single_root)
    score, heads = native.spanning_best(scores, single_root)
    magnitude = np.abs(scores[1:, 1:][np.isfinite(scores[1:, 1:])]).max(initial=1)
    assert (bounds >= expected - 1e-14 * magnitude).all()
    assert (bounds <= score).all()
    for d, h in enumerate(heads, start=1):
        assert bounds[h, d] == score
    if not single_root:
        assert ((bounds == -INFINITY) == (expected == -INFINITY)).all()


@pytest.mark.parametrize("n", [6, 30])
def test_arc_bounds_are_exact_without_cycles(n: int) -> None:
    scores = tree_like(np.random.default_rng(1), n)
    heads = native.spanning_best(scores, False)[1]
    scores[heads, np.arange(1, n + 1)] += 10  # now the best head of each word
    bounds = native.spanning_arc_bounds(scores, False)
    np.testing.assert_allclose(bounds, best_by_requiring_each_arc(scores, False), atol=1e-9)


@BOTH
@pytest.mark.parametrize("kind", [gaussian, tree_like])
def test_arc_bounds_are_close_for_long_sentences(kind: Callable[..., Scores], single_root: bool) -> None:
    n = 20
    scores = kind(np.random.default_rng(2), n)
    expected = best_by_requiring_each_arc(scores, single_root)
    bounds = native.spanning_arc_bounds(scores, single_root)
    possible = expected > -INFINITY
    above = bounds[possible] - expected[possible]
    assert (above >= -1e-9).all()
    assert (above < 1e-9).mean() > 0.6
    if single_root:
        np.testing.assert_allclose(bounds[0], expected[0], atol=1e-9)  # always exact


def best_by_requiring_each_arc(scores: Scores, single_root: bool) -> Scores:
    best = np.full_like(scores, -INFINITY)
    for d in range(1, len(scores)):
        for h in range(len(scores)):
            if h != d:
                required = scores.copy()
                required[:, d] = -INFINITY
                required[h, d] = scores[h, d]
                best[h, d] = native.spanning_best(required, single_root)[0]
    return best


# Sums.


@BOTH
@settings(max_examples=300, deadline=None)
@given(scores=tables())
def test_sums_agree_with_enumeration(scores: Scores, single_root: bool) -> None:
    log_partition, marginals, entropy = sums(scores, single_root)
    # Sums of n scores of magnitude 1e4 round by 1e-11 in the judge itself.
    magnitude = np.abs(scores[:, 1:][np.isfinite(scores[:, 1:])]).max(initial=1)
    tolerance = 1e-14 * len(scores) * (100 + magnitude)
    assert native.matrix_tree_log_partition(scores, single_root) == pytest.approx(log_partition, abs=tolerance)
    assert native.matrix_tree_entropy(scores, single_root) == pytest.approx(entropy, abs=10 * tolerance)
    found = native.matrix_tree_marginals(scores, single_root)
    np.testing.assert_allclose(found, marginals, atol=tolerance)
    assert (found >= 0).all()
    assert (found <= 1).all()
    if log_partition > -INFINITY:
        np.testing.assert_allclose(found[:, 1:].sum(axis=0), 1, rtol=1e-14)


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_marginals_agree_with_sums_that_require_an_arc(kind: Callable[..., Scores], single_root: bool) -> None:
    """A size that cannot be enumerated: the sum over trees with an arc, divided by that over all."""
    n = 15
    rng = np.random.default_rng(8)
    scores = kind(rng, n)
    log_partition = native.matrix_tree_log_partition(scores, single_root)
    marginals = native.matrix_tree_marginals(scores, single_root)
    if log_partition == -INFINITY:
        assert (marginals == 0).all()
        return
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1, rtol=1e-14)
    if single_root:
        assert marginals[0].sum() == pytest.approx(1, rel=1e-9)
    for _ in range(40):
        h, d = rng.integers(0, n + 1), rng.integers(1, n + 1)
        if h != d:
            required = scores.copy()
            required[:, d] = -INFINITY
            required[h, d] = scores[h, d]
            with_arc = native.matrix_tree_log_partition(required, single_root)
            assert marginals[h, d] == pytest.approx(math.exp(with_arc - log_partition), abs=1e-9)


@BOTH
def test_sums_do_not_lose_precision_to_nearly_closed_cycles(single_root: bool) -> None:
    """Two words that all but surely head each other: a determinant would be 1 - 1, the sum is known."""
    for gap in [10.0, 30.0, 300.0, 1e4, 1e8]:
        scores = np.array([[0, -gap, -gap - 1], [0, 0, 0], [0, 0, 0]])
        trees_of_two = [-gap, -gap - 1] if single_root else [-gap, -gap - 1, -2 * gap - 1]
        expected = np.logaddexp.reduce(trees_of_two)
        assert native.matrix_tree_log_partition(scores, single_root) == pytest.approx(expected, rel=1e-15)
        marginal = native.matrix_tree_marginals(scores, single_root)[0, 1]
        log_marginal = np.logaddexp.reduce([trees_of_two[0], *trees_of_two[2:]]) - expected
        assert marginal == pytest.approx(math.exp(log_marginal), rel=1e-7 if gap == 1e8 else 1e-11)


@BOTH
def test_sums_take_single_precision(single_root: bool) -> None:
    scores = gaussian(np.random.default_rng(4), 7).astype(np.float32)
    double = scores.astype(np.float64)
    assert native.matrix_tree_log_partition(scores, single_root) == native.matrix_tree_log_partition(
        double, single_root
    )
    assert (
        native.matrix_tree_marginals(scores, single_root) == native.matrix_tree_marginals(double, single_root)
    ).all()
    assert native.matrix_tree_entropy(scores, single_root) == native.matrix_tree_entropy(double, single_root)


@BOTH
def test_huge_negative_scores_forbid_unless_nothing_else_is_left(single_root: bool) -> None:
    rng = np.random.default_rng(6)
    scores = gaussian(rng, 6)
    mask = rng.random((7, 7)) < 0.3
    forbidden = np.where(mask, -INFINITY, scores)
    expected = native.matrix_tree_marginals(forbidden, single_root)
    assert expected.sum() == pytest.approx(6)
    for low in [-1e9, -1e30, -1e300]:
        np.testing.assert_allclose(
            native.matrix_tree_marginals(np.where(mask, low, scores), single_root), expected, atol=1e-14
        )
    scores[:, 1:3] = -1e300
    scores[1, 2] = scores[2, 1] = 0  # a cycle, and any way out is too far below it
    with pytest.raises(NonprojError, match="forbid arcs with -inf"):
        native.matrix_tree_log_partition(scores, single_root)


# Counts.

PRIMES = [2**61 - 1, 2**61 - 31, 2**61 - 45, 2**61 - 229]


def count(scores: Scores, single_root: bool) -> int:
    total, modulus = 0, 1
    for prime in PRIMES:
        rest = native.matrix_tree_count_mod(scores, single_root, prime)
        total += modulus * ((rest - total) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return total


@pytest.mark.parametrize("n", [1, 2, 3, 8, 17, 30, 40])
def test_count_of_all_trees(n: int) -> None:
    scores = np.zeros((n + 1, n + 1))
    assert count(scores, False) == (n + 1) ** (n - 1)
    assert count(scores, True) == n ** (n - 1)


@BOTH
@settings(max_examples=100, deadline=None)
@given(scores=tables())
def test_count_agrees_with_enumeration(scores: Scores, single_root: bool) -> None:
    heads = all_trees(len(scores) - 1, single_root)
    expected = int((tree_scores(scores, heads) > -INFINITY).sum())
    assert count(scores, single_root) == expected
    for prime in [2, 3, 101]:
        assert native.matrix_tree_count_mod(scores, single_root, prime) == expected % prime


def test_count_asks_for_a_prime() -> None:
    for modulus in [0, 1, 2**62, 91]:
        with pytest.raises(NonprojError, match="prime"):
            native.matrix_tree_count_mod(np.zeros((15, 15)), False, modulus)


# Samples.


def flat(rng: np.random.Generator, n: int) -> Scores:
    return 0.5 * rng.normal(size=(n + 1, n + 1))


def cycles_that_hold_a_walk(rng: np.random.Generator, n: int) -> Scores:
    """Every tree needs arcs that a walk from word to head would find once in e^500 steps."""
    rank = np.concatenate([[n + 1], rng.permutation(n)])
    return flat(rng, n) - 500.0 * np.maximum.outer(rank, rank)


def few_arcs(rng: np.random.Generator, n: int) -> Scores:
    scores = flat(rng, n)
    scores[rng.random((n + 1, n + 1)) < 0.3] = -INFINITY
    scores[0, 1:] = 0
    return scores


@BOTH
@pytest.mark.parametrize("kind", [flat, cycles_that_hold_a_walk, few_arcs])
def test_samples_have_the_right_frequencies(kind: Callable[..., Scores], single_root: bool) -> None:
    n, samples = 4, 40_000
    scores = kind(np.random.default_rng(11), n)
    heads = all_trees(n, single_root)
    chance = np.exp(tree_scores(scores, heads) - native.matrix_tree_log_partition(scores, single_root))
    drawn = native.spanning_sample(scores, single_root, samples, 7)
    assert drawn.shape == (samples, n)
    assert drawn.dtype == np.int32
    code = (n + 1) ** np.arange(n)
    found = np.bincount(drawn @ code, minlength=(n + 1) ** n)[heads @ code]
    assert found.sum() == samples  # nothing but trees
    assert (found[chance < 1e-12] == 0).all()
    likely = samples * chance > 5
    expected = samples * chance[likely]
    chi_squared = ((found[likely] - expected) ** 2 / expected).sum()
    freedom = likely.sum()
    assert abs(chi_squared - freedom) < 4 * math.sqrt(2 * freedom)


@BOTH
@pytest.mark.parametrize("kind", [gaussian, tree_like, nested_cycles])
def test_samples_of_long_sentences_match_the_marginals(kind: Callable[..., Scores], single_root: bool) -> None:
    n, samples = 25, 4000
    scores = kind(np.random.default_rng(12), n)
    marginals = native.matrix_tree_marginals(scores, single_root)
    drawn = native.spanning_sample(scores, single_root, samples, 99)
    found = np.zeros_like(marginals)
    for d in range(1, n + 1):
        np.add.at(found[:, d], drawn[:, d - 1], 1 / samples)
    error = np.sqrt(marginals * (1 - marginals) / samples) + 1 / samples
    assert (np.abs(found - marginals) < 5 * error).all()
    for heads in drawn[:50]:
        check_heads(scores, single_root, float(tree_scores(scores, heads)), heads)


def test_samples_follow_the_seed() -> None:
    scores = gaussian(np.random.default_rng(13), 10)
    first = native.spanning_sample(scores, False, 20, 1)
    assert (first == native.spanning_sample(scores, False, 20, 1)).all()
    assert (first[:5] == native.spanning_sample(scores, False, 5, 1)).all()
    assert (first != native.spanning_sample(scores, False, 20, 2)).any()
    assert native.spanning_sample(scores, False, 0, 1).shape == (0, 10)
    assert native.spanning_sample(np.zeros((1, 1)), False, 3, 1).shape == (3, 0)
