"""Any analysis of a sentence can be drawn, and one file holds one picture."""

import pathlib

import pytest
from click.testing import CliRunner, Result

import nonproj as npj
from nonproj.cli import cli
from nonproj.errors import NonprojError
from nonproj.grammar import Grammar

SENTENCE = "beans Fernando thought yesterday Milagro claims Carlos eats slowly"


def parse(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["grammar", "parse", "beans.gdg", *arguments], input=text)


def test_any_analysis_is_drawn(tmp_path: pathlib.Path) -> None:
    first, second = Grammar.load("beans.gdg").parse(SENTENCE)
    drawn = [npj.draw(analysis, "svg") for analysis in (first, second)]
    assert drawn[0] != drawn[1]
    for number, picture in enumerate(drawn, 1):
        assert parse("--analysis", str(number), "--format", "svg", *SENTENCE.split()).output == picture
    assert parse("--format", "svg", *SENTENCE.split()).output == drawn[0]
    assert second._repr_svg_() == drawn[1]
    assert "linear governors" in npj.draw(second, width=80)
    with pytest.raises(NonprojError, match="as 'text' or 'svg', not as 'latex'"):
        npj.draw(second, "latex")


def test_a_picture_holds_one_sentence_and_a_page_all(tmp_path: pathlib.Path) -> None:
    text = f"{SENTENCE}\nFernando eats beans\n"
    refused = parse("-o", str(tmp_path / "two.svg"), text=text)
    assert refused.exit_code == 2
    assert "SVG holds one analysis, of one sentence: write a page with -o .html" in refused.output
    assert not (tmp_path / "two.svg").exists()
    page = parse("--format", "html", text=text).output
    assert page.count("<svg") == 4
    assert page.count("<html") == 1


def test_an_analysis_that_there_is_not_is_an_error() -> None:
    assert f"--analysis 3: '{SENTENCE}' has 2" in parse("--analysis", "3", *SENTENCE.split()).output
    assert "--best and --analysis" in parse("--best", "--analysis", "1", *SENTENCE.split()).output
    assert "analysis 2 of 2" in parse("--analysis", "2", *SENTENCE.split()).output
