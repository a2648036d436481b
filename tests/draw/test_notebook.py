"""What notebooks show, and what a prompt does: short, and never the HTML of a treebank's own text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from drawn_trees import GAPPING, HEBREW

from nonproj import coverage, evaluate, example_treebank, read
from nonproj.draw.notebook import html
from nonproj.treebank import Sentence

ATTACK = "<img src=x onerror=alert(1)>"


def parsed(shown: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<div>{shown}</div>")


def test_everything_shows_itself_as_html() -> None:
    treebank = example_treebank()
    for what in (treebank[0], treebank, coverage(treebank), evaluate(treebank, treebank), HEBREW, GAPPING):
        shown = what._repr_html_()
        assert shown == html(what)
        parsed(shown)
        assert len(repr(what)) < 100
        assert "array" not in repr(what)


def test_a_coverage_has_every_class() -> None:
    shown = html(coverage(example_treebank()))
    assert shown.count("<th ") == 2 * (2 + 19)
    assert "n<sup>3</sup>" in shown


def test_an_evaluation_has_its_scores() -> None:
    gold = example_treebank()
    shown = html(evaluate(gold, gold))
    assert shown.count("100.00") > 6
    assert "outside 1EC" in shown
    assert repr(evaluate(gold, gold)) == "<Evaluation of 75 sentences: UAS 100.00, LAS 100.00>"


def test_text_is_never_html() -> None:
    rows = f"# sent_id = {ATTACK}\n# text = {ATTACK}\n1\t{ATTACK}\t_\tX\t_\t_\t0\t{ATTACK}\t_\t_\n\n"
    treebank = read(rows.encode(), name=ATTACK)
    for what in (treebank, treebank[0], coverage(treebank)):
        assert "<img" not in what._repr_html_()


def test_what_cannot_be_drawn_is_told() -> None:
    unparsed = read(b"1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n", unparsed=True)[0]
    assert "1 words" in html(unparsed)
    long = "".join(f"{i}\tw\t_\t_\t_\t_\t{i - 1}\t_\t_\t_\n" for i in range(1, 2102))
    assert "2101 words" in html(Sentence.parse(long))
    with pytest.raises(TypeError, match="not int"):
        html(3)
