"""The view of treebanks: what there is, which classes cover it, and its sentences page by page."""

from __future__ import annotations

from typing import Any

import numpy as np

import nonproj
from nonproj.errors import NonprojError
from nonproj.report.plot import pareto_front
from nonproj.text import Pipeline
from nonproj.transition import SYSTEMS, transition_system
from nonproj.trees import tree_class
from nonproj.trees.classes import CATALOGUE
from nonproj.web.decode_view import has_scores
from nonproj.web.library import Library, Shelf
from nonproj.web.query import Query
from nonproj.web.steps_view import GRAMMARS, schemata

PAGE = 25
_SHOWN_SKIPPED = 50
_SHOWN_TEXT = 300
_ORDERS = ("number", "words", "crossings", "classes")


def library(library: Library, query: Query) -> dict[str, Any]:
    """What can be chosen: ``treebanks``, ``classes``, ``systems``, ``schemata``, ``grammars``, ``model``."""
    return {
        "version": nonproj.__version__,
        "treebanks": [_listed(shelf) for shelf in library.shelves],
        "classes": [
            {
                "name": cls.name,
                "title": cls.title,
                "definition": cls.definition,
                "complexity": cls.complexity,
                "exponent": cls.exponent,
                "reference": cls.reference,
                "has_sums": bool(cls.solver.has_sums),
            }
            for cls in (*CATALOGUE, tree_class("spanning"))
        ],
        "systems": [
            {
                "name": kind.shown(kind.example),
                "title": kind.title,
                "reference": kind.reference,
                "class": kind.class_name(kind.example),
                "oracles": list(kind.oracles),
                "has_arcs": kind.has_arcs,
                "has_cost": transition_system(kind.shown(kind.example)).has_cost,
            }
            for kind in SYSTEMS
        ],
        "schemata": schemata(),
        "grammars": GRAMMARS,
        "model": None if library.model is None else _told(library.model),
        "scored_words": library.limits.scored_words,
    }


def _told(model: Pipeline) -> dict[str, Any]:
    """What a model does, and whether its parser gives scores of arcs."""
    return {"name": repr(model), "takes_text": model.tokenizer is not None, "has_scores": has_scores(model)}


def _listed(shelf: Shelf) -> dict[str, Any]:
    return {
        "name": shelf.name,
        "sentences": len(shelf.treebank),
        "words": len(shelf.treebank.heads),
        "skipped": len(shelf.treebank.skipped),
        "is_dropped": shelf.is_dropped,
    }


def coverage(library: Library, query: Query) -> dict[str, Any]:
    """What ``nonproj coverage --format json`` has for a treebank, and more.

    ``best`` names the classes that no class of the same or a smaller cost beats; ``relations`` are those of the first
    sentences; ``longest`` is the length of the longest, ``problems`` what is wrong with those left out.
    """
    shelf = library.shelf(query.text("treebank"))
    measured = shelf.coverage
    loss = measured.loss
    points = [
        (cls.exponent, value) for cls in CATALOGUE if cls.exponent is not None and (value := loss[cls.name]) is not None
    ]
    front = set(pareto_front(points))
    return {
        **measured.to_dict(),
        "loss": loss,
        "best": [cls.name for cls in CATALOGUE if cls.exponent and (cls.exponent, loss[cls.name]) in front],
        "relations": shelf.relations,
        "longest": int(shelf.lengths.max(initial=0)),
        "problems": [str(skipped) for skipped in shelf.treebank.skipped[:_SHOWN_SKIPPED]],
    }


def sentences(library: Library, query: Query) -> dict[str, Any]:
    """A page of the sentences that pass the filters: ``total``, ``page``, ``size`` and ``rows``.

    The filters are ``outside`` and ``inside`` (classes), ``least`` and ``most`` (words), ``relation`` and ``search`` (a
    text that stands in the sentence or its comments); ``order`` is number, words, crossings or classes, with ``-`` in
    front of it from the largest down. A row has ``number``, ``id``, ``text``, ``words``, ``crossings`` and ``outside``.
    """
    shelf = library.shelf(query.text("treebank"))
    chosen = _filtered(shelf, query)
    chosen = _ordered(shelf, chosen, query.text("order", "number"))
    size = query.number("size", PAGE, 1, 200)
    page = query.number("page", 0)
    rows = [_row(shelf, int(number)) for number in chosen[page * size : (page + 1) * size]]
    return {"treebank": shelf.name, "total": len(chosen), "page": page, "size": size, "rows": rows}


def _filtered(shelf: Shelf, query: Query) -> np.ndarray[Any, np.dtype[np.int64]]:
    passes = np.ones(len(shelf.treebank), bool)
    for name in query.names("outside"):
        passes &= _held(shelf, name) == 0
    for name in query.names("inside"):
        passes &= _held(shelf, name) == 1
    least, most = query.number("least", 0), query.number("most", 2**31 - 1)
    passes &= (shelf.lengths >= least) & (shelf.lengths <= most)
    if relation := query.text("relation"):
        passes &= shelf.having(relation)
    if wanted := query.text("search"):
        passes &= shelf.containing(wanted)
    return np.flatnonzero(passes)


def _held(shelf: Shelf, name: str) -> np.ndarray[Any, np.dtype[np.int8]]:
    cls = tree_class(name)
    if cls.name not in shelf.held:
        raise NonprojError(f"{cls.name} is none of the classes that the page measures: {', '.join(shelf.held)}")
    return shelf.held[cls.name]


def _ordered(
    shelf: Shelf, chosen: np.ndarray[Any, np.dtype[np.int64]], order: str
) -> np.ndarray[Any, np.dtype[np.int64]]:
    name, is_falling = order.removeprefix("-"), order.startswith("-")
    if name not in _ORDERS:
        raise NonprojError(f"order: expected one of {', '.join(_ORDERS)}, not {name[:40]!r}")
    if name == "number":
        return chosen[::-1] if is_falling else chosen
    if name == "classes":
        keys = np.sum([held[chosen] == 0 for held in shelf.held.values()], axis=0)
    else:
        keys = (shelf.lengths if name == "words" else shelf.crossings)[chosen]
    return chosen[np.argsort(-keys if is_falling else keys, kind="stable")]


def _row(shelf: Shelf, number: int) -> dict[str, Any]:
    sentence = shelf.treebank[number]
    return {
        "number": number,
        "id": sentence.sent_id,
        "text": sentence.text[:_SHOWN_TEXT],
        "words": len(sentence),
        "crossings": int(shelf.crossings[number]),
        "outside": [name for name, held in shelf.held.items() if held[number] == 0],
    }
