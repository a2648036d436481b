"""Jobs over executors of one process: what they find is what one process finds, bit by bit."""

import functools
import gzip
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

import pytest

import nonproj as npj
from nonproj import NonprojError, distributed, example_treebank
from nonproj.distributed import LeftOut, Model
from nonproj.distributed.jobs import MANIFEST, Plan
from nonproj.distributed.places import places
from nonproj.distributed.running import CRASHES, Task
from nonproj.distributed.splitting import text_of
from nonproj.distributed.work import CountJob, Edges
from nonproj.treebank import Filter
from nonproj.treebank.reading import stream_treebanks

SAMPLE = example_treebank()
BAD = b"# sent_id = bad\n1\tx\t_\t_\t_\t_\t7\troot\t_\t_\n\n1\ty\t_\t_\t_\t_\t5\troot\t_\t_\n\n"


class Shuffled(Executor):
    """An executor that does tasks in another order, in this thread, and at times dies of one."""

    def __init__(self, seed: int, is_deadly: Callable[[Task], bool] = lambda task: False) -> None:
        self._chance, self._is_deadly = random.Random(seed), is_deadly
        self._max_workers = 5
        self._waiting: list[tuple[Future[Any], Any, tuple[Any, ...]]] = []
        self.done = 0

    def submit(self, function, /, *arguments, **_):
        future: Future[Any] = Future()
        self._waiting.append((future, function, arguments))
        if len(self._waiting) >= 7 or self._chance.random() < 0.5:
            self._do_all()
        return future

    def _do_all(self) -> None:
        self._chance.shuffle(self._waiting)
        while self._waiting:
            future, function, arguments = self._waiting.pop()
            self.done += 1
            try:
                if self._is_deadly(arguments[-1]):
                    raise BrokenExecutor("a worker died")
                future.set_result(function(*arguments))
            except Exception as error:
                future.set_exception(error)


@pytest.fixture(params=["threads", "shuffled"])
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Executor]:
    if request.param == "threads":
        with ThreadPoolExecutor(3) as pool:
            yield pool
    else:
        shuffled = Shuffled(11)
        from nonproj.distributed import running

        def do_and_wait(futures, **others):  # what is left at the end of the queue is done when it is waited for
            shuffled._do_all()
            return wait(futures, **others)

        monkeypatch.setattr(running, "wait", do_and_wait)
        yield shuffled


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("corpus")
    text = bytes(SAMPLE)
    (folder / "large-train.conllu").write_bytes(text * 4)
    (folder / "large-test.conllu.gz").write_bytes(
        b"".join(gzip.compress(text[at : at + 7000]) for at in range(0, len(text), 7000))
    )
    (folder / "sub").mkdir()
    (folder / "sub" / "small.conllu").write_bytes(b"\xef\xbb\xbf" + bytes(SAMPLE[5:9]).rstrip(b"\n"))
    (folder / "sub" / "unnamed.conll").write_bytes(
        bytes(SAMPLE).replace(b"# sent_id", b"# number").replace(b"\n", b"\r\n")
    )
    (folder / "sub" / "comments.conllu").write_bytes(b"# nothing\n")
    (folder / "sub" / "small.conllu.gz").write_bytes(gzip.compress(bytes(SAMPLE[9:12])))
    return folder


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory, corpus: pathlib.Path) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("faulty")
    text = bytes(SAMPLE)
    (folder / "a.conllu").write_bytes(text)
    (folder / "b.conllu").write_bytes(text + BAD + text + BAD + text)
    return folder


SIZE = 0.02  # megabytes: a few sentences


@pytest.mark.parametrize("by", ["file", "treebank", "total"])
def test_coverage(corpus: pathlib.Path, executor: Executor, by: str) -> None:
    given = [
        corpus / "sub",
        corpus / "large-train.conllu",
        corpus / "large-test.conllu.gz",
        corpus / "large-train.conllu",
    ]
    expected = npj.coverage(given, by=by, keep=False)
    found = distributed.coverage(given, executor=executor, by=by, megabytes=SIZE)
    assert found.to_state() == expected.to_state()
    assert found.to_csv() == expected.to_csv()  # the rows in the same order
    assert found.empty == expected.empty


@pytest.mark.parametrize("dummy", ["right", "none"])
def test_the_dummy_root_elsewhere(corpus: pathlib.Path, executor: Executor, tmp_path: pathlib.Path, dummy: Any) -> None:
    names = "1EC 2-C 2-C@right" + (" MH4 AV1" if dummy == "right" else "")
    found = distributed.coverage(corpus, names, executor=executor, dummy=dummy, megabytes=SIZE)
    assert found.to_state() == npj.coverage(corpus, names, dummy=dummy, keep=False).to_state()
    with pytest.raises(NonprojError, match="different dummy root"):
        found + npj.coverage(corpus, names)
    written = distributed.classify(corpus, str(tmp_path / "out"), names, executor=executor, dummy=dummy, megabytes=SIZE)
    assert b"".join(written.blocks()) == command("classify", corpus, "--dummy", dummy, "-c", names.replace(" ", ","))


FILTERS = (
    Filter(5, 9),
    Filter(no_punctuation=True),
    Filter(max_words=12, no_punctuation=True, where="crossing & class!=WG1"),
    Filter(where="sent_id=17,40,en-beans"),  # 17 and 40 are numbers in a file
    Filter(where="file=*small* & upos=VERB"),
)


@pytest.mark.parametrize("only", FILTERS, ids=str)
def test_filters(corpus: pathlib.Path, executor: Executor, tmp_path: pathlib.Path, only: Filter) -> None:
    expected = npj.coverage(corpus, only=only, keep=False)
    assert 0 < expected.trees < 7 * len(SAMPLE) or only.no_punctuation
    found = distributed.coverage(corpus, executor=executor, only=only, megabytes=SIZE)
    assert found == expected
    assert found.only == str(only)
    written = distributed.classify(corpus, str(tmp_path), "Pr WG1", executor=executor, only=only, megabytes=SIZE)
    lines = b"".join(written.blocks()).decode().splitlines()
    kept = [sentence for block in stream_treebanks(corpus) for sentence in only.apply(block)]
    assert [line.split("\t")[:2] for line in lines] == [[each.sent_id, str(len(each))] for each in kept]


def test_parts_know_their_filter(corpus: pathlib.Path, executor: Executor, tmp_path: pathlib.Path) -> None:
    once = distributed.coverage(corpus, executor=executor, only=Filter(where="crossing"), folder=str(tmp_path))
    again = distributed.coverage(corpus, executor=Executor(), only=Filter(where="crossing"), folder=str(tmp_path))
    assert again == once
    for only in (None, Filter(where="root"), Filter(2, where="crossing")):
        with pytest.raises(NonprojError, match="parts of another job"):
            distributed.coverage(corpus, executor=executor, only=only, folder=str(tmp_path))


def test_the_largest_task_goes_first(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    large = tmp_path / "z.conllu.gz"
    large.write_bytes(gzip.compress(bytes(SAMPLE) * 20))
    went: list[str] = []

    class OneByOne(Executor):
        def submit(self, function, /, *arguments, **_):
            went.append(arguments[-1].pieces[0].source)
            future: Future[Any] = Future()
            future.set_result(function(*arguments))
            return future

    found = distributed.coverage([corpus, large], "Pr", executor=OneByOne(), megabytes=SIZE)
    assert found == npj.coverage([corpus, large], "Pr")
    assert len(went) > 3
    assert went.index(str(large)) == 0


def test_lines_before_a_piece_are_known(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    text = b"\n\n" + bytes(SAMPLE).replace(b"\n\n", b"\n\n\n") + BAD + b"# a comment\n" + bytes(SAMPLE)
    (tmp_path / "a.conllu").write_bytes(text)
    looked_at = 0
    for size in (0.01, 0.02, 0.05):
        plan = Plan.of(places([corpus, tmp_path]), int(size * (1 << 20)))
        pieces = [piece for group in plan.groups for piece in group]
        for piece, after in itertools.pairwise(pieces):
            if piece.source == after.source and piece.copy == after.copy:
                record = CountJob("skip").do(piece, print, Edges(False, False))
                assert record["lines"] == b"".join(text_of(piece)).count(b"\n"), piece
                looked_at += 1
    assert looked_at > 30


def test_faults_are_those_of_one_process(faulty: pathlib.Path, executor: Executor) -> None:
    with pytest.raises(npj.FormatError) as expected:
        npj.coverage(faulty, "Pr")
    with pytest.raises(npj.FormatError) as found:
        distributed.coverage(faulty, "Pr", executor=executor, megabytes=SIZE)
    assert str(found.value) == str(expected.value)
    skipped = npj.coverage(faulty, "Pr", on_error="skip").skipped
    for size in (SIZE, 100):
        result = distributed.coverage(faulty, "Pr", executor=executor, on_error="skip", megabytes=size)
        assert list(map(str, result.skipped)) == list(map(str, skipped))
        assert len(skipped) == 4


def command(*arguments: object) -> bytes:
    done = subprocess.run([sys.executable, "-m", "nonproj", *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("form", ["text", "json", "conllu"])
def test_classify(corpus: pathlib.Path, executor: Executor, tmp_path: pathlib.Path, form: Any) -> None:
    expected = command("classify", corpus, "--format", form)
    packed: Any = ".gz" if form == "json" else ""
    written = distributed.classify(
        corpus, str(tmp_path / "out"), executor=executor, form=form, packed=packed, megabytes=SIZE
    )
    assert b"".join(written.blocks()) == expected
    assert len(written.parts) > 10


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("model") / "tiny.model"
    npj.Parser.train(SAMPLE, epochs=1, threads=1).save(path)
    return path


def test_parse_and_evaluate(
    corpus: pathlib.Path, executor: Executor, tmp_path: pathlib.Path, model: pathlib.Path
) -> None:
    expected = b"".join(npj.Parser.load(model).parse_stream(corpus))
    chosen = Model.of(str(model))
    written = distributed.parse(corpus, str(tmp_path / "out"), chosen, executor=executor, report=True, megabytes=SIZE)
    assert b"".join(written.blocks()) == expected
    assert written.searches is not None
    assert written.searches.trees == written.sentences == expected.count(b"\n1\t")
    if isinstance(executor, Shuffled):
        return
    parsed = tmp_path / "parsed.conllu"  # cut at other places than the gold standard
    parsed.write_bytes(expected)
    one = npj.evaluate(str(corpus), parsed)
    found = distributed.evaluate(corpus, [parsed, corpus], executor=executor, megabytes=SIZE)
    assert found[0] == one
    assert found[0].to_dict() == one.to_dict()
    assert found[0].compare(found[1], samples=50) == one.compare(npj.evaluate(str(corpus), str(corpus)), samples=50)
    with pytest.raises(NonprojError, match="has 4 sentences and"):
        distributed.evaluate(corpus / "sub" / "small.conllu", [parsed], executor=executor)


def test_finished_parts_are_not_done_again(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = str(tmp_path / "out")
    with ThreadPoolExecutor(2) as pool:
        first = distributed.classify(corpus, folder, "Pr", executor=pool, megabytes=SIZE)
        manifest = (tmp_path / "out" / MANIFEST).read_bytes()
        lost = sorted(tmp_path.glob("out/part-*.json"))[3:6]
        times = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("out/part-*")}
        lost[0].unlink()  # the record was not written
        lost[1].with_suffix(".txt").write_bytes(b"half")  # half a part
        lost[2].with_suffix(".txt").unlink()
        again = distributed.classify(corpus, folder, "Pr", executor=pool, megabytes=SIZE)
        assert (tmp_path / "out" / MANIFEST).read_bytes() == manifest
        assert list(first.blocks()) == list(again.blocks())
        now = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("out/part-*")}
        changed = {name.partition(".")[0] for name in now if now[name] != times.get(name)}
        assert changed == {path.stem for path in lost}
        with pytest.raises(NonprojError, match="parts of another job"):
            distributed.classify(corpus, folder, "WG1", executor=pool, megabytes=SIZE)
        with pytest.raises(NonprojError, match="has other files in it"):
            distributed.classify(corpus, str(corpus), executor=pool)
    content = json.loads(manifest)
    assert content["sentences"] == first.sentences == sum(part["sentences"] for part in content["parts"])
    import hashlib

    for part in content["parts"]:
        data = (tmp_path / "out" / part["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (part["bytes"], part["sha256"])
    assert not [name for name in os.listdir(folder) if name.endswith(".unfinished")]


def test_a_corrupt_file_is_an_error_or_left_out(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for i in range(40):
        (tmp_path / f"{i:02d}.conllu.gz").write_bytes(gzip.compress(bytes(SAMPLE[i : i + 3])))
    broken = tmp_path / "17.conllu.gz"
    broken.write_bytes(broken.read_bytes()[:-30])
    others = [path for path in sorted(tmp_path.iterdir()) if path != broken]
    told: list[LeftOut] = []
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(NonprojError, match=r"17\.conllu\.gz: the gzip data ends too soon"):
            distributed.coverage(tmp_path, "Pr", executor=pool)
        with pytest.raises(NonprojError, match=r"17\.conllu\.gz: the gzip data ends too soon"):
            distributed.coverage(tmp_path, "Pr", executor=pool, on_error="skip")  # nobody listens
        found = distributed.coverage(tmp_path, "Pr", executor=pool, on_error="skip", left_out=told)
        assert [os.path.basename(each.source) for each in told] == ["17.conllu.gz"]
        assert found == npj.coverage(others, "Pr")
        written = distributed.classify(tmp_path, str(tmp_path / "out"), executor=pool, on_error="skip", left_out=told)
    assert b"".join(written.blocks()) == command("classify", *others)


@pytest.mark.filterwarnings("ignore")
def test_deadly_files_are_left_out_and_the_innocent_are_not(corpus: pathlib.Path) -> None:
    chance = random.Random(5)

    def is_deadly(task: Task) -> bool:
        return any("unnamed" in piece.source for piece in task.pieces) or chance.random() < 0.15

    told: list[LeftOut] = []
    with ThreadPoolExecutor(2) as pool:

        class Deadly(Executor):
            _max_workers = 2

            def submit(self, function, /, *arguments, **_):
                if is_deadly(arguments[-1]):
                    future: Future[Any] = Future()
                    future.set_exception(BrokenExecutor("a worker died"))
                    return future
                return pool.submit(function, *arguments)

        found = distributed.coverage(corpus, "Pr WG1", executor=Deadly(), megabytes=SIZE, left_out=told)
    assert {os.path.basename(each.source.split(",")[0]) for each in told} == {"unnamed.conll"}
    assert f"({CRASHES + 1} of them)" in told[0].message
    rest = [path for path in sorted(corpus.rglob("*.*")) if path.name != "unnamed.conll"]
    assert found == npj.coverage(rest, "Pr WG1", keep=False)


class KilledWorker(Exception):
    """As Dask has it, when a task was in the hands of four workers that died."""

    allowed_failures = 3


def test_who_stood_beside_a_deadly_file_is_not_left_out(corpus: pathlib.Path) -> None:
    together: list[tuple[Future[Any], Callable[[], Any], bool]] = []
    closed = threading.Event()

    class Blaming(Executor):
        """Every task at hand dies with a deadly one, however often it is tried beside it."""

        _max_workers = 4

        def submit(self, function, /, *arguments, **_):
            future: Future[Any] = Future()
            is_deadly = any("unnamed" in piece.source for piece in arguments[-1].pieces)
            together.append((future, functools.partial(function, *arguments), is_deadly))
            return future

    def work() -> None:
        while not closed.wait(0.02):
            taken = [together.pop() for _ in range(len(together))]
            dies = any(is_deadly for _, _, is_deadly in taken)
            for future, call, _ in taken:
                if dies:
                    future.set_exception(KilledWorker())
                else:
                    future.set_result(call())

    worker = threading.Thread(target=work)
    worker.start()
    told: list[LeftOut] = []
    try:
        found = distributed.coverage(corpus, "Pr WG1", executor=Blaming(), megabytes=SIZE, left_out=told)
    finally:
        closed.set()
        worker.join()
    assert {os.path.basename(each.source.split(",")[0]) for each in told} == {"unnamed.conll"}
    rest = [path for path in sorted(corpus.rglob("*.*")) if path.name != "unnamed.conll"]
    assert found == npj.coverage(rest, "Pr WG1", keep=False)


def test_parquet(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    with ThreadPoolExecutor(2) as pool:
        written = distributed.classify(
            corpus, str(tmp_path / "out"), "Pr 1EC", executor=pool, form="parquet", megabytes=SIZE
        )
        tables = [parquet.read_table(tmp_path / "out" / name) for name in written.parts]
        rows = [row for table in tables for row in table.to_pylist()]
        sentences = list(npj.stream(corpus))
        assert [row["sent_id"] for row in rows] == [sentence.sent_id for sentence in sentences]
        assert [row["forms"] for row in rows] == [list(sentence.forms) for sentence in sentences]
        assert [row["heads"] for row in rows] == [list(sentence.heads) for sentence in sentences]
        assert [row["inside"]["1EC"] for row in rows] == [
            sentence.tree in npj.tree_class("1EC") for sentence in sentences
        ]
        again = distributed.coverage([tmp_path / "out" / name for name in written.parts], executor=pool, by="total")
    expected = npj.coverage(corpus, by="total")
    assert again.treebanks[0].outside == expected.treebanks[0].outside
    command("classify", corpus, "-c", "Pr,1EC", "-o", tmp_path / "one.parquet")
    assert parquet.read_table(tmp_path / "one.parquet").to_pylist() == rows
