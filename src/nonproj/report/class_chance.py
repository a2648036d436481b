"""Chance within a class: what crossings, gaps and lengths would be if every tree were drawn from all those of a class.

Trees are drawn for every length of sentence once, and the treebank's expectation put together from them: with m of its
sentences of a length, m times the mean there. A treebank drawn from the class would vary around it as the trees of all
lengths do together; how well the drawn ones tell the expectation is its error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report.chance import MEASURES, Expected
from nonproj.report.class_trees import Heads, class_trees, longest_drawn
from nonproj.report.table import Column, Table
from nonproj.treebank import Treebank
from nonproj.trees import TreeClass, profile_trees, tree_classes

Numbers: TypeAlias = npt.NDArray[np.float64]
_MIDDLE = 1.959964  # deviations on either side that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Within:
    """The treebank against trees of one class, as far as they could be drawn."""

    class_name: str
    longest: int
    """The number of words up to which trees were drawn."""
    trees: int
    """How many trees of the treebank are that long at most, which are those that are compared."""
    accepted: float
    """The smallest share of draws that were accepted; 1 where trees were drawn directly."""
    outside: dict[str, Expected]
    """The share of trees outside each other class."""
    measures: dict[str, Expected]

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        return {
            "class": self.class_name,
            "longest": self.longest,
            "trees": self.trees,
            "accepted": self.accepted,
            "outside": {name: each.to_dict() for name, each in self.outside.items()},
            "measures": {name: each.to_dict() for name, each in self.measures.items()},
        }


@dataclass(frozen=True)
class ClassChance:
    """A treebank against trees drawn from each class."""

    name: str
    times: int
    """How many trees were drawn for each length; rejection may end with fewer."""
    trees: int
    classes: dict[str, Within]

    def table(self) -> Table:
        """For each class and measure what is observed and expected, the error of the latter, and the z-score."""
        columns = [Column("drawn from", align_left=True), Column("trees"), Column("words", "up to")]
        for short in ("crossings", "gaps", "length"):
            columns += [Column(short, under) for under in ("observed", "expected", "z")]
        rows = []
        for name, each in self.classes.items():
            cells = [cell for measure in self.measures for cell in _cells(each.measures.get(measure))]
            rows.append([name, str(each.trees), str(each.longest), *cells])
        caption = (
            f"{self.name}: {self.trees} trees against trees drawn uniformly from each class, {self.times} for each "
            "length as far as there is a sampler or rejection finds enough. Crossings and gap degrees a tree "
            "and lengths of arcs between words, with the standard errors of the estimates."
        )
        return Table(columns, rows, caption=caption)

    @property
    def measures(self) -> tuple[str, ...]:
        """What is compared."""
        return tuple(MEASURES)

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        classes = [each.to_dict() for each in self.classes.values()]
        return {"name": self.name, "baseline": "class", "times": self.times, "trees": self.trees, "classes": classes}

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def __str__(self) -> str:
        return self.table().to_text()


def _cells(each: Expected | None) -> list[str]:
    if each is None:
        return ["-"] * 3
    z = "-" if each.z_score is None else f"{each.z_score:.1f}"
    return [f"{each.observed:.2f}", f"{each.mean:.2f} ±{each.error:.2f}", z]


def class_chance(
    treebank: Treebank,
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    times: int = 100,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> ClassChance:
    """Compare a treebank with trees drawn uniformly from each class.

    Sentences with one root are compared with trees that have one, the others with all. Sentences longer than what can
    be drawn have no part in the class's row, neither in what is observed nor in what is expected.

    >>> from nonproj.treebank import example_treebank
    >>> found = class_chance(example_treebank(), "Pr 1EC", times=50)
    >>> lengths = found.classes["Pr"].measures["dependency length"]
    >>> lengths.mean < found.classes["1EC"].measures["dependency length"].mean
    True
    """
    if times < 2:
        raise NonprojError(f"times is {times}: at least 2 draws are needed to tell how much chance varies")
    if not 0 <= seed < 1 << 31:
        raise NonprojError(f"seed is {seed}, expected a whole number from 0 to {(1 << 31) - 1}")
    if not len(treebank):
        raise NonprojError("there are no trees to compare with chance")
    chosen = tree_classes(classes)
    workers = threads or processors()
    observed = _facts(treebank.heads, treebank.offsets, chosen, workers)
    groups = _groups(treebank)
    found = {}
    for done, cls in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        found[cls.name] = _within(cls, groups, observed, chosen, times, seed, workers)
    if progress is not None:
        progress(len(chosen), len(chosen))
    return ClassChance(treebank.name, times, len(treebank), found)


def _groups(treebank: Treebank) -> dict[tuple[int, bool], npt.NDArray[np.int64]]:
    """The sentences by number of words and by whether they have one root, short ones first."""
    words = np.diff(treebank.offsets)
    roots = np.concatenate([np.zeros(1, np.int64), np.cumsum(treebank.heads == 0, dtype=np.int64)])
    single = (roots[treebank.offsets[1:]] - roots[treebank.offsets[:-1]]) == 1
    keys = words * 2 + single
    return {
        (int(key) // 2, bool(key % 2)): np.flatnonzero(keys == key)
        for key in np.unique(keys[words > 0]).tolist()
    }  # fmt: skip


def _within(
    cls: TreeClass,
    groups: dict[tuple[int, bool], npt.NDArray[np.int64]],
    observed: Numbers,
    classes: list[TreeClass],
    times: int,
    seed: int,
    threads: int,
) -> Within:
    members: list[npt.NDArray[np.int64]] = []
    drawn: list[Numbers] = []
    accepted, longest, most = 1.0, 0, longest_drawn(cls)
    for (words, single_root), sentences in groups.items():
        if words > most:
            break
        name = int.from_bytes(cls.name.encode(), "little")
        start = int(np.random.SeedSequence([seed, name, words, single_root]).generate_state(1)[0])
        found = class_trees(cls, words, times, single_root=single_root, seed=start, threads=threads)
        if found is None:
            break  # longer ones are rarer still
        offsets = np.arange(len(found) + 1) * words
        members.append(sentences)
        drawn.append(_facts(np.ascontiguousarray(found.heads).ravel(), offsets, classes, threads))
        accepted, longest = min(accepted, found.accepted), words
    if not members:
        return Within(cls.name, 0, 0, accepted, {}, {})
    compared = observed[np.concatenate(members)]
    values = [
        _expected(compared[:, i], [(len(own), facts[:, i]) for own, facts in zip(members, drawn, strict=True)])
        for i in range(observed.shape[1])
    ]
    outside = {each.name: value for each, value in zip(classes, values, strict=False)}
    measures = dict(zip(MEASURES, values[len(classes) :], strict=True))
    return Within(cls.name, longest, len(compared), accepted, outside, measures)


def _expected(observed: Numbers, strata: list[tuple[int, Numbers]]) -> Expected:
    """The ratio of two sums over the treebank, from draws for each length, by the usual linear approximation."""
    above = sum(trees * facts[:, 0].mean() for trees, facts in strata)
    below = sum(trees * facts[:, 1].mean() for trees, facts in strata)
    ratio = above / below if below else 0.0
    variance = error = 0.0
    for trees, facts in strata:
        spread = float((facts[:, 0] - ratio * facts[:, 1]).var(ddof=1)) if len(facts) > 1 else 0.0
        variance += trees * spread
        error += trees * trees * spread / len(facts)
    deviation = math.sqrt(variance) / max(below, 1e-300) if below else 0.0
    sums = observed.sum(axis=0)
    value = float(sums[0] / sums[1]) if sums[1] else 0.0
    reach = _MIDDLE * deviation
    return Expected(
        value,
        float(ratio),
        deviation,
        float(ratio - reach),
        float(ratio + reach),
        math.sqrt(error) / below if below else 0.0,
    )


def _facts(heads: Heads, offsets: npt.NDArray[np.int64], classes: list[TreeClass], threads: int) -> Numbers:
    """For each tree, and for each class and measure, what is added up and what it is divided by."""
    needed = {name for cls in classes for name in cls.properties} | {"crossings", "gap_degree"}
    solvers = [cls.solver for cls in classes]
    profiles = profile_trees(heads, offsets, wanted=needed, solvers=solvers, threads=threads)
    pairs: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = []
    for cls in classes:
        held = cls.holds(profiles)
        pairs.append((held == 0, held >= 0))
    one = np.ones(len(offsets) - 1)
    pairs += [(profiles.column("crossings"), one), (profiles.column("gap_degree"), one)]
    number = np.arange(len(heads)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
    lengths = np.concatenate([[0], np.cumsum(np.where(heads > 0, np.abs(heads - number), 0))])
    arcs = np.concatenate([[0], np.cumsum(heads > 0)])
    pairs.append((lengths[offsets[1:]] - lengths[offsets[:-1]], arcs[offsets[1:]] - arcs[offsets[:-1]]))
    return np.stack([np.stack([np.asarray(a, np.float64), b], axis=1) for a, b in pairs], axis=1)
