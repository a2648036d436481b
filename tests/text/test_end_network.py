"""The network that finds ends of sentences: its formulas, its gradient, its training, and what a tokenizer makes of it."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from reference.gru import Sizes, scores

import nonproj as npj
from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.text import Pipeline, Tokenizer

SIZES = Sizes(vector=16, hidden=32, features=3, rows=20)
NATIVE = _core.GruSizes(SIZES.vector, SIZES.hidden, SIZES.features, SIZES.rows)


def drawn_network(seed: int) -> Any:
    """A network whose weights are all large enough to matter."""
    network, draws = _core.Gru(NATIVE), np.random.default_rng(seed)
    shared, vectors = network.pack()
    network.fill(draws.normal(0, 0.3, len(shared)).astype("f4"), draws.normal(0, 0.5, len(vectors)).astype("f4"))
    return network


def drawn_rows(tokens: int, seed: int) -> npt.NDArray[np.uint32]:
    """Of each feature one of five values; the first vectors are those of what is not known."""
    values = np.random.default_rng(seed).integers(0, 5, (tokens, SIZES.features))
    return (SIZES.features * (1 + values) + np.arange(SIZES.features)).astype(np.uint32).ravel()


def answers(rows: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Whether the first feature of a token has a certain value, or that of the token before."""
    first = rows[:: SIZES.features] == SIZES.features
    return first | np.concatenate([[False], first])[: len(first)]


@pytest.mark.parametrize("tokens", [0, 1, 2, 50, 116, 117, 128, 129, 232, 233, 1000, 2345])
def test_scores_are_those_of_the_formulas(tokens: int) -> None:
    network, rows = drawn_network(tokens), drawn_rows(tokens, 1)
    np.testing.assert_allclose(network.scores(rows), scores(SIZES, *network.pack(), rows), atol=1e-4)


@pytest.mark.parametrize("side_by_side", [1, 2, 5, 6, 7, 30])
def test_windows_are_read_alike_in_any_company(side_by_side: int) -> None:
    network, rows = drawn_network(1), drawn_rows(1500, 2)
    assert (network.scores(rows, side_by_side) == network.scores(rows)).all()


def drawn_trainer(tokens: int, seed: int = 1) -> Any:
    rows = drawn_rows(tokens, seed)
    is_asked = np.random.default_rng(seed).random(tokens) < 0.9
    return _core.GruTrainer(NATIVE, rows, answers(rows).astype(np.uint8), is_asked.astype(np.uint8), seed)


def test_slopes_are_those_of_small_changes() -> None:
    trainer, begins, length = drawn_trainer(60), [0, 13, 40], 20
    drawn = drawn_network(3)
    weights = drawn.pack()
    trainer.network.fill(*weights)
    _, *slopes = trainer.gradient(begins, length)
    draws, change = np.random.default_rng(5), np.float32(1 / 256)
    for kind, own in enumerate(slopes):
        # Of all matrices and biases, and the last two are what the output adds.
        for place in {*draws.choice(len(own), 250), *np.argsort(-abs(own))[:20], len(own) - 1}:
            losses = []
            for sign in (1, -1):
                changed = [each.copy() for each in weights]
                changed[kind][place] += sign * change
                trainer.network.fill(*changed)
                losses.append(trainer.gradient(begins, length)[0])
            difference = (losses[0] - losses[1]) / (2 * float(change))
            assert difference == pytest.approx(own[place], rel=0.02, abs=2e-5)


def test_a_training_learns_and_its_seed_settles_every_byte() -> None:
    first, again, other = (drawn_trainer(3000, seed).trained() for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first.pack(), again.pack(), strict=True))
    assert (first.pack()[0] != other.pack()[0]).any()
    rows = drawn_rows(500, 7)
    assert ((first.scores(rows) > 0) == answers(rows)).mean() > 0.97


@pytest.mark.parametrize("tokens", [0, 1, 7, 49, 51])
def test_a_training_of_few_tokens_ends(tokens: int) -> None:
    shared, vectors = drawn_trainer(tokens).trained().pack()
    assert np.isfinite(shared).all()
    assert np.isfinite(vectors).all()


def test_examples_that_do_not_fit_are_refused() -> None:
    rows, flags = drawn_rows(9, 1), np.zeros(9, np.uint8)
    for bad in ((rows[:-1], flags, flags), (rows, flags[:-1], flags[:-1]), (rows, flags, flags[:-1]), (rows + 15, flags, flags)):
        with pytest.raises(NonprojError, match="do not fit"):
            _core.GruTrainer(NATIVE, *bad, 1)
    with pytest.raises(NonprojError, match="past the end"):
        drawn_trainer(60).gradient([50], 20)
    for bad_rows, side_by_side in ((rows[:-1], 1), (rows + 15, 1), (rows, 0)):
        with pytest.raises(NonprojError, match="do not fit"):
            drawn_network(1).scores(bad_rows, side_by_side)
    for sizes in ((15, 32, 3, 20), (16, 0, 3, 20), (16, 32, 0, 20), (16, 32, 3, 1 << 40)):
        with pytest.raises(NonprojError):
            _core.GruSizes(*sizes)
