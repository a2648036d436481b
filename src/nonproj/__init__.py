"""Dependency trees whose arcs cross: measure, explain, draw and parse them."""

from __future__ import annotations

from nonproj.decode import (
    Decoded,
    candidate_heads,
    count,
    decode,
    decode_batch,
    entropy,
    k_best,
    log_partition,
    marginals,
    sample,
)
from nonproj.errors import FormatError, NonprojError, TreeError
from nonproj.lifting import lift, lower
from nonproj.report import Coverage, coverage
from nonproj.transition import TransitionSystem, transition_system
from nonproj.treebank import Sentence, Treebank, read, sample_treebank, stream
from nonproj.trees import AD, MG, MH, WG, Census, Explanation, Tree, TreeClass, census, tree_class

__version__ = "0.1.0"

__all__ = [
    "AD",
    "MG",
    "MH",
    "WG",
    "Census",
    "Coverage",
    "Decoded",
    "Explanation",
    "FormatError",
    "NonprojError",
    "Sentence",
    "TransitionSystem",
    "Tree",
    "TreeClass",
    "TreeError",
    "Treebank",
    "__version__",
    "candidate_heads",
    "census",
    "count",
    "coverage",
    "decode",
    "decode_batch",
    "entropy",
    "k_best",
    "lift",
    "log_partition",
    "lower",
    "marginals",
    "read",
    "sample",
    "sample_treebank",
    "stream",
    "transition_system",
    "tree_class",
]
