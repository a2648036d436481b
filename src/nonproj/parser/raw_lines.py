"""Raw text, a sentence a line, as CoNLL-U to be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, cast

from nonproj.errors import NonprojError
from nonproj.treebank import Source
from nonproj.treebank.compression import refuse_archive
from nonproj.treebank.inputs import label, read_blocks


def as_conllu(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines of words with spaces between them as CoNLL-U with nothing but forms; empty lines are passed over.

    >>> [line.split("\\t")[:2] for line in b"".join(as_conllu(["Dogs bark"])).decode().splitlines()]
    [['# text = Dogs bark'], ['1', 'Dogs'], ['2', 'bark'], ['']]
    """
    for line in lines:
        if words := line.split():
            rows = "".join(f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, word in enumerate(words, 1))
            yield f"# text = {' '.join(words)}\n{rows}\n".encode()


def raw_text(source: Source) -> IO[bytes]:
    r"""Raw text, a sentence a line, as a file of CoNLL-U that is made line by line as it is read.

    >>> raw_text(b"Dogs bark\n").read().decode().splitlines()[1].split("\t")[:2]
    ['1', 'Dogs']
    """
    return cast("IO[bytes]", _RawText(source))


class _RawText:
    """What reading CoNLL-U asks of a file: to give what there is, and nothing only at the end."""

    def __init__(self, source: Source) -> None:
        self.name = label(source)
        self._blocks = read_blocks(source)
        self._rest = b""
        self._number = 0

    def read(self, size: int = -1) -> bytes:
        for block in self._blocks:
            if self._number == 0:
                refuse_archive(self._rest + block, self.name)
            *lines, self._rest = (self._rest + block).split(b"\n")
            if text := self._converted(lines):
                return text
        last, self._rest = self._rest, b""
        return self._converted([last])

    def _converted(self, lines: list[bytes]) -> bytes:
        return b"".join(as_conllu(map(self._decoded, lines)))

    def _decoded(self, line: bytes) -> str:
        self._number += 1
        try:
            return line.decode("utf-8-sig" if self._number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise NonprojError(f"{self.name}, line {self._number}: not UTF-8: {error.reason}") from None
