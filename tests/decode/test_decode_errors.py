"""What decoders refuse, and how they say it."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from nonproj import NonprojError
from nonproj.decode import (
    candidate_heads,
    count_trees,
    decode,
    decode_batch,
    entropy,
    k_best,
    log_partition,
    marginals,
    sample_trees,
)

HARD = np.random.default_rng(0).normal(size=(81, 81))
QUESTIONS: list[Callable[..., object]] = [
    decode,
    lambda scores: decode_batch([scores]),
    lambda scores: k_best(scores, 2),
    log_partition,
    marginals,
    entropy,
    count_trees,
    sample_trees,
    candidate_heads,
]


def scores_with(place: tuple[int, int], value: float) -> np.ndarray:
    scores = np.zeros((4, 4))
    scores[place] = value
    return scores


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (scores_with((2, 3), np.nan), r"scores\[2, 3\] is NaN"),
        (scores_with((0, 1), np.inf), r"scores\[0, 1\] is \+inf"),
        (scores_with((0, 1), 1e308), r"scores must lie within"),
        (scores_with((0, 1), -1e305), r"scores must lie within"),
        (np.zeros((3, 4)), r"shape \(n \+ 1, n \+ 1\).*not \(3, 4\)"),
        (np.zeros((4,)), r"shape"),
        (np.zeros((2, 2, 2, 2)), r"shape"),
        (np.zeros((1, 1)), r"n >= 1"),
        (np.zeros((0, 0)), r"n >= 1"),
        (np.array([["a", "b"], ["c", "d"]]), r"numbers"),
        ([[0, 1], [2]], r"numbers"),
        (np.zeros((2, 2), dtype=complex), r"numbers"),
        (np.array([[0, -np.inf, 1], [0, 0, 1], [0, -np.inf, 0]]), "word 1 has no possible head"),
    ],
)
def test_bad_scores(ask: Callable[..., object], scores: object, message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        ask(scores)


def test_what_is_never_read_may_hold_anything() -> None:
    scores = np.zeros((5, 5))
    clean = decode(scores, within="WG1").heads.tolist()
    scores[:, 0] = np.nan
    np.fill_diagonal(scores, np.inf)
    for name in ("spanning", "Pr", "1EC", "WG1", "MH4", "1-P"):
        assert decode(scores, within=name).tree == decode(np.zeros((5, 5)), within=name).tree
    assert decode(scores, within="WG1").heads.tolist() == clean
    assert count_trees(scores, within="Pr") == 55
    assert marginals(scores)[:, 1:].sum(axis=0) == pytest.approx(np.ones(4))


def test_labels_are_checked_too() -> None:
    scores = np.zeros((3, 3, 2))
    scores[0, 1, 1] = np.nan
    with pytest.raises(NonprojError, match=r"scores\[0, 1, 1\] is NaN"):
        decode(scores)
    with pytest.raises(NonprojError, match="labels"):
        decode(np.zeros((3, 3, 0)))
    with pytest.raises(NonprojError, match="logaddexp"):
        log_partition(np.zeros((3, 3, 2)))


@pytest.mark.parametrize("labels", [2, 4, 7, 8, 9, 41])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_label_is_checked(labels: int, dtype: type) -> None:
    faults = {np.nan: "is NaN", np.inf: r"is \+inf"} | (
        {1e301: "must lie", -1e301: "must lie"} if dtype is np.float64 else {}
    )
    for label in range(labels):
        for value, why in faults.items():
            scores: np.ndarray = np.zeros((4, 4, labels), dtype)
            scores[3, 1, label] = value
            with pytest.raises(NonprojError, match=rf"scores\[3, 1, {label}\] .*{why}"):
                decode(scores)
            scores[3, 1, label] = 0
            scores[2, 2, label] = scores[1, 0, label] = value  # never read
            assert decode(scores).score == 0
    scores = np.zeros((4, 4, labels), dtype)
    scores[1, 2] = -np.inf
    scores[3, 1, 1:] = -np.inf
    assert decode(scores).score == 0


def test_a_batch_names_the_sentence() -> None:
    good, bad = np.zeros((3, 3)), scores_with((1, 2), np.nan)
    with pytest.raises(NonprojError, match=r"sentence 2: scores\[1, 2\] is NaN"):
        decode_batch([good, good, bad, good], threads=2)
    with pytest.raises(NonprojError, match="sentence 1: scores must have the shape"):
        decode_batch([good, np.zeros((2, 3))])
    with pytest.raises(NonprojError, match="threads"):
        decode_batch([good], threads=-1)


def test_no_tree_in_the_class() -> None:
    scores = np.full((5, 5), -np.inf)
    for word, head in enumerate([3, 4, 0, 3], 1):
        scores[head, word] = 1.0
    assert decode(scores).heads.tolist() == [3, 4, 0, 3]
    for strategy in ("auto", "relax", "chart"):
        with pytest.raises(NonprojError, match="no Pr tree avoids the forbidden arcs"):
            decode(scores, within="Pr", strategy=strategy)
    with pytest.raises(NonprojError, match="no 1-P tree with a single root"):
        decode(scores, within="1-P", single_root=True)
    assert k_best(scores, 3, within="Pr") == []
    assert len(k_best(scores, 3, within="2-P")) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": "XX"}, "no class of trees"),
        ({"strategy": "fast"}, "strategy must be"),
        ({"within": "DD2", "strategy": "chart"}, "DD2 has no chart: use strategy 'auto' or 'relax'"),
        ({"work_limit": 0}, "work_limit"),
        ({"memory_limit": -1}, "memory_limit"),
        ({"mask": np.ones((3, 3), dtype=bool)}, "mask must have the shape"),
        ({"mask": np.ones((4, 4))}, "boolean"),
        ({"required": [(1, 1)]}, r"required arc \(1, 1\)"),
        ({"required": [(0, 9)]}, r"required arc \(0, 9\)"),
        ({"forbidden": [(-1, 2)]}, r"forbidden arc \(-1, 2\)"),
        ({"forbidden": [(1, 0)]}, r"forbidden arc \(1, 0\)"),
        ({"required": [(0, 1), (2, 1)]}, "word 1 has no possible head"),
        ({"required": [(1, 2), (2, 1)]}, "avoids the forbidden arcs"),
        ({"required": [3]}, "pairs"),
        ({"required": [(0, 2**40)]}, "pairs"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        decode(np.zeros((4, 4)), **options)  # type: ignore[arg-type]


def test_bad_numbers() -> None:
    scores = np.zeros((4, 4))
    for wrong in (
        lambda: k_best(scores, 0),
        lambda: count_trees(0),
        lambda: sample_trees(scores, -1),
        lambda: sample_trees(scores, seed=-1),
        lambda: candidate_heads(scores, k=0),
        lambda: candidate_heads(scores, max_length=0),
        lambda: candidate_heads(scores, threshold=1.0),
    ):
        with pytest.raises(NonprojError):
            wrong()


def test_a_chart_that_is_too_large_says_so_before_it_starts() -> None:
    scores = np.zeros((401, 401))
    for name in ("1EC", "MH5"):
        with pytest.raises(NonprojError, match=rf"chart of {name} for 400 words needs about \d+ MiB.*'relax'"):
            decode(scores, within=name, strategy="chart", memory_limit=1 << 20)
    # With auto, the search goes on without it.
    hard = np.random.default_rng(0).normal(size=(26, 26))
    best = decode(hard, within="1EC", memory_limit=200_000, work_limit=20)
    assert best.strategy in ("relax", "climb")
    assert best.bound >= best.score


def test_k_best_past_the_limit_is_an_error() -> None:
    with pytest.raises(NonprojError, match="raise work_limit"):
        k_best(np.random.default_rng(0).normal(size=(31, 31)), 2, within="2-C", work_limit=3)


def test_numbers_of_any_kind_are_scores() -> None:
    table = [[0, 1, 5], [0, 0, 4], [0, 3, 0]]
    expected = decode(np.array(table, dtype=np.float64)).heads.tolist()
    for scores in (
        table,
        np.array(table),
        np.array(table, dtype=np.float16),
        np.array(table, dtype=np.float32),
        np.array(table, dtype=">f8"),
        np.array(table, dtype=np.longdouble),
        np.asfortranarray(np.array(table, dtype=np.float64)),
        np.repeat(np.array(table, dtype=np.float32), 2, axis=0)[::2],
        np.ma.masked_array(np.array(table, dtype=np.float64)),
        np.array(table, dtype=np.float64).data,
    ):
        assert decode(scores).heads.tolist() == expected
        assert decode_batch([scores])[0].heads.tolist() == expected
        assert count_trees(scores, within="Pr") == 3


class Tensor:
    """What the decoders need of a torch tensor that requires a gradient."""

    def __init__(self, values: np.ndarray, dtype: str, attached: bool = True) -> None:
        self.values, self.dtype, self.attached = values, dtype, attached

    def detach(self) -> Tensor:
        return Tensor(self.values, self.dtype, attached=False)

    def cpu(self) -> Tensor:
        return self

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32), "torch.float32", self.attached)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        if self.attached or self.dtype == "torch.bfloat16":
            raise TypeError("cannot be converted")
        return self.values


@pytest.mark.parametrize("dtype", ["torch.float32", "torch.float64", "torch.bfloat16"])
def test_tensors_are_scores(dtype: str) -> None:
    values = np.random.default_rng(1).normal(size=(5, 5))
    assert decode(Tensor(values, dtype)).heads.tolist() == decode(values.astype(np.float32)).heads.tolist()


def test_a_result_shows_and_pickles() -> None:
    best = decode([[0, 3, 1], [0, 0, 4], [0, 5, 0]], within="WG1")
    assert repr(best) == "Decoded(heads=[0, 1], score=7.0, is_optimal=True, strategy='relax')"
    again = pickle.loads(pickle.dumps(best))
    assert type(again) is type(best)
    assert (again.tree, again.score, again.relaxations) == (best.tree, best.score, best.relaxations)
    with pytest.raises(AttributeError):
        best.score = 8.0  # type: ignore[misc]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs pthread_kill")
@pytest.mark.parametrize(
    "search",
    [
        lambda: decode(HARD, within="2-C", work_limit=10**9),
        lambda: marginals(HARD[:46, :46], within="WG1"),
        lambda: decode_batch([HARD] * 6, within="2-C", work_limit=10**9, threads=3),
        lambda: k_best(HARD, 5, within="DD2", work_limit=10**9),
        lambda: decode(HARD[:33, :33], within="AD3", strategy="chart"),
        lambda: decode(HARD, within="MH6", strategy="chart", memory_limit=1 << 40),
        lambda: sample_trees(HARD, 100, within="DD2", max_draws=10**9),
    ],
)
def test_ctrl_c_stops_long_work(search: Callable[[], object]) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.process_time()  # of all threads; the machine may be busy
    with pytest.raises(KeyboardInterrupt):
        search()
    assert time.process_time() - started < 1.3 + 2
    timer.join()
