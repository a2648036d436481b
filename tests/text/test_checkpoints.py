"""When a training writes checkpoints, what a kill costs, and what the command says of it."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

import nonproj as npj
from nonproj.parser import training
from nonproj.parser.learner import GraphStage
from nonproj.parser.training import Epoch
from nonproj.text import Pipeline
from nonproj.text import training as text_training
from nonproj.text.tagger import TagStage

SENTENCES = npj.example_treebank()[:40]
COMMON: dict[str, Any] = {"epochs": 3, "threads": 1, "options": npj.GraphOptions(within="spanning", network=0)}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The steps and the numbers of the epochs whose states are saved."""
    found: list[tuple[str, int]] = []
    save = training._save

    def seen(learner: Any, epochs: Any, best: Any, identity: str, path: str) -> None:
        found.append((path.rpartition("m.checkpoint")[2], len(epochs)))
        save(learner, epochs, best, identity, path)

    monkeypatch.setattr(training, "_save", seen)
    return found


def test_a_short_training_saves_the_ends_of_its_steps(saved: list[tuple[str, int]], tmp_path: pathlib.Path) -> None:
    Pipeline.train(SENTENCES, checkpoint=tmp_path / "m.checkpoint", **COMMON)
    assert saved == [(".tokens", 20), (".tags", 16), ("", 3)]


def test_a_long_training_saves_once_in_a_while(
    saved: list[tuple[str, int]], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0, 7)  # so many seconds an epoch
    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    options = {**COMMON, "epochs": 7}
    npj.Parser.train(SENTENCES, checkpoint=tmp_path / "m.checkpoint", **options)
    assert saved == [("", 3), ("", 6), ("", 7)]


def test_no_mean_is_made_of_models_that_nobody_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {TagStage: 0, GraphStage: 0}

    def counted(cls: Any) -> Any:
        make = cls.arrays

        def arrays(self: Any) -> Any:
            made[cls] += 1
            return make(self)

        return arrays

    for cls in made:
        monkeypatch.setattr(cls, "arrays", counted(cls))
    Pipeline.train(SENTENCES, steps="tags,parse", **COMMON)
    assert made == {TagStage: 11, GraphStage: 1}  # the tagger, and one for each fold


def test_a_kill_while_folds_are_tagged_costs_a_fold(tmp_path: pathlib.Path) -> None:
    whole = Pipeline.train(SENTENCES, steps="tags,parse", save_as=tmp_path / "whole", **COMMON)
    seen: list[str] = []

    class Killed(Exception):
        pass

    def report(epoch: object) -> None:
        seen.append(str(epoch).partition(":")[0])
        if seen[-1] == "tags-4" and seen.count("tags-4") == 1:
            raise Killed

    options = {**COMMON, "steps": "tags,parse", "checkpoint": tmp_path / "m.checkpoint", "report": report}
    with pytest.raises(Killed):
        Pipeline.train(SENTENCES, **options)
    assert (tmp_path / "m.checkpoint.tags-predicted").exists()
    assert not list(tmp_path.glob("m.checkpoint.tags-[0-9]*"))
    assert [step for step in seen if step.startswith("tags-")] == ["tags-1", "tags-2", "tags-3", "tags-4"]
    seen[:] = ["tags-4"]
    Pipeline.train(SENTENCES, save_as=tmp_path / "m", **options)
    assert [step for step in seen[1:] if step.startswith("tags-")] == [f"tags-{fold}" for fold in range(4, 11)]
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()
    assert repr(Pipeline.load(tmp_path / "m")) == repr(whole)
    assert not list(tmp_path.glob("m.checkpoint*"))


STOPPED = """
from nonproj.cli import main
from nonproj.parser import training
save = training._save

def saved(*arguments):
    save(*arguments)
    raise KeyboardInterrupt

training._save = saved
main()
"""


def test_what_stands_there_and_how_to_go_on_is_said(tmp_path: pathlib.Path) -> None:
    def run(*arguments: str, program: str = "from nonproj.cli import main; main()") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, "train", "t.conllu", "-o", "m", "-j", "1", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    SENTENCES.write(tmp_path / "t.conllu")
    stopped = run("--epochs", "1", program=STOPPED)
    assert stopped.returncode == 130
    assert "nonproj: stopped: repeat the command to go on from its checkpoints\n" in stopped.stderr
    assert run("--epochs", "1").returncode == 0
    whole = (tmp_path / "m").read_bytes()
    # A step alone is no new part of the model that is there.
    for more in ((), ("--restart",)):
        refused = run("--steps", "tokens", *more)
        assert refused.returncode == 2
        assert "nonproj: m: there is a file already, which would be replaced" in refused.stderr
        assert "--replace" in refused.stderr
    assert (tmp_path / "m").read_bytes() == whole
    # An interrupted training that replaces a file goes on by the same command.
    stopped = run("--steps", "tokens", "--replace", program=STOPPED)
    assert stopped.returncode == 130
    assert (tmp_path / "m").read_bytes() == whole
    other = run("--steps", "tokens", "--replace", "--epochs", "2", "--seed", "9")
    assert "left by a training with other data or options" in other.stderr
    assert "nonproj train --restart" in other.stderr
    assert run("--steps", "tokens", "--replace").returncode == 0
    assert Pipeline.load(tmp_path / "m").parser is None
    assert not list(tmp_path.glob("m.checkpoint*"))


def test_the_tagger_is_as_its_best_epoch_left_it(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    epochs: list[Epoch] = []
    options: dict[str, Any] = {"steps": "tags", "seed": 5, "threads": 1}
    Pipeline.train(SENTENCES[:30], SENTENCES[30:], report=epochs.append, save_as=tmp_path / "whole", **options)
    best = max(epoch.number for epoch in epochs if epoch.is_best)
    assert best < len(epochs)
    monkeypatch.setattr(text_training, "TAG_EPOCHS", best)
    Pipeline.train(SENTENCES[:30], SENTENCES[30:], save_as=tmp_path / "stopped", **options)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "stopped").read_bytes()
