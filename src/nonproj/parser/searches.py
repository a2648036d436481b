"""What is known about the trees that a graph-based parser found: whether they are the best ones of its model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError

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
    climbing_errors: int | None = 0
    """None where no tree was compared with the one that climbing finds."""
    max_gap: float = 0.0

    @classmethod
    def of_training(cls, header: Any = None) -> SearchReport:
        """Trees that were found to be learnt from, none as yet, or as a model file tells of them."""
        if header is None:
            return cls(climbing_errors=None)
        report = cls(**header)
        counts = (report.trees, report.proven, report.unbounded)
        if not all(type(count) is int and count >= 0 for count in counts) or report.climbing_errors is not None:
            raise NonprojError("what it says about the trees found in training cannot be")
        report.max_gap = float(report.max_gap)
        return report

    def to_header(self) -> dict[str, Any]:
        """What a model file keeps."""
        return asdict(self)

    def add(self, gaps: npt.NDArray[np.float64], gains: npt.NDArray[np.float64] | None = None) -> None:
        """Count trees: how far each may be below the best one, and how far it is above the one that climbing found."""
        self.trees += len(gaps)
        self.proven += int((gaps <= 0).sum())
        if gains is not None and self.climbing_errors is not None:
            self.climbing_errors += int((gains > _LEAST_GAIN).sum())
        self.unbounded += int(np.isinf(gaps).sum())
        self.max_gap = max(self.max_gap, float(gaps[np.isfinite(gaps)].max(initial=0.0)))

    def __str__(self) -> str:
        share = 100 * self.proven / max(1, self.trees)
        bounded = self.trees - self.proven - self.unbounded
        others = f", {bounded} at most {self.max_gap:.3g} below" if bounded else ""
        others += f", {self.unbounded} without a bound" if self.unbounded else ""
        is_compared = self.proven and self.climbing_errors is not None
        errors = f"; climbing alone misses at least {self.climbing_errors}" if is_compared else ""
        return f"{self.trees} trees: {self.proven} proven best ({share:.2f}%){others}{errors}"
