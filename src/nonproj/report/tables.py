"""The tables of the coverage studies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nonproj.report.measured import Measured, MeasuredTreebank
from nonproj.report.table import Column, Table
from nonproj.trees import Profiles, tree_classes


def percent(share: float | None) -> str:
    """A percentage with the digits that matter: two, or three where it is small; - where there are no trees."""
    if share is None:
        return "-"
    value = 100 * share
    return f"{value:.3f}" if 0 < value < 0.1 else f"{value:.2f}"


def loss(coverage: Measured, *, counts: bool = False) -> Table:
    """The percentage of trees outside each class, the best of each complexity bold, and the macro average.

    Each group of treebanks has an average of its own. ``counts`` adds how many trees these are. After Gómez-Rodríguez
    2016, Tables 1 and 2.
    """
    columns = [Column("treebank", align_left=True), Column("trees")]
    for cls in coverage.classes:
        columns.append(Column(cls.name, f"n^{cls.exponent}" if cls.exponent else "n/a"))
        columns += [Column(f"{cls.name} outside")] if counts else []
    has_unsettled = any(treebank.entangled for treebank in coverage.treebanks)
    columns += [Column("unsettled")] if has_unsettled else []
    step = 2 if counts else 1
    table = Table(
        columns,
        [],
        caption="Trees outside each class, in percent (lower is better), and the exact parser's complexity.",
        note=_note(coverage),
    )

    def add(name: str, trees: int, losses: list[float | None], outside: list[int], entangled: int) -> None:
        cells = [cell for pair in zip(map(percent, losses), map(str, outside), strict=True) for cell in pair[:step]]
        table.bold |= {(len(table.rows), 2 + step * column) for column in _best(coverage, losses)}
        table.rows.append([name, str(trees), *cells, *([str(entangled)] if has_unsettled else [])])

    for name, group in _sections(coverage, table):
        rows = group.treebanks
        for treebank in rows:
            losses, outside = list(treebank.loss.values()), list(treebank.outside.values())
            add(treebank.name, treebank.trees, losses, outside, treebank.entangled)
        if table.footer_rows:
            title = f"macro average, {name}" if name else "macro average"
            outside = [sum(treebank.outside[cls.name] for treebank in rows) for cls in coverage.classes]
            entangled = sum(treebank.entangled for treebank in rows)
            add(title, group.trees, list(group.mean_loss.values()), outside, entangled)
    return table


def _sections(coverage: Measured, table: Table) -> Iterator[tuple[str, Measured]]:
    """The groups of treebanks in turn, with their names, each a section of the table that is being filled.

    Where treebanks were not grouped, they are one group without a name. Sections end with a footer where any of them
    has several rows.
    """
    groups = coverage.groups
    table.footer_rows = int(any(len(group.treebanks) > 1 for group in groups.values() or [coverage]))
    for name, group in groups.items():
        table.sections[len(table.rows)] = name
        yield name, group
    if not groups:
        yield "", coverage


def mean(values: Sequence[float]) -> float | None:
    """The average, where there is anything to take it of; the same in whatever order the values come."""
    return math.fsum(values) / len(values) if values else None


def _best(coverage: Measured, values: list[float | None]) -> list[int]:
    """The classes with the smallest loss among those of one known complexity, where there is more than one."""
    best = []
    for exponent in {cls.exponent for cls in coverage.classes} - {None}:
        members = [i for i, cls in enumerate(coverage.classes) if cls.exponent == exponent]
        known = [value for i in members if (value := values[i]) is not None]
        if len(members) > 1 and known:
            best += [i for i in members if values[i] == min(known)]
    return best


def gaps(coverage: Measured) -> Table:
    """How many trees have which gap degree, and how the non-projective ones nest.

    After Gómez-Rodríguez, Weir & Carroll 2009, Table 1.
    """
    headings = ["total", "non-projective", "gap 1", "gap 2", "gap 3", "gap > 3"]
    headings += ["well-nested", "mildly ill", "strongly ill"]
    caption = "Trees by gap degree and by nesting, the last three among the non-projective trees."
    columns = [Column("treebank", align_left=True), *map(Column, headings)]
    table = Table(columns, [], caption=caption, note=_note(coverage))
    for name, group in _sections(coverage, table):
        counted = [_gaps_of(treebank) for treebank in group.treebanks]
        for treebank, counts in zip(group.treebanks, counted, strict=True):
            table.rows.append([treebank.name, *map(str, counts)])
        if table.footer_rows:
            sums = map(sum, zip(*counted, strict=True))
            table.rows.append([f"sum, {name}" if name else "sum", *map(str, sums)])
    return table


def _gaps_of(treebank: MeasuredTreebank) -> list[int]:
    profiles = treebank.profiles
    crossing = profiles.column("core") > 0
    gap, nested, mg = (profiles.column(name) for name in ("gap_degree", "well_nested", "mg"))
    ill = crossing & (nested == 0)
    tests = [gap == 1, gap == 2, gap == 3, gap > 3, crossing & (nested == 1), ill & (mg == gap), ill & (mg > gap)]
    return [treebank.trees, *map(profiles.count, [crossing, *tests])]


def inherit(coverage: Measured) -> Table:
    """How many trees are mildly non-projective, inherit at most 1 or 0 gaps, or are projective.

    After Pitler, Kannan & Marcus 2012, Table 1.
    """
    classes = tree_classes("WG1 M1I M0I Pr")
    titles = ["mild (WG1)", "1-inherit (M1I)", "0-inherit (M0I)", "projective (Pr)"]
    columns = [Column("treebank", align_left=True), Column("sentences")]
    columns += [Column(title, f"n^{cls.exponent}") for title, cls in zip(titles, classes, strict=True)]
    caption = "Trees inside each class, and in percent, with the exact parser's complexity."
    table = Table(columns, [], caption=caption, note=_note(coverage))
    for _, group in _sections(coverage, table):
        for treebank in group.treebanks:
            inside = [treebank.profiles.count(cls.holds(treebank.profiles) == 1) for cls in classes]
            cells = [f"{count} ({100 * count / treebank.trees:.1f})" if treebank.trees else "-" for count in inside]
            table.rows.append([treebank.name, str(treebank.trees), *cells])
    table.footer_rows = 0
    return table


_NONE: int = np.iinfo(np.int32).max  # no k suffices
_UNKNOWN: int = _NONE - 1  # the least k could not be settled
_FAMILIES: dict[str, Callable[[Profiles], npt.NDArray[np.int64]]] = {
    "MH_k": lambda profiles: _known(profiles.column("mh")),
    "WG_k": lambda profiles: np.where(
        profiles.column("well_nested") == 1, _known(profiles.column("gap_degree")), _NONE
    ),
    "MG_k": lambda profiles: _known(profiles.column("mg")),
    "k-P": lambda profiles: _known(profiles.column("planes")),
    "k-C": lambda profiles: _known(profiles.column("crossing_interval")),
    "AD_d": lambda profiles: _known(np.ma.filled(profiles.column("ad"), _NONE)),
}
"""The least k of each tree, by family of classes."""
_SHARES = {"95%": 0.95, "99%": 0.99, "all": 1.0}


def _known(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.where(values < 0, _UNKNOWN, values).astype(np.int64)


def least_k(coverage: Measured) -> Table:
    """The least k of each family of classes that covers 95% of the trees, 99%, and all.

    WG_0 and MG_0 are the projective trees, as are MH_3, AD_1 and 1-C.
    """
    families = {
        name: least for name, least in _FAMILIES.items() if coverage.dummy != "none" or name not in ("MH_k", "AD_d")
    }
    columns = [Column("treebank", align_left=True), Column("trees")]
    columns += [Column(name, share) for name in families for share in _SHARES]
    caption = "The least k of each family of classes that covers 95% of the trees, 99%, and all."
    table = Table(columns, [], caption=caption, note=_note(coverage))

    def add(name: str, treebanks: Sequence[MeasuredTreebank]) -> None:
        row = [name, str(sum(treebank.trees for treebank in treebanks))]
        for least in families.values():
            found = [(least(treebank.profiles), treebank.profiles.counts) for treebank in treebanks]
            values = np.concatenate([values for values, _ in found])
            counts = np.concatenate([np.ones(len(values)) if each is None else each for values, each in found])
            row += [_enough(values, counts, share) for share in _SHARES.values()]
        table.rows.append(row)

    for name, group in _sections(coverage, table):
        for treebank in group.treebanks:
            add(treebank.name, [treebank])
        if table.footer_rows:
            add(f"together, {name}" if name else "together", group.treebanks)
    return table


def _enough(values: npt.NDArray[np.int64], counts: npt.NDArray[np.float64], share: float) -> str:
    """The least value that is enough for so large a share of what could be settled."""
    settled = values != _UNKNOWN
    values, counts = values[settled], counts[settled]
    order = np.argsort(values, kind="stable")
    covered = np.cumsum(counts[order])
    if not len(covered):
        return "-"
    # Shares are counted in whole trees: 95% of 20 trees are 19.
    needed = math.ceil(share * covered[-1] - 1e-9)
    value = int(values[order][np.searchsorted(covered, needed)])
    return "none" if value == _NONE else str(value)


def left_out(sentences: int) -> str:
    """How many invalid sentences were left out, in words."""
    return f"{sentences} invalid sentence{'s were' if sentences != 1 else ' was'} left out"


_DUMMIES = {
    "right": "The dummy root stands on the right.",
    "none": "There is no dummy root: MH_k and AD_d have no meaning.",
}


def _note(coverage: Measured) -> str:
    notes = [_DUMMIES[coverage.dummy]] if coverage.dummy in _DUMMIES else []
    if coverage.only:
        notes.append(f"Sentences {coverage.only}.")
    if coverage.skipped:
        notes.append(f"{left_out(len(coverage.skipped))}.")
    if empty := sum(treebank.trees == 0 for treebank in coverage.treebanks):
        notes.append(f"{'1 row has' if empty == 1 else f'{empty} rows have'} no trees and no part in averages.")
    unsettled = sum(treebank.entangled for treebank in coverage.treebanks)
    if unsettled:
        trees = "1 tree is" if unsettled == 1 else f"{unsettled} trees are"
        notes.append(f"{trees} too entangled to settle for some class, whose percentage is of the other trees.")
    return " ".join(notes)
