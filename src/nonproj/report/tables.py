"""The tables of the coverage studies."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nonproj.report.measured import Measured
from nonproj.report.table import Column, Table
from nonproj.trees import tree_classes


def percent(share: float | None) -> str:
    """A percentage with the digits that matter: two, or three where it is small; - where there are no trees."""
    if share is None:
        return "-"
    value = 100 * share
    return f"{value:.3f}" if 0 < value < 0.1 else f"{value:.2f}"


def loss(coverage: Measured) -> Table:
    """The percentage of trees outside each class, the best of each complexity bold, and the macro average.

    After Gómez-Rodríguez 2016, Tables 1 and 2.
    """
    columns = [Column("treebank", align_left=True), Column("trees")]
    columns += [Column(cls.name, f"n^{cls.exponent}" if cls.exponent else "n/a") for cls in coverage.classes]
    losses = [list(treebank.loss.values()) for treebank in coverage.treebanks]
    rows = [[t.name, str(t.trees), *map(percent, values)] for t, values in zip(coverage.treebanks, losses, strict=True)]
    entangled = [treebank.entangled for treebank in coverage.treebanks]
    footer = 0
    if len(losses) > 1:
        losses.append(list(coverage.mean_loss.values()))
        rows.append(["macro average", str(coverage.trees), *map(percent, losses[-1])])
        entangled.append(sum(entangled))
        footer = 1
    if any(entangled):
        columns.append(Column("unsettled"))
        rows = [[*row, str(count)] for row, count in zip(rows, entangled, strict=True)]
    bold = {(row, column + 2) for row, values in enumerate(losses) for column in _best(coverage, values)}
    return Table(
        columns,
        rows,
        caption="Trees outside each class, in percent (lower is better), and the exact parser's complexity.",
        note=_note(coverage),
        bold=bold,
        footer_rows=footer,
    )


def mean(values: Sequence[float]) -> float | None:
    """The average, where there is anything to take it of; the same in whatever order the values come."""
    return math.fsum(values) / len(values) if values else None


def _best(coverage: Measured, values: list[float | None]) -> list[int]:
    """The classes with the smallest loss among those of one complexity, where there is more than one."""
    best = []
    for exponent in {cls.exponent for cls in coverage.classes}:
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
    rows = []
    for treebank in coverage.treebanks:
        profiles = treebank.profiles
        crossing = profiles.column("core") > 0
        gap, nested, mg = (profiles.column(name) for name in ("gap_degree", "well_nested", "mg"))
        ill = crossing & (nested == 0)
        tests = [gap == 1, gap == 2, gap == 3, gap > 3, crossing & (nested == 1), ill & (mg == gap), ill & (mg > gap)]
        counts = [treebank.trees, *map(profiles.count, [crossing, *tests])]
        rows.append([treebank.name, *map(str, counts)])
    return _with_sum(
        [Column("treebank", align_left=True), *map(Column, headings)],
        rows,
        "Trees by gap degree and by nesting, the last three among the non-projective trees.",
        coverage,
    )


def inherit(coverage: Measured) -> Table:
    """How many trees are mildly non-projective, inherit at most 1 or 0 gaps, or are projective.

    After Pitler, Kannan & Marcus 2012, Table 1.
    """
    classes = tree_classes("WG1 M1I M0I Pr")
    titles = ["mild (WG1)", "1-inherit (M1I)", "0-inherit (M0I)", "projective (Pr)"]
    columns = [Column("treebank", align_left=True), Column("sentences")]
    columns += [Column(title, f"n^{cls.exponent}") for title, cls in zip(titles, classes, strict=True)]
    rows = []
    for treebank in coverage.treebanks:
        inside = [treebank.profiles.count(cls.holds(treebank.profiles) == 1) for cls in classes]
        cells = [f"{count} ({100 * count / treebank.trees:.1f})" if treebank.trees else "-" for count in inside]
        rows.append([treebank.name, str(treebank.trees), *cells])
    caption = "Trees inside each class, and in percent, with the exact parser's complexity."
    return Table(columns, rows, caption=caption, note=_note(coverage))


def _with_sum(columns: list[Column], rows: list[list[str]], caption: str, coverage: Measured) -> Table:
    footer = 0
    if len(rows) > 1:
        sums = [str(sum(map(int, column))) for column in list(zip(*rows, strict=True))[1:]]
        rows.append(["sum", *sums])
        footer = 1
    return Table(columns, rows, caption=caption, note=_note(coverage), footer_rows=footer)


def left_out(sentences: int) -> str:
    """How many invalid sentences were left out, in words."""
    return f"{sentences} invalid sentence{'s were' if sentences != 1 else ' was'} left out"


def _note(coverage: Measured) -> str:
    notes = []
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
