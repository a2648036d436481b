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

    Of trees that were climbed to, nothing is known but that no small change improves them.

    >>> report = SearchReport()
    >>> report.add(np.array([0.0, 0.0, 0.5, np.inf]), np.array([0.0, 1.5, 0.0, 0.0]))
    >>> print(report)
    4 trees: 2 proven best (50.00%), 1 at most 0.5 below, 1 without a bound; climbing alone misses at least 1
    """

    trees: int = 0
    proven: int = 0
    unbounded: int = 0
    climbing_errors: int = 0
    max_gap: float = 0.0

    def add(self, gaps: npt.NDArray[np.float64], gains: npt.NDArray[np.float64]) -> None:
        """Count trees: how far each may be below the best one, and how far it is above the one that climbing found."""
        self.trees += len(gaps)
        self.proven += int((gaps <= 0).sum())
        self.climbing_errors += int((gains > _LEAST_GAIN).sum())
        self.unbounded += int(np.isinf(gaps).sum())
        self.max_gap = max(self.max_gap, float(gaps[np.isfinite(gaps)].max(initial=0.0)))

    def __str__(self) -> str:
        share = 100 * self.proven / max(1, self.trees)
        bounded = self.trees - self.proven - self.unbounded
        others = f", {bounded} at most {self.max_gap:.3g} below" if bounded else ""
        others += f", {self.unbounded} without a bound" if self.unbounded else ""
        errors = f"; climbing alone misses at least {self.climbing_errors}" if self.proven else ""
        return f"{self.trees} trees: {self.proven} proven best ({share:.2f}%){others}{errors}"
