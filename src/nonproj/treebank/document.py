"""The text of one source as it came, and the index of its sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from nonproj import _core
from nonproj.errors import FormatError, NonprojError
from nonproj.treebank.compression import refuse_archive
from nonproj.treebank.formats import PREFIX, Format, format_of
from nonproj.treebank.inputs import never

OnError = Literal["stop", "skip"]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SENT_ID = re.compile(rb"^#[ \t]*sent_id[ \t]*=(.*)$", re.MULTILINE)
# CR and what begins a line, where no line ends in LF.
# How text of wider codes begins; the mark of UTF-32 begins with that of UTF-16.
_WIDE = {"UTF-32": (b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "UTF-16": (b"\xff\xfe", b"\xfe\xff")}
_OLD_LINE_END = re.compile(rb"\r(?:\r|#|\d+(?:[-.]\d+)?\t)")
# Native work between two looks at whether to stop: some 20 milliseconds.
_STRIDE = 1 << 24


class Place(NamedTuple):
    """Where a sentence is in its text; see cpp/nonproj/conll/index.hpp."""

    begin: int
    body: int
    body_end: int
    end: int
    line: int
    number: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A sentence that was left out, where it stood and what is wrong with it."""

    file: str
    line: int
    sent_id: str
    message: str
    text: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: sentence {self.sent_id}: {self.message}"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read: what to do about faults, whether sentences may have no heads yet, whether heads matter at all."""

    on_error: OnError = "stop"
    unparsed: bool = False
    ignores_heads: bool = False
    """Take every head as yet unknown, whatever stands there."""

    def __post_init__(self) -> None:
        if self.on_error not in ("stop", "skip"):
            raise NonprojError(f"on_error is {self.on_error!r}, expected 'stop' or 'skip'")


USUAL = ReadOptions()
"""How texts are read when nothing else is said."""


class Document:
    """A text, its index and the sentences of it that were skipped.

    `is_whole` is false for a block of a longer text; then `rest` says where the next block begins, and the
    `first_line` and `first_number` of that block are `rest_line` and `rest_number`. `origin` has the line and the
    number of each sentence in the text that it was made from, where that is another.
    """

    __slots__ = (
        "_part",
        "breaks",
        "file",
        "format",
        "heads",
        "index",
        "offsets",
        "options",
        "origin",
        "skipped",
        "text",
    )

    def __init__(
        self,
        text: bytes,
        file: str,
        options: ReadOptions = USUAL,
        *,
        format: Format | None = None,
        start: int | None = None,
        is_whole: bool = True,
        first_line: int = 1,
        first_number: int = 1,
        origin: Sequence[tuple[int, int]] | None = None,
        is_stopped: Callable[[], bool] = never,
    ) -> None:
        if start is None:
            start = _beginning(text, file)
        self.text, self.file, self.options, self.origin = text, file, options, origin
        self.format: Format = format or format_of(text[start : start + PREFIX])
        self._part = (start, is_whole, first_line, first_number)
        self.index = _core.ConllIndex(
            text,
            start,
            is_whole,
            options.on_error == "stop",
            options.unparsed,
            options.ignores_heads,
            first_line,
            first_number,
        )
        while self.index.advance(_STRIDE):
            if is_stopped():
                raise KeyboardInterrupt
        self.heads, self.offsets = self.index.heads, self.index.offsets
        faults = self.index.faults
        self.skipped = [self._skipped(Place(*place), line, message) for place, line, _, message in faults]
        # The numbers of sound sentences before each fault: there the text of the sound ones is interrupted.
        self.breaks = [before for _, _, before, _ in faults]

    def __len__(self) -> int:
        return len(self.index)

    def __reduce__(self) -> tuple[object, ...]:
        return (rebuild, (self.text, self.file, self.options, self.format, *self._part, self.origin))

    @property
    def is_whole(self) -> bool:
        """Whether it is a text as a whole, or the last block of one."""
        return self._part[1]

    @property
    def rest(self) -> bytes:
        """What follows the last sentence, such as comments; of a block nothing, for it belongs to the next."""
        return self.text[self.index.rest :] if self.is_whole else b""

    @property
    def emptiness(self) -> str:
        """What a whole text without any sentence, sound or not, holds instead; nothing when it has one."""
        if len(self) or self.skipped:
            return ""
        return nothing_in(self.text)

    def place(self, sentence: int) -> Place:
        """Where the sentence with this index is."""
        place = Place(*self.index.place(sentence))
        if self.origin is None:
            return place
        line, number = self.origin[sentence]
        return place._replace(line=line, number=number)

    def raise_first_fault(self, advice: str = "") -> None:
        """Raise what stopped the reading, if anything did."""
        if self.skipped and self.options.on_error == "stop":
            raise FormatError(f"{self.skipped[0]}{advice}")

    def _skipped(self, place: Place, line: int, message: bytes) -> Skipped:
        sent_id = sent_id_in(self.text[place.body : place.body_end]) or str(place.number)
        text = self.text[place.begin : place.end]
        return Skipped(self.file, line, sent_id, message.decode(errors="backslashreplace"), text)


def nothing_in(text: bytes) -> str:
    """Say what a text without sentences is.

    >>> nothing_in(b""), nothing_in(b"# newdoc\\n")
    ('it is empty, 0 bytes', 'it has nothing but comments')
    """
    if not text:
        return "it is empty, 0 bytes"
    return "it has nothing but comments" if b"#" in text else "it has nothing but empty lines"


def _beginning(text: bytes, file: str) -> int:
    refuse_archive(text, file)
    for code, marks in _WIDE.items():
        if text.startswith(marks):
            raise FormatError(f"{file}:1: the text is {code}: convert it to UTF-8, iconv -f {code} -t UTF-8")
    if b"\n" not in text[:PREFIX] and _OLD_LINE_END.search(text[:PREFIX]):
        raise FormatError(
            f"{file}:1: the lines end in CR alone, as on old Macs: convert them, tr '\\r' '\\n' < in > out"
        )
    return len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0


def rebuild(
    text: bytes,
    file: str,
    options: ReadOptions,
    format: Format,
    start: int,
    is_whole: bool,
    first_line: int,
    first_number: int,
    origin: Sequence[tuple[int, int]] | None,
) -> Document:
    """Index a text again after it was pickled."""
    return Document(
        text,
        file,
        options,
        format=format,
        start=start,
        is_whole=is_whole,
        first_line=first_line,
        first_number=first_number,
        origin=origin,
    )


def sent_id_in(body: bytes) -> str | None:
    """Find the ``# sent_id = `` of a sentence."""
    if b"sent_id" not in body:  # which is seen more quickly than that no line begins so
        return None
    found = _SENT_ID.search(body)
    return found[1].strip(b" \t\r").decode(errors="backslashreplace") if found else None
