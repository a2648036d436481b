"""Chance: what coverage, crossings, gaps and lengths would be if the order of words, or the trees, were drawn by lot.

``shuffle`` keeps the trees of a treebank and puts their words in an order drawn from all. ``uniform`` keeps the numbers
of words and draws each tree from all trees of that size: from those with one root where the sentence has one, else from
all. Each time the whole treebank is drawn anew and measured as the real one is, so that the mean, the deviation and
the interval are those of a treebank of this size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report.table import Column, Table
from nonproj.treebank import Treebank
from nonproj.trees import TreeClass, profile_trees, tree_classes

Numbers: TypeAlias = npt.NDArray[np.float64]
Heads: TypeAlias = npt.NDArray[np.int32]

BASELINES = ("shuffle", "uniform")
MEASURES = {
    "crossings": "crossings a tree",
    "gap degree": "mean gap degree",
    "dependency length": "mean length of the arcs between words",
}
_PORTION = 2_000_000  # words measured at a time


@dataclass(frozen=True)
class Expected:
    """A value of the treebank, and its mean, standard deviation and middle 95 % by chance."""

    observed: float
    mean: float
    deviation: float
    low: float
    high: float
    error: float
    """The standard error of the mean, which more draws make smaller."""

    @property
    def z_score(self) -> float | None:
        """How many standard deviations the treebank is off; None where chance does not vary."""
        return (self.observed - self.mean) / self.deviation if self.deviation > 0 else None

    def to_dict(self) -> dict[str, float | None]:
        """The fixed JSON shape."""
        return {
            "observed": self.observed,
            "mean": self.mean,
            "deviation": self.deviation,
            "low": self.low,
            "high": self.high,
            "z": self.z_score,
            "error": self.error,
        }


@dataclass(frozen=True)
class Chance:
    """A treebank against chance: the share of trees outside each class, and what `MEASURES` lists."""

    name: str
    baseline: str
    times: int
    trees: int
    outside: dict[str, Expected]
    measures: dict[str, Expected]

    def table(self) -> Table:
        """Observed, expected, the interval and the z-score, a row for each class and measure."""
        columns = [Column("", align_left=True), Column("observed"), Column("expected"), Column("95 % of draws")]
        columns += [Column("z")]
        rows = [[f"% outside {name}", *_cells(each, 100)] for name, each in self.outside.items()]
        rows += [[MEASURES[name], *_cells(each, 1)] for name, each in self.measures.items()]
        drawn = "words shuffled" if self.baseline == "shuffle" else "trees drawn uniformly"
        caption = f"{self.name}: {self.trees} trees against {self.times} treebanks with {drawn}."
        return Table(columns, rows, caption=caption, footer_rows=len(self.measures))

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        return {
            "name": self.name,
            "baseline": self.baseline,
            "times": self.times,
            "trees": self.trees,
            "outside": {name: each.to_dict() for name, each in self.outside.items()},
            "measures": {name: each.to_dict() for name, each in self.measures.items()},
        }

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def __str__(self) -> str:
        return self.table().to_text()


def _cells(each: Expected, scale: float) -> list[str]:
    shown = [f"{scale * value:.2f}" for value in (each.observed, each.mean, each.low, each.high)]
    z = "-" if each.z_score is None else f"{each.z_score:.1f}"
    return [shown[0], shown[1], f"{shown[2]} to {shown[3]}", z]


def chance(
    treebank: Treebank,
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    baseline: Literal["shuffle", "uniform"] = "shuffle",
    times: int = 100,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Chance:
    """Compare a treebank with chance.

    ``times`` treebanks are drawn. The same seed gives the same numbers, with any number of threads. Trees too entangled
    to be settled for a class have no part in its share.

    >>> from nonproj.treebank import example_treebank
    >>> found = chance(example_treebank(), "Pr WG1", times=20)
    >>> found.outside["Pr"].observed < found.outside["Pr"].low, found.measures["crossings"].z_score < 0
    (True, True)
    """
    if baseline not in BASELINES:
        raise NonprojError(f"baseline is {baseline!r}, expected one of {', '.join(BASELINES)}")
    if times < 2:
        raise NonprojError(f"times is {times}: at least 2 draws are needed to tell how much chance varies")
    if not 0 <= seed < 1 << 31:
        raise NonprojError(f"seed is {seed}, expected a whole number from 0 to {(1 << 31) - 1}")
    if not len(treebank):
        raise NonprojError("there are no trees to compare with chance")
    chosen = tree_classes(classes)
    workers = threads or processors()
    observed = _measured(treebank.heads[None, :], treebank.offsets, chosen, workers)
    at_once = max(1, _PORTION // len(treebank.heads))
    parts = []
    for begin in range(0, times, at_once):
        count = min(at_once, times - begin)
        drawn_heads = _drawn(treebank, baseline, count, (seed << 32) + begin, workers)
        parts.append(_measured(drawn_heads, treebank.offsets, chosen, workers))
        if progress is not None:
            progress(begin + count, times)
    drawn = np.concatenate(parts)
    values = [_expected(float(observed[0, i]), drawn[:, i]) for i in range(drawn.shape[1])]
    outside = {cls.name: each for cls, each in zip(chosen, values, strict=False)}
    measures = dict(zip(MEASURES, values[len(chosen) :], strict=True))
    return Chance(treebank.name, baseline, times, len(treebank), outside, measures)


def _drawn(treebank: Treebank, baseline: str, times: int, seed: int, threads: int) -> Heads:
    heads, offsets = treebank.heads, treebank.offsets
    if baseline == "shuffle":
        return _core.shuffled_trees(heads, offsets, times, seed, threads)
    roots = np.add.reduceat(heads == 0, offsets[:-1], dtype=np.int64)
    return _core.random_trees(offsets, roots == 1, times, seed, threads)


def _measured(heads: Heads, offsets: npt.NDArray[np.int64], classes: list[TreeClass], threads: int) -> Numbers:
    """For each row of heads, the share of trees outside each class, then the `MEASURES`."""
    times, words = heads.shape
    trees = len(offsets) - 1
    starts = (offsets[:-1] + np.arange(times)[:, None] * words).ravel()
    needed = {name for cls in classes for name in cls.properties} | {"crossings", "gap_degree"}
    solvers = [cls.solver for cls in classes]
    at = np.append(starts, times * words)
    profiles = profile_trees(heads.ravel(), at, wanted=needed, solvers=solvers, threads=threads)
    found = []
    for cls in classes:
        held = cls.holds(profiles).reshape(times, trees)
        found.append((held == 0).sum(axis=1) / np.maximum((held >= 0).sum(axis=1), 1))
    for name in ("crossings", "gap_degree"):
        found.append(profiles.column(name).reshape(times, trees).mean(axis=1))
    number = np.arange(words) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
    lengths = np.where(heads > 0, np.abs(heads - number), 0).sum(axis=1)
    found.append(lengths / np.maximum((heads > 0).sum(axis=1), 1))
    return np.stack([np.asarray(column, np.float64) for column in found], axis=1)


def _expected(observed: float, drawn: Numbers) -> Expected:
    low, high = np.percentile(drawn, [2.5, 97.5])
    deviation = float(drawn.std(ddof=1))
    return Expected(
        observed, float(drawn.mean()), deviation, float(low), float(high), deviation / math.sqrt(len(drawn))
    )
