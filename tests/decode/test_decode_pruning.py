"""Candidate heads: the smaller of the k likeliest and those above a threshold."""

from __future__ import annotations

import numpy as np
import pytest
import reference

from nonproj.decode import candidate_heads, decode, decode_batch, marginals


@pytest.mark.parametrize("single_root", [False, True])
def test_candidates_are_the_smaller_set(single_root: bool) -> None:
    rng = np.random.default_rng(0)
    for words in (1, 2, 5, 20, 40):
        scores = 2 * rng.normal(size=(words + 1, words + 1))
        chance = marginals(scores, single_root=single_root)
        for k, threshold in [(10, 1e-3), (3, 1e-3), (100, 0.05), (1, 0.0)]:
            mask = candidate_heads(scores, k, threshold, single_root=single_root)
            assert not mask[:, 0].any()
            for d in range(1, words + 1):
                likeliest = set(np.argsort(-chance[:, d], kind="stable")[:k].tolist())
                above = set(np.flatnonzero(chance[:, d] > threshold).tolist())
                kept = set(np.flatnonzero(mask[:, d]).tolist())
                smaller = min(likeliest, above, key=len)
                assert kept == smaller or len(smaller) == 0
                assert kept


@pytest.mark.parametrize("single_root", [False, True])
def test_no_candidate_is_farther_than_the_longest_arc(single_root: bool) -> None:
    """Chances are those among the trees without longer arcs but the root's, by enumeration."""
    rng = np.random.default_rng(2)
    for words in (1, 2, 3, 4, 5):
        scores = rng.normal(size=(words + 1, words + 1))
        for length in (1, 2, 3):
            sums = np.zeros_like(scores)
            for heads in reference.trees(words, single_root=single_root):
                arcs = [(head, word) for word, head in enumerate(heads, 1)]
                if all(head == 0 or abs(head - word) <= length for head, word in arcs):
                    weight = np.exp(sum(scores[arc] for arc in arcs))
                    for arc in arcs:
                        sums[arc] += weight
            chance = sums / sums[:, 1].sum()
            for k, threshold in [(10, 0.0), (2, 0.1)]:
                mask = candidate_heads(scores, k, threshold, single_root=single_root, max_length=length)
                likeliest = np.argsort(np.argsort(-chance, axis=0, kind="stable"), axis=0, kind="stable")
                assert (mask == (likeliest < k) & ((chance > threshold) | (likeliest == 0)))[:, 1:].all()


def test_every_decoder_takes_the_mask() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        words = 12
        scores = rng.normal(size=(words + 1, words + 1))
        scores[np.arange(words), np.arange(1, words + 1)] += 4
        mask = candidate_heads(scores, k=4)
        for name in ("spanning", "Pr", "1EC", "MH4", "WG1", "2-P"):
            best = decode(scores, within=name, mask=mask)
            assert mask[best.heads, np.arange(1, words + 1)].all()
            assert best.score <= decode(scores, within=name).score + 1e-9
            assert best.score == pytest.approx(decode_batch([np.where(mask, scores, -np.inf)], within=name)[0].score)


def test_ties_keep_the_smaller_head() -> None:
    mask = candidate_heads(np.zeros((5, 5)), k=2, threshold=0.0)
    assert mask.sum(axis=0).tolist() == [0, 2, 2, 2, 2]
    assert mask[0, 1:].all()
