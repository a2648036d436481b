"""Filters on the command line: the verbs that look at treebanks take them, and streams stay streams."""

import json

import pytest
from test_cli import SAMPLE, TEXT, run

from nonproj import read, tree_class
from nonproj.treebank import Filter

FILTERS = ("--min-words", "5", "--max-words", "9", "--no-punctuation", "--where", "crossing & class!=WG1")
KEPT = Filter(5, 9, True, "crossing & class!=WG1").apply(SAMPLE)


def test_coverage_counts_what_is_left() -> None:
    (row,) = json.loads(run("coverage", "--sample", *FILTERS, "--format", "json").stdout)["treebanks"]
    assert row["trees"] == len(KEPT) > 3
    assert row["outside"]["WG1"] == len(KEPT)
    shown = run("coverage", "-", *FILTERS, stdin=TEXT).stdout
    assert "where crossing & class!=WG1" in " ".join(shown.split())


@pytest.mark.parametrize("verb", ["classify", "explain"])
def test_sentences_asked_for(verb: str) -> None:
    more = ("-n", "0") if verb == "explain" else ()
    out = run(verb, "-", *FILTERS, *more, "--format", "json", stdin=TEXT).stdout
    assert [json.loads(line)["sent_id"] for line in out.splitlines()] == [s.sent_id for s in KEPT]


def test_draw_and_lift() -> None:
    drawn = run("draw", "--sample", *FILTERS, "-n", "0").stdout
    assert all(f"{s.sent_id}\n" in drawn for s in KEPT)
    lifted = read(run("lift", "-", *FILTERS, stdin=TEXT).stdout.encode())
    assert [len(s) for s in lifted] == [len(s) for s in KEPT]


def test_errors() -> None:
    failed = run("coverage", "--sample", "--where", "upos=VERB &", code=2)
    assert failed.stderr.endswith("upos=VERB &\n               ^\n")
    assert "not both" in run("draw", "--heads", "2 0", "--where", "root", code=2).stderr


def test_a_census_of_real_trees() -> None:
    arguments = ("census", "4", "-c", "Pr,WG1", "--in", "-", "--format", "json")
    data = json.loads(run(*arguments, stdin=TEXT).stdout)
    own = [sentence.tree for sentence in SAMPLE if len(sentence) == 4]
    inside = [tree.heads for tree in own if tree in tree_class("Pr")]
    assert data["in_treebanks"]["Pr"] == {"trees": len(inside), "different": len(set(inside))}
    assert "different" in run("census", "4", "--in", "-", "--where", "crossing", stdin=TEXT).stdout
    assert "--in names" in run("census", "4", "--no-punctuation", code=2).stderr
