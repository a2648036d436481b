"""What a notebook shows of a sentence, a treebank, a coverage and an evaluation: HTML that fits its page."""

from __future__ import annotations

from functools import singledispatch
from html import escape

from nonproj.draw.content import LONGEST
from nonproj.draw.measure import printable
from nonproj.draw.vector import svg
from nonproj.parser import Evaluation
from nonproj.report import Column, Coverage, Table
from nonproj.treebank import Sentence, Treebank

WIDTH = 900
"""How wide a picture in a notebook is at most; longer sentences are broken into lines."""
SHOWN = 10
"""Sentences of a treebank, and classes of an evaluation, that are shown."""


@singledispatch
def html(what: object) -> str:
    """The HTML of a thing that can be shown.

    >>> from nonproj.treebank import example_treebank
    >>> "<svg" in html(example_treebank()[0]), html(example_treebank()).count("<tr")
    (True, 11)
    """
    raise TypeError(f"expected a sentence, a treebank, a coverage or an evaluation, not {type(what).__name__}")


@html.register
def _(what: Sentence) -> str:
    named = f"<b>{_shown(what.sent_id)}</b> <bdi>{_shown(what.text)}</bdi>"
    if len(what) > LONGEST or -1 in what.heads:  # nothing to draw, or nobody could see it
        return f"<p>{named}, {len(what)} words</p>"
    tags = "upos" if any(tag != "_" for tag in what.upos) else None
    picture = svg(what, tags=tags, width=WIDTH)
    return f'<figure style="margin:0"><figcaption>{named}</figcaption>\n{picture}</figure>'


@html.register
def _(what: Treebank) -> str:
    columns = [Column("id", align_left=True), Column("words"), Column("text", align_left=True)]
    rows = [[sentence.sent_id, str(len(sentence)), _short(sentence.text)] for sentence in what[:SHOWN]]
    left = len(what) - len(rows)
    caption = f"{what.name}: {len(what):,} sentences, {len(what.heads):,} words"
    caption += f", {len(what.skipped):,} skipped" if what.skipped else ""
    return Table(columns, rows, caption, f"and {left:,} more" if left else "").to_html()


@html.register
def _(what: Coverage) -> str:
    return what.table().to_html()


@html.register
def _(what: Evaluation) -> str:
    names = ("words", "UAS", "LAS")
    rows = [
        [name, f"{scores.words:,}", f"{scores.uas:.2f}", f"{scores.las:.2f}"]
        for name, scores in (("all words", what.all), ("without punctuation", what.no_punctuation))
    ]
    for cls in what.classes[:SHOWN]:
        if cls.sentences_outside:
            scores = cls.outside
            rows.append([f"outside {cls.name}", f"{scores.words:,}", f"{scores.uas:.2f}", f"{scores.las:.2f}"])
    note = (
        f"CLAS {what.clas.f1:.2f}; F1 of non-projective arcs {what.non_projective.f1:.2f}; whole trees right "
        f"{what.exact:.2f}, with relations {what.exact_labeled:.2f}"
    )
    columns = [Column("", align_left=True), *map(Column, names)]
    return Table(columns, rows, f"{what.sentences:,} sentences, in percent", note).to_html()


def _shown(text: str) -> str:
    return escape(printable(text))


def _short(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
