"""The options of `nonproj train`: those of Python, recipes, and which sentences are learnt from."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from dataclasses import fields
from typing import Any

import click
import pytest

import nonproj as npj
from nonproj.cli import options
from nonproj.cli.train import train
from nonproj.parser import Parser, paper_recipe
from nonproj.parser.option import described
from nonproj.parser.options import OPTIONS, Schedule
from nonproj.parser.paper_recipes import RECIPES

ON_COMMAND_LINE = {each.name: each for each in train.params}
OWN: list[tuple[Any, Any, Any]] = [
    (kind, each, about) for kind in (*OPTIONS.values(), Schedule) for each, about in described(kind)
]


def run(*arguments: object, code: int = 0) -> str:
    command = [sys.executable, "-c", "from nonproj.cli import main; main()", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == code, result.stderr
    return result.stderr


@pytest.fixture
def treebank(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "sample.conllu"
    path.write_bytes(bytes(npj.example_treebank()))
    return path


@pytest.mark.parametrize(("kind", "each", "about"), OWN, ids=[f"{kind.__name__} {each.name}" for kind, each, _ in OWN])
def test_an_option_of_python_is_one_of_the_command_line(kind: Any, each: Any, about: Any) -> None:
    if not (about.help or about.switch):
        assert each.name not in ON_COMMAND_LINE or each.name == "threads"
        return
    shown = ON_COMMAND_LINE[each.name]
    assert isinstance(shown, click.Option)
    assert (shown.help or "").startswith(about.help)
    assert shown.default == (None if about.usual else each.default)
    if about.among:
        assert isinstance(shown.type, click.Choice)
        assert tuple(shown.type.choices) == about.among


def test_an_option_of_a_number_has_the_same_bounds_everywhere() -> None:
    checked = 0
    for kind, each, about in OWN:
        if not about.bounds or each.name not in ON_COMMAND_LINE or each.name == "threads":
            continue
        shown = ON_COMMAND_LINE[each.name].type
        assert isinstance(shown, (options.whole, options.number))
        assert shown.max is not None
        inside, outside = about.least, shown.max + 1
        others: dict[str, Any] = {"encoder": "x"} if each.name == "layers" else {}
        if each.name not in ("epochs", "patience", "seed", "max_length"):
            with pytest.raises(npj.NonprojError, match=each.name):
                kind(**dict[str, Any]({each.name: outside}))
        kind(**{each.name: inside, **others})
        assert shown.min == inside
        checked += 1
    assert checked >= 10


def test_options_of_another_kind_are_refused(treebank: pathlib.Path) -> None:
    own = {kind: {each.name for each, _ in described(options)} for kind, options in OPTIONS.items()}
    given = {
        "order": "1", "search": "climb", "network": 0, "candidates": 3, "threshold": 0.1, "pruner": "mst",
        "max_length": 3, "system": "swap", "beam": 2, "labels": "joint", "loss": "crf", "hidden": 8, "layers": 1,
        "encoder": "x", "lifting": "head", "within": "Pr", "algorithm": "perceptron",
    }  # fmt: skip
    for kind, names in own.items():
        for name in sorted(set(given) - names)[:4]:
            option = f"--{name.replace('_', '-')}"
            said = run("train", treebank, "-o", treebank.with_name("m"), "--parser", kind, option, given[name], code=2)
            assert f"{option} has no meaning for --parser {kind}" in said
    said = run("train", treebank, "-o", treebank.with_name("m"), "--parser", "transition", "--recipe", "mst", code=2)
    assert "--recipe has no meaning for --parser transition" in said


@pytest.mark.parametrize("name", RECIPES)
def test_recipes(name: str, treebank: pathlib.Path) -> None:
    model = treebank.with_name("m.model")
    said = run("train", treebank, "-o", model, "--steps", "parse", "--recipe", name, "--epochs", 1)
    options = Parser.load(model).options
    settled = ("single_root", "projective_share")
    expected = {each.name: getattr(paper_recipe(name), each.name) for each in fields(paper_recipe(name))}
    assert {k: v for k, v in options.items() if k not in settled} == {
        k: v for k, v in expected.items() if k not in settled
    }
    proven = 0 if name == "rearr" else 75
    assert f"found in training: 75 trees: {proven} proven best" in said


def test_an_option_goes_before_that_of_a_recipe(treebank: pathlib.Path) -> None:
    model = treebank.with_name("m.model")
    run("train", treebank, "-o", model, "--steps", "parse", "--recipe", "gm+grand", "--within", "Pr", "--epochs", 1)
    assert Parser.load(model).options["within"] == "Pr"
    assert Parser.load(model).options["order"] == "grandparent"
    said = run("parse", model, treebank, "-o", treebank.with_name("out.conllu"), "--report")
    assert "75 trees: 75 proven best (100.00%); climbing alone misses" in said
    assert "found in training: 75 trees: 75 proven best (100.00%)\n" in said
    said = run("train", treebank, "-o", treebank.with_name("n"), "--recipe", "gapmind", code=2)
    assert "'gapmind' is not one of 'proj', 'mst', 'gap-mind', 'proj+sib', 'rearr', 'gm+grand'" in said
    with pytest.raises(npj.NonprojError, match=r"no recipe 'gapmind': recipes are proj, mst, gap-mind"):
        paper_recipe("gapmind")


def test_what_is_chosen_settles_what_else_is_usual(treebank: pathlib.Path) -> None:
    """The usual oracle is that of the system that is chosen, not of the usual system."""
    model = treebank.with_name("m.model")
    common = ("train", treebank, "-o", model, "--steps", "parse", "--epochs", 1, "--parser", "transition")
    run(*common, "--system", "arc-hybrid")
    assert Parser.load(model).options["oracle"] == npj.TransitionOptions(system="arc-hybrid").oracle
    run(*common, "--system", "swap", "--oracle", "eager", "--replace")
    assert Parser.load(model).options["oracle"] == "eager"


def test_how_many_sentences_are_left_out_is_said(treebank: pathlib.Path) -> None:
    lengths = [len(sentence) for sentence in npj.example_treebank()]
    short = sum(length <= 8 for length in lengths)
    common = ("train", treebank, "-o", treebank.with_name("m"), "--steps", "parse", "--epochs", 1, "--replace")
    said = run(*common, "--max-words", 8, "--limit", 10, "--recipe", "mst")
    assert (
        f"left out of 75 sentences of TRAIN: {75 - short} of more than 8 words, {short - 10} after the first 10" in said
    )
    assert "found in training: 10 trees" in said
    said = run(*common, "--limit", 75, "--max-words", 1000, "--recipe", "mst")
    assert "left out" not in said
    assert "no sentence of TRAIN has at most 1 words" in run(*common, "--max-words", 1, code=2)
    said = run(*common, "--rearrange", "--order", "1", code=2)
    assert "only trees with larger parts, found by exact search, can be rearranged" in said
