"""Treebanks in CoNLL-U and CoNLL-X: read, stream, write, convert."""

from __future__ import annotations

from nonproj.treebank.document import Skipped
from nonproj.treebank.filtering import Filter
from nonproj.treebank.inputs import Source, sources
from nonproj.treebank.query import Query, QueryError
from nonproj.treebank.reading import SentenceStream, example_treebank, read, read_many, stream
from nonproj.treebank.sentence import EmptyNode, MultiwordToken, Sentence, Word
from nonproj.treebank.treebank import Treebank, write

__all__ = [
    "EmptyNode",
    "Filter",
    "MultiwordToken",
    "Query",
    "QueryError",
    "Sentence",
    "SentenceStream",
    "Skipped",
    "Source",
    "Treebank",
    "Word",
    "example_treebank",
    "read",
    "read_many",
    "sources",
    "stream",
    "write",
]
