"""Coverage: how many trees of a treebank lie outside each class, and at what parsing cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np

from nonproj.errors import NonprojError
from nonproj.processors import processors, thread_pool
from nonproj.report import tables
from nonproj.report.names import path_of, treebanks_of
from nonproj.report.table import Table
from nonproj.report.tables import mean
from nonproj.report.unusual import Unusual, most_unusual
from nonproj.state import state_line, whole_number
from nonproj.treebank import Filter, Skipped, Source, Treebank, read, sources
from nonproj.treebank.inputs import Path, distinct_names, label, title
from nonproj.treebank.reading import stream_treebanks
from nonproj.trees import Profiles, TreeClass, profile_trees, tree_classes
from nonproj.trees.profile import DUMMY_SIDES, PROPERTIES, Gathering

GROUPINGS = ("file", "treebank", "total")
TOTAL = "total"
STATE = "coverage"
"""What its state is called."""
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
    empty: list[str] = field(default_factory=list)
    """The sources in which there was no sentence at all, and what was there instead."""
    source: str = ""
    """Where it was read from, as it was named; `Coverage.__add__` puts together what came from one source."""
    copy: int = 1
    """Which one it is of the sources of that name, counted from 1."""
    path: Path = ()

    @property
    def trees(self) -> int:
        """The number of trees measured."""
        return len(self.profiles)

    @property
    def outside(self) -> dict[str, int]:
        """How many trees are outside each class."""
        return {cls.name: self.profiles.count(cls.holds(self.profiles) == 0) for cls in self.classes}

    @property
    def unsettled(self) -> dict[str, int]:
        """How many trees were too entangled to be settled for each class: neither inside nor outside."""
        return {cls.name: self.profiles.count(cls.holds(self.profiles) < 0) for cls in self.classes}

    @property
    def entangled(self) -> int:
        """How many trees could not be settled for one of the classes or more."""
        held = [cls.holds(self.profiles) < 0 for cls in self.classes]
        return self.profiles.count(np.any(held, axis=0)) if held else 0

    @property
    def loss(self) -> dict[str, float | None]:
        """The share of trees outside each class, among those that were settled; None where there are none."""
        unsettled = self.unsettled
        settled = {name: self.trees - unsettled[name] for name in unsettled}
        return {name: outside / settled[name] if settled[name] else None for name, outside in self.outside.items()}

    def to_state(self) -> dict[str, Any]:
        """All the counts, for `Coverage.to_state`."""
        return {
            "source": self.source,
            "copy": self.copy,
            "path": list(self.path),
            "rows": self.profiles.to_state(),
            "skipped": sorted([each.file, each.line, each.sent_id, each.message] for each in self.skipped),
            "empty": sorted(self.empty),
        }

    @staticmethod
    def from_state(content: dict[str, Any], classes: Sequence[TreeClass], held: Sequence[str]) -> TreebankCoverage:
        """What `to_state` gave."""
        path = tuple(str(folder) for folder in content["path"])
        skipped = [
            Skipped(str(file), whole_number(line), str(sent_id), str(message), b"")
            for file, line, sent_id, message in content["skipped"]
        ]
        return TreebankCoverage(
            path[-1] if path else "",
            Profiles.from_state(content["rows"], held),
            classes,
            skipped,
            empty=[str(message) for message in content["empty"]],
            source=str(content["source"]),
            copy=whole_number(content["copy"], 1),
            path=path,
        )

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        return {
            "name": self.name,
            "trees": self.trees,
            "skipped": len(self.skipped),
            "outside": self.outside,
            "unsettled": self.unsettled,
        }


@dataclass(eq=False, repr=False)
class Coverage:
    """The coverage of one or more treebanks; `table` and the ``to_`` methods give it in other shapes.

    Coverages of the same classes can be added: parts of one source make one row, whatever the order and the split.
    Two are equal when their states are; the treebanks themselves, where they were kept, are no part of that.

    >>> from nonproj.treebank import example_treebank
    >>> treebank = example_treebank()
    >>> halves = coverage(treebank[40:], "Pr WG1") + coverage(treebank[:40], "Pr WG1")
    >>> halves == coverage(treebank, "Pr WG1")
    True
    """

    treebanks: list[TreebankCoverage]
    classes: list[TreeClass]
    sources: list[TreebankCoverage] = field(default_factory=list, repr=False)
    """One for each source, from which the rows are made."""
    by: str = "file"
    dummy: str = "left"
    only: str = ""
    """Which sentences were looked at, in words; nothing for all."""

    @staticmethod
    def of_sources(
        sources: list[TreebankCoverage], classes: list[TreeClass], by: str, dummy: str, only: str = ""
    ) -> Coverage:
        """Make rows of what was found in each source, with names that tell them apart."""
        if by not in GROUPINGS:
            raise NonprojError(f"by must be one of {', '.join(GROUPINGS)}, not {by!r}")
        if by == "total":
            sources = [_joined(TOTAL, sources)] if sources else []
            return Coverage(sources, classes, sources, by, dummy, only)
        rows = _rows(sources, [each.path for each in sources], by)
        return Coverage(rows, classes, sources, by, dummy, only)

    def __add__(self, other: Coverage) -> Coverage:
        if not isinstance(other, Coverage):
            return NotImplemented
        for what, one, two in (
            ("classes", [cls.name for cls in self.classes], [cls.name for cls in other.classes]),
            ("rows", self.by, other.by),
            ("dummy root", self.dummy, other.dummy),
            ("sentences", self.only, other.only),
        ):
            if one != two:
                raise NonprojError(f"coverages of different {what} cannot be added: {one} and {two}")
        members: dict[tuple[str, int], list[TreebankCoverage]] = {}
        for each in (*self.sources, *other.sources):
            members.setdefault((each.source, each.copy), []).append(each)
        sources = [_one_source(members[key], self.by) for key in sorted(members)]
        return Coverage.of_sources(sources, self.classes, self.by, self.dummy, self.only)

    def __radd__(self, other: object) -> Coverage:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        return self.to_state() == other.to_state() if isinstance(other, Coverage) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def in_order(self, sources: Iterable[tuple[str, int]]) -> Coverage:
        """The same with the rows in the order of these sources, given by name and copy."""
        place = {key: i for i, key in enumerate(sources)}
        ordered = sorted(self.sources, key=lambda each: place.get((each.source, each.copy), len(place)))
        return Coverage.of_sources(ordered, self.classes, self.by, self.dummy, self.only)

    def regrouped(self, by: str) -> Coverage:
        """The same with other rows; from a total there is no way back."""
        if self.by == "total" and by != "total":
            raise NonprojError("what was measured as a total has no rows by file or treebank: measure it by file")
        return Coverage.of_sources(self.sources, self.classes, by, self.dummy, self.only)

    def to_state(self) -> str:
        """All the counts as one line of JSON, for `from_state`; equal coverages have equal states.

        Of sentences left out it has where they were and why, but not their text.
        """
        held = [cls.name for cls in self.classes if cls.solver.has_only_a_test]
        content = {
            "by": self.by,
            "dummy": self.dummy,
            "only": self.only,
            "classes": [cls.name for cls in self.classes],
            "properties": list(PROPERTIES),
            "held": held,
            "sources": [each.to_state() for each in sorted(self.sources, key=lambda each: (each.source, each.copy))],
        }
        return state_line(STATE, content)

    @staticmethod
    def from_state(content: dict[str, Any]) -> Coverage:
        """The coverage whose state was read; see `nonproj.state.states_in`."""
        try:
            if content["properties"] != list(PROPERTIES):
                raise NonprojError("it was measured by another version of nonproj: measure it anew")
            classes = tree_classes([str(name) for name in content["classes"]])
            held = [cls.name for cls in classes if cls.solver.has_only_a_test]
            if content["dummy"] not in DUMMY_SIDES or content["held"] != held:
                raise NonprojError(
                    f"the dummy root is {content['dummy']!r}, classes that need a test {content['held']}"
                )
            sources = [TreebankCoverage.from_state(each, classes, held) for each in content["sources"]]
            return Coverage.of_sources(sources, classes, content["by"], content["dummy"], str(content["only"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NonprojError(f"the state of a coverage cannot be used: {error}") from None

    @property
    def skipped(self) -> list[Skipped]:
        """The sentences that were left out because they are not valid."""
        return [skipped for treebank in self.treebanks for skipped in treebank.skipped]

    @property
    def empty(self) -> list[str]:
        """The sources in which there was no sentence at all, and what was there instead."""
        return [source for treebank in self.treebanks for source in treebank.empty]

    @property
    def mean_loss(self) -> dict[str, float | None]:
        """The macro average of the loss in each class, over the treebanks that have one."""
        losses = [treebank.loss for treebank in self.treebanks]
        known = {cls.name: [loss[cls.name] for loss in losses] for cls in self.classes}
        return {name: mean([value for value in values if value is not None]) for name, values in known.items()}

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
        """The fixed JSON shape: ``{"treebanks": [...]}``.

        Each treebank has ``name``, ``trees``, ``skipped``, and by class ``outside`` and ``unsettled``.
        """
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

    def __repr__(self) -> str:
        trees = sum(treebank.trees for treebank in self.treebanks)
        treebanks = "1 treebank" if len(self.treebanks) == 1 else f"{len(self.treebanks)} treebanks"
        return f"<Coverage of {treebanks}, {trees} trees, {len(self.classes)} classes>"

    def _repr_html_(self) -> str:
        from nonproj.draw.notebook import html  # a notebook's hook: drawing is a later room, met only when shown

        return html(self)

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
    dummy: Literal["left", "right"] = "left",
    only: Filter | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Measure which classes cover a treebank: a `Treebank`, a path, or several of either.

    ``by`` makes one row a ``file``, a ``treebank`` (train, dev and test of one name together), or a ``total``. Files of
    one name in several folders are told apart by as much of their paths as it takes.
    With ``on_error="skip"`` invalid sentences are left out, counted and listed instead of raising. ``keep=False``
    reads files block by block, in memory that does not grow with them; `Coverage.unusual` needs them kept. ``dummy`` is
    the side on which the dummy root stands, which matters for MH_k and AD_d where a tree has several roots.
    ``only`` says which sentences to look at, by length, without punctuation, or by a query.
    ``progress`` is called with how many files are done, and how many there are.

    >>> from nonproj.treebank import example_treebank
    >>> result = coverage(example_treebank(), "Pr WG1 MH4")
    >>> result.treebanks[0].trees, sorted(result.treebanks[0].outside)
    (75, ['MH4', 'Pr', 'WG1'])
    """
    if by not in GROUPINGS:
        raise NonprojError(f"by must be one of {', '.join(GROUPINGS)}, not {by!r}")
    chosen = tree_classes(classes)
    parts: list[Treebank | Source] = (
        list(data) if isinstance(data, (list, tuple)) else [cast("Treebank | Source", data)]
    )
    inputs: list[Treebank | Source] = [part for part in parts if isinstance(part, Treebank)]
    files = [part for part in parts if not isinstance(part, Treebank)]
    inputs += sources(files) if files else []
    solvers = [cls.solver for cls in chosen]
    workers = threads or processors()
    # One thread a file while there are files enough; else the trees within a file are shared out instead.
    is_alone = len(inputs) == 1 or (only is not None and only.needs_main_thread)
    within = workers if is_alone else 1

    def profiles_of(treebank: Treebank) -> Profiles:
        return profile_trees(treebank.heads, treebank.offsets, solvers=solvers, threads=within, dummy=dummy)

    def filtered(treebank: Treebank) -> Treebank:
        return treebank if only is None else only.apply(treebank)

    def measure(source: Treebank | Source) -> TreebankCoverage:
        if not keep and not isinstance(source, Treebank):
            return measure_blocks(source)
        treebank = filtered(source if isinstance(source, Treebank) else read(source, on_error=on_error, threads=1))
        kept = [treebank] if keep else []
        skipped, empty = list(treebank.skipped), list(treebank.empty)
        return TreebankCoverage(treebank.name, profiles_of(treebank), chosen, skipped, kept, empty)

    def measure_blocks(source: Source) -> TreebankCoverage:
        blocks = stream_treebanks(source, on_error=on_error)
        gathering = Gathering(profiles_of(Treebank()))
        for block in blocks:
            gathering.add(profiles_of(filtered(block)))
        return TreebankCoverage(title([source]), gathering.whole(), chosen, blocks.skipped, [], blocks.empty)

    measured: list[TreebankCoverage] = []
    with thread_pool(min(workers, max(1, len(inputs)))) as pool:
        try:
            for result in map(measure, inputs) if is_alone else pool.map(measure, inputs):
                measured.append(result)
                if progress is not None:
                    progress(len(measured), len(inputs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for each, (source, copy) in zip(measured, copies_of(inputs), strict=True):
        each.source, each.copy = source, copy
    for each, given in zip(measured, inputs, strict=True):
        each.path = path_of(given)
    said = "" if only is None or only.keeps_all else str(only)
    return Coverage.of_sources(measured, chosen, by, dummy, said)


def copies_of(inputs: Iterable[Treebank | Source]) -> list[tuple[str, int]]:
    """What each source is called, and which one it is of that name.

    >>> copies_of(["a.conllu", "b.conllu", "a.conllu"])
    [('a.conllu', 1), ('b.conllu', 1), ('a.conllu', 2)]
    """
    seen: Counter[str] = Counter()
    found = []
    for each in inputs:
        name = each.name if isinstance(each, Treebank) else label(each)
        seen[name] += 1
        found.append((name, seen[name]))
    return found


def _one_source(parts: list[TreebankCoverage], by: str) -> TreebankCoverage:
    """The parts of one source as one, in a fixed order."""
    whole = _joined(parts[0].name, parts)
    whole.source, whole.copy, whole.path = parts[0].source, parts[0].copy, min(part.path for part in parts)
    if len(parts) > 1:
        whole.profiles = whole.profiles.gathered()
        whole.skipped.sort(key=lambda each: (each.file, each.line, each.sent_id, each.message))
        whole.treebanks = []
        if by != TOTAL and (whole.trees or whole.skipped):
            whole.empty = []  # a part without a sentence is no source without one
    return whole


def _rows(measured: list[TreebankCoverage], paths: list[Path], by: str) -> list[TreebankCoverage]:
    """One row a file or a treebank, with names that tell them apart."""
    titles = paths if by == "file" else treebanks_of(paths)
    groups: dict[object, list[int]] = {}
    for i, each in enumerate(titles):
        groups.setdefault(i if by == "file" else each, []).append(i)
    names = distinct_names([titles[first] for first, *_ in groups.values()])
    return [_joined(name, [measured[i] for i in group]) for name, group in zip(names, groups.values(), strict=True)]


def _joined(name: str, members: list[TreebankCoverage]) -> TreebankCoverage:
    return TreebankCoverage(
        name,
        Profiles.joined([member.profiles for member in members]),
        members[0].classes,
        [skipped for member in members for skipped in member.skipped],
        [treebank for member in members for treebank in member.treebanks],
        [source for member in members for source in member.empty],
        source=name,
        path=(name,),
    )
