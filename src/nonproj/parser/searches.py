"""What is known about the trees that a graph-based parser found: whether they are the best ones of its model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# Gains below this are the roundings of two sums of the same tree.
_LEAST_GAIN = 1e-6


@dataclass
class SearchReport:
    """How many trees were parsed, proven best for the model, and missed by climbing; how far from the best one may be.

    >>> report = SearchReport()
    >>> report.add(np.array([0.0, 0.0, 0.5]), np.array([0.0, 1.5, 0.0]))
    >>> print(report)
    3 trees: 2 proven best (66.67%), the others at most 0.5 below; climbing alone misses at least 1
    """

    trees: int = 0
    proven: int = 0
    climbing_errors: int = 0
    max_gap: float = 0.0

    def add(self, gaps: npt.NDArray[np.float64], gains: npt.NDArray[np.float64]) -> None:
        """Count trees: how far each may be below the best one, and how far it is above the one that climbing found."""
        self.trees += len(gaps)
        self.proven += int((gaps <= 0).sum())
        self.climbing_errors += int((gains > _LEAST_GAIN).sum())
        self.max_gap = max(self.max_gap, float(gaps.max(initial=0.0)))

    def __str__(self) -> str:
        share = 100 * self.proven / max(1, self.trees)
        others = "" if self.proven == self.trees else f", the others at most {self.max_gap:.3g} below"
        errors = f"; climbing alone misses at least {self.climbing_errors}" if self.proven else ""
        return f"{self.trees} trees: {self.proven} proven best ({share:.2f}%){others}{errors}"
