"""Treebanks out: to files that appear whole or not at all, compressed as their extension says."""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeAlias

from nonproj.errors import NonprojError
from nonproj.treebank.compression import packing
from nonproj.treebank.document import BYTE_ORDER_MARK

Target: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]


def joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Put texts one after the other: an empty line between them, a byte order mark only at the beginning."""
    before = b""
    for part in filter(None, parts):
        if before:
            yield missing_end(before)
        yield part.removeprefix(BYTE_ORDER_MARK) if before else part
        before = part


def missing_end(text: bytes) -> bytes:
    """Say what a text lacks to end with an empty line."""
    newline = b"\r\n" if b"\r\n" in text[-4096:] else b"\n"
    if text.endswith((b"\n\n", b"\n\r\n")):
        return b""
    return newline if text.endswith(b"\n") else newline * 2


@contextmanager
def opened(target: Target) -> Iterator[IO[bytes]]:
    """Open a target for bytes; a path is written beside its place and renamed when all went well."""
    if isinstance(target, (str, os.PathLike)):
        path = os.fspath(target)
        with _standard_output() if path == "-" else _file(os.path.realpath(path)) as file:
            yield file
    elif isinstance(target, io.TextIOBase):
        with _text_file(target) as file:
            yield file
    else:
        yield target  # type: ignore[misc]


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    with _text_file(sys.stdout) as file:
        yield file


@contextmanager
def _text_file(target: Any) -> Iterator[IO[bytes]]:
    if hasattr(target, "buffer"):
        target.flush()
        yield target.buffer
        target.buffer.flush()
    else:
        memory = io.BytesIO()
        yield memory
        target.write(memory.getvalue().decode())


@contextmanager
def _file(path: str) -> Iterator[IO[bytes]]:
    try:
        # A device or a pipe cannot be renamed over.
        is_special = os.path.exists(path) and not os.path.isfile(path)
        with (
            _in_place(path) if is_special else _renamed_when_done(path) as file,
            _packed(file, path) as packed,
        ):
            yield packed
    except OSError as error:
        raise NonprojError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _in_place(path: str) -> Iterator[IO[bytes]]:
    with open(path, "wb") as file:
        yield file


@contextmanager
def _packed(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    packed = packing(file, path)
    try:
        yield packed
    finally:
        if packed is not file:
            packed.close()


@contextmanager
def _renamed_when_done(path: str) -> Iterator[IO[bytes]]:
    handle, unfinished = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".nonproj-", suffix=".unfinished")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(unfinished, _mode(path))
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def _mode(path: str) -> int:
    """Permissions of the file that gets replaced, else those of a new file."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
