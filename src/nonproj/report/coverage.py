"""Coverage: how many trees of a treebank lie outside each class, and at what parsing cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np

from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report import tables
from nonproj.report.table import Table
from nonproj.report.unusual import Unusual, most_unusual
from nonproj.treebank import Skipped, Source, Treebank, read, sources
from nonproj.trees import Profiles, TreeClass, profile_trees, tree_classes

TABLES: dict[str, Callable[[Coverage], Table]] = {
    "loss": tables.loss,
    "gaps": tables.gaps,
    "inherit": tables.inherit,
}


@dataclass
class TreebankCoverage:
    """What one treebank needs: its trees, what was skipped, and how many trees each class leaves outside."""

    name: str
    profiles: Profiles
    classes: Sequence[TreeClass]
    skipped: list[Skipped] = field(default_factory=list)
    treebanks: list[Treebank] = field(default_factory=list, repr=False)
    """The treebanks themselves, in the order of the profiles, where they were kept."""

    @property
    def trees(self) -> int:
        """The number of trees measured."""
        return len(self.profiles)

    @property
    def outside(self) -> dict[str, int]:
        """How many trees are outside each class."""
        return {cls.name: int(np.count_nonzero(cls.holds(self.profiles) == 0)) for cls in self.classes}

    @property
    def unsettled(self) -> int:
        """How many trees were too entangled for one of the classes; they count as inside of it nowhere."""
        held = [cls.holds(self.profiles) < 0 for cls in self.classes]
        return int(np.count_nonzero(np.any(held, axis=0))) if held else 0

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        return {"name": self.name, "trees": self.trees, "skipped": len(self.skipped), "outside": self.outside}


@dataclass
class Coverage:
    """The coverage of one or more treebanks; `table` and the ``to_`` methods give it in other shapes."""

    treebanks: list[TreebankCoverage]
    classes: list[TreeClass]

    @property
    def skipped(self) -> list[Skipped]:
        """The sentences that were left out because they are not valid."""
        return [skipped for treebank in self.treebanks for skipped in treebank.skipped]

    @property
    def trees(self) -> int:
        """The number of trees measured, over all treebanks."""
        return sum(treebank.trees for treebank in self.treebanks)

    def table(self, kind: str = "loss") -> Table:
        """A table: ``loss`` (percentage outside each class), ``gaps`` (by gap degree and nesting), ``inherit``."""
        if kind not in TABLES:
            raise NonprojError(f"no table {kind!r}; there are: {', '.join(TABLES)}")
        return TABLES[kind](self)

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape: ``{"treebanks": [{"name", "trees", "skipped", "outside": {...}}, ...]}``."""
        return {"treebanks": [treebank.to_dict() for treebank in self.treebanks]}

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_csv(self, kind: str = "loss") -> str:
        """A table as comma-separated values."""
        return self.table(kind).to_csv()

    def to_markdown(self, kind: str = "loss") -> str:
        """A table in Markdown."""
        return self.table(kind).to_markdown()

    def to_latex(self, kind: str = "loss") -> str:
        """A table in LaTeX."""
        return self.table(kind).to_latex()

    def plot(self, path: str) -> None:
        """Draw coverage against parsing complexity, the Pareto front marked; the ending chooses the format."""
        from nonproj.report.plot import plot_coverage

        plot_coverage(self, path)

    def unusual(self, count: int) -> list[Unusual]:
        """The most unusual trees, with the reason; `coverage` must have kept the treebanks."""
        return most_unusual(self, count)

    def __str__(self) -> str:
        return self.table().to_text()


def coverage(
    data: Treebank | Source | Iterable[Treebank | Source],
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    by: str = "file",
    on_error: Literal["stop", "skip"] = "stop",
    threads: int = 0,
    keep: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Measure which classes cover a treebank: a `Treebank`, a path, or several of either.

    ``by`` makes one row a ``file``, a ``treebank`` (train, dev and test of one name together), or a ``total``.
    With ``on_error="skip"`` invalid sentences are left out, counted and listed instead of raising. ``keep=False``
    lets go of each treebank once it is measured; `Coverage.unusual` needs them. ``progress`` is called with
    how many files are done, and how many there are.

    >>> from nonproj.treebank import example_treebank
    >>> result = coverage(example_treebank(), "Pr WG1 MH4")
    >>> result.treebanks[0].trees, sorted(result.treebanks[0].outside)
    (75, ['MH4', 'Pr', 'WG1'])
    """
    if by not in _GROUPINGS:
        raise NonprojError(f"by must be one of {', '.join(_GROUPINGS)}, not {by!r}")
    chosen = tree_classes(classes)
    parts: list[Treebank | Source] = (
        list(data) if isinstance(data, (list, tuple)) else [cast("Treebank | Source", data)]
    )
    inputs: list[Treebank | Source] = [part for part in parts if isinstance(part, Treebank)]
    files = [part for part in parts if not isinstance(part, Treebank)]
    inputs += sources(files) if files else []
    solvers = [cls.solver for cls in chosen]
    workers = threads or processors()
    # One thread a file while there are files enough; within a single file the trees are shared out instead.
    within = workers if len(inputs) == 1 else 1

    def measure(source: Treebank | Source) -> TreebankCoverage:
        treebank = source if isinstance(source, Treebank) else read(source, on_error=on_error, threads=1)
        profiles = profile_trees(treebank.heads, treebank.offsets, solvers=solvers, threads=within)
        kept = [treebank] if keep else []
        return TreebankCoverage(treebank.name, profiles, chosen, list(treebank.skipped), kept)

    measured = []
    with ThreadPoolExecutor(min(workers, max(1, len(inputs)))) as pool:
        try:
            for result in pool.map(measure, inputs):
                measured.append(result)
                if progress is not None:
                    progress(len(measured), len(inputs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Coverage(_grouped(measured, _GROUPINGS[by]), chosen)


_GROUPINGS: dict[str, Callable[[str], str]] = {
    "file": lambda name: name,
    "treebank": lambda name: re.sub(r"([-_]ud)?[-_.](train|dev|test)$", "", name),
    "total": lambda _: "total",
}


def _grouped(measured: list[TreebankCoverage], key: Callable[[str], str]) -> list[TreebankCoverage]:
    groups: dict[str, list[TreebankCoverage]] = {}
    for treebank in measured:
        groups.setdefault(key(treebank.name), []).append(treebank)
    return [_joined(name, members) for name, members in groups.items()]


def _joined(name: str, members: list[TreebankCoverage]) -> TreebankCoverage:
    return TreebankCoverage(
        name,
        Profiles.joined([member.profiles for member in members]),
        members[0].classes,
        [skipped for member in members for skipped in member.skipped],
        [treebank for member in members for treebank in member.treebanks],
    )
