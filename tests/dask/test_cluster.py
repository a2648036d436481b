"""A local cluster of Dask: the same answers; what happens when workers die is in tests/scale."""

import gzip
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor

import pytest

pytest.importorskip("distributed.client", reason="the extra dask is not installed")

from click.testing import CliRunner

import nonproj as npj
from nonproj import NonprojError, distributed, example_treebank
from nonproj.cli import cli
from nonproj.distributed import Model
from nonproj.distributed.dask import dask_executor, send_model

pytestmark = pytest.mark.filterwarnings("ignore")
SAMPLE = example_treebank()
SIZE = 0.02


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with dask_executor(workers=2) as executor:
        yield executor


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "large.conllu").write_bytes(bytes(SAMPLE) * 8)
    (folder / "small.conllu.gz").write_bytes(gzip.compress(bytes(SAMPLE)))
    return folder


def command(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([sys.executable, "-m", "nonproj", *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    return done


def test_the_command_says_what_it_says_in_one_process(corpus: pathlib.Path) -> None:
    plain = command("coverage", corpus)
    assert command("coverage", corpus, "--engine", "dask", "-j", 1, "--task-size", SIZE * 5).stdout == plain.stdout


@pytest.mark.parametrize("verb", ["coverage", "classify"])
def test_filters_go_with_the_engine(corpus: pathlib.Path, verb: str) -> None:
    filters = ("--min-words", 5, "--no-punctuation", "--where", "crossing & class!=1EC")
    plain = command(verb, corpus, *filters)
    assert plain.stdout not in (b"", command(verb, corpus).stdout)
    found = command(verb, corpus, *filters, "--engine", "dask", "-j", 1, "--task-size", SIZE * 5)
    assert found.stdout == plain.stdout


def test_every_job_on_a_cluster(executor: Executor, corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    expected = npj.coverage(corpus, keep=False)
    url = f"file://{corpus}"
    found = distributed.coverage([f"{url}/large.conllu", url + "/small*"], executor=executor, megabytes=SIZE)
    assert [row.outside for row in found.treebanks] == [row.outside for row in expected.treebanks]
    written = distributed.classify(corpus, f"file://{tmp_path}/out", executor=executor, megabytes=SIZE)
    assert b"".join(written.blocks()) == command("classify", corpus).stdout

    model = tmp_path / "tiny.model"
    npj.Parser.train(SAMPLE, epochs=1, threads=1).save(model)
    sent = Model.of(str(model))
    send_model(executor, sent)
    text = b"".join(npj.Parser.load(model).parse_stream(corpus))
    model.unlink()  # the workers have it
    parsed = distributed.parse(corpus, str(tmp_path / "parsed"), sent, executor=executor, megabytes=0.3)
    assert b"".join(parsed.blocks()) == text
    folder = tmp_path / "system.conllu"
    folder.write_bytes(text)
    (evaluation,) = distributed.evaluate(corpus, [folder], executor=executor, megabytes=0.3)
    assert evaluation == npj.evaluate(str(corpus), folder)


def test_what_does_not_go_together_is_refused(corpus: pathlib.Path) -> None:
    for arguments in (
        ["coverage", "--sample", "--engine", "dask"],
        ["coverage", str(corpus), "--parts", "x"],
        ["classify", str(corpus), "--engine", "dask", "-s", "1"],
        ["classify", str(corpus), "--engine", "dask", "--format", "parquet"],
        ["evaluate", str(corpus), str(corpus), "-j", "2"],
    ):
        done = CliRunner().invoke(cli, arguments)
        assert done.exit_code == 2, done.output
    with pytest.raises(NonprojError, match="no scheduler"), dask_executor("tcp://localhost:1", timeout=1):
        pass


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NonprojError, match=r"pip install 'nonproj\[dask\]'"), dask_executor():
        pass
