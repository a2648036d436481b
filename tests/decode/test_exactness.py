"""Every class, by every strategy, with several roots and one, against all trees of up to 6 words."""

import functools

import numpy as np
import numpy.typing as npt
import pytest
import reference

from nonproj import NonprojError, tree_class
from nonproj.decode import count, decode, decode_batch, entropy, k_best, log_partition, marginals, offers, sample
from nonproj.trees import profile_trees, tree_classes

Scores = npt.NDArray[np.float64]
CLASSES = [
    cls.name
    for cls in tree_classes("spanning Pr 1-P 2-P 1EC 2-C 3-C WG1 WG2 M0I M1I WG1S M1IS MG1 MH3 MH4 MH5 AD1 AD2 AD3")
]
WITH_CHART = [name for name in CLASSES if offers(name).chart is not None]


@functools.cache
def all_trees(words: int) -> npt.NDArray[np.int32]:
    return np.array(list(reference.trees(words)), dtype=np.int32)


@functools.cache
def members(name: str, words: int, single_root: bool) -> npt.NDArray[np.int32]:
    """The trees of a class; the membership test is judged by the reference in tests/trees."""
    trees = all_trees(words)
    profiles = profile_trees(trees.ravel(), np.arange(0, trees.size + 1, words))
    inside = tree_class(name).holds(profiles) == 1
    return trees[inside & ((trees == 0).sum(axis=1) == 1)] if single_root else trees[inside]


def scores_of(trees: npt.NDArray[np.int32], scores: Scores) -> Scores:
    return scores[trees, np.arange(1, trees.shape[1] + 1)].sum(axis=1)


def random_scores(words: int, kind: str, rng: np.random.Generator) -> Scores:
    shape = (words + 1, words + 1)
    if kind == "real":
        return rng.normal(size=shape)
    if kind == "ties":
        return rng.integers(0, 3, size=shape).astype(float)
    if kind == "sparse":
        return np.where(rng.random(shape) < 0.5, -np.inf, rng.normal(size=shape))
    # Crossing on purpose: arcs over a distance of two, and to the root from the middle, are worth most.
    far = np.abs(np.subtract.outer(np.arange(words + 1), np.arange(words + 1))) == 2
    return rng.normal(size=shape) + 3.0 * far


def check(scores: Scores, name: str, single_root: bool, strategy: str) -> None:
    trees = members(name, len(scores) - 1, single_root)
    expected = scores_of(trees, scores).max() if len(trees) else -np.inf
    if expected == -np.inf:
        with pytest.raises(NonprojError):
            decode(scores, name, single_root=single_root, strategy=strategy)
        return
    best = decode(scores, name, single_root=single_root, strategy=strategy)
    assert best.is_optimal
    assert best.score == pytest.approx(expected, abs=1e-9)
    assert best.tree in tree_class(name)
    assert not single_root or len(best.tree.roots) == 1
    assert scores_of(best.heads[None, :], scores)[0] == pytest.approx(best.score, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("strategy", ["auto", "relax", "chart"])
@pytest.mark.parametrize("name", CLASSES)
def test_the_best_tree_is_the_best_of_all(name: str, strategy: str, single_root: bool) -> None:
    if strategy == "chart" and name not in WITH_CHART and name != "spanning":
        with pytest.raises(NonprojError, match="no chart"):
            decode(np.zeros((4, 4)), name, strategy="chart")
        return
    rng = np.random.default_rng(len(name) * 7 + single_root)
    for words in (1, 2, 3, 4, 5, 6):
        for kind in ("real", "ties", "sparse", "crossing"):
            for _ in range(4 if words < 6 else 2):
                check(random_scores(words, kind, rng), name, single_root, strategy)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", [name for name in WITH_CHART if name not in ("MH3", "AD1")])
def test_relaxing_and_the_chart_agree_on_longer_sentences(name: str, single_root: bool) -> None:
    rng = np.random.default_rng(5)
    for words in (8, 10, 12):
        for _ in range(3):
            scores = rng.normal(size=(words + 1, words + 1)) * 2
            relaxed = decode(scores, name, single_root=single_root, strategy="relax", work_limit=200_000)
            charted = decode(scores, name, single_root=single_root, strategy="chart")
            assert relaxed.is_optimal
            assert relaxed.score == pytest.approx(charted.score, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC"])
def test_sums_agree_with_enumeration(name: str, single_root: bool) -> None:
    rng = np.random.default_rng(3)
    for words in (1, 2, 3, 4, 5):
        for kind in ("real", "sparse", "crossing"):
            scores = random_scores(words, kind, rng)
            trees = members(name, words, single_root)
            total = scores_of(trees, scores)
            trees, total = trees[total > -np.inf], total[total > -np.inf]
            if not len(trees):
                continue
            assert count(scores, name, single_root=single_root) == len(trees)
            log_sum = np.logaddexp.reduce(total)
            assert log_partition(scores, name, single_root=single_root) == pytest.approx(log_sum)
            chance = np.exp(total - log_sum)
            expected = np.zeros_like(scores)
            for tree, p in zip(trees, chance, strict=True):
                expected[tree, np.arange(1, words + 1)] += p
            assert marginals(scores, name, single_root=single_root)[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-9)
            expected_entropy = -(chance * np.log(chance)).sum()
            assert entropy(scores, name, single_root=single_root) == pytest.approx(expected_entropy, abs=1e-8)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC"])
@pytest.mark.parametrize("words", [7, 8])
def test_counts_agree_with_the_census(name: str, single_root: bool, words: int) -> None:
    from nonproj import census

    counted = census(words, name, only_single_root=single_root)
    expected = (counted.single_root if single_root else counted.all)[name]
    assert count(np.zeros((words + 1, words + 1)), name, single_root=single_root) == expected


@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "WG1", "MH4", "2-P", "AD2"])
def test_the_k_best_are_the_k_best(name: str) -> None:
    rng = np.random.default_rng(11)
    for single_root in (False, True):
        scores = rng.normal(size=(6, 6))
        expected = np.sort(scores_of(members(name, 5, single_root), scores))[::-1][:30]
        found = k_best(scores, 30, name, single_root=single_root)
        assert [best.score for best in found] == pytest.approx(expected.tolist())
        assert len({tuple(best.heads) for best in found}) == 30


@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "M0I"])
def test_samples_come_with_their_chance(name: str) -> None:
    scores = np.random.default_rng(2).normal(size=(4, 4))
    trees = members(name, 3, False)
    chance = np.exp(scores_of(trees, scores))
    chance /= chance.sum()
    drawn = sample(scores, 20_000, name, seed=1)
    heads = np.asarray(drawn.heads)
    frequency = np.array([(heads == tree).all(axis=1).mean() for tree in trees])
    assert frequency.sum() == pytest.approx(1)
    assert np.abs(frequency - chance).max() < 0.015
    assert np.array_equal(heads, np.asarray(sample(scores, 20_000, name, seed=1).heads))


@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC"])
@pytest.mark.parametrize("scale", [1e4, -1e4])
def test_huge_scores_are_safe(name: str, scale: float) -> None:
    scores = np.random.default_rng(4).normal(size=(6, 6)) + scale
    assert log_partition(scores, name) == pytest.approx(log_partition(scores - scale, name) + 5 * scale)
    assert marginals(scores, name) == pytest.approx(marginals(scores - scale, name), abs=1e-6)
    spread = np.random.default_rng(4).normal(size=(6, 6)) * abs(scale)
    assert log_partition(spread, name) == pytest.approx(decode(spread, name).score, rel=1e-9)
    assert marginals(spread, name)[:, 1:].sum(axis=0) == pytest.approx(np.ones(5))


def test_batches_labels_and_types() -> None:
    rng = np.random.default_rng(8)
    tables = [rng.normal(size=(n + 1, n + 1)) for n in (3, 9, 1, 14, 6)]
    alone = [decode(table, "MH4", single_root=True) for table in tables]
    for threads in (1, 3):
        together = decode_batch(tables, "MH4", single_root=True, threads=threads)
        assert [best.heads.tolist() for best in together] == [best.heads.tolist() for best in alone]
    single = decode(tables[1].astype(np.float32), "1EC")
    assert single.heads.tolist() == decode(tables[1].astype(np.float32).astype(float), "1EC").heads.tolist()
    labelled = rng.normal(size=(7, 7, 3))
    best = decode(labelled, "WG1")
    assert best.heads.tolist() == decode(labelled.max(axis=2), "WG1").heads.tolist()
    assert best.labels.tolist() == labelled[best.heads, np.arange(1, 7)].argmax(axis=1).tolist()
    assert decode(tables[0].tolist(), "Pr").heads.tolist() == decode(tables[0], "Pr").heads.tolist()


BAD = np.zeros((4, 4))


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((3, 4)),
        np.zeros(4),
        np.zeros((1, 1)),
        np.zeros((0, 0)),
        np.where(np.arange(16).reshape(4, 4) == 6, np.nan, BAD),
        np.where(np.arange(16).reshape(4, 4) == 6, np.inf, BAD),
        np.where(np.arange(16).reshape(4, 4) % 4 == 2, -np.inf, BAD),
        np.array([["a", "b"], ["c", "d"]]),
    ],
)
@pytest.mark.parametrize("name", ["spanning", "Pr", "WG1"])
def test_bad_scores_are_refused(scores: npt.NDArray[np.generic], name: str) -> None:
    with pytest.raises(NonprojError):
        decode(scores, name)


def test_what_is_not_offered_says_so() -> None:
    for question in (count, log_partition, marginals, entropy):
        with pytest.raises(NonprojError, match="WG1"):
            question(np.zeros((5, 5)), "WG1")
    with pytest.raises(NonprojError, match="no class"):
        decode(np.zeros((5, 5)), "nope")
    with pytest.raises(NonprojError, match=r"GiB|memory|bytes"):
        decode(np.random.default_rng(0).normal(size=(200, 200)), "MH6", strategy="chart")


def test_a_class_without_a_chart_past_its_limit_is_honest() -> None:
    scores = np.random.default_rng(1).normal(size=(41, 41))
    best = decode(scores, "2-P", work_limit=3)
    assert not best.is_optimal
    assert best.bound >= best.score
    assert best.tree in tree_class("2-P")
