"""No verb writes over what it reads, however that is named; those that rewrite treebanks may."""

import os
import pathlib
import subprocess

import click
import pytest
from test_cli_edges import NONPROJ, TEXT, run

from nonproj.cli import cli, options


@pytest.mark.parametrize(
    "arguments",
    [
        "parse MODEL TREES -o MODEL",
        "train TREES -o TREES",
        "train GOOD --dev TREES -o TREES",
        "coverage TREES -o TREES",
        "rules learn TREES -o TREES",
        "rules apply RULES GOOD --lifted RULES",
        "lift GOOD --rules RULES -o RULES",
        "grammar train TREES -o TREES",
    ],
)
def test_what_is_read_is_not_written_over(arguments: str, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for name in ("TREES", "GOOD"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "MODEL").write_bytes(model.read_bytes())
    run("rules", "learn", tmp_path / "GOOD", "-o", tmp_path / "RULES")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    said = run(*(tmp_path / each if each.isupper() else each for each in arguments.split()), code=2).stderr
    assert f"{tmp_path / arguments.split()[-1]} is read by this command" in said
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    "arguments",
    [
        "coverage folder -o folder/a.conllu --format csv",
        "coverage -o folder/a.conllu --format csv folder/*.conllu",
        "coverage folder/?.conllu* --plot folder/b.conllu.svg",
        "coverage - -o folder/a.conllu --format csv < folder/a.conllu",
        "coverage -o folder/a.conllu --format csv < folder/a.conllu",
        "coverage gone.conllu folder -o link.conllu --format csv",
        "coverage --group all=folder -o folder/a.conllu --format csv",
        "coverage --group other.conllu --group folder/?.conllu -o folder/b.conllu --format csv",
        "coverage --group all=- -o folder/a.conllu --format csv < folder/a.conllu",
        "diff folder other.conllu -o folder/b.conllu --format csv",
        "report folder/** -o folder/b.conllu.html",
        "census 3 --in folder -o folder/a.conllu --format csv",
        "rules learn other.conllu --held-out folder/*rules -o folder/a.rules",
        "rules apply some.rules folder --lifted folder/a.conllu",
        "rules apply some.rules --lifted folder/a.conllu < folder/a.conllu",
        "draw folder/* -n 1 -o folder/b.conllu.svg",
        "classify - -o folder/a.conllu --format json < folder/a.conllu",
        "train other.conllu --dev folder/*rules -o folder/a.rules",
    ],
)
def test_what_is_read_by_folder_pattern_or_standard_input_is_not_written_over(
    arguments: str, tmp_path: pathlib.Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.conllu", "b.conllu", "b.conllu.svg", "b.conllu.html", "a.rules"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    (folder / "dangling.conllu").symlink_to("nowhere")
    (tmp_path / "other.conllu").write_text(TEXT, encoding="utf-8")
    (tmp_path / "some.rules").write_text("", encoding="utf-8")
    (tmp_path / "link.conllu").symlink_to(folder / "a.conllu")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.exists()}
    command, _, redirected = arguments.partition(" < ")
    with (tmp_path / (redirected or os.devnull)).open("rb") as stdin:
        result = subprocess.run(
            [*NONPROJ, *command.split()], stdin=stdin, cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
    assert (result.returncode, "is read by this command, and would be lost" in result.stderr) == (2, True), result
    assert before == {path: path.read_bytes() for path in folder.iterdir() if path.exists()}


def test_a_file_beside_those_that_are_read_may_be_written(tmp_path: pathlib.Path, treebank: pathlib.Path) -> None:
    out = tmp_path / "old.csv"
    out.write_text("old", encoding="utf-8")
    run("coverage", tmp_path, "-o", out)
    assert out.read_text(encoding="utf-8").startswith("treebank,")
    with treebank.open("rb") as stdin:  # what rewrites a treebank may have it from standard input
        subprocess.run([*NONPROJ, "lift", "-", "-o", treebank], stdin=stdin, check=True, timeout=60)
    assert "nonproj" not in run("coverage", treebank, "-c", "Pr").stderr


def test_every_text_that_a_verb_takes_is_known_as_a_treebank_or_not() -> None:
    def names(command: click.Command) -> set[str | None]:
        if isinstance(command, click.Group):
            return set().union(*map(names, command.commands.values()))
        return {each.name for each in command.params if each.type is click.STRING and not options.WRITES & {*each.opts}}

    others = {
        *("model", "rules_file", "rules", "grammar_file", "file"),  # files, each named as it is
        *("parts", "folder", "encoder", "scheduler", "host"),  # nothing that a verb has written over
        *("name", "names", "classes", "within", "class_name", "schema_name", "system", "system_name"),
        *("oracle_name", "oracle", "steps", "arguments", "categories", "category", "table", "boxes", "title", "where"),
        *("sentences", "heads", "forms", "deprels", "words", "tags"),
    }
    assert names(cli) - options.TREEBANKS == others, "keep_inputs has to know what a new parameter names"


def test_a_treebank_may_be_rewritten_in_its_place(treebank: pathlib.Path) -> None:
    lifted = run("lift", treebank).stdout
    run("lift", treebank, "-o", treebank)
    assert treebank.read_text(encoding="utf-8") == lifted
