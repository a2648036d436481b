"""A picture as plain data: where words, arcs and labels stand, for pages that draw and move them themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nonproj.draw.content import Content
from nonproj.draw.curve import number
from nonproj.draw.paint import Paint
from nonproj.draw.picture import ARROWHEAD, NUMBER_LINE, Picture
from nonproj.draw.planes import drawn_planes
from nonproj.trees import Tree

BOX_ROOM = 12
"""What is left free around the words, so that frames can be drawn later without moving anything."""


def scene(tree: Tree, *, tags: Sequence[str] | None = None) -> dict[str, Any]:
    """The picture that `svg` draws as numbers and texts, in pixels.

    ``words`` and ``arcs`` have one entry a word: of a word its text, tag, middle and column; of the arc into it the
    head, the plane, SVG path data, the tip of the arrow and the label. ``top`` and ``bottom`` are those of the words.

    >>> made = scene(Tree([2, 0], forms=["Dogs", "bark"], deprels=["nsubj", "root"]))
    >>> [word["text"] for word in made["words"]], [arc["head"] for arc in made["arcs"]]
    (['Dogs', 'bark'], [2, 0])
    >>> made["arcs"][0]["label"]["text"], made["arcs"][0]["path"].startswith("M")
    ('nsubj', True)
    """
    return _Scene(tree, tags).to_dict()


class _Scene(Picture):
    """A picture that tells where everything stands instead of rendering it."""

    def __init__(self, tree: Tree, tags: Sequence[str] | None) -> None:
        self.planes = drawn_planes(tree)
        super().__init__(
            tree,
            content=Content.of(tree, labels=True, tags=tags),
            title="",
            roles=["ink"] * (len(tree) + 1),
            boxes=[],
            paint=Paint(dark=False),
            mark_crossings=True,
        )

    def _fix_height(self) -> None:
        super()._fix_height()
        self.word_top += BOX_ROOM
        self.word_bottom += BOX_ROOM
        self.number_top += BOX_ROOM + 4
        self.height += BOX_ROOM + 4 + (0 if self.content.numbers else NUMBER_LINE)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in one dictionary."""
        words = range(1, len(self.heads))
        return {
            "width": round(self.width, 1),
            "height": self.height,
            "base": self.base,
            "top": self.word_top,
            "bottom": self.word_bottom,
            "number": self.number_top + NUMBER_LINE - 4,
            "words": [self._word(word) for word in words],
            "arcs": [self._arc(word) for word in words],
        }

    def _word(self, word: int) -> dict[str, Any]:
        left, width = self.at.start[word] + self.shift, self.columns.width[word]
        content = self.content
        return {
            "text": content.words[word],
            "tag": content.tags[word] if content.tags else "",
            "x": round(left + width / 2, 1),
            "left": round(left, 1),
            "width": width,
        }

    def _arc(self, word: int) -> dict[str, Any]:
        tip = self._leg(word, word)
        label = self.content.labels[word] if self.content.labels else ""
        return {
            "head": self.heads[word],
            "plane": self.planes[word],
            "path": self._outline(word),
            "tip": f"M{number(tip)} {self.base}{ARROWHEAD}",
            "label": {"text": label, "x": round(self.at.label[word] + self.shift, 1), "y": self._top(word) - 4},
        }
