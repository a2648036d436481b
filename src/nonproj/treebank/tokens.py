"""To and from the token lists of the package conllu."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonproj.treebank.document import Document
from nonproj.treebank.packages import package
from nonproj.treebank.treebank import Treebank


def to_conllu(treebank: Treebank) -> list[Any]:
    """Parse the treebank with the package conllu; comments that are no ``key = value`` are kept too."""
    keep = {"__fallback__": lambda key, value: (key, value)}
    return list(package("conllu").parse(treebank.to_text(), metadata_parsers=keep))


def from_conllu(token_lists: Iterable[Any], name: str) -> Treebank:
    """Read what token lists serialize to."""
    package("conllu")
    text = "".join(tokens.serialize() for tokens in token_lists)
    document = Document(text.encode(), f"<{name}>")
    document.raise_first_fault()
    return Treebank.from_documents([document], name)
