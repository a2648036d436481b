"""The measuring code of the benchmarks, and the shape of their modules; no benchmark runs here."""

import gc
import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import nonproj

ROOT = Path(__file__).parent.parent
if not (ROOT / "benchmarks").is_dir():
    pytest.skip("the benchmarks are not part of this copy", allow_module_level=True)
sys.path.insert(0, str(ROOT))

from benchmarks import QUESTIONS, SLOW, measure, scores, treebanks  # noqa: E402
from benchmarks import text as texts  # noqa: E402
from benchmarks.__main__ import main  # noqa: E402
from benchmarks.measure import Absent, Disagreement, Row, Target, Timed  # noqa: E402


@pytest.mark.parametrize("name", [*QUESTIONS, *SLOW])
def test_every_question_has_the_same_shape(name: str) -> None:
    question = importlib.import_module(f"benchmarks.{name}")
    assert name == question.NAME
    assert "?" in question.QUESTION
    assert all(isinstance(peer, str) for peer in question.PEERS)
    assert callable(question.run)


def test_every_module_is_a_question_or_shared() -> None:
    modules = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert modules == {*QUESTIONS, *SLOW, "__init__", "__main__", "measure", "scores", "treebanks"}


@pytest.mark.parametrize(
    ("target", "ours", "peer", "value", "met"),
    [
        (Target("faster", 8), 1.0, 8.0, 8.0, True),
        (Target("faster", 8), 1.0, 7.9, 7.9, False),
        (Target("faster", 0.1), 5.0, 1.0, 0.2, True),
        (Target("share", 0.7), 0.7, 1.0, 0.7, True),
        (Target("share", 0.7), 0.8, 1.0, 0.8, False),
        (Target("beyond", 0.15), 0.5, 0.4, 0.1, True),
        (Target("beyond", 0.15), 0.5, 0.3, 0.2, False),
        (Target("seconds", 0.3), 0.2, None, 0.2, True),
        (Target("seconds", 0.3), 0.3, None, 0.3, False),
        (Target("faster", 8), 1.0, None, None, None),
        (Target("share", 8), None, 1.0, None, None),
        (None, 2.0, 6.0, 3.0, None),
    ],
)
def test_ratio_and_verdict(
    target: Target | None, ours: float | None, peer: float | None, value: float | None, met: bool | None
) -> None:
    row = Row("what", ours=ours, peer=peer, target=target)
    assert row.value == (None if value is None else pytest.approx(value))
    assert row.met is met
    assert row.cells()[6] == {True: "ok", False: "MISSED", None: ""}[met]


def test_a_number_is_held_against_its_bound() -> None:
    assert Row("unproven", number=0, target=Target("most", 0)).met is True
    assert Row("unproven", number=1, target=Target("most", 0)).met is False
    assert Row("exponent", number=2.96).cells()[4] == "2.96"


def test_cells() -> None:
    row = Row("reading", "9 words", 0.0021, 0.042, Target("faster", 8), "note")
    assert row.cells() == ("reading", "9 words", "2.1 ms", "42 ms", "20x", "at least 8x", "ok", "note")
    assert Row("start", ours=0.1, peer=0.3, target=Target("beyond", 0.15)).cells()[4] == "-200 ms"
    assert Row("peer", target=Target("faster", 8)).unmeasured(Absent("not there")).cells()[5:] == (
        "at least 8x", "", "not there",
    )  # fmt: skip


def test_durations() -> None:
    written = [measure.duration(seconds) for seconds in (2, 0.9999, 0.25, 0.00312, 25e-6, 4e-8)]
    assert written == ["2 s", "1 s", "250 ms", "3.12 ms", "25 µs", "0.04 µs"]


def test_sides_take_turns_without_the_collector() -> None:
    calls: list[tuple[str, bool]] = []

    def side(name: str) -> str:
        calls.append((name, gc.isenabled()))
        return name

    ours, theirs = Timed(lambda: side("ours"), shortest=0), Timed(lambda: side("theirs"), shortest=0)
    measure.in_turn(ours, theirs, rounds=3)
    assert calls == [("ours", False), ("theirs", False)] * 3
    assert gc.isenabled()
    assert (ours.answer, theirs.answer) == ("ours", "theirs")
    assert len(ours.seconds) == len(theirs.seconds) == 3


def test_slow_sides_are_repeated_less_yet_twice() -> None:
    ours, theirs = measure.race(lambda: 1, lambda: 2, rounds=50, limit=0)
    assert (ours.answer, theirs.answer) == (1, 2)
    assert len(ours.seconds) == len(theirs.seconds) == 2


def test_fast_functions_are_called_often_enough_for_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def work() -> None:
        nonlocal now
        now += 0.25

    monkeypatch.setattr("benchmarks.measure.time.perf_counter", lambda: now)
    timed = Timed(work, shortest=1.0)
    timed.repeat()
    assert now == 0.25
    timed.repeat()
    assert now == 1.25
    assert timed.seconds == [0.25, 0.25]
    timed.seconds = [3.0, 1.0, 2.5]
    assert (timed.best, timed.median) == (1.0, 2.5)


def test_a_peer_that_is_not_installed_is_absent() -> None:
    with pytest.raises(Absent, match="no_such_peer"):
        measure.peer("no_such_peer")


def test_answers_that_differ_fail_loudly() -> None:
    measure.agree(True, "nothing")
    with pytest.raises(Disagreement, match="other heads"):
        measure.agree(False, "other heads")


@pytest.fixture
def question(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command with one question that yields these rows, or raises."""

    def ask(*rows: Row | Exception, options: Sequence[str] = ()) -> Result:
        def run() -> Iterator[Row]:
            for row in rows:
                if isinstance(row, Exception):
                    raise row
                yield row

        monkeypatch.setattr(importlib.import_module("benchmarks.startup"), "run", run)
        return CliRunner().invoke(main, ["startup", *options])

    return ask


MET = Row("met", ours=1.0, peer=9.0, target=Target("faster", 8))
MISSED = Row("missed", ours=2.0, peer=9.0, target=Target("faster", 8))
UNMEASURED = Row("unmeasured", target=Target("faster", 8), note="no such peer")


def test_the_command_counts_targets(question: Callable[..., Result]) -> None:
    result = question(MET, MISSED, UNMEASURED, Row("no target", ours=1.0, peer=2.0))
    assert result.exit_code == 0
    assert "targets: 1 met, 1 missed, 1 not measured" in result.stdout
    assert "no such peer" in result.stdout


@pytest.mark.parametrize(("row", "code"), [(MET, 0), (MISSED, 1), (UNMEASURED, 1)])
def test_check_fails_unless_every_target_is_met(question: Callable[..., Result], row: Row, code: int) -> None:
    assert question(row, options=["--check"]).exit_code == code


def test_answers_that_differ_end_with_an_error(question: Callable[..., Result]) -> None:
    result = question(MET, Disagreement("other heads"))
    assert result.exit_code == 1
    assert "ERROR: startup: other heads" in result.stderr


def test_the_command_names_every_question() -> None:
    assert all(name in CliRunner().invoke(main, ["--help"]).stdout for name in [*QUESTIONS, *SLOW])


def test_without_treebanks_the_sample_stands_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NONPROJ_DATA", str(tmp_path / "absent"))
    assert treebanks.folder() is None
    assert treebanks.text("ud/nl_alpino-ud-test") == bytes(nonproj.example_treebank()) * treebanks.TIMES
    assert "sample" in treebanks.described()
    assert "sample" in treebanks.label("nl_alpino")


def test_treebanks_are_found_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NONPROJ_DATA", str(tmp_path))
    one = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(one)
    (tmp_path / "b.conllu").write_text(one)
    assert treebanks.text("a", "b").decode() == one + one
    assert treebanks.label("a") == "a"
    with pytest.raises(FileNotFoundError, match="c"):
        treebanks.text("c")


def test_scores_like_a_model_favour_the_tree() -> None:
    heads = np.array([2, 0, 2, 3])
    table = scores.like_a_model(heads, np.random.default_rng(0))
    plain = table.copy()
    plain[heads, np.arange(1, 5)] -= scores.GOLD
    again = np.random.default_rng(0).normal(size=(5, 5))
    assert plain[1, 4] == pytest.approx(again[1, 4] - np.log(3))
    assert scores.total(table, heads) == pytest.approx(scores.total(plain, heads) + 4 * scores.GOLD)
    assert [table.shape for table in scores.random_scores(3, 2)] == [(4, 4)] * 2


def test_text_is_wrapped_at_spaces_and_sentences_get_lines() -> None:
    treebank = nonproj.example_treebank()
    text = texts.raw_text(treebank)
    wrapped = texts.wrapped(f"{text}\n\n{text}")
    assert [paragraph.replace("\n", " ") for paragraph in wrapped.split("\n\n")] == [text, text]
    lines = wrapped.split("\n")
    assert max(map(len, lines)) <= texts.COLUMN
    for line, following in itertools.pairwise(lines):  # each is full, but for the last of a paragraph
        assert not line or not following or len(f"{line} {following.split()[0]}") > texts.COLUMN
    by_line = texts.sentence_a_line(treebank)
    assert len(by_line.splitlines()) == len(treebank)
    assert by_line.split() == text.split()
