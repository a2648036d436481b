"""What the model that was given with ``--model`` makes of typed text."""

from __future__ import annotations

from typing import Any

from nonproj.errors import NonprojError
from nonproj.text import Pipeline
from nonproj.treebank import Treebank, read
from nonproj.web.library import Library
from nonproj.web.query import Query

LONGEST_TEXT = 20_000
"""Characters of a text that is typed."""


def parse(library: Library, query: Query) -> dict[str, Any]:
    """Parse ``text`` and keep the sentences as a ``treebank`` of their own; ``sentences`` counts them.

    A model that has learnt to cut text takes any; another takes a sentence a line, with spaces between the words.
    """
    if _model(library).parser is None:
        raise NonprojError("the model has no parser: train it with the step parse")
    shelf = library.drop("typed text", bytes(parsed_text(library, query.text("text"))))
    return {"treebank": shelf.name, "sentences": len(shelf.treebank)}


def parsed_text(library: Library, text: str) -> Treebank:
    """The sentences of a text, with all that the model predicts."""
    model = _model(library)
    if not text.strip():
        raise NonprojError("text: type some words")
    if len(text) > LONGEST_TEXT:
        raise NonprojError(f"text: expected at most {LONGEST_TEXT:,} characters, not {len(text):,}: use nonproj parse")
    given = text.strip().encode("utf-8", "replace")
    parts = model.parse_stream(given, kind="words" if model.tokenizer is None else "text", threads=1)
    return read(b"".join(parts), unparsed=True, name="typed text")


def _model(library: Library) -> Pipeline:
    if library.model is None:
        raise NonprojError("there is no model: start the page with --model")
    return library.model
