"""Best trees of every class by every strategy, against all trees."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from enumerated import CHARTED, CLASSES, SCORES, members, possible_totals, totals
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import NonprojError
from nonproj.decode import decode, decode_batch, k_best, offers
from nonproj.decode.best import Strategy
from nonproj.trees import CATALOGUE, tree_class


def strategies(name: str) -> list[Strategy]:
    return ["auto", "relax", "chart"] if offers(name).chart else ["auto", "relax"]


def check_best(scores: np.ndarray, name: str, single_root: bool, strategy: str) -> None:
    expected = possible_totals(scores, name, single_root)
    options: dict[str, Any] = {"within": name, "single_root": single_root, "strategy": strategy}
    if len(expected) == 0:
        with pytest.raises(NonprojError, match=r"no possible head|avoids the forbidden arcs"):
            decode(scores, **options)
        return
    best = decode(scores, **options)
    assert best.is_optimal
    assert best.bound == best.score
    assert best.score == pytest.approx(expected[0], rel=1e-12, abs=1e-9), (name, options, scores.tolist())
    assert best.score == pytest.approx(totals(scores, best.heads[None])[0], rel=1e-12)
    assert best.tree in tree_class(name)
    assert not single_root or len(best.tree.roots) == 1


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("name", CLASSES)
def test_best_is_the_best_of_all_trees(name: str, kind: str, single_root: bool) -> None:
    rng = np.random.default_rng(len(name) * 1000 + len(kind))
    for words in [1, 2, 3, 4, 4, 5, 5, 5, 6, 6]:
        scores = SCORES[kind](rng, words)
        for strategy in strategies(name):
            check_best(scores, name, single_root, strategy)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(CLASSES), st.sampled_from(sorted(SCORES)), st.integers(1, 6), st.booleans(), st.integers(0, 2**32)
)
def test_best_is_the_best_of_all_trees_at_random(name: str, kind: str, words: int, single: bool, seed: int) -> None:
    scores = SCORES[kind](np.random.default_rng(seed), words)
    for strategy in strategies(name):
        check_best(scores, name, single, strategy)


def test_the_catalogue_is_covered() -> None:
    named = {cls.name for cls in CATALOGUE}
    assert named - set(CLASSES) == {"MH7", "MH8", "MH9"}  # these hold every tree of up to 6 words
    assert {name for name in CLASSES if offers(name).chart} == set(CHARTED)


@pytest.mark.parametrize("name", CLASSES)
def test_k_best_lists_all_trees_in_order(name: str) -> None:
    rng = np.random.default_rng(5)
    for kind, words, k in [("random", 4, 300), ("tied", 4, 300), ("sparse", 5, 40), ("random", 6, 25)]:
        scores = SCORES[kind](rng, words)
        scores[0, 1:] = np.maximum(scores[0, 1:], -9)  # every word has a head
        for single_root in (False, True):
            expected = possible_totals(scores, name, single_root)[:k]
            for strategy in strategies(name):
                found = k_best(scores, k, within=name, single_root=single_root, strategy=strategy)
                assert [best.score for best in found] == pytest.approx(list(expected), abs=1e-9)
                assert len({tuple(best.heads) for best in found}) == len(found)
                assert all(best.is_optimal and best.tree in tree_class(name) for best in found)


@pytest.mark.parametrize("name", CHARTED)
def test_relaxing_agrees_with_the_chart_on_longer_sentences(name: str) -> None:
    rng = np.random.default_rng(11)
    for words in range(7, 13):
        noise = rng.normal(size=(words + 1, words + 1))
        tree = rng.permutation(words) + 1
        noise[np.where(tree == np.arange(1, words + 1), 0, tree), np.arange(1, words + 1)] += 1.5
        for single_root in (False, True):
            by = {
                strategy: decode(noise, within=name, single_root=single_root, strategy=strategy, work_limit=100_000)
                for strategy in ("auto", "relax", "chart")
            }
            assert all(best.is_optimal for best in by.values())
            assert by["relax"].score == pytest.approx(by["chart"].score, abs=1e-9)
            assert by["auto"].score == pytest.approx(by["chart"].score, abs=1e-9)
            assert by["chart"].strategy == "chart"
            assert by["relax"].strategy == "relax"


@pytest.mark.parametrize("name", ["WG1", "2-C", "AD2"])
def test_a_kernel_gives_the_same_tree(name: str) -> None:
    """Past the first steps the decoder works on the kernel: with clear scores for most words, that is a small part."""
    rng = np.random.default_rng(3)
    used_kernel = 0
    for _ in range(6):
        words = 24
        scores = rng.normal(size=(words + 1, words + 1))
        scores[np.arange(words), np.arange(1, words + 1)] += np.where(rng.random(words) < 0.6, 30, 0)
        free = decode(scores, within=name, strategy="relax", work_limit=20_000)
        assert free.is_optimal
        assert free.tree in tree_class(name)
        used_kernel += free.relaxations > 200
        # k_best searches without a kernel.
        assert k_best(scores, 1, within=name, work_limit=200_000)[0].score == pytest.approx(free.score, abs=1e-9)
    assert used_kernel > 0


@pytest.mark.parametrize("labels", [None, 3])
def test_scores_may_lie_in_memory_in_any_way(labels: int | None) -> None:
    rng = np.random.default_rng(6)
    for words in (1, 7, 16, 17):
        rows = rng.normal(size=(words + 1, words + 1) if labels is None else (words + 1, words + 1, labels))
        spread = np.zeros((2 * words + 2, *rows.shape[1:]))
        spread[::2] = rows
        laid_out = [np.asfortranarray(rows), rows[::-1].copy()[::-1], spread[::2], rows.astype(">f8"), rows.tolist()]
        expected = decode(rows, within="Pr")
        for scores in laid_out:
            assert decode(scores, within="Pr").heads.tolist() == expected.heads.tolist()
            assert decode_batch([scores, rows], within="Pr")[0].heads.tolist() == expected.heads.tolist()
            assert k_best(scores, 2, within="Pr")[0].heads.tolist() == expected.heads.tolist()


@pytest.mark.parametrize("name", ["2-P", "2-C", "DD2"])
def test_past_the_work_limit_a_result_says_so(name: str) -> None:
    rng = np.random.default_rng(0)
    unproven = 0
    for _ in range(8):
        scores = rng.normal(size=(31, 31))
        best = decode(scores, within=name, work_limit=5)
        assert best.tree in tree_class(name)
        assert best.bound >= best.score
        assert best.is_optimal == (best.bound == best.score)
        assert best.bound <= decode(scores).score + 1e-9
        unproven += not best.is_optimal
    assert unproven > 0


def test_more_work_narrows_the_bound() -> None:
    scores = np.random.default_rng(1).normal(size=(26, 26))
    bests = [decode(scores, within="2-C", work_limit=limit) for limit in (1, 30, 300, 3000)]
    assert all(a.bound >= b.bound - 1e-9 for a, b in itertools.pairwise(bests))
    assert all(best.bound >= bests[-1].score for best in bests)


def test_required_forbidden_and_masked_arcs() -> None:
    rng = np.random.default_rng(9)
    for name in ("spanning", "Pr", "1EC", "WG1", "2-C"):
        for _ in range(20):
            words = 5
            scores = rng.normal(size=(words + 1, words + 1))
            heads = members(name, words, False)
            some = heads[rng.integers(len(heads))]
            required = [(int(some[d - 1]), d) for d in rng.choice(np.arange(1, words + 1), 2, replace=False)]
            other = heads[rng.integers(len(heads))]
            forbidden = [(int(other[d - 1]), d) for d in range(1, words + 1) if (other[d - 1], d) not in required][:2]
            mask = rng.random(scores.shape) < 0.8
            fits = np.ones(len(heads), dtype=bool)
            for head, d in required:
                fits &= heads[:, d - 1] == head
            for head, d in forbidden:
                fits &= heads[:, d - 1] != head
            fits_mask = fits & mask[heads, np.arange(1, words + 1)].all(axis=1)
            if fits.any():
                best = decode(scores, within=name, required=required, forbidden=forbidden)
                assert best.score == pytest.approx(totals(scores, heads[fits]).max(), abs=1e-9)
            if fits_mask.any():
                best = decode(scores, within=name, required=required, forbidden=forbidden, mask=mask)
                assert best.score == pytest.approx(totals(scores, heads[fits_mask]).max(), abs=1e-9)
                listed = k_best(scores, 3, within=name, required=required, forbidden=forbidden, mask=mask)
                assert listed[0].score == pytest.approx(best.score, abs=1e-9)
            else:
                with pytest.raises(NonprojError):
                    decode(scores, within=name, required=required, forbidden=forbidden, mask=mask)


def test_labels_are_the_best_of_each_arc() -> None:
    rng = np.random.default_rng(4)
    for dtype in (np.float32, np.float64):
        scores = rng.normal(size=(6, 6, 4)).astype(dtype)
        scores[2, 3, 1:3] = 9  # the first of equal labels
        best = decode(scores, within="WG1", single_root=True)
        flat = decode(scores.max(axis=2), within="WG1", single_root=True)
        assert best.heads.tolist() == flat.heads.tolist()
        assert best.score == flat.score
        assert best.labels is not None
        words = np.arange(1, 6)
        assert best.labels.tolist() == scores[best.heads, words].argmax(axis=1).tolist()
        assert flat.labels is None
        for again in (
            k_best(scores, 2, within="WG1", single_root=True),
            decode_batch([scores], within="WG1", single_root=True),
        ):
            assert again[0].labels is not None
            assert again[0].labels.tolist() == best.labels.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("labels", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 40, 41])
def test_labels_of_any_number_are_the_first_best_of_each_arc(labels: int, dtype: type) -> None:
    """Labels are looked at by packs: the best one counts at whatever place, and the first of equals wins."""
    rng = np.random.default_rng(labels)
    words = np.arange(1, 8)
    for _ in range(20):
        scores: np.ndarray = rng.integers(0, 2 * labels, size=(8, 8, labels)).astype(dtype)
        scores[rng.random(scores.shape) < 0.3] = -np.inf
        scores[0, 1:, rng.integers(labels)] = -50  # each word has a head
        best, flat = decode(scores), decode(scores.max(axis=2))
        assert best.heads.tolist() == flat.heads.tolist()
        assert best.score == flat.score
        assert best.labels is not None
        assert best.labels.tolist() == scores[best.heads, words].argmax(axis=1).tolist()


def test_equal_scores_are_settled_the_same_way_every_time() -> None:
    rng = np.random.default_rng(8)
    tables = [rng.integers(0, 3, size=(n + 1, n + 1)).astype(np.float64) for n in rng.integers(1, 14, size=60)]
    for name in ("spanning", "Pr", "1EC", "WG1", "MH4"):
        once = [decode(table, within=name).heads.tolist() for table in tables]
        for threads in (1, 3):
            again = decode_batch(list(reversed(tables)), within=name, threads=threads)
            assert [best.heads.tolist() for best in reversed(again)] == once
        assert [decode(table.astype(np.float32), within=name).heads.tolist() for table in tables] == once


def test_batches_of_any_lengths_and_types() -> None:
    rng = np.random.default_rng(2)
    tables = [
        rng.normal(size=(n + 1, n + 1)).astype(rng.choice(np.array([np.float32, np.float64], dtype=object)))
        for n in rng.integers(1, 40, size=150)
    ]
    tables.append(rng.normal(size=(71, 71)))
    for name in ("spanning", "1-P", "WG1", "MH4"):
        given = tables if name != "WG1" else [table for table in tables if len(table) < 24]
        alone = [decode(table, within=name, single_root=True, work_limit=50) for table in given]
        for threads in (0, 1, 2, 5):
            batch = decode_batch(given, within=name, single_root=True, threads=threads, work_limit=50)
            assert [(b.heads.tolist(), b.score, b.bound) for b in batch] == [
                (b.heads.tolist(), b.score, b.bound) for b in alone
            ]
    assert decode_batch([]) == []


def test_the_limits_of_one_sentence_do_not_leak_into_the_next() -> None:
    rng = np.random.default_rng(6)
    small, large = rng.normal(size=(4, 4)), rng.normal(size=(36, 36))
    first = decode(small, within="WG1").heads.tolist()
    decode(large, within="WG1", work_limit=20)
    assert decode(small, within="WG1").heads.tolist() == first


def test_a_planar_tree_that_is_not_proven_best_scores_no_less_than_one_of_1ec() -> None:
    scores = np.random.default_rng(8).normal(size=(41, 41))
    best = decode(scores, within="2-P", work_limit=100)
    assert not best.is_optimal
    assert best.tree in tree_class("2-P")
    assert decode(scores, within="1EC").score <= best.score < best.bound


def test_the_strongly_ill_nested_tree_is_out_of_reach_of_mg1() -> None:
    heads = np.array([8, 1, 10, 7, 9, 2, 1, 0, 1, 1])
    scores = np.full((11, 11), -np.inf)
    scores[heads, np.arange(1, 11)] = 1.0
    for single_root in (False, True):
        with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
            decode(scores, within="MG1", strategy="chart", single_root=single_root)
        assert decode(scores, within="MG2", strategy="chart", single_root=single_root).heads.tolist() == heads.tolist()


@pytest.mark.parametrize("name", ["WG3", "MG3", "WG4"])
def test_more_gaps_than_the_catalogue_has(name: str) -> None:
    rng = np.random.default_rng(2)
    for words in (6, 8):
        scores = rng.normal(size=(words + 1, words + 1))
        best = decode(scores, within=name, strategy="chart")
        assert best.tree in tree_class(name)
        assert best.score == pytest.approx(decode(scores, within=name, strategy="relax").score, abs=1e-9)
