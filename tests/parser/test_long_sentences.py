"""Sentences too long for tables of all pairs of words: one tree of the class, in little memory, no claim of proof."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import nonproj as npj
from nonproj.parser import SearchReport


@cache
def trained(order: str = "both") -> npj.Parser:
    options = npj.GraphOptions(order=order, within="spanning", single_root=True)
    return npj.Parser.train(npj.example_treebank(), options=options, epochs=2, threads=1)


def pasted(words: int) -> bytes:
    """Words of the example treebank one after the other, as one sentence."""
    rows = [line.split("\t") for line in npj.example_treebank().to_text().split("\n") if line.count("\t") == 9]
    rows = [row for row in rows if row[0].isdigit()]
    lines = ["\t".join([str(i), *rows[i % len(rows)][1:6], "_", "_", "_", "_"]) for i in range(1, words + 1)]
    return ("# sent_id = long\n" + "\n".join(lines) + "\n\n").encode()


@pytest.mark.parametrize("order", ["1", "both"])
@pytest.mark.parametrize("within", ["Pr", "1EC", "WG1", "MH4", "2-P", {"Pr": 0, "WG1": 1, "spanning": 2}])
def test_trees_are_of_the_class(order: str, within: npj.Within) -> None:
    parser = trained(order).restricted(within)
    searches = SearchReport()
    (sentence,) = parser.parse(pasted(700), threads=1, searches=searches)
    tree = sentence.tree
    assert len(tree.heads) == 700
    assert list(tree.heads).count(0) == 1
    if isinstance(within, str):
        assert tree in npj.tree_class(within)
    assert (searches.proven, searches.unbounded) == (0, 1)


def test_pieces_join_where_arcs_hold_no_tree() -> None:
    """With one head a word the likely arcs run in circles: the words of a piece hang under each other."""
    options = npj.GraphOptions(within="Pr", single_root=True, parsing_candidates=1)
    parser = npj.Parser.train(npj.example_treebank(), options=options, epochs=1, threads=1)
    (sentence,) = parser.parse(pasted(1500), threads=1)
    assert list(sentence.tree.heads).count(0) == 1
    assert sentence.tree in npj.tree_class("Pr")


def test_climbing_in_the_whole_is_the_same_road() -> None:
    exact, climbing = trained(), trained().restricted(search="climb")
    assert exact.parse(pasted(600), threads=1).to_text() == climbing.parse(pasted(600), threads=1).to_text()


def test_memory_grows_with_the_length_alone(tmp_path: Path) -> None:
    """A table of all pairs of 2,000 words takes 16 or 32 MB, and there were a dozen of them."""
    trained().save(tmp_path / "model")
    (tmp_path / "short").write_bytes(pasted(20))
    (tmp_path / "long").write_bytes(pasted(2000))
    script = """
import resource, sys
import nonproj as npj
model, *texts = sys.argv[1:]
parser = npj.Parser.load(model)
for text in texts:
    parser.parse(text, threads=1)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    command = [sys.executable, "-c", script, *(str(tmp_path / name) for name in ("model", "short", "long"))]
    short, long = map(int, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
    assert (long - short) / 1024 < 30


def test_too_long_is_named_and_skipped() -> None:
    text = pasted(33_000) + pasted(10)
    with pytest.raises(npj.NonprojError, match=r":1: sentence long: .*33000 words is too long"):
        trained().parse_text(text)
    skipped: list[npj.Skipped] = []
    parsed = b"".join(trained().parse_stream([text], on_error="skip", skipped=skipped))
    assert [len(sentence) for sentence in npj.read(parsed)] == [10]
    assert "33000 words is too long" in str(skipped[0])
