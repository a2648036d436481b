"""The verbs ``schema`` and ``trace``."""

import json
import pathlib
import subprocess
import sys

import pytest

from nonproj import Tree, example_treebank
from nonproj.schema import catalogue, parsing_schema, show

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]


def run(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *arguments], input=stdin, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert result.returncode == code, result.stderr
    return result


def test_list_names_every_schema(tmp_path: pathlib.Path) -> None:
    shown = run("schema", "list").stdout
    for schema in catalogue():
        assert f"\n{schema.name} " in shown
    out = tmp_path / "list.csv"
    run("schema", "list", "--format", "csv", "-o", str(out))
    assert len(out.read_text(encoding="utf-8").splitlines()) == len(catalogue()) + 1


def test_show() -> None:
    assert run("schema", "show", "wg_1").stdout == show(parsing_schema("WG1"))
    assert r"\dfrac" in run("schema", "show", "MH4", "--format", "latex").stdout
    assert "no schema is called 'XYZ'" in run("schema", "show", "XYZ", code=2).stderr


def test_trace_of_heads_as_json_and_table(tmp_path: pathlib.Path) -> None:
    data = json.loads(run("trace", "--schema", "WG1", "--heads", "3 4 0 3", "--format", "json").stdout)
    forest = parsing_schema("WG1").trace(Tree([3, 4, 0, 3]))
    assert data["derived"]
    assert [item["item"] for item in data["items"]] == [row.item for row in forest.rows()]
    assert data["items"][-1] == {
        "number": len(forest.items) - 1,
        "item": "goal",
        "step": "Final",
        "from": [len(forest.items) - 2],
        "arc": None,
        "words": [0, 1, 2, 3, 4],
        "attached": [1, 2, 3, 4],
    }
    table = run("trace", "--schema", "WG1", "--heads", "3 4 0 3").stdout
    assert "Combine Opening Gap" in table
    assert "3 -> 1" in table
    assert "1 -> 3" not in table


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "picture"])
def test_trace_of_a_sentence_to_a_file(form: str, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "trace"
    text = example_treebank().to_text()
    run("trace", "--schema", "MH4", "-s", "en-hearing", "--format", form, "-o", str(out), stdin=text)
    assert "Combine 2+2" in out.read_text(encoding="utf-8")


def test_a_picture_shows_what_items_have_seen() -> None:
    lines = run("trace", "--schema", "WG1", "--heads", "2 0", "--format", "picture").stdout.splitlines()
    assert "012" in lines[2]
    assert any("□■■" in line for line in lines)


def test_a_derivation_alone() -> None:
    figure_1b = "2 3 6 3 4 0 6 11 11 11 3 2 12"
    shown = run("trace", "--schema", "M1I", "--heads", figure_1b, "--derivation").stdout
    assert shown.startswith("tree: M1I, 20 steps from 14 hypotheses\n")
    assert "1 0 2, 3 1" in shown
    assert "6 -> 3" in shown
    data = json.loads(run("trace", "--schema", "M1I", "--heads", "0 1", "--derivation", "--format", "json").stdout)
    assert [row["order"] for row in data["derivation"]] == ["0", "0", "0", "0 1", "0 1", "0 1"]
    assert run("trace", "--schema", "M1I", "--heads", "0 1", "--derivation", "--format", "picture").stdout.count("■")
    assert (
        "goes with --schema" in run("trace", "--system", "arc-standard", "--heads", "0", "--derivation", code=2).stderr
    )
    outside = run(
        "trace", "--schema", "Eisner", "--heads", "3 4 0 3", "--derivation", "--format", "json", code=1
    ).stdout
    assert json.loads(outside)["derivation"] == []


def test_a_tree_outside_the_class_ends_with_1() -> None:
    shown = run("trace", "--schema", "Eisner", "--heads", "3 4 0 3", code=1).stdout
    assert "no final item is derived" in shown


def test_trace_with_a_grammar(tmp_path: pathlib.Path) -> None:
    rules = tmp_path / "dogs.rules"
    rules.write_text("# over tags\nNOUN -> VERB\nVERB -> <root>\n", encoding="utf-8")
    arguments = ["trace", "--schema", "WG1-unlexicalised", "--words", "dogs bark", "--rules", str(rules)]
    shown = run(*arguments, "--tags", "NOUN VERB", "--single-root").stdout
    assert "whole[1, 2, VERB, ⋄, ⋄]" in shown
    assert "one tag a word" in run(*arguments, code=2).stderr


def test_what_does_not_go_together() -> None:
    assert "--schema NAME" in run("trace", "--heads", "0", code=2).stderr
    assert "--words goes with --rules" in run("trace", "--schema", "WG1", "--words", "a", code=2).stderr
    assert "go with --words" in run("trace", "--schema", "WG1", "--heads", "0", "--tags", "X", code=2).stderr
