"""Tables as text, CSV, Markdown and LaTeX."""

import csv
import io

from nonproj.report.plot import pareto_front
from nonproj.report.table import Column, Table
from nonproj.report.tables import percent

TABLE = Table(
    [Column("treebank", align_left=True), Column("trees"), Column("Pr", "n^3"), Column("1EC", "n^4")],
    [["a_b", "10", "20.00", "3.00"], ["日本", "5", "0.00", "0.00"], ["macro average", "15", "10.00", "1.50"]],
    bold={(0, 3)},
    footer_rows=1,
)


def test_text_is_aligned_by_display_width() -> None:
    lines = TABLE.to_text().splitlines()
    assert lines[0] == "treebank       trees     Pr   1EC"
    assert lines[1] == "                        n^3   n^4"
    assert lines[4].startswith("日本         ")
    assert lines[5] == lines[2] == "─" * 33


def test_text_goes_below_where_it_does_not_fit() -> None:
    text = TABLE.to_text(width=24)
    assert max(len(line) for line in text.splitlines()) <= 24
    assert text.count("macro average") == 3
    assert all(text.count(heading) == 1 for heading in ("trees", "Pr", "1EC"))


def test_bold_cells_are_marked() -> None:
    assert "\x1b[1m3.00\x1b[0m" in TABLE.to_text(color=True)
    assert "\x1b" not in TABLE.to_text()
    assert "| **3.00** |" in TABLE.to_markdown()
    assert r"\textbf{3.00}" in TABLE.to_latex()


def test_latex_escapes_and_sets_the_average_apart() -> None:
    latex = TABLE.to_latex()
    assert r"a\_b & 10" in latex
    assert "$n^{3}$" in latex
    assert latex.count(r"\midrule") == 2


def test_csv_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["treebank", "trees", "Pr", "1EC"], *TABLE.rows]


def test_percentages_keep_the_digits_that_matter() -> None:
    assert [percent(x) for x in (0.0, 0.5, 0.0123, 0.00004, 1.0)] == ["0.00", "50.00", "1.23", "0.004", "100.00"]


def test_the_front_holds_what_nothing_beats() -> None:
    assert pareto_front([(7, 1.0), (4, 1.0), (3, 9.0), (5, 0.5)]) == [(3, 9.0), (4, 1.0), (5, 0.5)]
