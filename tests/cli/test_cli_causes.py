"""Causes and chance on the command line, from file to file and from standard input to standard output."""

import json
import pathlib

from test_cli import SAMPLE, TEXT, run

from nonproj import causes, chance


def test_causes_in_every_format(tmp_path: pathlib.Path) -> None:
    data = json.loads(run("causes", "-", "-c", "Pr,WG1", "--format", "json", stdin=TEXT).stdout)
    assert [each["class"] for each in data["classes"]] == ["Pr", "WG1"]
    assert data["classes"][0]["relations"] == dict(causes(SAMPLE, "Pr").classes["Pr"].relations)
    assert all(example["line"] > 0 for some in data["classes"][0]["examples"].values() for example in some)
    out = tmp_path / "patterns.csv"
    plot = tmp_path / "plot.svg"
    run("causes", "--sample", "-c", "Pr", "--table", "patterns", "-n", "4", "-o", str(out), "--plot", str(plot))
    assert len(out.read_text(encoding="utf-8").splitlines()) == 5
    assert "<svg" in plot.read_text(encoding="utf-8")
    assert "Trees outside each class with such relations" in run("causes", "--sample", "--where", "crossing").stdout


def test_a_baseline_instead_of_coverage() -> None:
    arguments = ("coverage", "-", "-c", "Pr,WG1", "--baseline", "shuffle", "--times", "20")
    data = json.loads(run(*arguments, "--format", "json", stdin=TEXT).stdout)
    assert data["outside"] == chance(SAMPLE, "Pr WG1", times=20).to_dict()["outside"]
    assert "against 20 treebanks with words shuffled" in run(*arguments, stdin=TEXT).stdout
    assert "no state" in run(*arguments, "--format", "state", stdin=TEXT, code=2).stderr


def test_states_of_causes_are_merged(tmp_path: pathlib.Path) -> None:
    parts = []
    for number, part in enumerate((SAMPLE[:20], SAMPLE[20:])):
        file = tmp_path / f"{number}.conllu"
        part.write(str(file))
        parts.append(str(tmp_path / f"{number}.state"))
        run("causes", str(file), "-c", "Pr,WG1", "-o", parts[-1])
    merged = json.loads(run("merge", *parts, "--format", "json").stdout)
    whole = json.loads(run("causes", "--sample", "-c", "Pr,WG1", "--format", "json").stdout)
    assert merged["classes"][1]["patterns"] == whole["classes"][1]["patterns"]
    assert "Patterns that take trees out" in run("merge", *parts, "--table", "patterns").stdout
    assert "no table" in run("merge", *parts, "--table", "loss", code=2).stderr
