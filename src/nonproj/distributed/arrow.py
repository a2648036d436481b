"""Sentences as Parquet, one row each, for DuckDB, Polars, Spark and whatever else reads it.

=============  =====================  =======================================================================
column         type                   what it holds
=============  =====================  =======================================================================
``source``     string                 the file it comes from, as it was named
``sent_id``    string                 its id, or its number in the file
``forms``      list<string>           the words
``heads``      list<int32>            the head of each word, 0 for the root
``relations``  list<string>           the relation of each word to its head
``inside``     struct<Pr: bool, ...>  whether its tree is in each class that was asked for; null where not settled
=============  =====================  =======================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

from nonproj.distributed.places import EXTRA, Hashed, opened_at
from nonproj.errors import NonprojError
from nonproj.treebank import Treebank
from nonproj.treebank.rows import comments, row
from nonproj.trees import TreeClass, profile_trees

PARQUET = ".parquet"
_BATCH = 1000


def arrow() -> Any:
    """The package pyarrow, with its Parquet."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise NonprojError(f"Parquet needs pyarrow: {EXTRA}") from None
    return pyarrow


def schema(classes: Sequence[TreeClass]) -> Any:
    """The columns, as a `pyarrow.Schema`."""
    pa = arrow()
    return pa.schema(
        [
            ("source", pa.string()),
            ("sent_id", pa.string()),
            ("forms", pa.list_(pa.string())),
            ("heads", pa.list_(pa.int32())),
            ("relations", pa.list_(pa.string())),
            ("inside", pa.struct([(cls.name, pa.bool_()) for cls in classes])),
        ]
    )


def sentence_table(treebank: Treebank, source: str, classes: Sequence[TreeClass], dummy: str = "left") -> Any:
    """The sentences of a treebank as a `pyarrow.Table` of that schema; ``dummy`` is that of `profile_trees`.

    >>> from nonproj.treebank import example_treebank
    >>> from nonproj.trees import tree_classes
    >>> table = sentence_table(example_treebank(), "sample", tree_classes("Pr 1EC"))
    >>> table.num_rows, table.column_names
    (75, ['source', 'sent_id', 'forms', 'heads', 'relations', 'inside'])
    """
    pa = arrow()
    offsets = pa.array(treebank.offsets, pa.int32())

    def strings(name: str) -> Any:
        return pa.ListArray.from_arrays(offsets, pa.array(treebank.column(name), pa.string()))

    solvers = [cls.solver for cls in classes]
    profiles = profile_trees(treebank.heads, treebank.offsets, solvers=solvers, threads=1, dummy=dummy)
    held = [cls.holds(profiles) for cls in classes]
    columns = [
        pa.array([source] * len(treebank), pa.string()),
        pa.array([sentence.sent_id for sentence in treebank], pa.string()),
        strings("form"),
        pa.ListArray.from_arrays(offsets, pa.array(treebank.heads, pa.int32())),
        strings("deprel"),
        pa.StructArray.from_arrays(
            [pa.array(member == 1, pa.bool_(), mask=member < 0) for member in held], [cls.name for cls in classes]
        ),
    ]
    return pa.Table.from_arrays(columns, schema=schema(classes))


def parquet_writer(file: Hashed, classes: Sequence[TreeClass]) -> Any:
    """A writer of such tables; the same tables give the same file."""
    pa = arrow()
    return pa.parquet.ParquetWriter(pa.PythonFile(file, mode="w"), schema(classes), compression="zstd")


def text_of_parquet(source: str) -> Iterator[bytes]:
    """Such a file as CoNLL-U, some sentences at a time."""
    pa = arrow()
    with opened_at(source) as file:
        yield from _texts(pa, file, source)


def _texts(pa: Any, file: IO[bytes], source: str) -> Iterator[bytes]:
    names = ["sent_id", "forms", "heads", "relations"]
    try:
        parquet = pa.parquet.ParquetFile(file)
        if missing := [name for name in names if name not in parquet.schema_arrow.names]:
            raise NonprojError(f"{source}: the table has no column {missing[0]!r}: it needs {', '.join(names)}")
        for batch in parquet.iter_batches(_BATCH, columns=names):
            lines: list[str] = []
            for sentence in batch.to_pylist():
                lines += comments({"sent_id": sentence["sent_id"]})
                cells = zip(sentence["forms"], sentence["heads"], sentence["relations"], strict=True)
                for number, (form, head, relation) in enumerate(cells, 1):
                    lines.append(row({"id": number, "form": form, "head": head, "deprel": relation}))
                lines.append("\n")
            yield "".join(lines).encode()
    except (pa.ArrowException, TypeError) as error:
        raise NonprojError(f"{source}: the Parquet is damaged, or of other columns: {error}") from error
