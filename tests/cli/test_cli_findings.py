"""Lengths, unusual trees and differences on the command line, from file to file and from standard input."""

import json
import pathlib

from test_cli import SAMPLE, TEXT, run

from nonproj import class_chance, diff, lengths, unusual


def test_trees_drawn_from_each_class() -> None:
    arguments = ("coverage", "-", "-c", "Pr,MH4", "--baseline", "class", "--times", "20")
    data = json.loads(run(*arguments, "--format", "json", stdin=TEXT).stdout)
    assert data["classes"] == class_chance(SAMPLE, "Pr MH4", times=20).to_dict()["classes"]
    assert "drawn uniformly from each class" in run(*arguments, stdin=TEXT).stdout


def test_lengths(tmp_path: pathlib.Path) -> None:
    data = json.loads(run("lengths", "-", "-c", "Pr", "--times", "20", "--format", "json", stdin=TEXT).stdout)
    assert data["lengths"] == lengths(SAMPLE, "Pr", times=20).to_dict()["lengths"]
    out, plot = tmp_path / "out.csv", tmp_path / "plot.svg"
    arguments = ("--min-words", "5", "--max-words", "6", "--times", "20", "-o", str(out), "--plot", str(plot))
    run("lengths", "--sample", *arguments)
    assert [line.split(",")[0] for line in out.read_text(encoding="utf-8").splitlines()] == ["words", "5", "6"]
    assert "<svg" in plot.read_text(encoding="utf-8")
    assert "no sentence" in run("lengths", "--sample", "--min-words", "300", "--max-words", "400", code=2).stderr


def test_unusual(tmp_path: pathlib.Path) -> None:
    data = json.loads(run("unusual", "-", "-n", "3", "--format", "json", stdin=TEXT).stdout)
    assert [each["sent_id"] for each in data["unusual"]] == [each.sentence.sent_id for each in unusual(SAMPLE, 3).found]
    out = tmp_path / "odd.conllu"
    run("unusual", "--sample", "-n", "2", "-o", str(out))
    assert out.read_text(encoding="utf-8").count("# nonproj_unusual = ") == 2
    assert "the most surprising first" in run("unusual", "--sample").stdout


def test_diff(tmp_path: pathlib.Path) -> None:
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    SAMPLE.write(str(one))
    run("lift", str(one), "-o", str(two))
    data = json.loads(run("diff", str(one), str(two), "-c", "Pr", "--format", "json").stdout)
    assert data["classes"][0]["entered"] == 61
    assert "only in the second" not in run("diff", str(one), str(two)).stdout
    shown = run(
        "diff", str(one), "-", "--table", "sentences", "--format", "csv", stdin=two.read_text(encoding="utf-8")
    ).stdout
    assert len(shown.splitlines()) == 21
    from nonproj import read

    assert diff(read(str(one)), read(str(two)), "Pr").to_dict()["sentences"] == data["sentences"]


def test_report(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "report.html"
    run("report", "--sample", "-c", "Pr,WG1", "--unusual", "2", "--title", "Ours", "-o", str(out))
    assert "<title>Ours</title>" in out.read_text(encoding="utf-8")
    assert run("report", "-", "-c", "Pr", "--unusual", "1", stdin=TEXT).stdout.startswith("<!DOCTYPE html>")
    assert "choose another ending" in run("report", "--sample", "-o", str(tmp_path / "report.csv"), code=2).stderr


def test_graphs(tmp_path: pathlib.Path) -> None:
    text = "# sent_id = one\n1\ta\t_\t_\t_\t_\t0\t_\t0:root\t_\n2\tb\t_\t_\t_\t_\t1\t_\t1:x|1:y\t_\n\n"
    data = json.loads(run("graphs", "-", "--format", "json", stdin=text).stdout)
    assert data["treebanks"][0]["edges"] == 1
    file, out = tmp_path / "one.conllu", tmp_path / "one.svg"
    file.write_text(text, encoding="utf-8")
    run("graphs", str(file), "-s", "one", "-o", str(out))
    assert out.read_text(encoding="utf-8").count('class="arc') == 3
    assert "noncrossing" in run("graphs", str(file)).stdout
    assert "name it with -s" in run("graphs", str(file), "--format", "svg", code=2).stderr
    assert "has the id two" in run("graphs", str(file), "-s", "two", "--format", "svg", code=2).stderr
