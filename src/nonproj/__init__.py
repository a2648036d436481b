"""Dependency trees whose arcs cross: measure, explain, draw and parse them."""

from __future__ import annotations

from nonproj.errors import FormatError, NonprojError, TreeError
from nonproj.trees import AD, MG, MH, WG, Census, Explanation, Tree, TreeClass, census, tree_class

__version__ = "0.1.0"

__all__ = [
    "AD",
    "MG",
    "MH",
    "WG",
    "Census",
    "Explanation",
    "FormatError",
    "NonprojError",
    "Tree",
    "TreeClass",
    "TreeError",
    "__version__",
    "census",
    "tree_class",
]
