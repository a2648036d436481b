"""Large files in pieces that end where sentences end, small ones together: what a task reads.

A piece is given by places in the file as it is stored. Its text goes from the first *cut* at or after the one to the
first cut at or after the other: a cut is the end of an empty line that follows a word. Neighbours find the same cut, so
that every sentence is in exactly one piece, wherever the places are. In a compressed file they are places where a
member begins, since only there can unpacking begin; a file of one member is one piece.
"""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from nonproj.distributed.arrow import PARQUET, text_of_parquet
from nonproj.distributed.places import Place, raw_blocks
from nonproj.treebank.compression import BLOCK, PACKED, decompress, kind_of
from nonproj.treebank.formats import PREFIX, Format, format_of

_CUT = re.compile(rb"\n\d[^\n]*\n\r?\n")
# How members begin, and bytes of text that a candidate must give before it is believed.
_MEMBER = {
    "gzip": re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"),
    "bzip2": re.compile(rb"BZh[1-9]1AY&SY"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
}
_BELIEVED = 1 << 16
_PACKED_WEIGHT = 6  # text is some six times as long as its packed form
MOST_FILES = 1000
"""Files in one task."""
_LAST, _MOST_LAST, _FINER = 8, 64, 4
"""Which part of all the text comes last, how many tasks' worth at most, and how many times smaller its tasks are."""


@dataclass(frozen=True)
class Piece:
    """A file, or a part of one, as one task reads it."""

    source: str
    copy: int = 1
    begin: int = 0
    end: int | None = None
    kind: str | None = None
    """How it is compressed; only where it does not begin at the beginning."""
    form: Format | None = None
    number: int = 0
    """Which of the pieces of its source it is."""
    first_line: int = 1
    first_sentence: int = 1
    """The number of its first sentence in the file, where that was counted; else 1, to be put right afterwards."""
    before: int = 0
    """How many sentences there are before it in all the files together, where they were counted."""

    def __str__(self) -> str:
        if self.begin == 0 and self.end is None:
            return self.source
        return f"{self.source}, bytes {self.begin} to {self.end if self.end is not None else 'the end'}"


def text_of(piece: Piece) -> Iterator[bytes]:
    """The plain text of a piece, block by block."""
    if piece.source.endswith(PARQUET):
        return text_of_parquet(piece.source)
    own = raw_blocks(piece.source, piece.begin, piece.end)
    after = iter(()) if piece.end is None else raw_blocks(piece.source, piece.end)
    if piece.begin == 0:
        first = next(own, b"")
        while 0 < len(first) < 6 and (more := next(own, b"")):
            first += more
        own, kind = _chained(first, own), kind_of(first)
    else:
        kind = piece.kind
    if kind is not None:
        own, after = decompress(own, kind, piece.source), decompress(after, kind, piece.source)
    return between_cuts(own, after, piece.begin == 0)


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def between_cuts(own: Iterable[bytes], after: Iterable[bytes], is_first: bool) -> Iterator[bytes]:
    r"""The text from the first cut in one's own part on, up to the first cut in what follows.

    >>> text = b"1\tA\n\n1\tB\n\n1\tC\n\n1\tD\n\n"
    >>> [b"".join(between_cuts([text[a:b]], [text[b:]], a == 0)) for a, b in ((0, 7), (7, 16), (16, 20))]
    [b'1\tA\n\n1\tB\n\n1\tC\n\n', b'1\tD\n\n', b'']
    """
    begun, waiting = is_first, b""
    for block in own:
        if begun:
            yield block
            continue
        waiting += block
        if (place := _cut_in(waiting)) >= 0:
            begun = True
            yield waiting[place:]
    rest = b""
    end = -1
    for block in after:
        rest += block
        if (end := _cut_in(rest)) >= 0:
            break
    rest = rest if end < 0 else rest[:end]
    if begun:
        yield rest
    elif (place := _cut_in(waiting + rest)) >= 0:  # the cut that begins in one's own part and ends behind it
        yield (waiting + rest)[place:]


def _cut_in(text: bytes) -> int:
    found = _CUT.search(text)
    return found.end() if found else -1


def fair_size(found: list[Place], most: int) -> int:
    """How much text a task reads unless it is said: a 64th of all, so that many workers have something to do.

    But no more than ``most``, and no less than a 16th of that, for sending a task costs some hundredths of a second. It
    does not depend on how many workers there are.
    """
    return min(most, max(sum(map(_weight, found)) // 64, most // 16))


def tasks(
    found: list[Place], copies: list[int], size: int, *, ends_finely: bool = False
) -> tuple[list[list[Piece]], list[str]]:
    """What each task reads, about ``size`` bytes of text, and what is to be said of files that cannot be split.

    With ``ends_finely`` the last tasks are smaller, so that workers end at about the same time. The same files give the
    same tasks, however many workers there are.
    """
    total, at = sum(map(_weight, found)), 0
    last = total - min(total // _LAST, _MOST_LAST * size) if ends_finely else total
    made: list[list[Piece]] = []
    notes: list[str] = []
    together, weight = list[Piece](), 0

    def size_at(before: int) -> int:
        return size if before < last else max(size // _FINER, 1)

    for place, copy in zip(found, copies, strict=True):
        own = size_at(at)
        # A packed file has to be searched for its members: not for the sake of a finer end.
        is_large = _weight(place) > 2 * (size if place.name.endswith(PACKED) else own)
        if together and (is_large or weight + _weight(place) > own or len(together) >= MOST_FILES):
            made.append(together)
            together, weight = [], 0
        if is_large:
            pieces = _split(place, copy, lambda inside, before=at: size_at(before + inside))  # type: ignore[misc]
            if len(pieces) == 1 and not place.name.endswith(PARQUET):
                notes.append(f"{place.name}: compressed in one member, which cannot be split: it is one task")
            made += [[piece] for piece in pieces]
        else:
            together.append(Piece(place.name, copy))
            weight += _weight(place)
        at += _weight(place)
    return [*made, together] if together else made, notes


def _weight(place: Place) -> int:
    return (place.size or 1) * (_PACKED_WEIGHT if place.name.endswith(PACKED) else 1)


def weight_of(piece: Piece, place: Place) -> int:
    """About how much text there is in a piece of a file."""
    size = place.size or 1
    return _weight(place) * ((size if piece.end is None else piece.end) - piece.begin) // size


def _split(place: Place, copy: int, size_at: Callable[[int], int]) -> list[Piece]:
    """A file in pieces, of the sizes that are asked for where they begin."""
    whole = Piece(place.name, copy)
    if not place.size or place.name.endswith(PARQUET):
        return [whole]
    kind = kind_of(next(raw_blocks(place.name), b""))
    times = _PACKED_WEIGHT if kind else 1
    starts = [0]
    while True:
        step = max(size_at(starts[-1] * times) // times, 1)
        if kind:
            begin = next(_candidates(place, kind, starts[-1] + step), None)
        else:  # what would be less than half a piece goes with the one before
            begin = starts[-1] + step if place.size - starts[-1] > 3 * step // 2 else None
        if begin is None:
            break
        starts.append(begin)
    if len(starts) == 1:
        return [whole]
    form = _format(whole)
    ends = [*starts[1:], None]
    return [
        replace(whole, begin=begin, end=end, kind=kind, form=form if begin else None, number=number)
        for number, (begin, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _format(whole: Piece) -> Format:
    """The format of a file, which its beginning tells."""
    text = b""
    for block in text_of(whole):
        text += block
        if len(text) >= PREFIX:
            break
    return format_of(text[:PREFIX])


def _candidates(place: Place, kind: str, begin: int) -> Iterator[int]:
    """Where members begin from a place on.

    A candidate is believed when it unpacks; were it none all the same, unpacking the piece before it would not end
    there, which is an error.
    """
    at, text = begin, b""
    for block in raw_blocks(place.name, begin):
        text += block
        for match in _MEMBER[kind].finditer(text):
            if match.start() < len(text) - 16 and _unpacks(place.name, kind, at + match.start()):
                yield at + match.start()
        at, text = at + max(len(text) - 16, 0), text[-16:]


def _unpacks(name: str, kind: str, begin: int) -> bool:
    plain = 0
    try:
        for block in decompress(raw_blocks(name, begin), kind, name):
            plain += len(block)
            if plain >= min(_BELIEVED, BLOCK):
                return True
    except (ValueError, zlib.error, lzma.LZMAError, OSError, EOFError):
        return False
    return plain > 0
