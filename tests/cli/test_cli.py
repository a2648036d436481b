"""Each verb from file to file and from standard input to standard output."""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from nonproj import Tree, coverage, example_treebank
from nonproj.cli import cli

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
SAMPLE = example_treebank()
TEXT = SAMPLE.to_text()


def run(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *arguments], input=stdin, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert result.returncode == code, result.stderr
    return result


def test_python_m_nonproj() -> None:
    command = [sys.executable, "-m", "nonproj", "draw", "--heads", "2 0"]
    shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert shown.stdout == run("draw", "--heads", "2 0").stdout
    failed = subprocess.run(
        [*command[:3], "explain", "--heads", "9"], capture_output=True, encoding="utf-8", check=False
    )
    assert (failed.returncode, failed.stderr[:9]) == (2, "nonproj: ")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("data") / "toy.conllu.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    return path


def test_coverage_from_file_to_file(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out.json"
    assert run("coverage", str(treebank), "--format", "json", "-o", str(out)).stdout == ""
    (toy,) = json.loads(out.read_text(encoding="utf-8"))["treebanks"]
    assert toy["outside"] == coverage(SAMPLE).treebanks[0].outside
    assert {path.name for path in tmp_path.iterdir()} == {"out.json"}


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
@pytest.mark.parametrize("table", ["loss", "gaps", "inherit", "least-k"])
def test_coverage_from_stdin_to_stdout(form: str, table: str) -> None:
    shown = run("coverage", "--format", form, "--table", table, "-c", "Pr,WG1", stdin=TEXT).stdout
    assert "75" in shown
    if form == "csv":
        expected = coverage(SAMPLE, "Pr WG1").to_csv(table).splitlines()
        assert shown.splitlines()[0] == expected[0]
        assert shown.splitlines()[1].partition(",")[2] == expected[1].partition(",")[2]


def test_coverage_lists_unusual_trees_and_plots(tmp_path: pathlib.Path) -> None:
    shown = run("coverage", "--sample", "--unusual", "2", "--plot", str(tmp_path / "plot.svg")).stdout
    assert "The most unusual trees:" in shown
    assert "x-outside" in shown
    ElementTree.fromstring((tmp_path / "plot.svg").read_text(encoding="utf-8"))


def test_classify_text_json_and_conllu() -> None:
    lines = run("classify", stdin=TEXT).stdout.splitlines()
    assert len(lines) == 75
    assert lines[0].split("\t")[0] == "en-hearing"
    objects = [json.loads(line) for line in run("classify", "--sample", "--format", "json").stdout.splitlines()]
    assert objects[0]["gap_degree"] == 1
    assert "WG1" in objects[0]["outside"]
    marked = run("classify", "--format", "conllu", stdin=TEXT).stdout
    plain = "".join(line for line in marked.splitlines(keepends=True) if not line.startswith("# nonproj"))
    assert plain == TEXT
    assert marked.count("# nonproj = ") == 75


def test_classify_only_what_crosses() -> None:
    crossing = [s.sent_id for s in SAMPLE if not s.tree.is_projective]
    lines = run("classify", "--sample", "--non-projective").stdout.splitlines()
    assert [line.split("\t")[0] for line in lines] == crossing


def test_explain_says_why() -> None:
    shown = run("explain", "--sample", "-s", "en-hearing", "-c", "WG1,MH4").stdout
    assert "the yields of 'hearing' and 'scheduled' interleave: 2 < 4 < 5 < 8" in shown
    assert "inside MH4" in shown
    assert "hearing" in run("explain", "-c", "WG1", "-n", "1", stdin=TEXT).stdout
    (line,) = run("explain", "--heads", "2 3 0 3 2 7 5 4 3", "-c", "WG1", "--format", "json").stdout.splitlines()
    assert json.loads(line)["outside"][0]["reason"] == "nesting"


def test_draw_in_the_terminal_as_svg_and_as_a_page(tmp_path: pathlib.Path) -> None:
    shown = run("draw", "--heads", "2,0,2", "--forms", "a b c").stdout
    assert "▼" in shown
    assert run("draw", "--heads", "2,0,2", "--ascii").stdout.isascii()
    run("draw", "--sample", "-s", "en-hearing", "--boxes", "gaps", "-o", str(tmp_path / "a.svg"))
    ElementTree.fromstring((tmp_path / "a.svg").read_text(encoding="utf-8"))
    run("draw", "--sample", "-o", str(tmp_path / "a.html"), "-n", "3")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count("<svg") == 3
    assert "one tree" in run("draw", "--sample", "-o", str(tmp_path / "b.svg"), code=2).stderr


def test_classes_lists_the_catalogue() -> None:
    assert "gap-minding" in run("classes").stdout
    (named,) = json.loads(run("classes", "mh_12", "--format", "json").stdout)
    assert (named["name"], named["exponent"]) == ("MH12", 12)


def test_census_shape() -> None:
    counted = json.loads(run("census", "6", "--format", "json").stdout)
    assert list(counted) == ["n", "all", "single_root"]
    assert (counted["all"]["WG1"], counted["single_root"]["WG1"]) == (11102, 5652)
    assert "5652" in run("census", "6", "--single-root", "-c", "WG1").stdout


BAD = TEXT.replace("\t3\tnsubj\t", "\t33\tnsubj\t", 1)


@pytest.mark.parametrize("verb", ["coverage", "classify", "explain", "draw"])
def test_bad_input_stops_is_skipped_or_is_strict(verb: str) -> None:
    stopped = run(verb, stdin=BAD, code=2)
    assert "en-hearing" in stopped.stderr
    assert "33" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    skipped = run(verb, "--on-error", "skip", *(["-n", "0"] if verb in ("explain", "draw") else []), stdin=BAD)
    assert "1 invalid sentence" in skipped.stderr
    run(
        verb, "--on-error", "skip", "--strict", *(["-n", "0"] if verb in ("explain", "draw") else []), stdin=BAD, code=3
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["coverage", "nowhere.conllu"], "nowhere.conllu"),
        (["coverage", "--sample", "-c", "XY"], "no class of trees is called 'XY'"),
        (["explain", "--sample", "-s", "nobody"], "no sentence has the id nobody"),
        (["explain", "--heads", "1 2"], "own head"),
        (["explain", "--heads", "a b"], "whole numbers"),
        (["explain", "--heads", "0", "--sample"], "not both"),
        (["draw", "--forms", "a"], "goes with --heads"),
        (["draw", "--sample", "-s", "en-hearing", "--boxes", "x", "-o", "{tmp}/x.svg"], "--boxes takes"),
        (["census", "12"], "1 to 11 words"),
        (["coverage", "--sample", "-o", "{tmp}/no/where.txt"], "where.txt"),
        (["nonsense"], "No such command"),
    ],
)
def test_mistakes_get_one_helpful_line(arguments: list[str], said: str, tmp_path: pathlib.Path) -> None:
    result = run(*(argument.format(tmp=tmp_path) for argument in arguments), code=2)
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_closed_pipe_makes_no_noise() -> None:
    command = " ".join([f"'{sys.executable}'", "-c", "'from nonproj.cli import main; main()'", "classify"])
    result = subprocess.run(
        ["sh", "-c", f"{command} | head -n 1"], input=TEXT * 200, capture_output=True, encoding="utf-8", check=True
    )
    assert result.stdout.startswith("en-hearing\t9\t")
    assert result.stderr == ""


def test_a_tree_shows_itself_in_a_notebook() -> None:
    ElementTree.fromstring(Tree([2, 0, 2])._repr_svg_())


@pytest.mark.parametrize("verb", cli.commands)
def test_every_verb_has_help_with_examples(verb: str) -> None:
    shown = run(verb, "--help").stdout
    assert f"\n  nonproj {verb}" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_help_lists_every_verb_whole() -> None:
    shown = run("--help").stdout
    listed = re.findall(r"^  ([a-z]+)  +\S.*(?<!\.\.\.)$", shown, re.MULTILINE)
    assert sorted(listed) == sorted(cli.commands)


def test_census_of_braids() -> None:
    rows = json.loads(run("census", "3", "--braids", "--format", "json").stdout)
    assert [row["gap_degree"] for row in rows] == [1, 2, 3]
    assert [row["classes"] for row in rows] == [["MH4", "2-P", "1EC"]] * 3
    assert rows[1]["heads"] == [0, 1, 1, 2, 3, 4, 5]
    assert "0 1 1 2 3 4 5 6 7" in run("census", "3", "--braids").stdout
