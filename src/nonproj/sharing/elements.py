"""The elements of a page, from text that is never taken for HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from nonproj.draw.measure import printable
from nonproj.report.table import Table

_ARC = re.compile(r"\d+ -[^\s,]+-&gt; \d+,?")
_UNFIT = re.compile(r"[^A-Za-z0-9]+")
Shade = Callable[[int, int, str], float]
Link = Callable[[int, int, str], str]


def shown(text: str) -> str:
    """Text of a treebank, escaped, with what cannot be printed made visible.

    >>> shown("<b>&")
    '&lt;b&gt;&amp;'
    """
    return escape(printable(text))


def own_direction(text: str) -> str:
    """Text of a treebank that is laid out as its script is; arcs are not broken over lines.

    >>> own_direction("3 -det-> 1, 4 -advmod-> 2")
    '<bdi dir="auto"><span>3 -det-&gt; 1,</span> <span>4 -advmod-&gt; 2</span></bdi>'
    """
    whole_arcs = _ARC.sub(r"<span>\g<0></span>", shown(text))
    return f'<bdi dir="auto">{whole_arcs}</bdi>'


def anchor(kind: str, name: str) -> str:
    """A name for a place on the page.

    >>> anchor("class", "2-P")
    'class-2-P'
    """
    return f"{kind}-{_UNFIT.sub('-', name)}"


def table(
    content: Table, *, shade: Shade | None = None, link: Link | None = None, headings: dict[str, str] | None = None
) -> str:
    """A table that is sorted by a click on a heading; its last rows stay where they are.

    ``shade`` gives cells a share of colour from 0 to 1, ``link`` the place on the page that a cell leads to, and
    ``headings`` that of a column.
    """
    heads = []
    for column in content.columns:
        under = f"<small>{shown(column.under)}</small>" if column.under else ""
        name = shown(column.heading)
        to = (headings or {}).get(column.heading)
        about = f' <a href="#{to}" title="what {name} is">?</a>' if to else ""
        side = ' class="left"' if column.align_left else ""
        heads.append(f'<th{side} scope="col"><button type="button">{name}</button>{about}{under}</th>')
    rows = [_row(content, number, shade, link) for number in range(len(content.rows))]
    cut = len(rows) - content.footer_rows
    foot = f"<tfoot>{''.join(rows[cut:])}</tfoot>" if content.footer_rows else ""
    note = f"<p class=note>{shown(content.note)}</p>" if content.note else ""
    caption = f"<caption>{shown(content.caption)}</caption>" if content.caption else ""
    return (
        f"<div class=wide><table>{caption}<thead><tr>{''.join(heads)}</tr></thead>"
        f"<tbody>{''.join(rows[:cut])}</tbody>{foot}</table></div>{note}\n"
    )


def _row(content: Table, number: int, shade: Shade | None, link: Link | None) -> str:
    cells = []
    for place, (column, text) in enumerate(zip(content.columns, content.rows[number], strict=True)):
        inside = own_direction(text)
        if (number, place) in content.bold:
            inside = f"<strong>{inside}</strong>"
        if link is not None and (to := link(number, place, text)):
            inside = f'<a href="#{to}">{inside}</a>'
        look = ' class="left"' if column.align_left else ""
        if shade is not None and (share := shade(number, place, text)) > 0:
            look += f' style="--share:{min(1.0, share):.2f}"'
        cells.append(f"<td{look}>{inside}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def figure(picture: str, caption: str = "") -> str:
    """A picture with a line below it."""
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure>{picture}{below}</figure>\n"


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page that can be linked to."""
    return f'<section id="{name}">\n<h2>{heading}</h2>\n{"".join(parts)}</section>\n'


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and values side by side."""
    return "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs) + "</dl>\n"
