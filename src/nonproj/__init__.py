"""Dependency trees whose arcs cross: measure, explain, draw and parse them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from nonproj.decode import (
    Decoded,
    candidate_heads,
    count_trees,
    decode,
    decode_batch,
    entropy,
    k_best,
    log_partition,
    marginals,
    sample_trees,
)
from nonproj.draw import draw
from nonproj.errors import FormatError, NonprojError, TreeError
from nonproj.treebank import Filter, Sentence, Treebank, example_treebank, read, stream, write
from nonproj.trees import (
    AD,
    MG,
    MH,
    WG,
    Census,
    Explanation,
    Tree,
    TreeClass,
    census,
    define_class,
    tree_class,
    tree_classes,
)

if TYPE_CHECKING:
    from nonproj.grammar import Grammar
    from nonproj.lifting import lift, lower
    from nonproj.parser import Evaluation, GraphOptions, NeuralOptions, Parser, TransitionOptions, evaluate
    from nonproj.report.causes import Causes, causes
    from nonproj.report.chance import Chance, chance
    from nonproj.report.class_chance import class_chance
    from nonproj.report.coverage import Coverage, coverage
    from nonproj.report.difference import diff
    from nonproj.report.graphs import graphs
    from nonproj.report.lengths import lengths
    from nonproj.report.surprise import unusual
    from nonproj.schema import parsing_schema
    from nonproj.sharing import report_page
    from nonproj.text import Pipeline, restored_text
    from nonproj.transition import TransitionSystem, transition_system

# Rooms that are loaded when a name of theirs is first asked for: ``import nonproj`` is quick.
_ROOMS = {
    "grammar": ("Grammar",),
    "lifting": ("lift", "lower"),
    "parser": ("Evaluation", "GraphOptions", "NeuralOptions", "Parser", "TransitionOptions", "evaluate"),
    "report": (
        *("Causes", "Chance", "Coverage"),
        *("causes", "chance", "class_chance", "coverage", "diff", "graphs", "lengths", "unusual"),
    ),
    "schema": ("parsing_schema",),
    "sharing": ("report_page",),
    "text": ("Pipeline", "restored_text"),
    "transition": ("TransitionSystem", "transition_system"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__version__ = "0.1.0"

__all__ = [
    "AD",
    "MG",
    "MH",
    "WG",
    "Causes",
    "Census",
    "Chance",
    "Coverage",
    "Decoded",
    "Evaluation",
    "Explanation",
    "Filter",
    "FormatError",
    "Grammar",
    "GraphOptions",
    "NeuralOptions",
    "NonprojError",
    "Parser",
    "Pipeline",
    "Sentence",
    "TransitionOptions",
    "TransitionSystem",
    "Tree",
    "TreeClass",
    "TreeError",
    "Treebank",
    "__version__",
    "candidate_heads",
    "causes",
    "census",
    "chance",
    "class_chance",
    "count_trees",
    "coverage",
    "decode",
    "decode_batch",
    "define_class",
    "diff",
    "draw",
    "entropy",
    "evaluate",
    "example_treebank",
    "graphs",
    "k_best",
    "lengths",
    "lift",
    "log_partition",
    "lower",
    "marginals",
    "parsing_schema",
    "read",
    "report_page",
    "restored_text",
    "sample_trees",
    "stream",
    "transition_system",
    "tree_class",
    "tree_classes",
    "unusual",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'nonproj' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"nonproj.{_ROOM_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
