"""The page to share: well-formed, self-contained, linked, and never taking a treebank's text for HTML."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser

import pytest

from nonproj import Filter, NonprojError, Treebank, example_treebank, read, report_page
from nonproj.report.table import Column, Table
from nonproj.sharing import elements
from nonproj.sharing.plots import coverage_plot, lines_plot, round_marks

VOID = {"meta", "br", "hr", "img", "link", "input"}
HOSTILE = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


class Structure(HTMLParser):
    """Checks that elements are closed in order, and keeps ids, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.directed: list[str] = []
        self.handlers: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given[name] or "" for name in ("href", "src") if name in given]
        self.handlers += [name for name in given if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "bdi":
            self.directed.append(data)


@pytest.fixture(scope="module")
def sample_page() -> str:
    return report_page(example_treebank(), "Pr 1EC WG1 2-P", count=4)


def test_everything_is_there_and_linked(sample_page: str) -> None:
    structure = Structure(sample_page)
    assert len(structure.ids) == len(set(structure.ids))
    for name in ("coverage", "causes", "chance", "unusual", "trees", "classes", "about", "class-WG1", "tree-1"):
        assert name in structure.ids
    assert structure.links
    assert {link[1:] for link in structure.links} <= set(structure.ids)
    assert all(link.startswith("#") for link in structure.links)
    assert structure.tags.count("table") == 7
    assert structure.tags.count("figure") >= 7
    assert "button" in structure.tags


def test_it_needs_no_network(sample_page: str) -> None:
    outside = re.findall(r"(?:https?:)?//[\w.]+", sample_page)
    assert set(outside) <= {"http://www.w3.org"}  # the name of SVG
    assert "default-src 'none'" in sample_page
    assert "@import" not in sample_page
    assert "url(" not in sample_page


def hostile_treebank() -> Treebank:
    row = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
    text = "".join(
        f"# sent_id = {HOSTILE}{number}\n# text = {HOSTILE}\n"
        + "".join(row.format(w, HOSTILE.replace(" ", ""), HOSTILE.replace(" ", ""), h, HOSTILE) for w, h in heads)
        + "\n"
        for number, heads in enumerate([[(1, 3), (2, 4), (3, 0), (4, 3)], [(1, 0), (2, 1)]])
    )
    return read(text.encode(), name=HOSTILE)


def test_text_of_a_treebank_is_never_html() -> None:
    structure = Structure(report_page(hostile_treebank(), "Pr WG1", title=HOSTILE, count=5))
    assert structure.tags.count("script") == 1
    assert "img" not in structure.tags
    assert structure.handlers == []
    assert any(HOSTILE in text for text in structure.directed)


def test_right_to_left_text_has_its_own_direction() -> None:
    rows = "".join(
        f"{w}\t{f}\t_\tX\t_\t_\t{h}\tdep\t_\t_\n" for w, f, h in [(1, "כתב", 3), (2, "ילד", 0), (3, "ספר", 2)]
    )
    structure = Structure(report_page(read(f"# sent_id = שלום\n{rows}".encode()), "Pr"))
    assert "שלום" in structure.directed
    assert "כתב ילד ספר" in structure.directed


def test_small_and_empty_treebanks() -> None:
    one = read(b"1\tYes\t_\tX\t_\t_\t0\troot\t_\t_\n\n", name="one")
    page = report_page(one, "Pr")
    assert "No arcs cross." in page
    assert "No tree is outside any of the classes." in page
    Structure(page)
    two = report_page([one, example_treebank()], "Pr", by="file", only=Filter(max_words=8), count=0)
    assert "of at most 8 words" in two
    Structure(two)
    with pytest.raises(NonprojError, match="no trees"):
        report_page(Treebank())
    with pytest.raises(NonprojError, match="expected 0"):
        report_page(one, count=-1)


def test_tables_keep_their_last_rows_apart() -> None:
    table = Table(
        [Column("a", align_left=True), Column("b", "x")], [["<", "1"], ["sum", "2"]], footer_rows=1, bold={(0, 1)}
    )
    written = elements.table(table, shade=lambda *_: 0.5, link=lambda r, c, t: "to" if c == 0 else "")
    assert "<tfoot><tr>" in written
    assert written.count("&lt;") == 1
    assert "<strong>" in written
    assert 'href="#to"' in written
    assert "--share:0.50" in written


def test_plots_stay_within_their_frames() -> None:
    points = [("Pr", 3, 0.0), ("1EC", 4, 0.0), ("2-P", None, 12.0)]
    lines = {"one": [(3.0, 1.0, 0.1)], "all": [(3.0, 1.3, 0.0)]}
    for picture in (coverage_plot(points, [(3, 0.0)]), lines_plot(lines, "x", "y", "z")):
        for name, value in re.findall(r' (c?[xy][12]?)="(-?[\d.]+)"', picture):
            assert -1 <= float(value) <= (720 if "x" in name else 380)
        assert "nan" not in picture
    crowd = [(f"C{number}", 3, 0.0) for number in range(4)]
    heights = [float(y) for y in re.findall(r'class="label" x="[\d.]+" y="([\d.]+)"', coverage_plot(crowd, [(3, 0.0)]))]
    assert [b - a for a, b in itertools.pairwise(heights)] == [12, 12, 12]
    assert heights[-1] <= 380 - 46 + 4  # above the marks of the axis
    assert round_marks(3, 20) == [4, 6, 8, 10, 12, 14, 16, 18, 20]
    assert round_marks(0, 0.4)[:2] == [0, 0.1]
