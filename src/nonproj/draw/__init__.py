"""Drawings of dependency trees: SVG, PNG and PDF for pages and papers, text for the terminal."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from nonproj.draw.formats import draw

if TYPE_CHECKING:
    from nonproj.draw.gallery import page
    from nonproj.draw.geometry import scene
    from nonproj.draw.image import image
    from nonproj.draw.terminal import text
    from nonproj.draw.tikz import latex
    from nonproj.draw.vector import svg

__all__ = ["draw", "image", "latex", "page", "scene", "svg", "text"]

# Loaded when first asked for: `nonproj.draw`, the function, comes with ``import nonproj``, which is quick.
_MODULE_OF = {
    "image": "image",
    "latex": "tikz",
    "page": "gallery",
    "scene": "geometry",
    "svg": "vector",
    "text": "terminal",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'nonproj.draw' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"nonproj.draw.{_MODULE_OF[name]}"), name)
    return value
