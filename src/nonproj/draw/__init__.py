"""Drawings of dependency trees: SVG for pages and papers, text for the terminal."""

from __future__ import annotations

from nonproj.draw.gallery import page
from nonproj.draw.terminal import text
from nonproj.draw.vector import svg

__all__ = ["page", "svg", "text"]
