"""To and from the token lists of the package conllu."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonproj.treebank.document import Document
from nonproj.treebank.packages import package


def to_conllu(text: str) -> list[Any]:
    """Parse a treebank's text with the package conllu; comments that are no ``key = value`` are kept too."""
    keep = {"__fallback__": lambda key, value: (key, value)}
    return list(package("conllu").parse(text, metadata_parsers=keep))


def from_conllu(token_lists: Iterable[Any], name: str) -> Document:
    """Read what token lists serialize to."""
    package("conllu")
    text = "".join(tokens.serialize() for tokens in token_lists)
    document = Document(text.encode(), f"<{name}>")
    document.raise_first_fault()
    return document
