"""Where the input of a job comes from and its output goes: paths, and whatever fsspec has a name for.

``s3://``, ``gs://``, ``hdfs://``, ``https://`` and so on need the package that fsspec names when it is missing.
"""

from __future__ import annotations

import hashlib
import io
import os
import posixpath
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, cast

from nonproj.errors import NonprojError
from nonproj.treebank.compression import BLOCK
from nonproj.treebank.inputs import STDIN, sources, stem

EXTRA = "pip install 'nonproj[dask]'"


@dataclass(frozen=True)
class Place:
    """A file to read: its name, a stamp that changes when the file does, its size if it is known and can be split."""

    name: str
    size: int | None
    stamp: str


def is_url(path: str) -> bool:
    """Whether a name is one for fsspec.

    >>> is_url("s3://bucket/corpus"), is_url("C:/corpus"), is_url("corpus")
    (True, False, False)
    """
    return "://" in path


def filesystem(path: str) -> tuple[Any, str]:
    """The file system of a name, and the name within it."""
    try:
        import fsspec
    except ImportError:
        raise NonprojError(f"{path}: reading and writing there needs fsspec: {EXTRA}") from None
    try:
        system, inner = fsspec.core.url_to_fs(path)
        return system, str(inner)
    except (ValueError, ImportError) as error:
        raise NonprojError(f"{path}: {error}") from None


def places(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[Place]:
    """All files to read, in order: folders and patterns expanded, here as elsewhere."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: list[Place] = []
    for path in given:
        each = os.fspath(path)
        if each == STDIN:
            raise NonprojError("standard input cannot be read by several workers: name files, or leave out the engine")
        found += _remote(each) if is_url(each) else map(_local, cast("list[str]", sources(each)))
    if not found:
        raise NonprojError("nothing to read: give at least one file, folder or pattern")
    return found


def _local(path: str) -> Place:
    try:
        found = os.stat(path)
    except OSError as error:
        raise NonprojError(f"{path}: cannot be read: {error.strerror}") from error
    return Place(path, found.st_size, str(found.st_mtime_ns))


def _remote(url: str) -> list[Place]:
    system, path = filesystem(url)
    try:
        if any(mark in path for mark in "*?["):
            names = sorted(system.glob(path))
        elif system.isdir(path):
            names = sorted(name for name in system.find(path) if stem(name) != name or name.endswith(".parquet"))
        else:
            names = [path]
        if not names:
            raise NonprojError(
                f"{url}: no file matches, or the folder has none that ends in .conllu, .conll or .conllx"
            )
        infos = [(_url_of(name, url, path, system), system.info(name)) for name in names]
    except (OSError, ImportError) as error:
        raise NonprojError(f"{url}: cannot be read: {error}") from error
    kept = ("ETag", "etag", "mtime", "LastModified", "Last-Modified", "updated", "created")
    return [
        Place(
            name,
            info.get("size") if _begins_anywhere(name) else None,
            next((str(info[key]) for key in kept if info.get(key)), ""),
        )
        for name, info in infos
    ]


def _url_of(name: str, url: str, path: str, system: Any) -> str:
    """The whole URL of a file that was found by another: with the host and port that a file system leaves out.

    >>> _url_of("/data/a.conllu", "hdfs://host:9000/data/", "/data", None)
    'hdfs://host:9000/data/a.conllu'
    """
    base, inner = url.rstrip("/"), path.rstrip("/")
    if not base.endswith(inner):
        return str(system.unstrip_protocol(name))
    return base.removesuffix(inner) + ("/" if inner.startswith("/") else "") + name.lstrip("/")


def _is_web(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _begins_anywhere(name: str) -> bool:
    """Whether a file can be read from any place on: some web servers send whole files alone."""
    if not _is_web(name):
        return True
    system, path = filesystem(name)
    try:
        with system.open(path, "rb") as file:
            file.seek(1)
            file.read(1)
    except (OSError, ValueError):
        return False
    return True


@contextmanager
def opened_at(name: str, begin: int = 0) -> Iterator[IO[bytes]]:
    """A file open for reading from a place on."""
    file: IO[bytes]
    if is_url(name):
        system, path = filesystem(name)
        if name.startswith("memory://"):
            file = io.BytesIO(system.cat_file(path))  # opened, it would be one file with one place for all threads
        elif _is_web(name) and not begin:
            file = system.open(path, "rb", block_size=0)  # from its beginning every web server sends a file
        else:
            file = system.open(path, "rb")
    else:
        file = open(name, "rb")  # noqa: SIM115 - closed below
    with file:
        if begin:
            file.seek(begin)
        yield file


def raw_blocks(name: str, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes of a file from one place up to another, block by block."""
    with opened_at(name, begin) as file:
        left = end - begin if end is not None else None
        while left is None or left > 0:
            block = file.read(BLOCK if left is None else min(BLOCK, left))
            if not block:
                return
            left = None if left is None else left - len(block)
            yield block


def joined_path(folder: str, name: str) -> str:
    """A name within a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_url(folder) else os.path.join(folder, name)


def make_folder(folder: str) -> None:
    """Make a folder to write to, if there is none."""
    try:
        if is_url(folder):
            system, path = filesystem(folder)
            system.makedirs(path, exist_ok=True)
        else:
            os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise NonprojError(f"{folder}: cannot be written: {error.strerror or error}") from error


def size_of(name: str) -> int | None:
    """The size of a file, or None if there is none."""
    try:
        if is_url(name):
            system, path = filesystem(name)
            return int(system.size(path))
        return os.path.getsize(name)
    except (FileNotFoundError, NotADirectoryError):
        return None


def names_in(folder: str) -> set[str]:
    """The names of the files in a folder."""
    if not is_url(folder):
        return set(os.listdir(folder)) if os.path.isdir(folder) else set()
    system, path = filesystem(folder)
    system.invalidate_cache()
    return {posixpath.basename(name) for name in system.find(path, maxdepth=1)}


def read_all(name: str) -> bytes:
    """All the bytes of a file."""
    return b"".join(raw_blocks(name))


class Hashed:
    """A file open for writing that knows how much was written, and its checksum."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.bytes = 0
        self.hash = hashlib.sha256()
        self.closed = False

    def write(self, data: Any) -> int:
        """Write and count."""
        self._file.write(data)
        size = memoryview(data).nbytes
        self.bytes += size
        self.hash.update(data)
        return size

    def flush(self) -> None:
        """Nothing is promised before the file is closed."""

    def writable(self) -> bool:
        """It is there to be written to."""
        return True


def write_whole(name: str, fill: Callable[[Hashed], object]) -> tuple[int, str]:
    """Write a file beside its place and rename it when all went well: its size and its SHA-256.

    Several workers may do so at once for one name: each has a file of its own until then, and the last one stands.
    """
    folder, base = name.rsplit("/", 1) if is_url(name) else os.path.split(name)
    unfinished = joined_path(folder, f".{base}.{uuid.uuid4().hex}.unfinished")
    if is_url(name):
        system, path = filesystem(name)
        _, hidden = filesystem(unfinished)
        with system.open(hidden, "wb") as file:
            hashed = Hashed(file)
            fill(hashed)
        try:
            system.mv(hidden, path)
        except OSError:  # HDFS for one renames nothing onto a file that is there
            if not system.exists(path):
                raise
            system.rm(path)
            system.mv(hidden, path)
    else:
        try:
            with open(unfinished, "wb") as file:
                hashed = Hashed(file)
                fill(hashed)
            os.replace(unfinished, name)
        except BaseException:
            if os.path.exists(unfinished):
                os.unlink(unfinished)
            raise
    return hashed.bytes, hashed.hash.hexdigest()
