"""Whether one parser is better than another, or was lucky with the test set: the paired bootstrap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser.evaluation import Evaluation

_PORTION = 500  # samples drawn at a time


@dataclass(frozen=True)
class Difference:
    """The second system's score less the first's, a 95% interval, and how often chance alone would bring as much.

    ``p_value`` is two-sided: twice the share of samples in which the better system is not better.
    """

    name: str
    first: float
    second: float
    low: float
    high: float
    p_value: float

    @property
    def difference(self) -> float:
        """By how many points the second system is better."""
        return self.second - self.first

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.first:.2f} and {self.second:.2f}, {self.difference:+.2f} "
            f"[{self.low:+.2f}, {self.high:+.2f}], p = {self.p_value:.4f}"
        )


def compare(first: Evaluation, second: Evaluation, *, samples: int = 10_000, seed: int = 1) -> list[Difference]:
    """Compare two systems on the same gold standard, by UAS and LAS, drawing sentences with replacement.

    >>> from nonproj.treebank import sample_treebank
    >>> from nonproj.parser import evaluate
    >>> treebank = sample_treebank()
    >>> perfect = evaluate(treebank, treebank)
    >>> print(compare(perfect, perfect, samples=100)[0])
    UAS: 100.00 and 100.00, +0.00 [+0.00, +0.00], p = 1.0000
    """
    if not np.array_equal(first.words_of, second.words_of):
        raise NonprojError("the two evaluations are of different sentences: compare systems on the same gold standard")
    if samples < 1:
        raise NonprojError(f"samples must be at least 1, not {samples}")
    words = first.words_of
    return [
        bootstrap("UAS", first.right_heads, second.right_heads, words, samples, seed),
        bootstrap("LAS", first.right_arcs, second.right_arcs, words, samples, seed),
    ]


def bootstrap(
    name: str,
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    words: npt.NDArray[np.int64],
    samples: int,
    seed: int,
) -> Difference:
    """Compare two systems by how many words of each sentence they got right."""
    draws = np.random.default_rng(seed)
    gain, found = second - first, []
    for begin in range(0, samples, _PORTION):
        drawn = draws.integers(0, len(words), size=(min(_PORTION, samples - begin), len(words)))
        found.append(100.0 * gain[drawn].sum(axis=1) / words[drawn].sum(axis=1))
    differences = np.concatenate(found)
    total = 100.0 * float(gain.sum()) / float(words.sum())
    not_better = differences <= 0 if total > 0 else differences >= 0
    low, high = np.percentile(differences, [2.5, 97.5])
    return Difference(
        name,
        100.0 * float(first.sum()) / float(words.sum()),
        100.0 * float(second.sum()) / float(words.sum()),
        float(low),
        float(high),
        min(1.0, 2.0 * float(not_better.mean())),
    )
