"""Whether one parser is better than another, or was lucky with the test set: the paired bootstrap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_PORTION = 500  # samples drawn at a time


@dataclass(frozen=True)
class Difference:
    """The second system's score less the first's, a 95% interval, and how often chance alone would bring as much.

    ``p_value`` is two-sided: twice the share of samples in which the better system is not better, with one more such
    sample than was found, since as few samples as there are cannot tell that there are none at all.
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
            f"[{self.low:+.2f}, {self.high:+.2f}], {self.p_text}"
        )

    @property
    def p_text(self) -> str:
        """The p value as papers give it.

        >>> Difference("LAS", 80.0, 81.0, 0.5, 1.5, 0.0002).p_text
        'p < 0.001'
        """
        return "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"


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
        min(1.0, 2.0 * (int(np.count_nonzero(not_better)) + 1) / (samples + 1)),
    )
