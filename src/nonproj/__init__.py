"""Dependency trees whose arcs cross: measure, explain, draw and parse them."""

from __future__ import annotations

from nonproj.decode import decode, decode_batch, k_best, log_partition, marginals
from nonproj.errors import FormatError, NonprojError, TreeError
from nonproj.report import Coverage, coverage
from nonproj.treebank import Sentence, Treebank, read, sample, stream
from nonproj.trees import AD, MG, MH, WG, Census, Explanation, Tree, TreeClass, census, tree_class

__version__ = "0.1.0"

__all__ = [
    "AD",
    "MG",
    "MH",
    "WG",
    "Census",
    "Coverage",
    "Explanation",
    "FormatError",
    "NonprojError",
    "Sentence",
    "Tree",
    "TreeClass",
    "TreeError",
    "Treebank",
    "__version__",
    "census",
    "coverage",
    "decode",
    "decode_batch",
    "k_best",
    "log_partition",
    "marginals",
    "read",
    "sample",
    "stream",
    "tree_class",
]
