"""Which view answers which request: each is a function of the library and a query that gives JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from nonproj.web import decode_view, model_view, sentence_view, steps_view, treebank_view
from nonproj.web.library import Library
from nonproj.web.query import Query

View: TypeAlias = Callable[[Library, Query], dict[str, Any]]

VIEWS: dict[str, View] = {
    "library": treebank_view.library,
    "coverage": treebank_view.coverage,
    "sentences": treebank_view.sentences,
    "sentence": sentence_view.sentence,
    "copy": sentence_view.copy,
    "transitions": steps_view.transitions,
    "play": steps_view.play,
    "schema": steps_view.schema,
    "schema_text": steps_view.schema_text,
    "sorting": steps_view.sorting,
    "lifting": steps_view.lifting,
    "grammar": steps_view.grammar,
    "scores": decode_view.example,
}
"""What GET answers."""

POSTED: dict[str, View] = {"decode": decode_view.best_trees, "parse": model_view.parse}
"""What POST answers, with JSON in the body."""
