"""The file of a model: a header that says what it is, and arrays, checked and mapped into memory.

Layout: eight bytes of magic, then the version, the length of the header and its checksum as 32-bit numbers, the header
as JSON, then the arrays, each from a multiple of 64 bytes on, with zeros between. The header lists their names, types,
lengths and checksums in the order in which they come. So no bit of a file can change without being noticed.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.treebank.writing import opened

MAGIC = b"NONPROJ\0"
VERSION = 11
_PREFIX = struct.Struct("<8sIII")
_TYPES = {"uint8": "|u1", "int16": "<i2", "uint64": "<u8", "float32": "<f4", "float64": "<f8"}
_ALIGNMENT = 64

Arrays = Mapping[str, npt.NDArray[Any]]


def write_container(path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file that appears whole or not at all; the same content gives the same bytes."""
    contents = {name: np.ascontiguousarray(array) for name, array in sorted(arrays.items())}
    listed = {
        name: {"type": array.dtype.name, "length": int(array.size), "checksum": zlib.crc32(array.data)}
        for name, array in contents.items()
    }
    text = json.dumps({**header, "arrays": listed}, ensure_ascii=False, sort_keys=True).encode()
    with opened(path) as file:
        begin = file.write(_PREFIX.pack(MAGIC, VERSION, len(text), zlib.crc32(text))) + file.write(text)
        file.write(bytes(_aligned(begin) - begin))
        for array in contents.values():
            file.write(array.astype(array.dtype.newbyteorder("<"), copy=False).data)
            file.write(bytes(_aligned(array.nbytes) - array.nbytes))


def read_container(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Map a file and return its header and arrays; whatever is wrong with it is an error."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _PREFIX.size or file.read(len(MAGIC)) != MAGIC:
                raise NonprojError(f"{name}: not a nonproj model")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise NonprojError(f"{name}: cannot be read: {error.strerror or error}") from error
    _, version, length, checksum = _PREFIX.unpack_from(data)
    if version != VERSION:
        raise NonprojError(
            f"{name}: a model of version {version}, this nonproj reads version {VERSION}: train it anew, or install "
            f"the nonproj that wrote it"
        )
    try:
        end = _PREFIX.size + length
        if end > len(data):
            raise ValueError("the file is cut short")
        text = data[_PREFIX.size : end]
        if zlib.crc32(text) != checksum:
            raise ValueError("the checksum of its header is wrong")
        header = json.loads(text)
        arrays = {}
        for key, entry in header.pop("arrays").items():
            arrays[key] = _array(data, _after_zeros(data, end), entry)
            end = _aligned(end) + arrays[key].nbytes
        if len(data) > _after_zeros(data, end):
            raise ValueError("there is more in the file than a model")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NonprojError(f"{name}: the model is damaged ({error}): fetch or train it anew") from None
    return header, arrays


def _array(data: mmap.mmap, begin: int, entry: dict[str, Any]) -> npt.NDArray[Any]:
    kind, length = np.dtype(_TYPES[entry["type"]]), entry["length"]
    if not (isinstance(length, int) and length >= 0):
        raise ValueError("an array has no proper length")
    end = begin + length * kind.itemsize
    if end > len(data):
        raise ValueError("the file is cut short")
    with memoryview(data) as view, view[begin:end] as part:
        if zlib.crc32(part) != entry["checksum"]:
            raise ValueError("a checksum is wrong")
    return np.frombuffer(data, kind, length, begin)


def _after_zeros(data: mmap.mmap, end: int) -> int:
    """Where what comes after an end begins."""
    begin = _aligned(end)
    if data[end:begin] != bytes(begin - end):
        raise ValueError("it has no zeros where they belong, or is cut short")
    return begin


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT
