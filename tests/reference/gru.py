"""The network of sentence boundaries, in NumPy, as the formulas of ``boundaries.hpp`` and ``cells.hpp`` have it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reference.network import Matrix, Shared, logistic

LONGEST, MARGIN = 128, 12


@dataclass
class Sizes:
    """As `_core.BoundarySizes`."""

    embedding: int
    hidden: int
    features: int
    rows: int


def scores(
    sizes: Sizes, weights: npt.NDArray[np.float32], embeddings: npt.NDArray[np.float32], rows: npt.NDArray[np.uint32]
) -> Matrix:
    """One number for each token of a text, of whose features ``rows`` has the embeddings; window by window."""
    table = embeddings.astype(np.float64).reshape(sizes.rows, sizes.embedding)
    tokens = table[rows.reshape(-1, sizes.features)].sum(axis=1)
    found = np.zeros(len(tokens))
    for begin in range(0, max(1, len(tokens) - 2 * MARGIN), LONGEST - 2 * MARGIN):
        window = window_scores(sizes, weights, tokens[begin : begin + LONGEST])
        first = MARGIN if begin > 0 else 0
        found[begin + first : begin + LONGEST] = window[first:]  # the next window takes those that it knows better
    return found


def window_scores(sizes: Sizes, weights: npt.NDArray[np.float32], tokens: Matrix) -> Matrix:
    """The same of the tokens of one window."""
    shared = Shared(weights)
    states = np.hstack([gru(shared, tokens, sizes.hidden, is_back) for is_back in (False, True)])
    found = states @ shared.vector(2 * sizes.hidden) + shared.vector(1)
    assert shared.is_empty()
    return np.asarray(found)


def gru(shared: Shared, inputs: Matrix, hidden: int, is_back: bool) -> Matrix:
    """One direction."""
    from_input, from_before = shared.matrix(inputs.shape[1], 3 * hidden), shared.matrix(hidden, 3 * hidden)
    biases = np.split(shared.vector(4 * hidden), 4)
    state, found = np.zeros(hidden), np.zeros((len(inputs), hidden))
    for i in reversed(range(len(inputs))) if is_back else range(len(inputs)):
        put, reset, keep = np.split(inputs[i] @ from_input, 3)
        before = np.split(state @ from_before, 3)
        reset = logistic(reset + before[0] + biases[1])
        keep = logistic(keep + before[1] + biases[2])
        put = np.tanh(put + biases[0] + reset * (before[2] + biases[3]))
        state = (1 - keep) * put + keep * state
        found[i] = state
    return found
