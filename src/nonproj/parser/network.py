"""Recurrent networks: how they are trained, and how much that of a graph-based parser counts beside the linear scores.

The network of trees is trained after the linear parser, on the same sentences. Its log-probabilities of arcs and
relations join the linear scores, times a share each; the shares are settled on the dev set. It also says which heads
are worth a look.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.learner import LARGE_NETWORK
from nonproj.parser.options import Schedule
from nonproj.parser.settling import settle
from nonproj.parser.training import Arrays, Done, Stage
from nonproj.treebank import Treebank

SHARES = (0.125, 0.125)
"""Of the network's log-probabilities of arcs and relations beside the linear scores, where no dev set settles them."""

# That of trees learns from so many words, in no fewer and no more epochs than these.
_WORDS, _EPOCHS = 1_200_000, (15, 40)
_STEP = 600  # words, at least
_RATE, _LAST = 2e-3, 0.02  # the highest rate, and which part of it is left at the end
_WARM_STEPS = 100
# The same of sentence boundaries: windows of so many tokens, and how many epochs and steps there are at least.
_BOUNDARY_WINDOW, _BOUNDARY_STEP = 50, 8
_BOUNDARY_EPOCHS, _BOUNDARY_STEPS, _BOUNDARY_TOKENS = (2, 8), 1000, 3_000_000
_BOUNDARY_RATE, _BOUNDARY_LAST = np.float32(4e-3), np.float32(0.05)
_BITS = (16, 24)
_MEMORY = ("shared.mean", "shared.square", "vectors.mean", "vectors.square")
_ARRAYS = ("shared", "marks", "values")


def network_schedule(words: int, seed: int) -> Schedule:
    """How long a network learns from so many words.

    >>> [network_schedule(words, 1).epochs for words in (1_000, 40_000, 1_000_000)]
    [40, 30, 15]
    """
    least, most = _EPOCHS
    return Schedule(epochs=min(most, max(least, round(_WORDS / max(1, words)))), seed=seed)


def boundary_epochs(tokens: int) -> int:
    """How often the network of sentence boundaries goes over a text of so many tokens.

    Small treebanks need more epochs, large ones fewer.

    >>> [boundary_epochs(tokens) for tokens in (1_000, 40_000, 1_000_000)]
    [334, 10, 3]
    """
    steps = -(-tokens // (_BOUNDARY_WINDOW * _BOUNDARY_STEP))
    least, usual = _BOUNDARY_EPOCHS
    return min(max(usual, -(-_BOUNDARY_STEPS // steps)), max(least, _BOUNDARY_TOKENS // tokens))


class BoundaryStage(Stage):
    """The network that has a share in the score of the end of a sentence; the rate falls as a line does."""

    name = "boundaries"
    is_kept = False

    def __init__(self, trainer: _core.BoundaryTrainer) -> None:
        super().__init__(Schedule(boundary_epochs(max(1, trainer.tokens))))
        self._trainer = trainer

    def epoch(self, number: int, done: Done) -> float:
        """Learn from all windows of the text once; the loss is not told."""
        windows = self._trainer.windows()
        steps = range(0, len(windows), _BOUNDARY_STEP)
        for step, begin in enumerate(steps):
            past = np.float32(number * len(steps) + step) / np.float32(self.schedule.epochs * len(steps))
            rate = _BOUNDARY_RATE * max(_BOUNDARY_LAST, 1 - past)
            self._trainer.learn(windows[begin : begin + _BOUNDARY_STEP], float(rate))
            done(number * len(steps) + step + 1, self.schedule.epochs * len(steps))
        return 0.0


class NetworkStage(Stage):
    """The network of trees; it learns to the end of its schedule."""

    name = place = "network"

    def __init__(self, treebank: Treebank, relations: list[str], hidden: int, schedule: Schedule) -> None:
        super().__init__(schedule)
        self._corpus = _core.Corpus(treebank.block(), relations)
        self._lengths = np.diff(np.asarray(treebank.offsets))
        bits = int(np.clip(self._corpus.words.bit_length() + 6, *_BITS))
        # From fewer words nothing more is learnt by larger vectors.
        word, relation = (hidden, 64) if hidden >= LARGE_NETWORK else (min(hidden, 64), min(hidden, 48))
        self._sizes = {"word": word, "hidden": hidden, "layers": 1, "arc": word, "relation": relation, "bits": bits}
        self._trainer = _core.TreeTrainer(_native(self._sizes, len(relations)), self._corpus, schedule.seed)

    def header(self) -> dict[str, Any]:
        """What the model file says about the network."""
        return {**self._sizes, "shares": list(SHARES)}

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss is that of a word, in nats."""
        loss = 0.0
        order = self.schedule.order(len(self._lengths), number)
        ends = np.cumsum(self._lengths[order])
        begin = 0
        while begin < len(order):
            learnt = int(ends[begin - 1]) if begin else 0
            end = min(len(order), int(np.searchsorted(ends, learnt + _STEP)) + 1)
            rate = self._rate(number + begin / len(order))
            loss += self._trainer.learn(np.ascontiguousarray(order[begin:end]), rate)
            begin = end
            done(number * len(order) + begin, self.schedule.epochs * len(order))
        return loss / max(1, self._corpus.words)

    def _rate(self, epoch: float) -> float:
        """It rises over the first steps, and then falls as a cosine does."""
        fall = 0.5 * (1 + math.cos(math.pi * min(1.0, epoch / self.schedule.epochs)))
        return _RATE * (_LAST + (1 - _LAST) * fall) * min(1.0, (1 + self._trainer.steps) / _WARM_STEPS)

    def arrays(self) -> Arrays:
        """The weights as a model file keeps them."""
        shared, (marks, values) = self._trainer.network.pack()
        return dict(zip(_ARRAYS, (shared, marks, values), strict=True))

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        state: Arrays = {**self.arrays(), "steps": np.array([self._trainer.steps], np.uint64)}
        for name in _MEMORY:
            state[f"{name}.marks"], state[f"{name}.values"] = self._trainer.memory(name)
        return state

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        self._trainer.network.fill(*(state[name] for name in _ARRAYS))
        for name in _MEMORY:
            self._trainer.remember(name, state[f"{name}.marks"], state[f"{name}.values"])
        self._trainer.resume(int(state["steps"][0]))


def join_network(model: _core.GraphModel, header: dict[str, Any], relations: int, arrays: Any) -> None:
    """Give a graph-based parser the network that its file keeps; what does not fit is an error."""
    sizes = {name: value for name, value in header.items() if name != "shares"}
    if not _BITS[0] <= sizes["bits"] <= _BITS[1]:
        raise NonprojError(f"the table of its network has 2^{sizes['bits']} weights")
    network = _core.TreeNetwork(_native(sizes, relations))
    shared, marks, values = (arrays[f"network.{name}"] for name in _ARRAYS)
    if (shared.dtype, marks.dtype, values.dtype) != (np.float32, np.uint64, np.float32):
        raise NonprojError("the weights of its network are of another type")
    network.fill(shared, marks, values)
    model.join(network, *header["shares"])


def settled_shares(right: Callable[[tuple[float, ...]], tuple[int, int]]) -> tuple[float, ...]:
    """The shares by which most heads are right, and then most heads with their relations.

    ``right(shares)`` counts both. From the usual shares on, each is doubled or halved as long as that brings more.

    >>> settled_shares(lambda shares: (-abs(shares[0] - 0.3) * 100, -abs(shares[1] - 0.06) * 100))
    (0.25, 0.0625)
    """
    counted = functools.cache(right)

    def changed(shares: tuple[float, ...], place: int, factor: float) -> tuple[float, ...]:
        steps = ((*shares[:place], shares[place] * factor**k, *shares[place + 1 :]) for k in range(4))
        return settle(steps, lambda tried: counted(tried)[place], while_rising=True)

    found: tuple[float, ...] = SHARES
    for place in range(len(SHARES)):
        larger = changed(found, place, 2.0)
        found = larger if larger != found else changed(found, place, 0.5)
    return found


def _native(sizes: dict[str, Any], relations: int) -> _core.TreeSizes:
    return _core.TreeSizes(**sizes, relations=relations)
