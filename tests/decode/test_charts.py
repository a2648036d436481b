"""The native charts against plain enumeration: every tree, and membership written as the papers define it."""

from __future__ import annotations

import itertools
import math
import signal
import time
from collections import Counter, defaultdict
from contextlib import suppress
from functools import cache

import native
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import NonprojError, _core

Scores = npt.NDArray[np.float64]
Item = tuple[int, ...]

# Trees with n = 1, 2, ... words.
PROJECTIVE = {False: [1, 3, 12, 55, 273, 1428, 7752, 43263], True: [1, 2, 7, 30, 143, 728, 3876, 21318]}
MULTI_HEADED = {
    3: {False: [1, 3, 12, 55, 273, 1428], True: [1, 2, 7, 30, 143, 728]},
    4: {False: [1, 3, 16, 118, 1019, 9496], True: [1, 2, 9, 60, 485, 4328]},
    5: {False: [1, 3, 16, 125, 1276, 15566], True: [1, 2, 9, 64, 613, 7102]},
    6: {False: [1, 3, 16, 125, 1296, 16729], True: [1, 2, 9, 64, 625, 7728]},
    7: {False: [1, 3, 16, 125, 1296, 16807], True: [1, 2, 9, 64, 625, 7776]},
}
DECODERS = ["Pr", "MH3", "MH4", "MH5", "MH6"]


@cache
def trees(words: int) -> npt.NDArray[np.int32]:
    """Every tree, one row of heads each."""
    heads = np.array(list(itertools.product(range(words + 1), repeat=words)), dtype=np.int32)
    rows = np.arange(len(heads))[:, None]
    parent = np.hstack([np.zeros((len(heads), 1), np.int32), heads])
    above = parent
    for _ in range(words):
        above = parent[rows, above]
    return heads[(above == 0).all(axis=1)]


def is_projective(heads: Item) -> bool:
    """Every word with its descendants fills an interval."""
    words = len(heads)
    yields = {v: {v} for v in range(1, words + 1)}
    for v in range(1, words + 1):
        above = heads[v - 1]
        while above:
            yields[above].add(v)
            above = heads[above - 1]
    return all(max(y) - min(y) + 1 == len(y) for y in yields.values())


def is_multi_headed(heads: Item, k: int) -> bool:
    """The deduction system of MH_k derives [0, n+1] with the arcs of this tree."""
    goal = (0, len(heads) + 1)
    from_first: dict[int, set[Item]] = defaultdict(set)
    to_last: dict[int, set[Item]] = defaultdict(set)
    agenda: list[Item] = [(i, i + 1) for i in range(len(heads) + 1)]
    while agenda:
        item = agenda.pop()
        if item == goal:
            return True
        if item in from_first[item[0]]:
            continue
        from_first[item[0]].add(item)
        to_last[item[-1]].add(item)
        agenda += [item[:j] + item[j + 1 :] for j in range(1, len(item) - 1) if heads[item[j] - 1] in item]
        agenda += [item + other[1:] for other in from_first[item[-1]] if len(item) + len(other) <= k + 1]
        agenda += [other + item[1:] for other in to_last[item[0]] if len(item) + len(other) <= k + 1]
    return False


@cache
def members(decoder: str, words: int, single_root: bool) -> npt.NDArray[np.int32]:
    """The trees of a class."""
    if single_root:
        any_roots = members(decoder, words, False)
        return any_roots[(any_roots == 0).sum(axis=1) == 1]
    all_trees = trees(words)
    if decoder == "Pr" or decoder == "MH3":
        inside = [is_projective(tuple(t)) for t in all_trees.tolist()]
    else:
        inside = [is_multi_headed(tuple(t), int(decoder[2:])) for t in all_trees.tolist()]
    return all_trees[np.array(inside, dtype=bool)]


def decode(decoder: str, scores: npt.NDArray[np.floating], single_root: bool) -> tuple[float, npt.NDArray[np.int32]]:
    if decoder == "Pr":
        return native.eisner_best(scores, single_root)
    return native.mh_best(scores, int(decoder[2:]), single_root)


def tree_scores(scores: npt.NDArray[np.floating], heads: npt.NDArray[np.int32]) -> Scores:
    return scores.astype(np.float64)[heads, np.arange(1, heads.shape[1] + 1)].sum(axis=1)


def make_scores(kind: str, words: int, seed: int) -> Scores:
    """Scores that have made charts fail before: ties, gaps, extremes."""
    random = np.random.default_rng(seed)
    side = words + 1
    if kind == "normal":
        return random.normal(size=(side, side))
    if kind == "ties":
        return random.integers(-1, 2, size=(side, side)).astype(np.float64)
    if kind == "sparse":
        return np.where(random.random((side, side)) < 0.35, random.normal(size=(side, side)), -np.inf)
    if kind == "huge":
        return random.choice([-1e4, -1.0, 0.0, 1.0, 1e4], size=(side, side))
    if kind == "backwards":  # long arcs cost much: the best spanning tree crosses everywhere
        position = np.arange(side)
        return np.abs(position[:, None] - position[None, :]) + random.normal(size=(side, side))
    raise AssertionError(kind)


KINDS = st.sampled_from(["normal", "ties", "sparse", "huge", "backwards"])
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("words", range(1, 6))
def test_the_judges_agree_with_known_counts(words: int, single_root: bool) -> None:
    assert len(members("Pr", words, single_root)) == PROJECTIVE[single_root][words - 1]
    for k in (4, 5, 6):
        assert len(members(f"MH{k}", words, single_root)) == MULTI_HEADED[k][single_root][words - 1]


@pytest.mark.parametrize("decoder", DECODERS)
@settings(max_examples=120, deadline=None)
@given(words=st.integers(1, 5), kind=KINDS, seed=SEEDS, single_root=st.booleans(), single_precision=st.booleans())
def test_best_tree_agrees_with_enumeration(
    decoder: str, words: int, kind: str, seed: int, single_root: bool, single_precision: bool
) -> None:
    scores = make_scores(kind, words, seed).astype(np.float32 if single_precision else np.float64)
    candidates = members(decoder, words, single_root)
    best = tree_scores(scores, candidates).max()
    score, heads = decode(decoder, scores, single_root)
    if best == -np.inf:
        assert score == -np.inf
        assert heads.shape == (0,)
        return
    tolerance = 1e-2 if kind == "huge" and single_precision else 1e-5 if single_precision else 1e-9
    assert score == pytest.approx(best, abs=tolerance)
    assert heads.tolist() in candidates.tolist()
    assert score == pytest.approx(float(tree_scores(scores, heads[None])[0]))
    again = decode(decoder, scores.copy(), single_root)
    assert again[0] == score
    assert again[1].tolist() == heads.tolist()


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["normal", "ties", "sparse", "huge", "backwards"])
def test_best_tree_of_six_words(kind: str, seed: int, single_root: bool) -> None:
    scores = make_scores(kind, 6, seed)
    for decoder in ("Pr", "MH4"):
        candidates = members(decoder, 6, single_root)
        best = float(tree_scores(scores, candidates).max())
        score, heads = decode(decoder, scores, single_root)
        assert score == pytest.approx(best, abs=1e-9)
        assert (best == -np.inf) == (len(heads) == 0)


@pytest.mark.parametrize("k", MULTI_HEADED)
def test_mh_derives_its_trees_and_no_other(k: int) -> None:
    """With the arcs of one tree allowed, a tree is found exactly if it belongs; counted up to 6 words."""
    for words in range(1, 7):
        found = Counter[bool]()
        for heads in trees(words):
            scores = np.full((words + 1, words + 1), -np.inf)
            scores[heads, np.arange(1, words + 1)] = 1.0
            for single_root in (False, True):
                score, derived = native.mh_best(scores, k, single_root)
                assert score in (words, -np.inf)
                if score == words:
                    assert derived.tolist() == heads.tolist()
                    found[single_root] += 1
        assert {mode: found[mode] for mode in (False, True)} == {
            mode: MULTI_HEADED[k][mode][words - 1] for mode in (False, True)
        }


def best_by_deduction(scores: Scores, k: int) -> float:
    """The best score of [0, n+1] by the deduction system of MH_k, step by step."""
    words = len(scores) - 1
    arcs = np.vstack([scores, np.full((1, words + 1), -np.inf)])

    @cache
    def best(item: Item) -> float:
        if len(item) == 2 and item[0] + 1 == item[1]:
            return 0.0
        found = -np.inf
        for meet in range(1, len(item) - 1):
            found = max(found, best(item[: meet + 1]) + best(item[meet:]))
        if len(item) < k:
            for at in range(1, len(item)):
                for y in range(item[at - 1] + 1, item[at]):
                    arc = max(arcs[h, y] for h in item)
                    if arc > -np.inf:
                        found = max(found, best((*item[:at], y, *item[at:])) + float(arc))
        return found

    return best((0, words + 1))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("words", "k"), [(13, 3), (10, 4), (8, 5), (8, 6), (7, 7), (7, 8)])
@pytest.mark.parametrize("kind", ["normal", "sparse", "backwards"])
def test_mh_agrees_with_the_deduction_system(kind: str, words: int, k: int, single_root: bool) -> None:
    scores = make_scores(kind, words, seed=words + k)
    expected = best_by_deduction(scores, k)
    if single_root:
        expected = -np.inf
        for root in range(1, words + 1):
            one_root = scores.copy()
            one_root[0] = -np.inf
            one_root[0, root] = scores[0, root]
            expected = max(expected, best_by_deduction(one_root, k))
    score, heads = native.mh_best(scores, k, single_root)
    assert score == pytest.approx(expected)
    if single_root and len(heads):
        assert (heads == 0).sum() == 1


@settings(max_examples=30, deadline=None)
@given(words=st.integers(1, 40), kind=KINDS, seed=SEEDS, single_root=st.booleans())
def test_classes_contain_each_other(words: int, kind: str, seed: int, single_root: bool) -> None:
    scores = make_scores(kind, words, seed)
    projective, heads = native.eisner_best(scores, single_root)
    by_k = [native.mh_best(scores, k, single_root)[0] for k in ((3, 4, 5) if words <= 20 else (3, 4))]
    assert by_k[0] == pytest.approx(projective)
    assert by_k == pytest.approx(sorted(by_k))
    if len(heads):
        assert is_projective(tuple(heads.tolist()))


@pytest.mark.parametrize("words", [33, 64, 81])
def test_long_sentences_in_single_precision(words: int) -> None:
    scores = make_scores("normal", words, seed=1)
    for decoder in ("Pr", "MH4"):
        exact, _ = decode(decoder, scores, True)
        rounded, heads = decode(decoder, scores.astype(np.float32), True)
        assert rounded == pytest.approx(exact, rel=1e-5)
        assert (heads == 0).sum() == 1


def exact_count(scores: npt.NDArray[np.floating], single_root: bool, bits: int) -> int:
    """The number of projective trees, by the Chinese remainder theorem; moduli need only be coprime."""
    count, modulus, candidate = 0, 1, 2**62
    while modulus.bit_length() <= bits:
        if math.gcd(candidate, modulus) == 1:
            residue = native.eisner_count_mod(scores, single_root, candidate)
            count += modulus * ((residue - count) * pow(modulus, -1, candidate) % candidate)
            modulus *= candidate
        candidate -= 1
    return count


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_counts(dtype: type[np.floating]) -> None:
    for single_root, counts in PROJECTIVE.items():
        for words, count in enumerate(counts, start=1):
            scores = np.zeros((words + 1, words + 1), dtype=dtype)
            assert native.eisner_count_mod(scores, single_root, 2**61 - 1) == count
            assert native.eisner_count_mod(scores, single_root, 97) == count % 97


@pytest.mark.parametrize("words", [25, 70])
def test_counts_of_long_sentences(words: int) -> None:
    scores = np.zeros((words + 1, words + 1))
    assert exact_count(scores, False, 3 * words) == math.comb(3 * words, words) // (2 * words + 1)
    assert exact_count(scores, True, 3 * words) == math.comb(3 * words - 2, words - 1) // words


@settings(max_examples=100, deadline=None)
@given(words=st.integers(1, 6), kind=KINDS, seed=SEEDS, single_root=st.booleans(), single_precision=st.booleans())
def test_sums_agree_with_enumeration(
    words: int, kind: str, seed: int, single_root: bool, single_precision: bool
) -> None:
    scores = make_scores(kind, words, seed).astype(np.float32 if single_precision else np.float64)
    candidates = members("Pr", words, single_root)
    each = tree_scores(scores, candidates)
    possible = each > -np.inf
    assert native.eisner_count_mod(scores, single_root, 2**61 - 1) == possible.sum()
    log_partition = native.eisner_log_partition(scores, single_root)
    if not possible.any():
        assert log_partition == -np.inf
        assert not native.eisner_marginals(scores, single_root).any()
        with pytest.raises(NonprojError, match="no Pr tree"):
            native.eisner_sample(scores, single_root, 1, 0)
        return
    assert log_partition == pytest.approx(each.max() + math.log(np.exp(each - each.max()).sum()), abs=1e-9)
    probability = np.exp(each - each.max())
    probability /= probability.sum()
    expected = np.zeros((words + 1, words + 1))
    for heads, p in zip(candidates, probability, strict=True):
        expected[heads, np.arange(1, words + 1)] += p
    marginals = native.eisner_marginals(scores, single_root)
    assert marginals == pytest.approx(expected, abs=1e-9)
    assert (marginals[:, 1:][scores[:, 1:] == -np.inf] == 0).all()


@settings(max_examples=30, deadline=None)
@given(words=st.integers(1, 50), kind=KINDS, seed=SEEDS, single_root=st.booleans())
def test_marginals_of_long_sentences(words: int, kind: str, seed: int, single_root: bool) -> None:
    scores = make_scores(kind, words, seed)
    if native.eisner_log_partition(scores, single_root) == -np.inf:
        return
    marginals = native.eisner_marginals(scores, single_root)
    assert np.isfinite(marginals).all()
    assert (marginals >= 0).all()
    assert marginals.sum(axis=0) == pytest.approx(np.array([0.0] + [1.0] * words))
    if single_root:
        assert marginals[0].sum() == pytest.approx(1.0)


def test_marginals_are_the_gradient_of_the_log_partition() -> None:
    scores = make_scores("normal", 30, seed=7)
    marginals = native.eisner_marginals(scores, False)
    for head, dependent in [(0, 1), (0, 30), (5, 4), (4, 5), (29, 2), (1, 30)]:
        ends = []
        for step in (-1e-4, 1e-4):
            moved = scores.copy()
            moved[head, dependent] += step
            ends.append(native.eisner_log_partition(moved, False))
        assert (ends[1] - ends[0]) / 2e-4 == pytest.approx(marginals[head, dependent], abs=1e-6)


@pytest.mark.parametrize("single_root", [False, True])
def test_extreme_scores_leave_one_tree(single_root: bool) -> None:
    """A tree ahead by 1e4 has all the probability, however large the sums get."""
    words = 40
    chain = np.arange(words)
    for level in (-1e4, 0.0, 1e4):
        scores = np.full((words + 1, words + 1), level - 1e4)
        scores[chain, chain + 1] = level
        assert native.eisner_log_partition(scores, single_root) == pytest.approx(words * level, abs=1e-6)
        marginals = native.eisner_marginals(scores, single_root)
        assert marginals[chain, chain + 1] == pytest.approx(np.ones(words), abs=1e-12)
        assert native.eisner_sample(scores, single_root, 2, 3).tolist() == [chain.tolist()] * 2


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("kind", ["normal", "sparse"])
def test_samples_follow_the_distribution(kind: str, single_root: bool) -> None:
    scores = make_scores(kind, 4, seed=3)
    candidates = members("Pr", 4, single_root)
    each = tree_scores(scores, candidates)
    possible = each > -np.inf
    probability = np.exp(each[possible]) / np.exp(each[possible]).sum()
    draws = 20000
    sampled = native.eisner_sample(scores, single_root, draws, 12345)
    assert sampled.shape == (draws, 4)
    seen = Counter(map(tuple, sampled.tolist()))
    expected = dict(zip(map(tuple, candidates[possible].tolist()), probability * draws, strict=True))
    assert set(seen) <= set(expected)
    statistic = sum((seen[t] - e) ** 2 / e for t, e in expected.items())
    degrees = len(expected) - 1
    assert statistic < degrees + 5 * math.sqrt(2 * degrees) + 5


def test_samples_repeat_with_their_seed() -> None:
    scores = make_scores("normal", 30, seed=5)
    first = native.eisner_sample(scores, True, 50, 9)
    assert (first == native.eisner_sample(scores, True, 50, 9)).all()
    assert (first != native.eisner_sample(scores, True, 50, 10)).any()
    assert all(is_projective(tuple(t)) for t in first.tolist())
    assert ((first == 0).sum(axis=1) == 1).all()
    assert native.eisner_sample(scores, True, 0, 9).shape == (0, 30)


@pytest.mark.parametrize("single_root", [False, True])
def test_no_words(single_root: bool) -> None:
    scores = np.zeros((1, 1))
    for score, heads in (native.eisner_best(scores, single_root), native.mh_best(scores, 4, single_root)):
        assert score == 0
        assert heads.shape == (0,)
    assert native.eisner_log_partition(scores, single_root) == 0
    assert native.eisner_marginals(scores, single_root).tolist() == [[0.0]]


def test_ignored_scores_are_ignored() -> None:
    scores = make_scores("normal", 12, seed=2)
    spoilt = scores.copy()
    spoilt[:, 0] = np.nan
    np.fill_diagonal(spoilt, np.nan)
    for decoder in DECODERS:
        assert decode(decoder, spoilt, True)[1].tolist() == decode(decoder, scores, True)[1].tolist()
    assert (native.eisner_marginals(spoilt, True) == native.eisner_marginals(scores, True)).all()


def test_not_a_number_is_survived() -> None:
    """The wrapper refuses such scores; the native code must still stay within its tables."""
    for value in (np.nan, np.inf):
        scores = make_scores("normal", 8, seed=0)
        scores[2:5, 3:] = value
        native.eisner_best(scores, True)
        for k in (3, 4, 5, 6):
            with suppress(NonprojError):
                native.mh_best(scores, k, True)
        with suppress(NonprojError):
            native.eisner_marginals(scores, True)
        with suppress(NonprojError):
            native.eisner_sample(scores, True, 2, 0)


@pytest.mark.parametrize("shape", [(0, 0), (2, 3), (3, 2)])
def test_shapes_are_checked(shape: tuple[int, int]) -> None:
    scores = np.zeros(shape)
    for call in (
        lambda: native.eisner_best(scores, False),
        lambda: native.eisner_log_partition(scores, False),
        lambda: native.eisner_marginals(scores, False),
        lambda: native.eisner_count_mod(scores, False, 97),
        lambda: native.eisner_sample(scores, False, 1, 0),
        lambda: native.mh_best(scores, 4, False),
    ):
        with pytest.raises(NonprojError, match="shape"):
            call()


def test_arrays_are_not_converted_in_silence() -> None:
    for scores in (np.zeros((4, 4), dtype=np.int64), np.zeros((4, 8))[:, ::2], np.zeros(4)):
        with pytest.raises(TypeError):
            native.eisner_best(scores, False)
        with pytest.raises(TypeError):
            native.mh_best(scores, 4, False)


def test_arguments_are_checked() -> None:
    scores = np.zeros((4, 4))
    with pytest.raises(NonprojError, match="from 3 on"):
        native.mh_best(scores, 2, False)
    with pytest.raises(NonprojError, match="MH40 has no chart"):
        native.mh_best(np.zeros((41, 41)), 40, False)
    for modulus in (0, 1, 2**62 + 1):
        with pytest.raises(NonprojError, match="between 2 and"):
            native.eisner_count_mod(scores, False, modulus)
    with pytest.raises(NonprojError, match="do not fit"):
        native.eisner_sample(scores, False, 2**62, 0)


def test_a_signal_stops_long_work() -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    started = time.process_time()  # the machine may be busy
    try:
        with pytest.raises(TimeoutError):
            native.mh_best(make_scores("normal", 55, seed=0), 6, False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert time.process_time() - started < 2


def test_memory_is_foretold() -> None:
    assert 8 * math.comb(42, 3) < native.chart_bytes(40, "MH4") < 3 * 8 * math.comb(42, 3)
    assert native.chart_bytes(40, "MH5") > 5 * native.chart_bytes(40, "MH4")
    assert native.chart_bytes(3, "MH29") == native.chart_bytes(3, "MH5")
    assert native.chart_bytes(1000, "MH29") > 2**50


INTEGERS = st.integers(-1000, 1000)
SEMIRINGS = {
    "BestDouble": st.one_of(INTEGERS.map(float), st.just(-math.inf)),
    "BestFloat": st.one_of(INTEGERS.map(float), st.just(-math.inf)),
    "LogWide": st.one_of(st.floats(-1e4, 1e4), st.just(-math.inf)),
    "CountDouble": st.integers(0, 2**61 - 2),
}


@pytest.mark.parametrize("name", SEMIRINGS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_semiring_laws(name: str, data: st.DataObject) -> None:
    s = getattr(_core, name)
    a, b, c = (data.draw(SEMIRINGS[name]) for _ in range(3))
    same = pytest.approx(a) if name == "LogWide" else a  # which takes logarithms at every step
    assert s.plus(a, s.zero()) == same
    assert s.times(a, s.one()) == same
    assert s.times(s.one(), a) == same
    assert s.times(a, s.zero()) == s.zero() == s.times(s.zero(), a)
    assert s.plus(a, b) == s.plus(b, a)
    assert s.plus(s.plus(a, b), c) == pytest.approx(s.plus(a, s.plus(b, c)))
    assert s.times(s.times(a, b), c) == pytest.approx(s.times(a, s.times(b, c)))
    assert s.times(a, s.plus(b, c)) == pytest.approx(s.plus(s.times(a, b), s.times(a, c)))
    assert s.lift(-math.inf) == s.zero()
    assert s.lift(0.0) == s.one()


@pytest.mark.parametrize("name", SEMIRINGS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_sums_and_products_follow_the_semiring(name: str, data: st.DataObject) -> None:
    s = getattr(_core, name)
    pairs = data.draw(st.lists(st.tuples(SEMIRINGS[name], SEMIRINGS[name]), max_size=200))
    products = [s.times(a, b) for a, b in pairs]
    folded = s.zero()
    for product in products:
        folded = s.plus(folded, product)
    assert s.sum(products) == pytest.approx(folded)
    assert s.inner_product([a for a, _ in pairs], [b for _, b in pairs]) == pytest.approx(folded)


def test_sums_of_wide_numbers_are_exact_to_the_last_digits() -> None:
    random = np.random.default_rng(0)
    for spread in (1e-3, 1.0, 30.0, 400.0, 1500.0):
        terms = random.uniform(-spread, 0, size=101)
        terms[0] = 0.0
        exact = math.log(math.fsum(math.exp(t) for t in terms))
        half = (terms / 2).tolist()
        assert _core.LogWide.inner_product(half, half) == pytest.approx(exact, rel=1e-15, abs=1e-15)
