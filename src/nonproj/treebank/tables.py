"""To and from tables with one row a word: pyarrow and pandas.

The columns are ``sentence`` (counted from 0), ``sent_id``, ``id``, ``head`` and the string columns of a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.treebank.document import Document
from nonproj.treebank.packages import package
from nonproj.treebank.rows import COLUMNS, comments, row

NEEDED = ("id", "form", "head")
ORDER = (
    "sentence",
    "sent_id",
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
)


class Columns(Protocol):
    """What a table needs to know of a treebank."""

    @property
    def heads(self) -> npt.NDArray[np.int32]:
        """The heads of all words."""
        ...

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where the words of each sentence start."""
        ...

    def column(self, name: str) -> list[str]:
        """One column of all words."""
        ...

    def cells(self, name: str) -> Iterable[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]]:
        """The same as arrays of offsets and bytes."""
        ...


def _numbers(words: Columns) -> dict[str, npt.NDArray[np.int32]]:
    lengths = np.diff(words.offsets)
    sentence = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    first = np.repeat(words.offsets[:-1], lengths)
    word = (np.arange(1, len(words.heads) + 1) - first).astype(np.int32)
    return {"sentence": sentence, "id": word, "head": words.heads}


def to_arrow(words: Columns, sent_ids: Sequence[str]) -> Any:
    """Build a `pyarrow.Table`; the text of a column is cut out once, without making strings."""
    arrow = package("pyarrow")
    numbers = _numbers(words)
    columns: dict[str, Any] = {name: arrow.array(values) for name, values in numbers.items()}
    columns["sent_id"] = arrow.array(sent_ids, arrow.large_string()).take(columns["sentence"])
    for name in COLUMNS:
        chunks = [
            arrow.LargeStringArray.from_buffers(len(offsets) - 1, arrow.py_buffer(offsets), arrow.py_buffer(text))
            for offsets, text in words.cells(name)
        ]
        columns[name] = arrow.chunked_array(chunks, arrow.large_string())
    return arrow.table({name: columns[name] for name in ORDER})


def to_pandas(words: Columns, sent_ids: Sequence[str]) -> Any:
    """Build a `pandas.DataFrame`."""
    pandas = package("pandas")
    numbers = _numbers(words)
    columns: dict[str, Any] = {**numbers, **{name: words.column(name) for name in COLUMNS}}
    columns["sent_id"] = np.array(sent_ids, dtype=object)[numbers["sentence"]]
    return pandas.DataFrame({name: columns[name] for name in ORDER})


def from_arrow(table: Any, name: str) -> Document:
    """Read a `pyarrow.Table`."""
    package("pyarrow")
    return _from_columns({column: table.column(column).to_pylist() for column in table.column_names}, name)


def from_pandas(frame: Any, name: str) -> Document:
    """Read a `pandas.DataFrame`."""
    package("pandas")
    known = frame.astype(object).where(frame.notna(), None)
    return _from_columns({column: known[column].tolist() for column in known.columns}, name)


def _from_columns(columns: Mapping[str, Sequence[Any]], name: str) -> Document:
    if missing := [column for column in NEEDED if column not in columns]:
        raise NonprojError(f"the table has no column {missing[0]!r}: it needs {', '.join(NEEDED)}")
    lines: list[str] = []
    for cells in zip(*columns.values(), strict=True):
        word = dict(zip(columns, cells, strict=True))
        if word["id"] == 1:  # a new sentence
            if lines:
                lines.append("\n")
            lines.extend(comments({"sent_id": word.get("sent_id")}))
        lines.append(row(word))
    document = Document("".join([*lines, "\n"] if lines else []).encode(), f"<{name}>", format="conllu")
    document.raise_first_fault()
    return document
