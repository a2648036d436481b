"""Dependency trees whose arcs cross: measure, explain, draw and parse them."""

from __future__ import annotations

from nonproj.errors import FormatError, NonprojError, TreeError

__version__ = "0.1.0"

__all__ = ["FormatError", "NonprojError", "TreeError", "__version__"]
