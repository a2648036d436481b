"""The verb ``binarise``, and what ``explain`` says of trees outside MG_k."""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from nonproj import Tree, example_treebank, tree_class
from nonproj.draw.binarised import binarised_svg
from nonproj.trees import binarise

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
STRONGLY = Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1])


def run(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *arguments], input=stdin, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert result.returncode == code, result.stderr
    return result


def test_the_picture_shows_the_words_below_each_node() -> None:
    lines = run("binarise", "--heads", "3 0 2 2").stdout.rstrip().splitlines()
    assert lines[0] == "tree: gap degree 1, well-nested; binarised with 0 joins and gap degree 1"
    assert [line.split() for line in lines[2:]] == [
        ["1234", "gaps"],
        ["2", "■■■■", "0"],
        ["3", "■·■·", "1"],
        ["1", "■···", "0"],
        ["4", "···■", "0"],
    ]


def test_the_place_of_the_head_is_no_gap_in_a_join() -> None:
    shown = run("binarise", "--heads", "3 3 0 3 3").stdout
    assert re.search(r"\+ +(■■□■·|■■□·■|■·□■■|·■□■■|■·□·■|·■□■·)", shown)
    nodes = list(binarise(Tree([3, 3, 0, 3, 3])).nodes())
    assert all(node.gap_degree == 0 for node in nodes)
    assert sum(node.label is None for node in nodes) == 2


@pytest.mark.parametrize("sentence", example_treebank(), ids=lambda sentence: sentence.sent_id)
def test_nodes_are_those_of_the_binarised_tree(sentence: object) -> None:
    tree = sentence.tree  # type: ignore[attr-defined]
    found = binarise(tree)
    nodes = list(found.nodes())
    assert sorted(node.label for node in nodes if node.label is not None) == list(range(1, len(tree) + 1))
    assert len(nodes) == len(found.heads)
    for node in nodes:
        if node.label is not None:
            assert sorted(node.words) == tree.yield_of(node.label)
            assert node.head == tree.heads[node.label - 1]
    assert max(node.gap_degree for node in nodes) == found.gap_degree == tree.mg


def test_json_and_dot(tmp_path: pathlib.Path) -> None:
    data = json.loads(run("binarise", "--heads", "3 4 0 3 3", "--format", "json").stdout)
    assert data["brackets"]["3"] == [[1, 4], 5]
    assert data["binarised_heads"] == binarise(Tree([3, 4, 0, 3, 3])).heads
    out = tmp_path / "tree.dot"
    run(
        "binarise", "-s", "x-strongly-ill-nested", "-o", str(out), "--format", "dot", stdin=example_treebank().to_text()
    )
    graph = out.read_text(encoding="utf-8")
    assert graph.count("->") == len(binarise(STRONGLY).heads) - 1
    assert '"2 gaps"' in graph


def test_the_svg_has_a_node_for_each_word_and_a_ring_for_each_join(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "tree.svg"
    run("binarise", "--heads", " ".join(map(str, STRONGLY.heads)), "-o", str(out))
    picture = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    kinds = [element.get("class", "").split()[0] for element in picture if element.get("class")]
    assert (kinds.count("node"), kinds.count("join"), kinds.count("edge"), kinds.count("word")) == (10, 2, 11, 10)
    across = [float(element.get("x", "")) for element in picture if element.get("class", "").startswith("word")]
    assert across == sorted(across)
    nodes = [element for element in picture if element.get("class", "").startswith("node")]
    assert sorted(float(node.get("cx", "")) for node in nodes) == across
    labels = [element.text for element in picture if element.get("class", "").startswith("label")]
    assert labels == ["2 gaps", "2 gaps"]
    assert "SVG holds one tree" in run("binarise", "--sample", "--format", "svg", code=2).stderr


def test_a_picture_from_right_to_left() -> None:
    picture = ElementTree.fromstring(binarised_svg(binarise(Tree([2, 0], forms=["ספר", "טוב"])), dark=False))
    across = [float(element.get("x", "")) for element in picture if element.get("class", "").startswith("word")]
    assert across == sorted(across, reverse=True)


def test_a_tree_that_takes_more_gaps_ends_with_1() -> None:
    heads = " ".join(map(str, STRONGLY.heads))
    assert "not in MG1: its binarisations take 2 gaps" in run("binarise", "--heads", heads, "-k", "1", code=1).stderr
    assert run("binarise", "--heads", heads, "-k", "2").stdout


def test_explain_names_the_head_its_dependents_and_the_best_attempt() -> None:
    text = str(tree_class("MG1").explain(STRONGLY))
    assert text == (
        "the dependents 2, 7, 9 and 10 of 1 cannot be joined two at a time with at most 1 gap on the way; "
        "((9 10) (2 7)) takes 2 gaps"
    )


def test_explain_counts_only_the_words_that_matter() -> None:
    """The same tree below another head, with more leaves: the reason speaks of its words as they are numbered now."""
    heads = [0, *(head + 1 for head in STRONGLY.heads), 9, 12]
    heads[8] = 1
    text = str(tree_class("MG1").explain(Tree(heads)))
    assert "of 2 cannot be joined" in text
    assert "with the words 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11 alone" in text
    (attempt,) = re.findall(r"; (.*) takes 2 gaps", text)
    assert sorted(map(int, re.findall(r"\d+", attempt))) == [3, 8, 10, 11]
