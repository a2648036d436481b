"""Dependency length under each class: do the classes alone explain why words that belong together stand close?

After Gómez-Rodríguez, Christiansen & Ferrer-i-Cancho 2022: for each number of words, the mean length of the arcs of a
treebank, beside that of all trees, (n + 1) / 3, and of trees drawn uniformly from each class. Trees have one root.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report.class_trees import class_trees
from nonproj.report.table import Column, Table
from nonproj.treebank import Treebank
from nonproj.trees import TreeClass, tree_classes

CLASSES = "Pr 1EC WG1 MH4 MH5 2-P"
"""Those of the study that stand apart in a plot."""


@dataclass(frozen=True)
class MeanLength:
    """A mean over trees, its standard error, and how many trees it is of."""

    mean: float
    error: float
    trees: int

    @staticmethod
    def of(heads: npt.NDArray[np.int32]) -> MeanLength:
        """The mean over trees of one size, one a row, of the mean length of their arcs between words."""
        words = heads.shape[1]
        spans = np.where(heads > 0, np.abs(heads - np.arange(1, words + 1)), 0).sum(axis=1) / (words - 1)
        error = float(spans.std(ddof=1)) / math.sqrt(len(spans)) if len(spans) > 1 else math.nan
        return MeanLength(float(spans.mean()), error, len(spans))

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + ("" if math.isnan(self.error) else f" ±{self.error:.3f}")

    def to_dict(self) -> dict[str, float | int | None]:
        """The fixed JSON shape."""
        return {"mean": self.mean, "error": None if math.isnan(self.error) else self.error, "trees": self.trees}


@dataclass(frozen=True)
class Lengths:
    """Mean dependency lengths by number of words."""

    name: str
    left_out: int
    """Sentences that have several roots, or a number of words that was not asked for."""
    classes: list[str]
    observed: dict[int, MeanLength]
    drawn: dict[int, dict[str, MeanLength]]
    """By number of words and class, where trees could be drawn."""

    @staticmethod
    def chance(words: int) -> float:
        """The mean over all trees, and over all orders of the words of any one."""
        return (words + 1) / 3

    def table(self) -> Table:
        """A row for each number of words."""
        names = ["words", "sentences", "treebank", *self.classes, "all trees"]
        rows = []
        for words, own in self.observed.items():
            drawn = self.drawn[words]
            cells = [str(own), *(str(drawn[name]) if name in drawn else "-" for name in self.classes)]
            rows.append([str(words), str(own.trees), *cells, f"{self.chance(words):.3f}"])
        caption = (
            f"{self.name}: mean dependency length of its sentences, of trees drawn uniformly from each class, and of "
            "all trees, with standard errors."
        )
        return Table([Column(name) for name in names], rows, caption=caption, note=self.note)

    @property
    def note(self) -> str:
        """What was left out."""
        sentences = "1 sentence has" if self.left_out == 1 else f"{self.left_out} sentences have"
        return f"{sentences} another number of words or several roots." if self.left_out else ""

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        rows = [
            {
                "words": words,
                "treebank": own.to_dict(),
                "classes": {name: found.to_dict() for name, found in self.drawn[words].items()},
                "all trees": self.chance(words),
            }
            for words, own in self.observed.items()
        ]
        return {"name": self.name, "left_out": self.left_out, "lengths": rows}

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def plot(self, path: str) -> None:
        """Draw the means against the number of words, with errors."""
        from nonproj.report.plot import plot_lines

        plot_lines(self.lines(), "words", "mean dependency length", self.name, path)

    def lines(self) -> dict[str, list[tuple[float, float, float]]]:
        """For each line of the plot its points: words, mean and error; the treebank first, all trees last."""
        found = {self.name: [(n, own.mean, own.error) for n, own in self.observed.items()]}
        for name in self.classes:
            found[name] = [(n, drawn[name].mean, drawn[name].error) for n, drawn in self.drawn.items() if name in drawn]
        found["all trees"] = [(n, self.chance(n), 0.0) for n in self.observed]
        return {name: [(float(n), mean, error) for n, mean, error in points] for name, points in found.items()}

    def __str__(self) -> str:
        return self.table().to_text()


def lengths(
    treebank: Treebank,
    classes: str | Iterable[str | TreeClass] = CLASSES,
    *,
    min_words: int = 3,
    max_words: int = 20,
    times: int = 500,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Lengths:
    """Compare the dependency lengths of a treebank with those of random trees of each class, length by length.

    ``times`` trees are drawn of each class for each number of words that the treebank has.

    >>> from nonproj.treebank import example_treebank
    >>> found = lengths(example_treebank(), "Pr 1EC", min_words=8, max_words=8, times=200)
    >>> drawn = found.drawn[8]
    >>> drawn["Pr"].mean < drawn["1EC"].mean < found.chance(8)
    True
    """
    if times < 2:
        raise NonprojError(f"times is {times}: at least 2 draws are needed to tell how much chance varies")
    if not 2 <= min_words <= max_words:
        raise NonprojError(f"no arcs between words in sentences of {min_words} to {max_words} words: begin with 2")
    if not 0 <= seed < 1 << 31:
        raise NonprojError(f"seed is {seed}, expected a whole number from 0 to {(1 << 31) - 1}")
    chosen = tree_classes(classes)
    by_words = _by_words(treebank, min_words, max_words)
    if not by_words:
        raise NonprojError(f"{treebank.name} has no sentence of {min_words} to {max_words} words with one root")
    drawn: dict[int, dict[str, MeanLength]] = {}
    too_rare: set[str] = set()
    for done, words in enumerate(by_words, 1):
        drawn[words] = {}
        for cls in chosen:
            start = np.random.SeedSequence([seed, int.from_bytes(cls.name.encode(), "little"), words])
            found = None
            if cls.name not in too_rare:
                number = int(start.generate_state(1)[0])
                found = class_trees(cls, words, times, single_root=True, seed=number, threads=threads or processors())
            if found is None:
                too_rare.add(cls.name)
            else:
                drawn[words][cls.name] = MeanLength.of(found.heads)
        if progress is not None:
            progress(done, len(by_words))
    observed = {words: MeanLength.of(heads) for words, heads in by_words.items()}
    left_out = len(treebank) - sum(len(heads) for heads in by_words.values())
    return Lengths(treebank.name, left_out, [cls.name for cls in chosen], observed, drawn)


def _by_words(treebank: Treebank, least: int, most: int) -> dict[int, npt.NDArray[np.int32]]:
    """The heads of sentences with one root, one a row, by their number of words."""
    heads, offsets = treebank.heads, treebank.offsets
    words = np.diff(offsets)
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(heads == 0, dtype=np.int64)])
    has_one_root = before[offsets[1:]] - before[offsets[:-1]] == 1
    found = {}
    for count in np.unique(words[(words >= least) & (words <= most) & has_one_root]).tolist():
        starts = offsets[:-1][(words == count) & has_one_root]
        found[int(count)] = heads[starts[:, None] + np.arange(count)]
    return found
