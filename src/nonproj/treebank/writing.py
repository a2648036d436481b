"""Treebanks out: to files that appear whole or not at all, compressed as their extension says."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeAlias

from nonproj.errors import NonprojError
from nonproj.treebank.compression import UNSUPPORTED, packing, zstandard
from nonproj.treebank.document import BYTE_ORDER_MARK

_PREFIX = ".nonproj-"  # of files that are not finished
_END = 4096  # bytes of a text that say how its lines end
Target: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]


def joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Put texts one after the other: an empty line between them, a byte order mark only at the beginning."""
    return joined_blocks([part] for part in parts)


def joined_blocks(texts: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    r"""Put texts one after the other as `joined` does, each of them in blocks that may end in the middle of a line.

    >>> b"".join(joined_blocks([[b"a", b"b\n"], [b"c\n"]]))
    b'ab\n\nc\n'
    """
    before = b""  # how the text so far ends
    for text in texts:
        is_first = True
        for block in filter(None, text):
            if is_first and before:
                yield missing_end(before)
                block = block.removeprefix(BYTE_ORDER_MARK)
            is_first = False
            before = (block if len(block) >= _END else before + block)[-_END:]
            yield block


def missing_end(text: bytes) -> bytes:
    """Say what a text lacks to end with an empty line."""
    newline = b"\r\n" if b"\r\n" in text[-_END:] else b"\n"
    if text.endswith((b"\n\n", b"\n\r\n")):
        return b""
    return newline if text.endswith(b"\n") else newline * 2


@contextmanager
def opened(target: Target, *, keep_when_stopped: bool = False) -> Iterator[IO[bytes]]:
    """Open a target for bytes; a path is written beside its place and renamed when all went well.

    With ``keep_when_stopped``, Ctrl-C leaves what was written until then as ``PATH.part``, and the `KeyboardInterrupt`
    says so.
    """
    if isinstance(target, (str, os.PathLike)):
        path = os.fspath(target)
        with _standard_output() if path == "-" else _file(path, keep_when_stopped) as file:
            yield file
    elif isinstance(target, io.TextIOBase):
        with _text_file(target) as file:
            yield file
    else:
        yield target  # type: ignore[misc]


def try_target(target: Target) -> None:
    """Raise at once what writing to a target would raise in the end; nothing is left behind.

    >>> try_target(".")
    Traceback (most recent call last):
        ...
    nonproj.errors.NonprojError: .: cannot be written: it is a folder: name a file in it
    """
    if not isinstance(target, (str, os.PathLike)) or os.fspath(target) == "-":
        return
    path = os.fspath(target)
    with _named(path):
        if (number := _descriptor(path)) is not None:
            os.fstat(number)
            return
        real = _checked(path)
        if not _is_special(real):
            handle, unfinished = _beside(real)
            os.close(handle)
            os.unlink(unfinished)
        elif not os.access(real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def must_be_new(target: Target) -> None:
    """Raise if writing to a target would replace a file; what is no plain file, such as /dev/null, is not replaced.

    >>> must_be_new("no-such.model")
    """
    if not isinstance(target, (str, os.PathLike)) or os.fspath(target) == "-":
        return
    path = os.fspath(target)
    if _descriptor(path) is None and os.path.isfile(path):
        raise NonprojError(
            f"{path}: there is a file already, which would be replaced: choose another name, or give --replace "
            "(from Python replace=True)"
        )


def _checked(path: str) -> str:
    """The place that a path stands for, if there can be a file."""
    if path.endswith(UNSUPPORTED):
        raise NonprojError(f"{path}: cannot be written: files are compressed as .gz, .bz2, .xz or .zst")
    if path.endswith(".zst"):
        zstandard(path)
    if not path:
        raise NonprojError("the name of the file to write is empty")
    real = os.path.realpath(path)
    if os.path.isdir(real) or path.endswith(os.sep):
        raise NonprojError(f"{path}: cannot be written: it is a folder: name a file in it")
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        shown = os.path.dirname(path) if real == os.path.abspath(path) else folder
        raise NonprojError(f"{path}: cannot be written: No such file or directory: make the folder {shown} first")
    return real


def _descriptor(path: str) -> int | None:
    """The number of an open file that a path stands for, such as /dev/stdout or the /dev/fd/63 of a shell.

    It may be a pipe, which has no other path, or a file with something in it, which is not to be replaced.
    """
    if os.name != "posix":
        return None
    found = re.fullmatch(r"/dev/(?:(stdout)|(stderr)|fd/([0-9]{1,9}))|/proc/self/fd/([0-9]{1,9})", path)
    if found is None:
        return None
    return 1 if found[1] else 2 if found[2] else int(found[3] or found[4])


def _is_special(path: str) -> bool:
    """Whether it is a device or a pipe, which cannot be renamed over."""
    return os.path.exists(path) and not os.path.isfile(path)


def _beside(path: str) -> tuple[int, str]:
    return tempfile.mkstemp(dir=os.path.dirname(path), prefix=_PREFIX, suffix=".unfinished")


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors of the system with the path as it was given; those about other files are left as they are."""
    try:
        yield
    except OSError as error:
        ours = (None, path, os.path.realpath(path))
        if error.filename not in ours and not os.path.basename(os.fspath(error.filename)).startswith(_PREFIX):
            raise
        raise NonprojError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    try:
        with _text_file(sys.stdout) as file:
            yield file
    except BrokenPipeError:  # whoever reads has seen enough
        raise
    except OSError as error:
        if error.filename is not None:  # it is about another file
            raise
        raise NonprojError(f"standard output: cannot be written: {error.strerror or error}") from error


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
def _file(path: str, keep_when_stopped: bool) -> Iterator[IO[bytes]]:
    if (number := _descriptor(path)) is not None:
        with _named(path), _as_it_is_open(number) as file:
            yield file
        return
    with _named(path):
        real = _checked(path)
        part = f"{path}.part" if keep_when_stopped else ""
        with (
            _in_place(real) if _is_special(real) else _renamed_when_done(real, part) as file,
            _packed(file, real) as packed,
        ):
            yield packed


@contextmanager
def _as_it_is_open(number: int) -> Iterator[IO[bytes]]:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # what was said before comes before
    with open(os.dup(number), "wb") as file:
        yield file


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
def _renamed_when_done(path: str, part: str) -> Iterator[IO[bytes]]:
    handle, unfinished = _beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(unfinished, _mode(path))
        os.replace(unfinished, path)
    except KeyboardInterrupt:
        if not part or os.path.getsize(unfinished) == 0:
            os.unlink(unfinished)
            raise
        os.chmod(unfinished, _mode(path))
        os.replace(unfinished, part)
        raise KeyboardInterrupt(f"what was written until then is in {part}") from None
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
