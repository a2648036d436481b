"""To and from tables with one row a word: pyarrow and pandas.

The columns are ``sentence`` (counted from 0), ``sent_id``, ``id``, ``head`` and the string columns of a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.treebank.document import Document
from nonproj.treebank.packages import package
from nonproj.treebank.rows import comments, row
from nonproj.treebank.sentence import COLUMNS
from nonproj.treebank.treebank import Treebank

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


def _numbers(treebank: Treebank) -> dict[str, npt.NDArray[np.int32]]:
    lengths = np.diff(treebank.offsets)
    sentence = np.repeat(np.arange(len(treebank), dtype=np.int32), lengths)
    first = np.repeat(treebank.offsets[:-1], lengths)
    word = (np.arange(1, len(treebank.heads) + 1) - first).astype(np.int32)
    return {"sentence": sentence, "id": word, "head": treebank.heads}


def to_arrow(treebank: Treebank) -> Any:
    """Build a `pyarrow.Table`; the text of a column is cut out once, without making strings."""
    arrow = package("pyarrow")
    numbers = _numbers(treebank)
    columns: dict[str, Any] = {name: arrow.array(values) for name, values in numbers.items()}
    sent_ids = arrow.array([sentence.sent_id for sentence in treebank], arrow.large_string())
    columns["sent_id"] = sent_ids.take(columns["sentence"])
    for name in COLUMNS:
        chunks = [
            arrow.LargeStringArray.from_buffers(len(offsets) - 1, arrow.py_buffer(offsets), arrow.py_buffer(text))
            for offsets, text in treebank.cells(name)
        ]
        columns[name] = arrow.chunked_array(chunks, arrow.large_string())
    return arrow.table({name: columns[name] for name in ORDER})


def to_pandas(treebank: Treebank) -> Any:
    """Build a `pandas.DataFrame`."""
    pandas = package("pandas")
    numbers = _numbers(treebank)
    columns: dict[str, Any] = {**numbers, **{name: treebank.column(name) for name in COLUMNS}}
    sent_ids = np.array([sentence.sent_id for sentence in treebank], dtype=object)
    columns["sent_id"] = sent_ids[numbers["sentence"]]
    return pandas.DataFrame({name: columns[name] for name in ORDER})


def from_arrow(table: Any, name: str) -> Treebank:
    """Read a `pyarrow.Table`."""
    package("pyarrow")
    return _from_columns({column: table.column(column).to_pylist() for column in table.column_names}, name)


def from_pandas(frame: Any, name: str) -> Treebank:
    """Read a `pandas.DataFrame`."""
    package("pandas")
    known = frame.astype(object).where(frame.notna(), None)
    return _from_columns({column: known[column].tolist() for column in known.columns}, name)


def _from_columns(columns: Mapping[str, Sequence[Any]], name: str) -> Treebank:
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
    return Treebank.from_documents([document], name)
