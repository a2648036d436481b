"""The view of a sentence: its tree as a scene to draw, what it is inside and outside of and why, and copies to take."""

from __future__ import annotations

from typing import Any

from nonproj.draw import draw, scene
from nonproj.errors import NonprojError
from nonproj.treebank import Sentence
from nonproj.trees import Tree
from nonproj.trees.classes import CATALOGUE
from nonproj.web.library import Library
from nonproj.web.query import Query


def sentence(library: Library, query: Query) -> dict[str, Any]:
    """A sentence, or its words under other ``heads``.

    ``scene`` is what `nonproj.draw.scene` gives, with ``features`` if asked for, broken into lines of ``width`` pixels
    (by default one line); ``classes`` has for each class ``inside`` (null where it could not be
    settled) and what ``nonproj explain --format json`` says; ``blocks`` the yield of each word as intervals, to frame;
    ``facts`` the measures of the tree by name.
    """
    shelf, number, found, tree = library.asked(query)
    return {
        "treebank": shelf.name,
        "number": number,
        "count": len(shelf.treebank),
        "id": found.sent_id,
        "text": found.text,
        "notes": _notes(found),
        "is_changed": tree.heads != found.heads,
        "original": list(found.heads),
        **tree_dict(tree),
        "has_features": any(feats != "_" for feats in found.feats),
        "scene": _scene(found, tree, query),
    }


def tree_dict(tree: Tree) -> dict[str, Any]:
    """What the page tells of a tree, besides its picture."""
    return {
        "heads": list(tree.heads),
        "forms": list(tree.forms or ()),
        "deprels": list(tree.deprels or ()),
        "facts": _facts(tree),
        "classes": [_judged(tree, cls) for cls in CATALOGUE],
        "crossings": [[list(one), list(two)] for one, two in tree.crossings[:500]],
        "blocks": [[list(block) for block in tree.blocks(word)] for word in range(1, len(tree) + 1)],
    }


def _scene(found: Sentence, tree: Tree, query: Query) -> dict[str, Any]:
    return scene(
        _with_heads(found, tree),
        tags=_shown_tags(found.upos),
        features=query.flag("features"),
        width=query.width(),
    )


def _with_heads(found: Sentence, tree: Tree) -> Sentence:
    return found if tree.heads == found.heads else found.with_heads(tree.heads)


def _judged(tree: Tree, cls: Any) -> dict[str, Any]:
    try:
        found = cls.explain(tree)
    except NonprojError as error:  # too entangled to settle
        return {"class": cls.name, "inside": None, "reason": "unsettled", "text": str(error), "arcs": [], "words": []}
    return {"inside": found.is_inside, **found.to_dict()}


def _facts(tree: Tree) -> list[dict[str, Any]]:
    def value(name: str) -> Any:
        try:
            return getattr(tree, name)
        except NonprojError:
            return "too entangled to settle"

    facts = [("words", len(tree)), ("crossings", len(tree.crossings)), ("planes", value("planes"))]
    facts += [("gap degree", value("gap_degree")), ("nesting", value("nesting")), ("edge degree", value("edge_degree"))]
    return [{"name": name, "value": found} for name, found in facts]


def _shown_tags(tags: list[str] | None) -> list[str] | None:
    return tags if tags and any(tag not in ("", "_") for tag in tags) else None


def _notes(found: Sentence) -> list[str]:
    """The comments, without those that say what is shown anyway."""
    shown = [comment.lstrip("# ") for comment in found.comments]
    return [note[:500] for note in shown if not note.startswith(("sent_id", "text =", "inside", "outside"))][:20]


def copy(library: Library, query: Query) -> dict[str, Any]:
    """The sentence as ``text`` to copy, in the ``format`` conllu, svg, latex or text; ``boxes`` are words to frame."""
    _, _, found, tree = library.asked(query)
    form = query.text("format", "conllu")
    if form == "conllu":
        return {"format": form, "text": str(_with_heads(found, tree))}
    if form == "svg":
        boxes = [int(word) for word in query.names("boxes") if word.isdigit()]
        return {"format": form, "text": _svg(_with_heads(found, tree), boxes, query)}
    if form == "latex":
        return {"format": form, "text": draw(_with_heads(found, tree), "latex")}
    if form == "text":
        return {"format": form, "text": draw(_with_heads(found, tree), "text", width=120)}
    raise NonprojError(f"format: expected conllu, svg, latex or text, not {form[:40]!r}")


def _svg(what: Sentence, boxes: list[int], query: Query) -> str:
    tags, features, dark = _shown_tags(what.upos), query.flag("features"), query.flag("dark")
    return draw(what, "svg", boxes=boxes, dark=dark, tags=tags, features=features, width=query.width())
