"""A picture as plain data: where words, arcs and labels stand, for pages that draw and move them themselves."""

from __future__ import annotations

from typing import Any

from nonproj.draw.content import Content, Drawable, Node, Tags, tree_of
from nonproj.draw.direction import Direction
from nonproj.draw.paint import Paint
from nonproj.draw.picture import NUMBER_LINE, Line, Picture
from nonproj.draw.planes import drawn_planes
from nonproj.trees import Tree

BOX_ROOM = 12
"""What is left free around the words, so that frames can be drawn later without moving anything."""


def scene(
    what: Drawable,
    *,
    tags: Tags = None,
    features: bool = False,
    direction: Direction = "auto",
    width: float | None = None,
) -> dict[str, Any]:
    """The picture that `svg` draws as numbers and texts, in pixels, with the same options.

    ``words`` and ``arcs`` have one entry a word: of a word its text, tag, features, middle, column and line; of the arc
    into it the head, the plane, SVG path data, the tip of the arrow and the label. ``tokens`` and ``nodes`` are the
    multiword tokens and the empty nodes. ``lines`` say where the lines of words stand, the first one first.

    >>> made = scene(Tree([2, 0], forms=["Dogs", "bark"], deprels=["nsubj", "root"]))
    >>> [word["text"] for word in made["words"]], [arc["head"] for arc in made["arcs"]]
    (['Dogs', 'bark'], [2, 0])
    >>> made["arcs"][0]["label"]["text"], made["arcs"][0]["path"].startswith("M")
    ('nsubj', True)
    """
    content = Content.of(what, labels=True, tags=tags, features=features, direction=direction)
    return _Scene(tree_of(what), content, width).to_dict()


class _Scene(Picture):
    """A picture that tells where everything stands instead of rendering it."""

    def __init__(self, tree: Tree, content: Content, room: float | None) -> None:
        self.tree = tree
        self.planes = drawn_planes(tree)
        super().__init__(
            tree,
            content=content,
            title="",
            roles=["ink"] * (len(tree) + 1),
            boxes=[],
            paint=Paint(dark=False),
            mark_crossings=True,
            room=room,
        )

    def _fix_height(self) -> None:
        super()._fix_height()
        has_numbers = bool(self.content.numbers or self.content.nodes)
        more = BOX_ROOM + 4 + (0 if has_numbers else NUMBER_LINE)
        for above, line in enumerate(self.in_order):
            line.base += above * more
            line.word_top += above * more + BOX_ROOM
            line.word_bottom += above * more + BOX_ROOM
            line.number_top += above * more + BOX_ROOM + 4
            line.token_top += (above + 1) * more
            line.bottom += (above + 1) * more
        self.height += more * len(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in one dictionary."""
        own = self._reading_order()
        return {
            "width": round(self.width, 1),
            "height": self.height,
            "is_right_to_left": self.content.is_right_to_left,
            "lines": [self._measures(line) for line in self.in_order],
            "words": [self._word(word) for word in own],
            "arcs": [self._arc(word, number) for number, word in enumerate(own, 1)],
            "tokens": [self._token(token.first, token.last, token.form) for token in self.content.tokens],
            "nodes": [
                self._node(column, item) for column, item in enumerate(self.slots.items) if isinstance(item, Node)
            ],
        }

    def _measures(self, line: Line) -> dict[str, Any]:
        return {
            "base": line.base,
            "top": line.word_top,
            "bottom": line.word_bottom,
            "number": line.number_top + NUMBER_LINE - 4,
            "end": line.bottom,
        }

    def _column(self, column: int) -> dict[str, Any]:
        line, x = self._middle(column)
        return {
            "x": round(x, 1),
            "left": round(self.at.start[column] + line.shift, 1),
            "width": self.columns.width[column],
            "line": self.in_order.index(line),
        }

    def _word(self, word: int) -> dict[str, Any]:
        content = self.content
        return {
            "text": content.words[word],
            "tag": content.tags[word] if content.tags else "",
            "features": content.features[word] if content.features else [],
            **self._column(self.slots.column_of[word]),
        }

    def _node(self, column: int, node: Node) -> dict[str, Any]:
        said = {"text": node.form, "tag": node.tag, "features": node.features, "number": node.number}
        return {**said, **self._column(column)}

    def _arc(self, word: int, number: int) -> dict[str, Any]:
        x, y = self._label_place(word)
        return {
            "head": self.tree.heads[number - 1],
            "plane": self.planes[number],
            "path": self._outline(word),
            "tip": self._tip(word),
            "label": {
                "text": self.content.labels[word] if self.content.labels else "",
                "x": round(x, 1),
                "y": y,
            },
        }

    def _token(self, first: int, last: int, form: str) -> dict[str, Any]:
        pieces = [
            {"left": round(left, 1), "right": round(right, 1), "y": line.token_top + 1}
            for line, left, right in self._cut(first, last)
        ]
        return {"text": form, "pieces": pieces}
