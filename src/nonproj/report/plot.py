"""Coverage against parsing complexity, as a picture."""

from __future__ import annotations

import os
from typing import Any

from nonproj.errors import NonprojError
from nonproj.report.measured import Measured
from nonproj.report.table import Table


def pareto_front(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The points that no other beats: less loss than every point of the same or a smaller exponent.

    >>> pareto_front([(3, 20.0), (4, 2.0), (4, 3.0), (5, 2.5), (6, 0.1)])
    [(3, 20.0), (4, 2.0), (6, 0.1)]
    """
    front: list[tuple[int, float]] = []
    for exponent, value in sorted(points):
        if not front or value < front[-1][1]:
            front.append((exponent, value))
    return front


def plotting(path: str) -> Any:
    """The package that plots, if it is there and can write such a file: to be asked before the work."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise NonprojError("plots need matplotlib: pip install 'nonproj[plot]'") from None
    known = Figure().canvas.get_supported_filetypes()
    if os.path.splitext(path)[1].lower().removeprefix(".") not in known:
        raise NonprojError(f"{path}: plots are written as .png, .svg or .pdf: choose by the ending")
    return matplotlib


def plot_coverage(coverage: Measured, path: str) -> None:
    """Write the picture; the loss is the macro average over the treebanks."""
    matplotlib = plotting(path)
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    losses = {name: 100 * loss for name, loss in coverage.mean_loss.items() if loss is not None}
    if not losses:
        raise NonprojError("there are no trees to plot")
    parsed = [cls for cls in coverage.classes if cls.exponent is not None and cls.name in losses]
    others = [cls for cls in coverage.classes if cls.exponent is None and cls.name in losses]
    if not parsed:
        raise NonprojError("none of these classes has an exact parser to set its coverage against")
    last = max(cls.exponent or 0 for cls in parsed)
    floor = min((loss for loss in losses.values() if loss > 0), default=0.01) / 3

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    front = pareto_front([(cls.exponent or 0, losses[cls.name]) for cls in parsed])
    axes.step(
        [x for x, _ in front] + [last], [max(y, floor) for _, y in front] + [max(front[-1][1], floor)],
        where="post", color="#c2410c", linewidth=1.2, zorder=1, label="Pareto front",
    )  # fmt: skip
    on_front = {(x, y) for x, y in front}
    seen: dict[tuple[float, float], list[str]] = {}
    for cls in parsed:
        seen.setdefault((cls.exponent or 0, losses[cls.name]), []).append(cls.name)
    for cls in others:
        seen.setdefault((last + 1.5, losses[cls.name]), []).append(cls.name)
    for x, loss in seen:
        colour = "#c2410c" if (x, loss) in on_front else "#475569"
        axes.plot(x, max(loss, floor), "o", color=colour, markersize=5, zorder=2)
    for x, y, text in _spread([(x, max(loss, floor), ", ".join(names)) for (x, loss), names in seen.items()]):
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        axes.annotate(text, (x, y), xytext=(6, 5), textcoords="offset points", fontsize=8, va="center", bbox=behind)

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ticks: list[float] = sorted({cls.exponent or 0 for cls in parsed})
    labels = [f"$n^{{{tick:g}}}$" for tick in ticks]
    if others:
        axes.axvline(last + 0.75, color="#cbd5e1", linewidth=0.8)
        ticks, labels = [*ticks, last + 1.5], [*labels, "no exact\nparser"]
    axes.set_xticks(ticks, labels)
    axes.set_xlim(min(ticks) - 0.3, max(ticks) + 1.0)
    axes.set_xlabel("time of the exact parser")
    axes.set_ylabel("trees outside the class (%)")
    if any(loss == 0 for loss in losses.values()):
        axes.axhline(floor, color="#cbd5e1", linewidth=0.8, zorder=0)
        axes.annotate("none", (min(ticks) - 0.3, floor), xytext=(2, 2), textcoords="offset points", fontsize=7)
    axes.set_title(_title(coverage), fontsize=10)
    axes.legend(loc="lower left", frameon=False, fontsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _save(figure, path)


def plot_shares(table: Table, title: str, path: str) -> None:
    """Write a picture of a table of percentages: a shade for each cell, with its number."""
    matplotlib = plotting(path)
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    if not table.rows:
        raise NonprojError("no tree is outside any of the classes: there is nothing to plot")
    shares = [[float(cell) for cell in row[1:]] for row in table.rows]
    width, height = 2.5 + 0.55 * len(table.columns), 1.4 + 0.26 * len(table.rows)
    figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
    axes.imshow(shares, cmap="Oranges", vmin=0, vmax=100, aspect="auto")
    axes.set_xticks(range(len(table.columns) - 1), [column.heading for column in table.columns[1:]], fontsize=8)
    axes.set_yticks(range(len(table.rows)), [row[0] for row in table.rows], fontsize=8)
    axes.xaxis.tick_top()
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            axes.text(
                x, y, f"{share:.0f}", ha="center", va="center", fontsize=7, color="white" if share > 60 else "#334155"
            )
    axes.set_title(title, fontsize=9)
    _save(figure, path)


def plot_lines(lines: dict[str, list[tuple[float, float, float]]], x: str, y: str, title: str, path: str) -> None:
    """Write a picture of lines through points with errors; the first stands out, the last is what chance gives."""
    matplotlib = plotting(path)
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    names = list(lines)
    for name, points in lines.items():
        across, up, error = ([point[i] for point in points] for i in range(3))
        look = {"linewidth": 1.2, "marker": ".", "markersize": 4}
        if name == names[0]:
            look = {"linewidth": 2.4, "color": "#c2410c", "marker": "o", "markersize": 4}
        elif name == names[-1]:
            look = {"linestyle": "--", "color": "#475569"}
        axes.errorbar(across, up, yerr=error, label=name, elinewidth=0.8, **look)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _save(figure, path)


def _save(figure: Any, path: str) -> None:
    from matplotlib import pyplot as plt

    try:
        figure.savefig(path, dpi=150)
    except (ValueError, OSError) as error:
        raise NonprojError(f"{path}: the plot could not be written: {error}") from None
    finally:
        plt.close(figure)


def _spread(labels: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Labels of one column moved apart where they would overlap on the logarithmic axis."""
    spread: list[tuple[float, float, str]] = []
    for x, y, text in sorted(labels, key=lambda label: (label[0], -label[1])):
        if spread and spread[-1][0] == x and spread[-1][1] / y < 1.3:
            y = spread[-1][1] / 1.3
        spread.append((x, y, text))
    return spread


def _title(coverage: Measured) -> str:
    names = [treebank.name for treebank in coverage.treebanks if treebank.trees]
    shown = names[0] if len(names) == 1 else f"macro average over {len(names)} treebanks"
    return f"{shown}: {coverage.trees} trees"
