"""Every verb on odd input: an answer or an error that names the file; text written another way has the same answer."""

import gzip
import pathlib

import click
import pytest
from click.testing import CliRunner, Result

from nonproj import NonprojError, Pipeline, example_treebank
from nonproj.cli import cli

SAMPLE = example_treebank().to_text()
HEAD = "# sent_id = a\n# text = He del\n1\tHe\the\tPRON\tP\tCase=Nom\t2\tnsubj\t2:nsubj\t_\n"
MULTIWORD = "2-3\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tde\tde\tX\tX\t_\t0\troot\t0:root\t_\n"
TEXT = HEAD + MULTIWORD + "3\tel\tel\tX\tX\t_\t2\tdep\t2:dep\t_\n\n" + SAMPLE

# What stands for FILE; MODEL is one of the sample, GOOD its text.
VERBS = {
    "causes": "causes FILE",
    "census": "census 3 --in FILE",
    "classify": "classify FILE",
    "coverage": "coverage FILE",
    "coverage-chance": "coverage --baseline shuffle --times 2 FILE",
    "diff": "diff FILE GOOD",
    "diff-other": "diff GOOD FILE",
    "draw": "draw FILE",
    "evaluate": "evaluate --samples 10 GOOD FILE",
    "evaluate-columns": "evaluate --table columns FILE GOOD",
    "explain": "explain FILE",
    "graphs": "graphs FILE",
    "lengths": "lengths --times 3 FILE",
    "lift": "lift FILE",
    "lower": "lower FILE",
    "oracle": "oracle --system swap FILE",
    "parse": "parse -j 1 MODEL FILE",
    "report": "report --unusual 1 FILE -o page.html",
    "rules": "rules learn FILE",
    "sort": "sort FILE",
    "trace": "trace --system swap FILE",
    "train": "train --steps tokens -j 1 FILE -o new.model --replace",
    "unusual": "unusual FILE",
}
OTHERWISE = {
    "merge": "merge FILE",
    "decode": "decode FILE",
    "grammar": "grammar parse FILE a b",
    "lift-rules": "lift --rules FILE GOOD",
    "parse-model": "parse FILE GOOD",
    "parse-text": "parse -j 1 --input text MODEL FILE",
    "parse-words": "parse -j 1 --input words MODEL FILE",
    "trace-rules": "trace --schema Eisner --rules FILE --words",
    "train-dev": "train --steps tokens -j 1 GOOD --dev FILE -o new.model --restart --replace",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("model") / "sample.model"
    Pipeline.train(example_treebank(), epochs=1, threads=1, save_as=path)
    return path


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.conllu").write_text(TEXT, encoding="utf-8")
    return tmp_path


def run(command: str, file: str, model: pathlib.Path) -> Result:
    """Run a command here; anything but an answer or an error of ours is raised again."""
    named = {"FILE": file, "MODEL": str(model), "GOOD": "good.conllu"}
    arguments = [named.get(each, each) for each in command.split()]
    arguments += ["a b"] if arguments[-1] == "--words" else []
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    if not isinstance(result.exception, (NonprojError, click.ClickException, SystemExit, type(None))):
        raise result.exception
    return result


SAME = {
    "crlf": TEXT.replace("\n", "\r\n").encode(),
    "mixed": TEXT.replace("\n\n", "\r\n\r\n", 20).encode(),
    "bom": b"\xef\xbb\xbf" + TEXT.encode(),
    "no-end": TEXT.rstrip("\n").encode(),
    "gz": gzip.compress(TEXT.encode()),
    "two-gz": gzip.compress(TEXT[:1000].encode()) + gzip.compress(TEXT[1000:].encode()),
}


@pytest.mark.parametrize("verb", VERBS)
def test_text_written_another_way(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    def shown(text: bytes) -> str:
        (folder / "x.conllu").write_bytes(text)
        result = run(VERBS[verb], "x.conllu", model)
        if result.exception is not None:
            raise result.exception
        page = folder / "page.html"
        written = page.read_text(encoding="utf-8") if page.exists() else ""
        return (result.stdout + written).replace("\r", "").strip("\n\ufeff")  # lifted and parsed texts keep their bytes

    expected = shown(TEXT.encode())
    for name, text in SAME.items():
        assert shown(text) == expected, name


def _row(number: object, head: object, form: str = "w") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"


ODD = {
    "empty": b"",
    "nothing-packed": gzip.compress(b""),
    "empty-lines": b"\n\n\n",
    "comments": b"# sent_id = 1\n\n",
    "nul": b"\0" * 100,
    "binary": bytes(range(256)) * 3,
    "latin-1": TEXT.replace("He", "H\xe9").encode("latin-1", "replace"),
    "utf-16": TEXT.encode("utf-16"),
    "spaces": TEXT.replace("\t", " ").encode(),
    "huge-id": (_row(10**30, 0) + "\n").encode(),
    "huge-head": (_row(1, 10**30) + "\n").encode(),
    "negative": (_row(-1, -1) + "\n").encode(),
    "cycle": (_row(1, 2) + _row(2, 1) + "\n").encode(),
    "own-head": (_row(1, 1) + "\n").encode(),
    "too-far": (_row(1, 0) + _row(2, 9) + "\n").encode(),
    "no-heads": (_row(1, "_") + "\n").encode(),
    "few-columns": b"1\tA\ta\tDET\n\n",
    "more-columns": (_row(1, 0).rstrip("\n") + "\tx\n\n").encode(),
    "order": (_row(2, 0) + _row(1, 2) + "\n").encode(),
    "range": ("5-3" + _row("", "_") + _row(1, 0) + "\n").encode(),
    "empty-node-alone": ("0.1" + _row("", "_") + "\n").encode(),
    "empty-cells": (_row(1, 0, "").replace("X", "") + "\n").encode(),
    "same-ids": ("# sent_id = a\n" + _row(1, 0) + "\n").encode() * 3,
    "controls": (_row(1, 0, "\x1b[2J\x07\x0b\x0c\x85\u2028") + "\n").encode(),
    "surrogate": (_row(1, 0, "A") + "\n").encode().replace(b"A", b"\xed\xa0\x80"),
    "text": b"Hello world.\n",
    "json": b'{"a": 1}\n',
    "cut-short": gzip.compress(TEXT.encode())[:-100],
    "wrong-sum": gzip.compress(TEXT.encode())[:-8] + b"12345678",
    "more-behind": gzip.compress(TEXT.encode()) + b"garbage",
}


@pytest.mark.parametrize("verb", VERBS | OTHERWISE)
def test_odd_input(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    for name, text in ODD.items():
        (folder / f"{name}.conllu").write_bytes(text)
        result = run((VERBS | OTHERWISE)[verb], f"{name}.conllu", model)
        if isinstance(result.exception, NonprojError):
            # A treebank is called as its file without an ending; a warning may have named it.
            assert name in str(result.exception) + result.stderr, f"{name}: {result.exception}"
        else:
            assert result.exit_code in (0, 1, 2, 3), name  # 1: the rules have no tree for the words


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_without_sentences_is_named(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    for name in ("empty", "comments"):
        (folder / f"{name}.conllu").write_bytes(ODD[name])
        result = run(VERBS[verb], f"{name}.conllu", model)
        assert f"{name}.conllu: no" in f"{result.stderr}{result.exception}", name


@pytest.mark.parametrize("verb", VERBS)
def test_a_sentence_that_is_left_out_is_named(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    if "--on-error" not in {option for each in cli.commands[VERBS[verb].split()[0]].params for option in each.opts}:
        pytest.skip("it cannot leave one out")
    (folder / "some.conllu").write_bytes(b"# sent_id = odd\n" + ODD["order"] + TEXT.encode())
    result = run(f"{VERBS[verb]} --on-error skip", "some.conllu", model)
    assert (result.exception, "sentence odd: " in result.stderr) == (None, True), result.stderr
    assert "1 invalid sentence was left out" in result.stderr


@pytest.mark.parametrize("verb", ["coverage", "coverage-chance", "graphs", "lengths", "report", "unusual"])
def test_files_of_one_name_are_told_apart(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    for name in ("one", "other"):
        (folder / name).mkdir()
        (folder / name / "x.conllu").write_text(TEXT, encoding="utf-8")
    result = run(VERBS[verb].replace("FILE", "one/x.conllu other/x.conllu"), "", model)
    shown = (folder / "page.html").read_text(encoding="utf-8") if verb == "report" else result.stdout
    assert "one/x" in shown
    assert "other/x" in shown


@pytest.mark.parametrize("verb", ["diff", "evaluate"])
def test_treebanks_of_one_name_are_told_apart(verb: str, folder: pathlib.Path, model: pathlib.Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "good.conllu").write_text(SAMPLE.replace("hearing", "heering", 1)[:2000], encoding="utf-8")
    result = run(VERBS[verb], "other/good.conllu", model)
    assert "other/good.conllu" in result.stdout + str(result.exception)
