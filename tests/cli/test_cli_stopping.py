"""Ctrl-C and other signals are heard, and what was written until then is kept."""

import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest
from test_cli_edges import NONPROJ, TEXT

from nonproj import Filter, Treebank, causes, coverage


@pytest.mark.parametrize(
    ("verb", "how"),
    [("parse", signal.SIGINT), ("classify", signal.SIGINT), ("classify", signal.SIGTERM), ("parse", signal.SIGHUP)],
)
def test_stopping_keeps_what_was_written(
    verb: str, how: signal.Signals, model: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    source, out = tmp_path / "pipe", tmp_path / "out.conllu"
    os.mkfifo(source)
    arguments = ["parse", str(model), str(source)] if verb == "parse" else [verb, str(source)]
    command = [*NONPROJ, *arguments, "-o", str(out)]

    def heed() -> None:
        signal.signal(how, signal.SIG_DFL)  # under nohup it would be ignored

    with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heed) as process, open(source, "wb") as pipe:
        pipe.write(TEXT.encode() * 100)
        pipe.flush()
        deadline = time.monotonic() + 60
        while not any(part.stat().st_size for part in tmp_path.glob(".nonproj-*")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(how)
        try:
            said = process.communicate(timeout=20)[1].decode()
        except subprocess.TimeoutExpired:
            # What comes in the instant before Python waits for the pipe is heard with the next signal only.
            process.send_signal(how)
            said = process.communicate(timeout=60)[1].decode()
        assert process.returncode == 128 + how
    assert f"what was written until then is in {out}.part" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.conllu.part", "pipe"]
    assert (tmp_path / "out.conllu.part").read_bytes().startswith(b"# sent_id = en-hearing")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("arguments", [["11"], ["10", "--single-root"]], ids=str)
def test_a_long_census_is_foretold_and_stopped(how: signal.Signals, arguments: list[str]) -> None:
    def heed() -> None:
        signal.signal(how, signal.SIG_DFL)

    command = [*NONPROJ, "census", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed) as process:
        assert process.stderr is not None
        assert "Ctrl-C ends it" in process.stderr.readline()
        process.send_signal(how)
        assert process.communicate(timeout=60)[1].endswith("nonproj: stopped\n")
        assert process.returncode == 128 + how


@pytest.mark.parametrize("where", ['form~"a+"', 'upos=X | head(lemma!~"b+")', "upos=NOUN"])
def test_regular_expressions_run_where_signals_are_heard(
    where: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An expression keeps all other threads from running, and only the main one hears signals."""
    threads = []
    apply = Filter.apply

    def watched(self: Filter, treebank: Treebank) -> Treebank:
        threads.append(threading.current_thread())
        return apply(self, treebank)

    monkeypatch.setattr(Filter, "apply", watched)
    files = [tmp_path / f"{i}.conllu" for i in range(2)]
    for file in files:
        file.write_text(TEXT, encoding="utf-8")
    for measure in (causes, coverage):
        threads.clear()
        measure(files, "Pr", only=Filter(where=where), threads=2)
        assert len(threads) >= 1
        assert ({*threads} == {threading.main_thread()}) == ("~" in where), measure
