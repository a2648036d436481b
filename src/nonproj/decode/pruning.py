"""Pruning: the few heads of each word that are worth a decoder's time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonproj.decode.scores import Scores, prepared
from nonproj.decode.sums import marginals
from nonproj.errors import NonprojError


def candidate_heads(
    scores: Scores,
    k: int = 10,
    threshold: float = 1e-3,
    *,
    single_root: bool = False,
    max_length: int | None = None,
) -> npt.NDArray[np.bool_]:
    """The likely heads of each word, as a mask for the decoders.

    A word keeps the smaller of two sets: its ``k`` likeliest heads, and its heads with a probability above
    ``threshold`` among all spanning trees (Pitler, Kannan & Marcus 2012, section 7); always its likeliest head.
    A class may hold no tree of arcs that are left, and then decoding with the mask says so.

    ``max_length`` takes the probabilities among trees whose arcs are no longer than so many words, those of the root
    apart (Eisner & Smith 2010). With ``k`` as large as the sentence and ``threshold=0`` arcs are pruned by their length
    alone.

    >>> import numpy as np
    >>> candidate_heads(np.array([[0, 5.0, 0], [0, 0, 5.0], [0, 0, 0]]), threshold=0.01).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> candidate_heads(np.zeros((5, 5)), 4, threshold=0, max_length=1).astype(int).tolist()
    [[0, 1, 1, 1, 1], [0, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    """
    if k < 1:
        raise NonprojError(f"k must be at least 1, not {k}")
    if not 0 <= threshold < 1:
        raise NonprojError(f"threshold must be a probability below 1, not {threshold}")
    short = None
    if max_length is not None:
        if max_length < 1:
            raise NonprojError(f"max_length must be at least 1, not {max_length}")
        words = np.arange(len(prepared(scores, None)))
        short = np.abs(np.subtract.outer(words, words)) <= max_length
        short[0] = True
    chance = marginals(scores, single_root=single_root, mask=short)
    rank = np.argsort(np.argsort(-chance, axis=0, kind="stable"), axis=0, kind="stable")
    mask: npt.NDArray[np.bool_] = (rank < k) & ((chance > threshold) | (rank == 0))
    mask[:, 0] = False
    return mask
