"""Compressed text: recognised by its first bytes, unpacked block by block, packed by a file's extension."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import zlib
from collections.abc import Iterable, Iterator
from typing import IO, Any, Protocol, cast

from nonproj.errors import FormatError, NonprojError

BLOCK = 1 << 20
PACKED = (".gz", ".bz2", ".xz", ".zst")
"""How the names of compressed files end."""

_KINDS = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))

_GZIP = b"\x1f\x8b\x08"
"""How every member of a gzip file begins."""

# What is neither read nor written, by ending and by first bytes, with a command that unpacks it.
UNSUPPORTED = (
    ".zip",
    ".tar",
    ".tgz",
    ".tar.gz",
    ".tar.bz2",
    ".tar.xz",
    ".tar.zst",
    ".7z",
    ".rar",
    ".lz4",
    ".lzma",
    ".lz",
    ".Z",
)
_ARCHIVES = (
    (b"PK\x03\x04", "a zip archive", "unzip -p {file}"),
    (b"PK\x05\x06", "an empty zip archive", "unzip -p {file}"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so {file}"),
    (b"Rar!\x1a\x07", "a rar archive", "unrar p -inul {file}"),
    (b"\x04\x22\x4d\x18", "compressed with LZ4", "lz4 -dc {file}"),
    (b"]\0\0", "compressed with LZMA", "xz -dc {file}"),
    (b"LZIP\x01", "compressed with lzip", "lzip -dc {file}"),
    (b"\x1f\x9d", "compressed with compress", "uncompress -c {file}"),
    (b"\x1f\x8b", "compressed more than once", "gzip -dc {file}"),
    (b"BZh", "compressed more than once", "bzip2 -dc {file}"),
    (b"\xfd7zXZ\x00", "compressed more than once", "xz -dc {file}"),
    (b"\x28\xb5\x2f\xfd", "compressed more than once", "zstd -dc {file}"),
)
# Other files that get named by mistake.
_NOT_TEXT = (
    (b"NONPROJ\0", "a parser's model"),
    (b"\x89PNG", "a picture"),
    (b"%PDF-", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"\x93NUMPY", "an array of numpy"),
    (b"PAR1", "a Parquet table"),
    (b"version https://git-lfs", "a pointer of Git LFS, whose file is still to be fetched with 'git lfs pull'"),
)
_TAR = slice(257, 262)


class _Decompressor(Protocol):
    """What the decompressors of bz2 and lzma have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _GzipDecompressor:
    """One member of a gzip file, unpacked in the manner of `bz2.BZ2Decompressor`."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        plain = self._zlib.decompress(self._zlib.unconsumed_tail + data, max(max_length, 0))
        self.needs_input = not self._zlib.unconsumed_tail and len(plain) != max_length
        return plain


def kind_of(beginning: bytes) -> str | None:
    """Name the compression that a file's first six bytes tell, if any.

    >>> kind_of(gzip.compress(b"text"))
    'gzip'
    """
    for magic, kind in _KINDS:
        if beginning.startswith(magic):
            return kind
    return None


def refuse_archive(beginning: bytes, file: str) -> None:
    """Raise when the first bytes of a text, unpacked where that is done, are those of an archive.

    >>> refuse_archive(b"PK\\x03\\x04...", "a.zip")
    Traceback (most recent call last):
        ...
    nonproj.errors.FormatError: a.zip: a zip archive, which is not read: unpack it, or pipe it in with unzip -p a.zip
    """
    found = next(((what, how) for magic, what, how in _ARCHIVES if beginning.startswith(magic)), None)
    if beginning[_TAR] == b"ustar":
        found = "a tar archive", "tar -xOf {file}"
    if found is not None:
        what, how = found
        raise FormatError(f"{file}: {what}, which is not read: unpack it, or pipe it in with {how.format(file=file)}")
    other = next((what for magic, what in _NOT_TEXT if beginning.startswith(magic)), None)
    if other is not None:
        raise FormatError(f"{file}: {other}, not a treebank in CoNLL-U or CoNLL-X")


def zstandard(file: str) -> Any:
    """The module for Zstandard, which Python has from 3.14 on; before, it is an extra.

    Raises
    ------
    NonprojError
        If it is not installed, with what to do about the file.
    """
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(module)
        except ImportError:
            continue
    raise NonprojError(
        f"{file}: compressed with Zstandard, for which a package is missing: pip install 'nonproj[zst]', or use "
        f"zstd -dc {file}"
    )


def _decompressor(kind: str, file: str) -> _Decompressor:
    if kind == "gzip":
        return _GzipDecompressor()
    if kind == "zstd":
        return cast(_Decompressor, zstandard(file).ZstdDecompressor())
    return bz2.BZ2Decompressor() if kind == "bzip2" else lzma.LZMADecompressor(lzma.FORMAT_XZ)


def decompress(blocks: Iterable[bytes], kind: str, file: str) -> Iterator[bytes]:
    """Unpack block after block, never more than `BLOCK` bytes at once, however well they were packed."""
    unpacker: _Decompressor | None = None
    damage = (zlib.error, lzma.LZMAError, OSError, EOFError, *((zstandard(file).ZstdError,) if kind == "zstd" else ()))
    try:
        for block in blocks:
            data = block
            while True:
                if unpacker is None:
                    data = data.lstrip(b"\0")  # gzip and xz files may be padded
                    if not data:
                        break
                    unpacker = _decompressor(kind, file)
                if plain := unpacker.decompress(data, BLOCK):
                    yield plain
                data = b""
                if unpacker.eof:  # another member may follow
                    data, unpacker = unpacker.unused_data, None
                elif unpacker.needs_input:
                    break
    except damage as error:
        raise FormatError(f"{file}: the {kind} data is damaged ({error}): fetch or make the file anew") from error
    if unpacker is not None:
        raise FormatError(f"{file}: the {kind} data ends too soon, the file is cut short: fetch it anew")


def gzip_at_once(packed: bytes, limit: int) -> bytes | None:
    """Unpack a gzip file of one member into as many bytes as it says that it holds, in half the time of `decompress`.

    None where there may be a second member, or more bytes than ``limit``, or where anything is wrong.

    >>> gzip_at_once(gzip.compress(b"text"), 100)
    b'text'
    """
    size = int.from_bytes(packed[-4:], "little")
    if size > limit or packed.find(_GZIP, 1) >= 0:
        return None
    try:
        plain = zlib.decompress(packed, 16 + zlib.MAX_WBITS, max(1, size))
    except zlib.error:
        return None
    # With anything behind the member, the last four bytes would not be its length.
    return plain if len(plain) == size else None


def packing(file: IO[bytes], path: str) -> IO[bytes]:
    """Wrap a file open for writing so that what is written gets packed as the path's extension says."""
    if path.endswith(".gz"):
        # No name and no time inside: the same text gives the same file.
        return cast(IO[bytes], gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0))
    if path.endswith(".bz2"):
        return cast(IO[bytes], bz2.BZ2File(file, "wb"))
    if path.endswith(".xz"):
        return cast(IO[bytes], lzma.LZMAFile(file, "wb"))
    if path.endswith(".zst"):
        zstd = zstandard(path)
        packed = zstd.ZstdFile(file, "wb", options={zstd.CompressionParameter.checksum_flag: 1})
        packed.flush()  # so that no text is a frame, too
        return cast(IO[bytes], packed)
    return file
