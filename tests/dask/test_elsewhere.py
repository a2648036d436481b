"""Files that are nowhere in the file system: all reading and writing goes through fsspec, whatever the protocol.

``far://`` stands in for ``hdfs://``: it goes through the same class of fsspec over a file system of Arrow's, needs the
host in every URL, and renames nothing onto a file that is there. ``memory://`` is what fsspec itself has for tests.
"""

import gzip
import json
import pathlib
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, ClassVar

import pytest

pytest.importorskip("fsspec", reason="the extra dask is not installed")
pytest.importorskip("pyarrow.fs", reason="the extra dask is not installed")

import fsspec
from fsspec.implementations.arrow import ArrowFSWrapper
from fsspec.utils import infer_storage_options
from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

import nonproj as npj
from nonproj import NonprojError, distributed, example_treebank
from nonproj.distributed import Model
from nonproj.distributed.places import make_folder, names_in, opened_at, write_whole

SAMPLE = example_treebank()
SIZE = 0.02


class Far(ArrowFSWrapper):  # type: ignore[misc]
    """A file system of another host."""

    protocol = "far"
    folders: ClassVar[dict[str, pathlib.Path]] = {}
    opened: ClassVar[list[str]] = []

    def __init__(self, host: str, **others: Any) -> None:
        super().__init__(SubTreeFileSystem(str(self.folders[host]), LocalFileSystem()), **others)

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        return {"host": infer_storage_options(path)["host"]}

    def _make_entry(self, info: Any) -> Any:
        entry = super()._make_entry(info)
        return {**entry, "name": "/" + entry["name"].lstrip("/")}  # as HDFS names files

    def _open(self, path: str, mode: str = "rb", **others: Any) -> Any:
        self.opened.append(mode)
        return super()._open(path, mode, **others)

    def mv(self, path1: str, path2: str, **others: Any) -> None:
        """Rename, but onto nothing that is there."""
        if self.exists(path2):
            raise OSError(f"{path2} exists")
        super().mv(path1, path2, **others)


@pytest.fixture(params=["far", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[str]:
    """A URL to read and write below."""
    if request.param == "far":
        fsspec.register_implementation("far", Far, clobber=True)
        host = f"host-{tmp_path.name}".replace("_", "-").lower()
        (tmp_path / "data").mkdir()
        Far.folders[host] = tmp_path
        yield f"far://{host}/data"
    else:
        yield f"memory://{tmp_path.name}"
        fsspec.filesystem("memory").rm(f"/{tmp_path.name}", recursive=True)


def put(url: str, data: bytes) -> None:
    make_folder(url.rsplit("/", 1)[0])
    write_whole(url, lambda file: file.write(data))


def test_two_readers_of_a_file_keep_their_places(place: str) -> None:
    put(f"{place}/in/digits", b"0123456789")
    with opened_at(f"{place}/in/digits") as first, opened_at(f"{place}/in/digits", 5) as second:
        assert [first.read(2), second.read(2), first.read(2)] == [b"01", b"56", b"23"]


def test_every_job_reads_and_writes_there(place: str, tmp_path: pathlib.Path) -> None:
    local = tmp_path / "local"
    local.mkdir()
    texts = {"a.conllu": bytes(SAMPLE) * 3, "b.conllu.gz": gzip.compress(bytes(SAMPLE[:20])) * 6}
    for name, data in texts.items():
        (local / name).write_bytes(data)
        put(f"{place}/in/{name}", data)
    model = tmp_path / "tiny.model"
    npj.Parser.train(SAMPLE, epochs=1, threads=1).save(model)
    Far.opened.clear()
    with ThreadPoolExecutor(2) as pool:
        found = distributed.coverage(f"{place}/in/", executor=pool, folder=f"{place}/parts", megabytes=SIZE)
        expected = npj.coverage(local, keep=False)
        assert [row.to_dict() for row in found.treebanks] == [row.to_dict() for row in expected.treebanks]
        assert [row.source for row in found.sources] == [f"{place}/in/{name}" for name in texts]
        for form in ("text", "parquet"):
            here = distributed.classify(local, str(tmp_path / form), executor=pool, form=form, megabytes=SIZE)
            there = distributed.classify(f"{place}/in", f"{place}/{form}", executor=pool, form=form, megabytes=SIZE)
            assert (there.parts, there.sentences) == (here.parts, here.sentences)
        assert b"".join(distributed_text(f"{place}/text")) == b"".join(distributed_text(str(tmp_path / "text")))
        tables = distributed.coverage(f"{place}/parquet", executor=pool, by="total", megabytes=SIZE)
        assert tables.treebanks[0].outside == npj.coverage(local, by="total", keep=False).treebanks[0].outside
        parsed = distributed.parse(f"{place}/in", f"{place}/parsed", Model.of(str(model)), executor=pool, packed=".gz")
        text = b"".join(parsed.blocks())
        assert text == b"".join(npj.Parser.load(model).parse_stream(local))
        (evaluation,) = distributed.evaluate(f"{place}/in", [f"{place}/parsed/*.gz"], executor=pool, megabytes=SIZE)
        (tmp_path / "parsed.conllu").write_bytes(text)
        assert evaluation == npj.evaluate(str(local), tmp_path / "parsed.conllu")
    if place.startswith("far"):
        assert {"rb", "wb"} <= set(Far.opened)


def distributed_text(folder: str) -> list[bytes]:
    """The parts of a folder in the order of its manifest."""
    with fsspec.open(f"{folder}/manifest.json") as file:
        parts = json.load(file)["parts"]
    found = []
    for part in parts:
        with fsspec.open(f"{folder}/{part['name']}") as file:
            found.append(file.read())
    return found


def test_what_is_finished_is_not_done_again_and_a_part_may_be_written_twice(place: str) -> None:
    put(f"{place}/in/a.conllu", bytes(SAMPLE) * 2)
    with ThreadPoolExecutor(2) as pool:
        once = distributed.coverage(f"{place}/in/*", executor=pool, folder=f"{place}/parts", megabytes=SIZE)
    again = distributed.coverage(f"{place}/in/*", executor=Executor(), folder=f"{place}/parts", megabytes=SIZE)
    assert again == once
    assert not [name for name in names_in(f"{place}/parts") if "unfinished" in name]
    put(f"{place}/in/a.conllu", b"# other\n")
    with fsspec.open(f"{place}/in/a.conllu") as file:
        assert file.read() == b"# other\n"


def test_what_is_not_there_is_named(place: str) -> None:
    put(f"{place}/in/a.conllu", bytes(SAMPLE))
    for url, reason in ((f"{place}/in/*.none", "no file matches"), ("nowhere://a", "nowhere://a")):
        with pytest.raises(NonprojError, match=reason):
            distributed.coverage(url, executor=Executor())
    with pytest.raises(NonprojError, match=r"b\.conllu"):
        distributed.coverage(f"{place}/in/b.conllu", executor=Executor())
