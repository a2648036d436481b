"""Counts, sums, marginals, entropies and samples, against all trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from enumerated import NESTED, SCORES, SUMMED, members, possible_totals, totals

from nonproj import NonprojError, census
from nonproj.decode import count_trees, entropy, log_partition, marginals, offers, sample_trees
from nonproj.trees import CATALOGUE, tree_class

CASES = [(name, single_root) for name in SUMMED for single_root in (False, True)]


@pytest.mark.parametrize(("name", "single_root"), CASES)
def test_counts_of_all_trees(name: str, single_root: bool) -> None:
    for words in range(1, 7):
        assert count_trees(words, within=name, single_root=single_root) == len(members(name, words, single_root))


@pytest.mark.parametrize("words", [7, 8])
def test_counts_agree_with_a_census(words: int) -> None:
    names = ["spanning", "Pr", "1EC", "1-P", "AD2", *NESTED]
    found = census(words, names)
    for name in names:
        assert count_trees(words, within=name) == found.all[name]
        assert count_trees(words, within=name, single_root=True) == found.single_root[name]


@pytest.mark.parametrize(("name", "single_root"), CASES)
@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_counts_without_forbidden_arcs(name: str, single_root: bool, kind: str) -> None:
    rng = np.random.default_rng(1)
    for words in (2, 3, 4, 5, 6):
        scores = SCORES[kind](rng, words)
        if (np.where(np.eye(words + 1) == 1, -np.inf, scores)[:, 1:] == -np.inf).all(axis=0).any():
            continue
        assert count_trees(scores, within=name, single_root=single_root) == len(
            possible_totals(scores, name, single_root)
        )
        mask = rng.random(scores.shape) < 0.9
        mask[0] = True
        masked = np.where(mask, scores, -np.inf)
        if np.isfinite(masked[0, 1:]).all():
            found = count_trees(scores, within=name, single_root=single_root, mask=mask)
            assert found == len(possible_totals(masked, name, single_root))


def test_counts_have_as_many_digits_as_they_need() -> None:
    assert count_trees(60, within="spanning") == 61**59
    assert count_trees(60, within="spanning", single_root=True) == 60**59
    assert count_trees(40, within="Pr") == math.comb(3 * 40, 40) // (2 * 40 + 1)
    assert count_trees(40, within="1-P", single_root=True) == 40 * (math.comb(3 * 39, 39) // (2 * 39 + 1))


@pytest.mark.parametrize(("name", "single_root"), CASES)
@pytest.mark.parametrize("kind", ["random", "tied", "sparse", "single"])
def test_sums_agree_with_all_trees(name: str, single_root: bool, kind: str) -> None:
    rng = np.random.default_rng(2)
    for words in (1, 2, 3, 4, 5):
        scores = 3 * SCORES[kind](rng, words)
        heads = members(name, words, single_root)
        values = totals(scores, heads)
        if not (values > -np.inf).any():
            continue
        highest = values.max()
        weight = np.exp(values - highest)
        log_z = highest + math.log(weight.sum())
        assert log_partition(scores, within=name, single_root=single_root) == pytest.approx(log_z, abs=1e-8)
        chance = weight / weight.sum()
        expected = np.zeros((words + 1, words + 1))
        for d in range(1, words + 1):
            np.add.at(expected[:, d], heads[:, d - 1], chance)
        assert marginals(scores, within=name, single_root=single_root) == pytest.approx(expected, abs=1e-8)
        positive = chance[chance > 0]
        surprise = -(positive * np.log(positive)).sum()
        assert entropy(scores, within=name, single_root=single_root) == pytest.approx(surprise, abs=1e-8)


@pytest.mark.parametrize(("name", "single_root"), CASES)
def test_sums_are_safe_for_large_scores(name: str, single_root: bool) -> None:
    rng = np.random.default_rng(3)
    words = 30 if name in ("spanning", "Pr", "1EC", "1-P") else 18
    scores = 1e4 * rng.choice([-1.0, 1.0], size=(words + 1, words + 1)) + rng.normal(size=(words + 1, words + 1))
    chance = marginals(scores, within=name, single_root=single_root)
    assert np.isfinite(chance).all()
    assert chance[:, 1:].sum(axis=0) == pytest.approx(np.ones(words))
    log_z = log_partition(scores, within=name, single_root=single_root)
    assert math.isfinite(log_z)
    # What is added to every score is added to every tree once a word.
    assert log_partition(scores + 1e4, within=name, single_root=single_root) == pytest.approx(
        log_z + 1e4 * words, abs=1e-3
    )
    assert 0 <= entropy(scores, within=name, single_root=single_root) < words * math.log(words + 1)
    drawn = sample_trees(scores, 5, within=name, single_root=single_root, seed=0)
    assert (totals(scores, drawn.heads) > log_z - 5000).all()  # no arc of -1e4 more than there must be


@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "1-P", "2-C", "AD2", *NESTED])
@pytest.mark.parametrize("single_root", [False, True])
def test_samples_follow_the_distribution(name: str, single_root: bool) -> None:
    rng = np.random.default_rng(7)
    words, samples = 4, 20_000
    scores = rng.normal(size=(words + 1, words + 1))
    drawn = sample_trees(scores, samples, within=name, single_root=single_root, seed=12)
    assert len(drawn) == samples
    heads = members(name, words, single_root)
    chance = np.exp(totals(scores, heads))
    chance /= chance.sum()
    place = {tuple(row): i for i, row in enumerate(heads.tolist())}
    found = np.bincount([place[tuple(row)] for row in drawn.heads.tolist()], minlength=len(heads))
    expected = samples * chance
    likely = expected >= 5
    surplus = (found[likely] - expected[likely]) ** 2 / expected[likely]
    # Chi squared: its mean is about the number of terms, and its deviation the root of twice that.
    assert surplus.sum() < likely.sum() + 5 * math.sqrt(2 * likely.sum())
    direct = offers(name).sampling == "direct"
    assert drawn.acceptance_rate == 1.0 if direct else 0 < drawn.acceptance_rate <= 1


def test_samples_come_again_from_the_same_seed() -> None:
    scores = np.random.default_rng(0).normal(size=(9, 9))
    for name in ("spanning", "Pr", "1EC", "MG1"):
        first, again, other = (sample_trees(scores, 50, within=name, seed=seed).heads.tolist() for seed in (5, 5, 6))
        assert first == again
        assert first != other
        assert sample_trees(scores, 3, within=name).heads.shape == (3, 8)
    assert [tree in tree_class("MH4") for tree in sample_trees(scores, 10, within="MH4", seed=1)] == [True] * 10
    assert sample_trees(scores, 0, within="WG1").heads.shape == (0, 8)


def test_the_acceptance_rate_is_that_of_the_class() -> None:
    words = 6
    share = len(members("MG1", words, False)) / 7**5
    drawn = sample_trees(np.zeros((words + 1, words + 1)), 5000, within="MG1", seed=4)
    assert drawn.acceptance_rate == pytest.approx(share, abs=0.02)


def test_a_class_that_is_too_rare_to_sample_says_so() -> None:
    with pytest.raises(NonprojError, match="of 2000 random spanning trees were in 2-P"):
        sample_trees(np.zeros((31, 31)), 10, within="2-P", seed=0, max_draws=2000)


@pytest.mark.parametrize("question", [count_trees, log_partition, marginals, entropy])
def test_sums_that_are_not_offered_are_refused(question: object) -> None:
    offered = {"Pr", "1EC", "1-P", "AD2", "WG2", *NESTED}
    for cls in CATALOGUE:
        assert (question.__name__ in offers(cls).questions) == (cls.name in offered)  # type: ignore[attr-defined]
        if cls.name not in offered:
            with pytest.raises(NonprojError, match=f"not for {cls.name}"):
                question(np.zeros((4, 4)), within=cls)  # type: ignore[operator]


def test_sums_without_a_tree() -> None:
    scores = np.full((4, 4), -np.inf)
    scores[1, 2] = scores[2, 3] = scores[3, 1] = 0.0  # a cycle, and no root
    for name in ("spanning", "Pr", "1EC", "1-P", "AD2", *NESTED):
        assert count_trees(scores, within=name) == 0
        assert log_partition(scores, within=name) == -math.inf
        for question in (marginals, entropy, sample_trees):
            with pytest.raises(NonprojError, match=r"no \S+ tree|there is none"):
                question(scores, within=name)


def test_sums_over_more_gaps_lie_between_those_of_fewer_and_of_all() -> None:
    """Beyond the sizes that can be listed. Trees of eight words have four gaps at most."""
    for words, names in ((9, ["M1I", "WG1", "WG2", "WG3", "WG4"]), (12, ["WG1", "WG2"])):
        scores = np.random.default_rng(words).normal(size=(words + 1, words + 1))
        sums = [log_partition(scores, within=name) for name in [*names, "spanning"]]
        assert sums == sorted(sums)
    scores = np.random.default_rng(3).normal(size=(9, 9))
    assert log_partition(scores, within="WG4") == pytest.approx(log_partition(scores, within="WG6"), abs=1e-12)
    assert marginals(scores, within="WG4") == pytest.approx(marginals(scores, within="WG6"), abs=1e-12)


def test_sums_over_two_gaps_with_weights_far_apart() -> None:
    scores = np.random.default_rng(5).normal(size=(8, 8)) * 800
    best = np.sort(possible_totals(scores, "WG2", False))[-1]
    assert log_partition(scores, within="WG2") == pytest.approx(best)
    heads = sample_trees(scores, 3, within="WG2", seed=1).heads
    assert totals(scores, heads) == pytest.approx([best] * 3)


CHARTED = [name for name in SUMMED if name != "spanning"]  # whose sums are determinants
QUICK = [name for name in CHARTED if name not in ("WG2", "WG3")]  # whose charts do not take long


@pytest.mark.parametrize("name", CHARTED)
def test_there_are_fewer_trees_than_keep_sums_from_overflowing(name: str) -> None:
    """Fewer than 16^n of n words, by which sums judge whether doubles do."""
    longest = 22 if name in QUICK else 12
    counts = [count_trees(words, within=name) for words in range(1, longest + 1)]
    assert all(count < 16**words for words, count in enumerate(counts, 1))
    if name not in QUICK:  # WG2 grows as some 19^n in the long run, but its chart takes hours long before
        return
    # They grow as c^n / n^a with an a of about 1.5, so that one more word multiplies them by c (1 - a / n).
    assert counts[-1] / counts[-2] / (1 - 2 / 22) < 16


@pytest.mark.parametrize("words", [1, 2, 40, 120, 165, 200, 239, 240, 241, 260, 300, 320])
def test_sums_over_as_many_trees_as_there_are(words: int) -> None:
    """With all scores 0 the sum is the number of trees, which has a closed form, however many words there are."""
    scores = np.zeros((words + 1, words + 1))
    trees = math.log(math.comb(3 * words, words) // (2 * words + 1))
    assert log_partition(scores, within="Pr") == pytest.approx(trees, rel=1e-12, abs=1e-12)
    assert entropy(scores, within="Pr") == pytest.approx(trees, rel=1e-9, abs=1e-9)
    chance = marginals(scores, within="Pr")
    assert chance[:, 1:].sum(axis=0) == pytest.approx(np.ones(words), abs=1e-9)
    single = math.log(words * (math.comb(3 * (words - 1), words - 1) // (2 * (words - 1) + 1)))
    assert log_partition(scores, within="1-P", single_root=True) == pytest.approx(single, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", QUICK)
def test_sums_over_as_many_trees_as_are_counted(name: str) -> None:
    for words in (9, 17, 22):
        found = log_partition(np.zeros((words + 1, words + 1)), within=name)
        assert found == pytest.approx(math.log(count_trees(words, within=name)), rel=1e-12)


def after_hopeless_pairs(pairs: int, cost: float, scores: np.ndarray) -> np.ndarray:
    """The scores of a sentence after pairs of words that like each other best, which is a cycle.

    So each pair has a tree of 2 e^-cost, or of e^(-2 cost), whatever its words' best heads promise.
    """
    before, words = 2 * pairs, len(scores) - 1
    table = np.full((before + words + 1, before + words + 1), -np.inf)
    for first in range(1, before, 2):
        table[first, first + 1] = table[first + 1, first] = 0
        table[0, first] = table[0, first + 1] = -cost
    rest = [0, *range(before + 1, before + words + 1)]
    table[np.ix_(rest, rest)] = scores
    return table


@pytest.mark.parametrize("name", CHARTED)
def test_sums_by_doubles_and_by_wide_numbers_agree(name: str) -> None:
    words = {"Pr": 60, "1-P": 60, "1EC": 24, "WG2": 6, "WG3": 5}.get(name, 12)
    scores = np.random.default_rng(11).normal(size=(words + 1, words + 1))
    hard = after_hopeless_pairs(1, 2000, scores)  # too little for doubles
    expected = log_partition(scores, within=name) + math.log(2) - 2000
    assert log_partition(hard, within=name) == pytest.approx(expected, abs=1e-9)
    rest = [0, *range(3, words + 3)]
    assert marginals(hard, within=name)[np.ix_(rest, rest)] == pytest.approx(marginals(scores, within=name), abs=1e-9)


@pytest.mark.parametrize("cost", [60.0, 66.0, 70.0, 73.0, 74.0, 75.0])
@pytest.mark.parametrize("words", [100, 180, 220])
def test_what_underflows_is_not_lost_in_many_trees(words: int, cost: float) -> None:
    """Ten hopeless pairs leave next to nothing of a double, and the trees of the other words are more than enough."""
    hard = after_hopeless_pairs(10, cost, np.zeros((words + 1, words + 1)))
    trees = math.log(math.comb(3 * words, words) // (2 * words + 1))
    expected = trees + 10 * math.log(2 * math.exp(-cost) + math.exp(-2 * cost))
    assert log_partition(hard, within="Pr") == pytest.approx(expected, abs=1e-9)
    chance = marginals(hard, within="Pr")
    assert chance[0, 1:21] == pytest.approx(np.full(20, 0.5), abs=1e-9)
