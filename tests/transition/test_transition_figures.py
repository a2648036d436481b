"""Figures 4, 6 and 8 of Nivre 2009, row by row."""

from __future__ import annotations

import re

import pytest

from nonproj import Tree, transition_system
from nonproj.transition import Row

# Figure 1, and Figure 2: the same tree with the words in projective order.
FIGURE_1 = Tree(
    [2, 3, 0, 3, 2, 7, 5, 4, 3],
    forms=["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    deprels=["DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "ADV", "P"],
)
FIGURE_2 = Tree(
    [2, 6, 2, 5, 3, 0, 6, 7, 6],
    forms=["A", "hearing", "on", "the", "issue", "is", "scheduled", "today", "."],
    deprels=["DET", "SBJ", "NMOD", "DET", "PC", "ROOT", "VG", "ADV", "P"],
)

# transition | stack | buffer | new arc
FIGURE_4 = """
         | R0                    | A1 ... .9         |
SHIFT    | R0 A1                 | hearing2 ... .9   |
SHIFT    | R0 A1 hearing2        | on3 ... .9        |
LA_DET   | R0 hearing2           | on3 ... .9        | 2 DET 1
SHIFT    | R0 hearing2 on3       | the4 ... .9       |
SHIFT    | R0 ... on3 the4       | issue5 ... .9     |
SHIFT    | R0 ... the4 issue5    | is6 ... .9        |
LA_DET   | R0 ... on3 issue5     | is6 ... .9        | 5 DET 4
RA_PC    | R0 hearing2 on3       | is6 ... .9        | 3 PC 5
RA_NMOD  | R0 hearing2           | is6 ... .9        | 2 NMOD 3
SHIFT    | R0 hearing2 is6       | scheduled7 ... .9 |
LA_SBJ   | R0 is6                | scheduled7 ... .9 | 6 SBJ 2
SHIFT    | R0 is6 scheduled7     | today8 .9         |
SHIFT    | R0 ... scheduled7 today8 | .9             |
RA_ADV   | R0 is6 scheduled7     | .9                | 7 ADV 8
RA_VG    | R0 is6                | .9                | 6 VG 7
SHIFT    | R0 is6 .9             |                   |
RA_P     | R0 is6                |                   | 6 P 9
RA_ROOT  | R0                    |                   | 0 ROOT 6
"""

# transition | m | list, the current word in stars | buffer
FIGURE_6 = """
      | 0 | *R0*                                 | A1 ... .9
SHIFT | 0 | R0 *A1*                              | hearing2 ... .9
SHIFT | 0 | R0 A1 *hearing2*                     | is3 ... .9
SHIFT | 0 | R0 ... hearing2 *is3*                | scheduled4 ... .9
SHIFT | 0 | R0 ... is3 *scheduled4*              | on5 ... .9
SHIFT | 0 | R0 ... scheduled4 *on5*              | the6 ... .9
SWAP  | 1 | R0 ... is3 *on5* scheduled4          | the6 ... .9
SWAP  | 2 | R0 ... hearing2 *on5* is3 scheduled4 | the6 ... .9
SHIFT | 0 | R0 ... scheduled4 *the6*             | issue7 ... .9
SWAP  | 1 | R0 ... is3 *the6* scheduled4         | issue7 ... .9
SWAP  | 2 | R0 ... on5 *the6* is3 scheduled4     | issue7 ... .9
SHIFT | 0 | R0 ... scheduled4 *issue7*           | today8 .9
SWAP  | 1 | R0 ... is3 *issue7* scheduled4       | today8 .9
SWAP  | 2 | R0 ... the6 *issue7* is3 scheduled4  | today8 .9
SHIFT | 0 | R0 ... scheduled4 *today8*           | .9
SHIFT | 0 | R0 ... *.9*                          |
"""

# transition | m | list, the current word in stars | buffer | new arc
FIGURE_8 = """
        | 0 | *R0*                                | A1 ... .9         |
SHIFT   | 0 | R0 *A1*                             | hearing2 ... .9   |
SHIFT   | 0 | R0 A1 *hearing2*                    | is3 ... .9        |
LA_DET  | 0 | R0 *hearing2*                       | is3 ... .9        | 2 DET 1
SHIFT   | 0 | R0 hearing2 *is3*                   | scheduled4 ... .9 |
SHIFT   | 0 | R0 ... is3 *scheduled4*             | on5 ... .9        |
SHIFT   | 0 | R0 ... scheduled4 *on5*             | the6 ... .9       |
SWAP    | 1 | R0 ... is3 *on5* scheduled4         | the6 ... .9       |
SWAP    | 2 | R0 hearing2 *on5* is3 scheduled4    | the6 ... .9       |
SHIFT   | 0 | R0 ... scheduled4 *the6*            | issue7 ... .9     |
SWAP    | 1 | R0 ... is3 *the6* scheduled4        | issue7 ... .9     |
SWAP    | 2 | R0 ... on5 *the6* is3 scheduled4    | issue7 ... .9     |
SHIFT   | 0 | R0 ... scheduled4 *issue7*          | today8 .9         |
SWAP    | 1 | R0 ... is3 *issue7* scheduled4      | today8 .9         |
SWAP    | 2 | R0 ... the6 *issue7* is3 scheduled4 | today8 .9         |
LA_DET  | 2 | R0 ... on5 *issue7* is3 scheduled4  | today8 .9         | 7 DET 6
RA_PC   | 2 | R0 hearing2 *on5* is3 scheduled4    | today8 .9         | 5 PC 7
RA_NMOD | 2 | R0 *hearing2* is3 scheduled4        | today8 ... .9     | 2 NMOD 5
SHIFT   | 0 | R0 ... scheduled4 *today8*          | .9                |
RA_ADV  | 0 | R0 ... is3 *scheduled4*             | .9                | 4 ADV 8
RA_VG   | 0 | R0 hearing2 *is3*                   | .9                | 3 VG 4
LA_SBJ  | 0 | R0 *is3*                            | .9                | 3 SBJ 2
SHIFT   | 0 | R0 is3 *.9*                         |                   |
RA_P    | 0 | R0 *is3*                            |                   | 3 P 9
RA_ROOT | 0 | *R0*                                |                   | 0 ROOT 3
"""


def rows_of(figure: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in figure.strip("\n").splitlines()]


def named(tree: Tree, word: int) -> str:
    return f"{tree.form(word) if word else 'R'}{word}"


def written(tree: Tree, words: list[int], marked: int | None = None) -> str:
    texts = [named(tree, word) for word in words]
    if marked is not None:
        texts[marked] = f"*{texts[marked]}*"
    return " ".join(texts)


def says(printed: str, whole: str) -> bool:
    """Whether the printed list is the whole one, with any number of words (a slip of Figure 8: none) for the dots."""
    pattern = re.escape(printed).replace(r"\ \.\.\.\ ", r"(?:\ \S+)*\ ")
    return re.fullmatch(pattern, whole) is not None


def check_row(printed: list[str], row: Row, tree: Tree, columns: list[str]) -> None:
    assert printed[0] == ("" if row.transition is None else str(row.transition))
    for cell, name in zip(printed[1:], columns, strict=False):
        part = row.configuration.parts[name]
        if isinstance(part, list):
            words = [word for word in part if isinstance(word, int)]
            assert says(cell, written(tree, words, row.configuration.marked.get(name))), (cell, row)
        else:
            assert cell == str(part)
    if len(printed) > len(columns) + 1:
        assert printed[-1] == ("" if row.arc is None else " ".join(map(str, row.arc)))


@pytest.mark.parametrize(
    ("figure", "tree", "system", "oracle", "columns"),
    [
        (FIGURE_4, FIGURE_2, "arc-standard", None, ["stack", "buffer"]),
        (FIGURE_6, FIGURE_1, "sorting", None, ["m", "list", "buffer"]),
        (FIGURE_8, FIGURE_1, "sort-parse", "printed", ["m", "list", "buffer"]),
    ],
)
def test_figures(figure: str, tree: Tree, system: str, oracle: str | None, columns: list[str]) -> None:
    trace = transition_system(system, oracle=oracle).trace(tree)
    printed = rows_of(figure)
    assert len(trace) == len(printed)
    for line, row in zip(printed, trace, strict=True):
        check_row(line, row, tree, columns)


def test_figure_8_as_it_is_shown() -> None:
    """The cells of a trace cut lists short where the paper does, but for the slip in RA_NMOD's buffer."""
    trace = transition_system("sort-parse", oracle="printed").trace(FIGURE_1)
    assert trace.headings == ["transition", "m", "list", "buffer", "new arc"]
    subscripts = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    for printed, cells in zip(rows_of(FIGURE_8), trace.cells(), strict=True):
        plain = [re.sub("[\\x02\\x03]", "*", cell.translate(subscripts)) for cell in cells]
        shown = [plain[0], plain[1], *(re.sub(r"[\[\](),]", "", cell) for cell in plain[2:])]
        assert shown == [cell.replace("today8 ... .9", "today8 .9") for cell in printed]


def test_the_order_of_the_example() -> None:
    assert [FIGURE_1.form(word) for word in FIGURE_1.projective_order] == list(FIGURE_2.forms or ())
