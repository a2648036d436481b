"""A table of text cells that can be shown in a terminal or written as CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import html
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Column:
    """A column: its heading, a second line under it (such as a complexity), and its alignment."""

    heading: str
    under: str = ""
    align_left: bool = False


@dataclass
class Table:
    """Rows of text under columns. The first column names the row; `bold` holds (row, column) positions."""

    columns: Sequence[Column]
    rows: list[list[str]]
    caption: str = ""
    note: str = ""
    bold: set[tuple[int, int]] = field(default_factory=set)
    footer_rows: int = 0
    """How many of the last rows, of the table or of each of its sections, are set apart, such as an average."""
    sections: dict[int, str] = field(default_factory=dict)
    """The titles of sections by the number of their first row; none where the table is one."""

    @property
    def has_second_heading(self) -> bool:
        """Whether any column has a second line of heading."""
        return any(column.under for column in self.columns)

    def _is_footer(self, row: int) -> bool:
        """Whether a row is the first of the last rows that are set apart."""
        ends = [*self.sections, len(self.rows)]
        return self.footer_rows > 0 and any(end - row == self.footer_rows for end in ends if end > row)

    def to_csv(self) -> str:
        """Comma-separated values, one heading line; headings that are alike have what stands under them as well.

        Sections become a first column, ``group``.
        """
        headings = [column.heading for column in self.columns]
        names = []
        for column in self.columns:
            is_one_of_several = column.under and headings.count(column.heading) > 1
            names.append(f"{column.heading} {column.under}" if is_one_of_several else column.heading)
        if not self.sections:
            return "".join(map(_csv_row, [names, *self.rows]))
        rows, section = [["group", *names]], ""
        for number, row in enumerate(self.rows):
            section = self.sections.get(number, section)
            rows.append([section, *row])
        return "".join(map(_csv_row, rows))

    def to_markdown(self) -> str:
        """A Markdown table; the second heading becomes the first row."""
        rule = ["---" if column.align_left else "---:" for column in self.columns]
        body = self._styled(lambda cell: f"**{cell}**", _markdown_escape)
        lines = [[_markdown_escape(column.heading) for column in self.columns], rule]
        if self.has_second_heading:
            lines.append([_markdown_escape(column.under) for column in self.columns])
        for number, row in enumerate(body):
            if number in self.sections:
                lines.append([f"*{_markdown_escape(self.sections[number])}*", *[""] * (len(self.columns) - 1)])
            lines.append(row)
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)

    def to_latex(self) -> str:
        """A LaTeX tabular in the manner of the booktabs package."""
        alignment = "".join("l" if column.align_left else "r" for column in self.columns)
        body = self._styled(lambda cell: rf"\textbf{{{cell}}}", _latex_escape)
        lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
        lines.append(_latex_row(_latex_escape(column.heading) for column in self.columns))
        if self.has_second_heading:
            lines.append(_latex_row(_latex_power(column.under) for column in self.columns))
        lines.append(r"\midrule")
        for number, row in enumerate(body):
            if number in self.sections:
                lines += [r"\midrule"] if number else []
                title = rf"\textit{{{_latex_escape(self.sections[number])}}}"
                lines += [rf"\multicolumn{{{len(self.columns)}}}{{l}}{{{title}}} \\", r"\midrule"]
            if self._is_footer(number):
                lines.append(r"\midrule")
            lines.append(_latex_row(row))
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def to_html(self) -> str:
        """An HTML table, without colours of its own, so that it fits the page around it.

        >>> print(Table([Column("class", align_left=True), Column("outside", "n^3")], [["Pr", "<1"]]).to_html())
        <table><thead><tr><th style="text-align:left">class</th>...
        """
        body = self._styled(lambda cell: f"<b>{cell}</b>", _html_escape)
        sides = [f' style="text-align:{"left" if column.align_left else "right"}"' for column in self.columns]

        def line(cells: Iterable[str], tag: str) -> str:
            filled = (f"<{tag}{side}>{cell}</{tag}>" for cell, side in zip(cells, sides, strict=True))
            return f"<tr>{''.join(filled)}</tr>"

        heads = [line((_html_escape(column.heading) for column in self.columns), "th")]
        if self.has_second_heading:
            heads.append(line((_html_power(column.under) for column in self.columns), "th"))
        parts = [f"<caption>{_html_escape(self.caption)}</caption>"] if self.caption else []
        width = len(self.columns)
        titles = {
            number: f'<tr><th colspan="{width}" style="text-align:left">{_html_escape(title)}</th></tr>'
            for number, title in self.sections.items()
        }
        rows = (titles.get(number, "") + line(row, "td") for number, row in enumerate(body))
        parts += [f"<thead>{''.join(heads)}</thead>", "<tbody>", *rows, "</tbody>"]
        note = f"<p>{_html_escape(self.note)}</p>\n" if self.note else ""
        return "<table>" + "\n".join(parts) + f"</table>\n{note}"

    def to_text(self, width: int | None = None, *, color: bool = False) -> str:
        """Plain aligned text; columns that do not fit the width go below, under the row names again."""

        def filled(text: str) -> str:
            return (text if width is None else textwrap.fill(text, width)) + "\n"

        widths = [
            max(_display_width(text) for text in [column.heading, column.under, *(row[i] for row in self.rows)])
            for i, column in enumerate(self.columns)
        ]
        parts = []
        if self.caption:
            parts.append(filled(self.caption))
        for chosen in self._pages(widths, width):
            parts.append(self._page(chosen, widths, color))
        if self.note:
            parts.append(filled(self.note))
        return "\n".join(parts)

    def _pages(self, widths: list[int], width: int | None) -> list[list[int]]:
        """Which columns stand together: the first on every page, the rest as many as fit."""
        rest = list(range(1, len(self.columns)))
        if width is None:
            return [[0, *rest]]
        pages: list[list[int]] = []
        while rest or not pages:
            page, used = [0], widths[0]
            while rest and (len(page) == 1 or used + 2 + widths[rest[0]] <= width):
                used += 2 + widths[rest[0]]
                page.append(rest.pop(0))
            pages.append(page)
        return pages

    def _page(self, chosen: list[int], widths: list[int], color: bool) -> str:
        def line(cells: Sequence[str], style: Callable[[int, str], str] = lambda _, cell: cell) -> str:
            padded = (style(i, _pad(cells[i], widths[i], align_left=self.columns[i].align_left)) for i in chosen)
            return "  ".join(padded).rstrip() + "\n"

        rule = "─" * (sum(widths[i] for i in chosen) + 2 * (len(chosen) - 1)) + "\n"
        text = line([column.heading for column in self.columns], lambda _, cell: _strong(cell, color))
        if self.has_second_heading:
            text += line([column.under for column in self.columns], lambda _, cell: _faint(cell, color))
        text += rule
        for number, row in enumerate(self.rows):
            if number in self.sections:
                text += (rule if number else "") + _strong(self.sections[number], color) + "\n" + rule
            if self._is_footer(number):
                text += rule
            bold = {i for i in chosen if (number, i) in self.bold}
            text += line(row, lambda i, cell, bold=bold: _strong(cell, color) if i in bold else cell)  # type: ignore[misc]
        return text

    def _styled(self, strong: Callable[[str], str], escape: Callable[[str], str]) -> list[list[str]]:
        return [
            [strong(escape(cell)) if (r, c) in self.bold else escape(cell) for c, cell in enumerate(row)]
            for r, row in enumerate(self.rows)
        ]


def _strong(cell: str, color: bool) -> str:
    return f"\x1b[1m{cell}\x1b[0m" if color else cell


def _faint(cell: str, color: bool) -> str:
    return f"\x1b[2m{cell}\x1b[0m" if color else cell


def _display_width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _pad(text: str, width: int, *, align_left: bool) -> str:
    space = " " * (width - _display_width(text))
    return text + space if align_left else space + text


_LINE_ENDS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_LATEX = {
    "\\": r"\textbackslash{}",
    "≤": r"$\leq$",
    "<": "$<$",
    ">": "$>$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def _csv_row(cells: Sequence[str]) -> str:
    # The writer puts cells in quotes for the characters of its own line end, and other readers mind both.
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _markdown_escape(text: str) -> str:
    """Text that stays in its cell and is shown as it is; an underscore within a word needs no backslash."""
    return re.sub(r"[\\|`*<]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)", r"\\\g<0>", _LINE_ENDS.sub(" ", text))


def _html_escape(text: str) -> str:
    return html.escape(_LINE_ENDS.sub(" ", text))


def _html_power(text: str) -> str:
    power = re.fullmatch(r"n\^(\d+)", text)
    return f"n<sup>{power[1]}</sup>" if power else _html_escape(text)


def _latex_escape(text: str) -> str:
    return "".join(_LATEX.get(c, "\\" + c if c in "&%$#_{}" else c) for c in _LINE_ENDS.sub(" ", text))


def _latex_power(text: str) -> str:
    power = re.fullmatch(r"n\^(\d+)", text)
    return f"$n^{{{power[1]}}}$" if power else _latex_escape(text)


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # After the line end before, a bracket would begin its argument and a star be a part of it.
    return "{}" + row if row.lstrip().startswith(("[", "*")) else row
