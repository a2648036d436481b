"""Where treebanks come from: files, folders, globs, standard input, open files and bytes."""

from __future__ import annotations

import glob
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import IO, Any, TypeAlias, cast

from nonproj.errors import FormatError, NonprojError
from nonproj.treebank.compression import BLOCK, PACKED, UNSUPPORTED, decompress, gzip_at_once, kind_of

Source: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]
Path: TypeAlias = tuple[str, ...]
"""The folders on the way to a file as it was named, and the file without its extensions."""

EXTENSIONS = (".conllu", ".conll", ".conllx")
STDIN = "-"


def sources(paths: Source | Iterable[Source]) -> list[Source]:
    """List what there is to read: globs and folders expanded, in order, the rest as it came.

    A folder stands for the files in it and below it that end in ``.conllu``, ``.conll`` or ``.conllx``,
    compressed or not; one that is packed in a way that is not read is listed too, to be refused by name.
    ``"-"`` is standard input.

    >>> sources("-")
    ['-']
    >>> sources("no/such/*.conllu")
    Traceback (most recent call last):
        ...
    nonproj.errors.NonprojError: no/such/*.conllu: no file matches
    """
    found = [source for path in listed(paths) for source in _expand(path)]
    if not found:
        raise NonprojError("nothing to read: give at least one file, folder, glob or '-'")
    if sum(isinstance(source, str) and source == STDIN for source in found) > 1:
        raise NonprojError("'-' is given more than once, but there is one standard input: it can be read once")
    return found


def listed(source: Source | Iterable[Source]) -> list[Source]:
    """Make a list of one source or of several."""
    if isinstance(source, (str, os.PathLike, bytes)) or hasattr(source, "read"):
        return [cast(Source, source)]
    return list(source)


def _expand(source: Source) -> list[Source]:
    if not isinstance(source, (str, os.PathLike)) or source == STDIN:
        return [source]
    path = os.fspath(source)
    if os.path.isdir(path):
        return list(_folder(path))
    if os.path.exists(path):
        return [path]
    if "\n" in path or "\t" in path:
        raise NonprojError("got text where a path was expected: to read text, give it as bytes: text.encode()")
    if glob.has_magic(path):
        matches = sorted(glob.glob(path, recursive=True))
        if not matches:
            raise NonprojError(f"{path}: no file matches")
        return [file for match in matches for file in (_folder(match) if os.path.isdir(match) else [match])]
    raise NonprojError(f"{path}: no such file or folder")


def _folder(path: str) -> list[str]:
    found = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if stem(name) != name
    )
    if not found:
        raise NonprojError(f"{path}: the folder has no file that ends in .conllu, .conll or .conllx")
    return found


def stem(name: str) -> str:
    """Strip the extensions of a treebank file from its name; another name stays as it is.

    >>> stem("nl_alpino-ud-test.conllu.gz")
    'nl_alpino-ud-test'
    """
    base = next((name.removesuffix(packed) for packed in (*UNSUPPORTED, *PACKED) if name.endswith(packed)), name)
    return next((base.removesuffix(ending) for ending in EXTENSIONS if base.endswith(ending)), name)


def label(source: Source) -> str:
    """Name a source as error messages do."""
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == STDIN else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<file>"


def parts_of(source: Source) -> Path:
    """Where a source lies: the folders as they were named, and its name without extensions."""
    *folders, name = os.path.normpath(label(source)).split(os.sep)
    return (*folders, stem(name))


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Short names for paths, no two alike; what has the same path is numbered.

    >>> distinct_names([("a", "x", "test"), ("b", "x", "test"), ("c", "test"), ("c", "dev"), ("c", "dev")])
    ['a/x/test', 'b/x/test', 'c/test', 'dev', 'dev (2)']
    """
    depth = dict.fromkeys(paths, 1)
    while True:
        names = Counter(path[-depth[path] :] for path in depth)
        unclear = [path for path in depth if names[path[-depth[path] :]] > 1 and depth[path] < len(path)]
        if not unclear:
            break
        for path in unclear:
            depth[path] += 1
    seen: Counter[str] = Counter()
    found = []
    for path in paths:
        name = "/".join(path[-depth[path] :]).replace("//", "/")
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def title(given: list[Source]) -> str:
    """Name a treebank after where it came from."""
    names = distinct_names([parts_of(source) for source in given])
    return " + ".join(names) if len(names) <= 3 else f"{len(names)} sources"


def read_blocks(source: Source) -> Iterator[bytes]:
    """Yield the plain bytes of a source, block by block."""
    raw = _raw_blocks(source)
    first = next(raw, b"")
    while len(first) < 6 and (more := next(raw, b"")):
        first += more
    kind = kind_of(first)
    whole = _chain(first, raw)
    return decompress(whole, kind, label(source)) if kind else whole


MOST_PACKED, MOST_UNPACKED = 200, 1 << 30
"""How many times smaller than itself a text can be packed; below so many bytes nobody asks."""
MOST_AT_ONCE = 1 << 26
"""More bytes are unpacked block by block, so that a wish to stop is heard."""


def never() -> bool:
    """Say that nobody has asked to stop."""
    return False


def read_bytes(source: Source, is_stopped: Callable[[], bool] = never) -> bytes:
    """Read all the plain bytes of a source, unless asked to stop."""
    if isinstance(source, bytes):
        raw = source
    elif isinstance(source, (str, os.PathLike)) and source != STDIN:
        with _opened(os.fspath(source)) as file:
            raw = b"".join(_file_blocks(file, label(source), -1))
    else:
        raw = b"".join(_raw_blocks(source))
    kind = kind_of(raw)
    if kind is None:
        return raw
    if kind == "gzip" and (whole := gzip_at_once(raw, min(MOST_AT_ONCE, MOST_PACKED * len(raw)))) is not None:
        return whole
    plain = _bounded(decompress(_pieces(raw), kind, label(source)), len(raw), label(source))
    return b"".join(takewhile(lambda _: not is_stopped(), plain))


def _bounded(blocks: Iterable[bytes], packed: int, name: str) -> Iterator[bytes]:
    """The blocks of what was packed, unless they are more than any text would be: all are to be held at once."""
    size = 0
    for block in blocks:
        size += len(block)
        if size > max(MOST_UNPACKED, MOST_PACKED * packed):
            raise FormatError(
                f"{name}: it unpacks to more than {MOST_PACKED} times its {packed} bytes, which no treebank does: "
                "unpack it first if it is one"
            )
        yield block


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _pieces(raw: bytes, size: int = BLOCK // 4) -> Iterator[bytes]:
    return (raw[begin : begin + size] for begin in range(0, len(raw), size))


def _raw_blocks(source: Source) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield from _pieces(source)
    elif not isinstance(source, (str, os.PathLike)):
        yield from _file_blocks(source, label(source))
    elif source == STDIN:
        yield from _file_blocks(sys.stdin, label(source))
    else:
        with _opened(os.fspath(source)) as file:
            yield from _file_blocks(file, label(source))


def _file_blocks(file: Any, name: str, size: int = BLOCK // 4) -> Iterator[bytes]:
    # The buffer of an open text file has its bytes untouched; read1 does not wait for a pipe to fill a block.
    file = getattr(file, "buffer", file)
    read = file.read if size < 0 else getattr(file, "read1", file.read)
    while True:
        try:
            block = read(size)
        except OSError as error:
            raise NonprojError(f"{name}: cannot be read: {error.strerror or error}") from error
        if not block:
            return
        yield block.encode() if isinstance(block, str) else block


def _opened(path: str) -> IO[bytes]:
    try:
        return open(path, "rb")
    except OSError as error:
        raise NonprojError(f"{path}: cannot be read: {error.strerror}") from error
