"""Drawings for the terminal: what they look like, how wide they are, and the trees read back from them."""

from __future__ import annotations

import re

import pytest
from drawn_trees import CHINESE, COMBINING, HEARING, LONG, ONE, ROOTS, random_tree, trees
from hypothesis import given
from hypothesis import strategies as st

from nonproj.draw import text
from nonproj.draw.measure import cell_width, cells, printable
from nonproj.trees import Tree

PENS = str.maketrans("─│┼▼╷●▶", "-|+v|o>")


def cell_rows(drawing):
    """The rows of a drawing cell by cell; a wide character fills two, one without width none."""
    rows = [[c for c in line for _ in range(cells(c))] for line in drawing.splitlines()]
    longest = max(map(len, rows))
    return [row + [" "] * (longest - len(row)) for row in rows]


def read_above(drawing, size, word_rows):
    """The arcs of a drawing without labels: climb from each arrow, follow the run, and come down at the head.

    The feet at one word are equally far apart, one cell or two, and nearer than those of two words; each word
    has one arrow.
    """
    rows = cell_rows(drawing.translate(PENS))
    feet_row = len(rows) - word_rows - 1
    feet = [column for column, cell in enumerate(rows[feet_row]) if cell != " "]
    for spread in (1, 2):
        word_of, word = {}, 0
        for i, foot in enumerate(feet):
            word += i == 0 or foot - feet[i - 1] > spread
            word_of[foot] = word
        arrows = [foot for foot in feet if rows[feet_row][foot] == "v"]
        if [word_of[foot] for foot in arrows] == list(range(1, size + 1)) and word == size:
            return [(word_of.get(head_foot(rows, feet_row, foot), 0), word_of[foot]) for foot in arrows]
    raise AssertionError("the feet do not fall into words with one arrow each")


def head_foot(rows, row, column):
    """The foot at the other end of an arc, or None for the arc of a root, which has no corner."""
    while row > 0 and rows[row - 1][column] in "|+":
        row -= 1
    corner = rows[row - 1][column] if row > 0 else " "
    if corner not in ".╭╮":
        return None
    row -= 1
    step = 1 if column + 1 < len(rows[row]) and rows[row][column + 1] in "-+" and corner != "╮" else -1
    column += step
    while rows[row][column] in "-+":
        column += step
    assert rows[row][column] in ".╭╮"
    return column


def read_beside(drawing):
    """The arcs of a drawing with one word a row: follow each line to its upright, and that to its joint."""
    rows = cell_rows(drawing.translate(PENS))
    arcs = []
    for word, row in enumerate(rows, 1):
        column = row.index(">") - 1
        while column >= 0 and row[column] in "-+o":
            column -= 1
        if column < 0:
            arcs.append((0, word))
            continue
        upward = [] if row[column] in ".╭" else range(word - 2, -1, -1)
        downward = [] if row[column] in "'╰" else range(word, len(rows))
        (head,) = [found for found in (joint(rows, column, way) for way in (upward, downward)) if found]
        arcs.append((head, word))
    return arcs


def joint(rows, column, way):
    for i in way:
        if rows[i][column] == "o":
            return i + 1
        if rows[i][column] not in "|+├":
            return None
    return None


@given(trees(), st.booleans())
def test_arcs_above_are_read_back(tree, ascii):
    drawing = text(tree, width=10_000, labels=False, ascii=ascii)
    assert read_above(drawing, len(tree), 1 if tree.forms is None else 2) == tree.arcs


@given(trees(forms=False), st.booleans())
def test_tight_arcs_above_are_read_back(tree, ascii):
    width = max(map(cell_width, text(tree, width=10_000, ascii=ascii).splitlines())) - 1
    drawing = text(tree, width=width, ascii=ascii)
    read = read_beside(drawing) if ">" in drawing.translate(PENS) else read_above(drawing, len(tree), 1)
    assert read == tree.arcs


@given(trees(), st.booleans(), st.booleans())
def test_lines_beside_are_read_back(tree, ascii, labels):
    assert read_beside(text(tree, width=0, labels=labels, ascii=ascii)) == tree.arcs


@given(trees(), st.integers(1, 200), st.booleans(), st.booleans())
def test_any_tree_is_drawn_within_the_width(tree, width, labels, ascii):
    drawing = text(tree, width=width, labels=labels, ascii=ascii)
    widest = max(map(cell_width, drawing.splitlines()))
    narrowest = max(map(cell_width, text(tree, width=0, labels=labels, ascii=ascii).splitlines()))
    assert widest <= max(width, narrowest)
    assert not re.search(r" +$", drawing, re.MULTILINE)
    coloured = text(tree, width=width, labels=labels, ascii=ascii, color=True)
    assert re.sub(r"\x1b\[\d*m", "", coloured) == drawing


@given(trees())
def test_labels_above_are_whole(tree):
    drawing = text(tree, width=10_000)
    for label in map(printable, tree.deprels or ()):
        assert drawing.count(label) >= tree.deprels.count(label)


def test_hearing():
    assert text(HEARING, width=80).splitlines() == [
        "                  root",
        "                    │ ╭──────────────────punct───────────────────╮",
        "                    │ │           ╭─────────advmod──────────╮    │",
        "        ╭───────────┼─┼─nmod──────┼─────╮ ╭────obl────╮     │    │",
        "╭─det─╮ │ ╭─nsubj─╮ │ │ ╭─xcomp─╮ │     │ │   ╭─det─╮ │     │    │",
        "▼     │ │ ▼       │ ▼ │ │       ▼ │     ▼ │   ▼     │ ▼     ▼    ▼",
        "A    hearing        is       scheduled  on   the   issue  today  .",
        "1       2            3           4       5    6      7      8    9",
    ]


def test_hearing_beside():
    assert text(HEARING, width=40).splitlines() == [
        "   ╭───────▶ 1  A          det",
        " ╭─●───────▶ 2  hearing    nsubj",
        "─●─┼───────▶ 3  is         root",
        " ├─┼───●───▶ 4  scheduled  xcomp",
        " │ ╰─●─┼───▶ 5  on         nmod",
        " │   │ │ ╭─▶ 6  the        det",
        " │   ╰─┼─●─▶ 7  issue      obl",
        " │     ╰───▶ 8  today      advmod",
        " ╰─────────▶ 9  .          punct",
    ]


def test_ascii_uses_ascii_only():
    assert text(HEARING, width=80, ascii=True).isascii()
    assert text(LONG, width=80, ascii=True).isascii()


def test_one_word():
    assert text(ONE, width=80).splitlines() == ["root", "  ▼", " Yes", "  1"]


def test_roots_without_labels():
    assert text(Tree([0, 0]), width=80).splitlines() == ["╷  ╷", "▼  ▼", "1  2"]


def test_wide_characters_keep_their_columns():
    rows = cell_rows(text(CHINESE, width=80, labels=False))
    words = "".join(rows[-2])
    assert "昨昨天天" in words
    assert rows[-3][words.index("我")] == "▼"


def test_combining_characters_stay_with_their_letters():
    drawing = text(COMBINING, width=200)
    assert all(form in drawing for form in COMBINING.forms)


@given(trees(forms=False))
def test_arcs_are_drawn_crossing_as_often_as_they_cross(tree):
    assert text(tree, width=10_000).count("┼") == len(tree.crossings)


def test_a_projective_tree_is_drawn_without_crossings():
    assert "┼" not in text(LONG, width=1000)
    assert "┼" not in text(LONG, width=80)


def test_escape_sequences_in_forms_are_defused():
    assert "\x1b" not in text(Tree([0], forms=["\x1b[2J"]), width=80)


def test_colours_by_plane():
    assert "\x1b[94m" in text(HEARING, width=80, color=True)
    assert "\x1b[94m" not in text(LONG, width=80, color=True)


def test_default_width_is_that_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert text(HEARING) == text(HEARING, width=40)


@pytest.mark.parametrize("width", [80, 10_000])
def test_five_hundred_words(width):
    tree = random_tree(500)
    drawing = text(tree, width=width)
    assert (read_beside(drawing) if width == 80 else read_above(drawing, 500, 1)) == tree.arcs


def test_several_roots():
    assert read_above(text(ROOTS, width=80, labels=False), 6, 2) == ROOTS.arcs
