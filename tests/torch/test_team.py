"""Sums of batches on torch's own threads: the same answers as on others, also in a forked process."""

import multiprocessing
from collections.abc import Iterator

import numpy as np
import pytest

import nonproj as npj
from nonproj import _core

pytest.importorskip("torch.autograd", reason="needs torch: pip install 'nonproj[torch]'")

import torch

from nonproj.torch import TreeDistribution
from nonproj.torch.team import lend_threads

WORDS, SENTENCES = 30, 60  # enough that threads are worth the while


@pytest.fixture
def _lent() -> Iterator[None]:
    if not lend_threads():
        pytest.skip("torch has no GNU OpenMP here")
    yield
    lend_threads()


def answers(within: str, threads: int) -> tuple[np.ndarray, np.ndarray]:
    scores = np.random.default_rng(3).standard_normal((SENTENCES, WORDS + 1, WORDS + 1))
    lengths = np.arange(SENTENCES, dtype=np.int32) % 5 + WORDS - 4
    marginals = np.empty_like(scores)
    return _core.marginals_batch(npj.tree_class(within).solver, scores, lengths, True, threads, marginals), marginals


@pytest.mark.usefixtures("_lent")
@pytest.mark.parametrize("within", ["spanning", "Pr", "1-P", "1EC"])
def test_the_same_answers(within: str) -> None:
    lent = answers(within, 2)
    _core.lend_team(0)
    for threads in (1, 2):
        for found, expected in zip(lent, answers(within, threads), strict=True):
            assert (found == expected).all()


def _in_a_child(found: "multiprocessing.Queue[float]") -> None:
    found.put(float(answers("Pr", 2)[0].sum()))


@pytest.mark.usefixtures("_lent")
@pytest.mark.filterwarnings("ignore")  # of Python, that processes with threads are forked
def test_a_forked_process_has_threads_of_its_own() -> None:
    expected = float(answers("Pr", 2)[0].sum())
    context = multiprocessing.get_context("fork")
    found: multiprocessing.Queue[float] = context.Queue()
    child = context.Process(target=_in_a_child, args=(found,))
    child.start()
    try:
        assert found.get(timeout=60) == expected
    finally:
        child.kill()
        child.join()


@pytest.mark.usefixtures("_lent")
def test_several_threads_of_python_may_ask_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    expected = answers("Pr", 2)[0]
    with ThreadPoolExecutor(3) as pool:
        for log_partitions, _ in pool.map(lambda _: answers("Pr", 2), range(6)):
            assert (log_partitions == expected).all()


@pytest.mark.usefixtures("_lent")
def test_a_failure_is_told() -> None:
    # What only the second derivatives over all spanning trees refuse: scores that lie too far apart.
    scores = torch.zeros(SENTENCES, WORDS + 1, WORDS + 1, dtype=torch.float64)
    scores[:, 0] = -60
    trees = TreeDistribution(scores.requires_grad_(), within="spanning", single_root=False)
    with pytest.raises(npj.NonprojError, match="too far apart"):
        trees.entropy.sum().backward()
