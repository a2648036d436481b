"""Where the dummy root stands, groups of treebanks and pairs of classes, on the command line."""

import json
import pathlib
import subprocess
import sys

import pytest

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
DIFFERS = "2 0 1 3 4 4 5"
"""In 2-C with the dummy on the left, in 4-C alone with it on the right."""


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run([*NONPROJ, *arguments], capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert result.returncode == code, result.stderr
    return result


@pytest.fixture(name="file")
def file_fixture(tmp_path: pathlib.Path) -> str:
    text = "".join(f"{i}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(DIFFERS.split(), 1)) + "\n"
    (path := tmp_path / "one.conllu").write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("dummy", "k", "outside"), [("left", 2, 0), ("right", 4, 1), ("none", 2, 0)])
def test_coverage_and_classify_put_the_dummy_there(file: str, dummy: str, k: int, outside: int) -> None:
    (row,) = json.loads(run("coverage", file, "--dummy", dummy, "-c", "2-C", "--format", "json").stdout)["treebanks"]
    assert row["outside"] == {"2-C": outside}
    found = json.loads(run("classify", file, "--dummy", dummy, "-c", "2-C", "--format", "json").stdout)
    assert (found["crossing_interval"], found["outside"]) == (k, ["2-C"][:outside])
    assert (found["mh"] is None) == (found["ad"] is None) == (dummy == "none")
    assert f"crossing_interval={k}" in run("classify", file, "--dummy", dummy, "-c", "2-C").stdout


def test_a_class_says_itself_where_the_dummy_is(file: str) -> None:
    (row,) = json.loads(run("coverage", file, "-c", "2-C,2-C@right,1EC@none", "--format", "json").stdout)["treebanks"]
    assert row["outside"] == {"2-C": 0, "2-C@right": 1, "1EC@none": 0}
    assert "outside 2-C@right" in run("explain", "--heads", DIFFERS, "-c", "2-C@right").stdout
    assert "M1IS" in run("classes", "WIS").stdout


def test_without_a_dummy_some_classes_have_no_meaning(file: str) -> None:
    for command in (("coverage", file), ("classify", file), ("census", "3")):
        said = run(*command, "--dummy", "none", "-c", "Pr,MH4", code=2).stderr
        assert "MH4 has no meaning without a dummy root" in said
        assert "MH4" not in run(*command, "--dummy", "none", *["--format", "json"]).stdout


def test_states_of_other_dummies_do_not_add_up(file: str, tmp_path: pathlib.Path) -> None:
    states = []
    for dummy in ("right", "none"):
        states.append(str(tmp_path / f"{dummy}.state"))
        run("coverage", file, "--dummy", dummy, "-c", "2-C", "--format", "state", "-o", states[-1])
    assert "different dummy root" in run("merge", *states, code=2).stderr
    assert '"2-C": 1' in run("merge", states[0], "--format", "json").stdout
    assert "least k" in run("merge", states[0], "--table", "least-k").stdout


def test_groups_of_files(file: str, tmp_path: pathlib.Path) -> None:
    shown = run("coverage", "--group", f"A={file}", "--group", f"A={file}", "--group", str(tmp_path), "-c", "Pr")
    assert "macro average, A" in shown.stdout
    assert f"macro average, {tmp_path.name}" in shown.stdout
    for wrong, said in (
        ([file, "--group", f"A={file}"], "every treebank in a --group"),
        (["--group", f"={file}"], "NAME=PATH"),
        (["--group", f"A={file}", "--baseline", "shuffle"], "neither --group"),
    ):
        assert said in run("coverage", *wrong, code=2).stderr


def test_census_of_pairs() -> None:
    pairs = json.loads(run("census", "5", "--pairs", "-c", "MH4,2-P", "--format", "json").stdout)["pairs"]
    assert pairs[0] == {"inside": "MH4", "outside": "2-P", "trees": 0, "example": None}
    assert (pairs[1]["inside"], pairs[1]["trees"]) == ("2-P", 277)
    written = run("census", "5", "--pairs", "-c", "MH4,2-P", "--format", "csv").stdout
    assert written.splitlines()[0] == "in,not in,trees,example"
    assert "--pairs goes without" in run("census", "4", "--pairs", "--nesting", code=2).stderr


def test_arcs_are_drawn_in_the_planes_of_mh4() -> None:
    shown = run("draw", "--heads", "0 1 1 2 3 4", "--planes", "mh4", "--format", "svg").stdout
    assert shown.count("stroke-plane-1") > 0
    assert "the tree is not in MH4" in run("draw", "--heads", "2 0 0 1", "--planes", "mh4", code=2).stderr
    refused = run("draw", "--heads", "0 1", "--planes", "mh4", "--format", "latex", code=2)
    assert "not for latex" in refused.stderr
