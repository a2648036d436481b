"""The verbs ``schema`` and ``trace``."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

from nonproj import Tree, example_treebank
from nonproj.schema import catalogue, parsing_schema, show
from nonproj.schema.systems.gaps import combination_strings

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
    assert len(out.read_text(encoding="utf-8").splitlines()) == len(catalogue()) + 1 + 3
    assert "WG1-printed,part of WG1,O(n^6),O(n^5)," in out.read_text(encoding="utf-8")
    assert "MGk,MGk,O(n^(3k+4)),O(n^(2k+3))," in out.read_text(encoding="utf-8")


def test_show() -> None:
    assert run("schema", "show", "wg_1").stdout == show(parsing_schema("WG1"))
    assert r"\dfrac" in run("schema", "show", "MH4", "--format", "latex").stdout
    assert "no schema is called 'XYZ'" in run("schema", "show", "XYZ", code=2).stderr


@pytest.mark.parametrize(
    ("name", "shown"),
    [("WGk", "Figure 1B"), ("mg_k", "Combine, for each string of length n"), ("MHk", "h_i -> h_j")],
)
def test_show_a_family(name: str, shown: str) -> None:
    assert shown in run("schema", "show", name).stdout
    latex = run("schema", "show", name, "--format", "latex").stdout
    assert latex.count("{") == latex.count("}")
    assert latex.count("$") % 2 == 0
    assert "say a number for k" in run("trace", "--schema", name, "--heads", "0", code=2).stderr


def test_show_the_steps_of_one_tree() -> None:
    shown = run("schema", "show", "MG9", "--heads", "8 1 10 7 9 2 1 0 1 1").stdout
    assert "Derives trees of MG9, but not all: it misses trees that take other steps." in shown
    assert re.findall("^Combine (.*)$", shown, re.MULTILINE) == ["ababagb", "agbgab", "agbgba"]
    assert "Link 1" in shown
    assert "l3" not in shown  # no item of the derivation has three gaps
    assert "does not derive the tree" in run("schema", "show", "WG1", "--heads", "0 0 1 2", code=2).stderr


def test_strings() -> None:
    assert run("schema", "strings", "MG1").stdout.split() == list(combination_strings(1))
    assert run("schema", "strings", "wg_2").stdout.split() == list(combination_strings(2, well_nested=True))
    assert run("schema", "strings", "MG5", "--count").stdout == "30318\n"
    assert run("schema", "strings", "WG4", "--count").stdout == "105\n"
    for name in ("MH4", "WG0", "MGk"):
        assert "not in" in run("schema", "strings", name, code=2).stderr


def test_check_says_where_a_schema_fails(tmp_path: pathlib.Path) -> None:
    shown = run("schema", "check", "WG1", "-n", "4").stdout
    assert shown.splitlines()[-1].split() == ["4", "121", "121", "yes", "yes"]
    shown = run("schema", "check", "WG1-printed", "-n", "6", code=1).stdout
    assert "6     11,102     11,086  yes    no" in shown
    assert "this tree of WG1 is not derived" in shown
    shown = run("schema", "check", "MG1", "-c", "WG1", "-n", "4", "--single-root", code=0).stdout
    assert shown.splitlines()[-1].split() == ["4", "64", "64", "yes", "yes"]
    out = tmp_path / "check.json"
    run("schema", "check", "MG1", "-c", "WG1", "-n", "4", "--format", "json", "-o", str(out), code=1)
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [one["words"] for one in found] == [1, 2, 3, 4]
    assert found[-1] == {
        "words": 4, "members": 121, "derived": 125, "wrong": 4, "missing": 0, "counter_example": [0, 0, 1, 2]
    }  # fmt: skip


def test_a_tree_is_traced_in_a_schema_too_large_to_write_out() -> None:
    tree = "8 1 10 7 9 2 1 0 1 1"
    shown = run("trace", "--schema", "MG7", "--heads", tree, "--derivation").stdout
    assert shown.startswith("tree: MG7, 14 steps from 11 hypotheses\n")
    assert "with the Combine steps that the tree needs alone" in run("trace", "--schema", "MG7", "--heads", tree).stdout


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
