"""A pass of the small network over a sentence, in NumPy, as the formulas of ``trees.hpp`` and ``cells.hpp`` have it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
DISTANCES = 32


@dataclass
class Sizes:
    """As `_core.TreeSizes`."""

    word: int
    hidden: int
    layers: int
    arc: int
    relation: int
    relations: int


class Shared:
    """The weights that all words share, taken one matrix after the other."""

    def __init__(self, weights: npt.NDArray[np.float32]) -> None:
        self._weights = weights.astype(np.float64)

    def vector(self, size: int) -> Matrix:
        """The next numbers."""
        found, self._weights = self._weights[:size], self._weights[size:]
        return found

    def matrix(self, rows: int, columns: int) -> Matrix:
        """The next matrix, which lies in panels of 16 columns."""
        panels = self.vector(rows * columns).reshape(columns // 16, rows, 16)
        return panels.transpose(1, 0, 2).reshape(rows, columns)

    def is_empty(self) -> bool:
        """Whether everything was taken."""
        return len(self._weights) == 0


def log_chances(sizes: Sizes, weights: npt.NDArray[np.float32], words: Matrix) -> Matrix:
    """Log-probabilities of arcs, [head, dependent]; ``words`` has the sum of the vectors of each word."""
    shared = Shared(weights)
    states = np.vstack([shared.vector(sizes.word), words])
    for _ in range(sizes.layers):
        states = np.hstack([lstm(shared, states, sizes.hidden, is_back) for is_back in (False, True)])
    roles = states @ shared.matrix(2 * sizes.hidden, 2 * sizes.arc + 2 * sizes.relation)
    roles += shared.vector(2 * sizes.arc + 2 * sizes.relation)
    heads, dependents = leaky(roles[:, : sizes.arc]), leaky(roles[:, sizes.arc : 2 * sizes.arc])
    scores = (heads @ shared.matrix(sizes.arc, sizes.arc) + shared.vector(sizes.arc)) @ dependents.T
    outputs = -(-sizes.relations // 16) * 16
    shared.vector(sizes.relation * outputs + outputs)
    distance = shared.vector(DISTANCES)
    assert shared.is_empty()
    for h in range(len(scores)):
        for d in range(len(scores)):
            scores[h, d] += distance[min(max(d - h + 16, 0), DISTANCES - 1)]
    np.fill_diagonal(scores, -np.inf)
    chances = np.exp(scores - scores.max(axis=0))
    with np.errstate(divide="ignore"):
        return np.log(chances / chances.sum(axis=0))


def lstm(shared: Shared, inputs: Matrix, hidden: int, is_back: bool) -> Matrix:
    """One direction of a layer."""
    from_input, from_before = shared.matrix(inputs.shape[1], 4 * hidden), shared.matrix(hidden, 4 * hidden)
    bias = shared.vector(4 * hidden)
    state, cell = np.zeros(hidden), np.zeros(hidden)
    found = np.zeros((len(inputs), hidden))
    for i in reversed(range(len(inputs))) if is_back else range(len(inputs)):
        take_in, forget, let_out, put = np.split(inputs[i] @ from_input + state @ from_before + bias, 4)
        cell = logistic(forget) * cell + logistic(take_in) * np.tanh(put)
        state = logistic(let_out) * np.tanh(cell)
        found[i] = state
    return found


def logistic(x: Matrix) -> Matrix:
    """1 / (1 + exp -x)."""
    return np.asarray(1 / (1 + np.exp(-x)))


def leaky(x: Matrix) -> Matrix:
    """A tenth of what is below 0."""
    return np.where(x < 0, 0.1 * x, x)
