"""The elements of an SVG picture of a tree, and where they go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from nonproj.draw import theme
from nonproj.draw.boxes import Box
from nonproj.draw.content import Content
from nonproj.draw.curve import Curve, number
from nonproj.draw.layout import Columns, Skeleton, place, skeleton
from nonproj.draw.measure import text_width
from nonproj.draw.paint import Paint

if TYPE_CHECKING:
    from nonproj.trees import Tree

# All sizes are in pixels at scale 1.
WORD, TAG, NUMBER, LABEL, TITLE = 16, 10, 9, 11, 14  # sizes of type
WORD_LINE, TAG_LINE, NUMBER_LINE, TITLE_LINE = 21, 13, 14, 28  # heights of lines
MARGIN = 14
WORD_GAP = 20
FOOT_SPREAD, FEET_AT_MOST = 8, 72  # between the feet at a word, and from its first to its last
FOOT_HEIGHT = 12  # what the lowest arcs rise besides their level
LEVEL, PLAIN_LEVEL = 20, 14  # from one level to the next, with and without labels
LINE, BOLD_LINE = 1.3, 2.4
ARROWHEAD = "l-3.2 -7.5l3.2 1.5l3.2 -1.5z"
ARROWHEAD_HEIGHT = 5  # up to where the line goes
LABEL_CLEARANCE = 8  # half of it on either side
BOX_INSET, BOX_STEP, BOX_APART = 4, 4, 6  # a word to its first box, that to the next, and two side by side


def _reach(box: Box) -> int:
    """How far a frame stands off the words in it."""
    return BOX_INSET + BOX_STEP * box.depth


def _columns(content: Content, bones: Skeleton, boxes: Iterable[Box]) -> Columns:
    """The room that words and feet need, and the frames between words."""
    width: list[int] = [0]
    offset: list[list[int]] = [[]]
    for word, feet in enumerate(bones.feet[1:], 1):
        written = text_width(content.words[word], WORD)
        if content.tags:
            written = max(written, text_width(content.tags[word], TAG))
        spread = min(FOOT_SPREAD * (len(feet) - 1), max(written, FEET_AT_MOST))
        width.append(max(written, spread))
        first = (width[word] - spread) // 2
        offset.append([first + spread * i // max(1, len(feet) - 1) for i in range(len(feet))])
    return Columns(width, _gaps(len(width), boxes), offset)


def _gaps(columns: int, boxes: Iterable[Box]) -> list[int]:
    before, after = [0] * columns, [0] * columns
    for box in boxes:
        for first, last in box.blocks:
            before[first] = max(before[first], _reach(box))
            after[last] = max(after[last], _reach(box))
    return [0, 0, *(max(WORD_GAP, after[i - 1] + BOX_APART + before[i]) for i in range(2, columns))]


class Picture:
    """A tree laid out, ready to be rendered."""

    def __init__(
        self,
        tree: Tree,
        *,
        content: Content,
        title: str,
        roles: list[str],
        boxes: list[Box],
        paint: Paint,
        mark_crossings: bool,
    ) -> None:
        self.heads = (0, *tree.heads)
        self.content, self.title, self.roles, self.boxes, self.paint = content, title, roles, boxes, paint
        self.mark_crossings = mark_crossings
        self.bones = skeleton(tree)
        self.columns = _columns(content, self.bones, boxes)
        self.label_width = [text_width(label, LABEL) + LABEL_CLEARANCE for label in content.labels]
        self.label_width = self.label_width or [0] * len(roles)
        self.at = place(self.bones, self.columns, self.label_width)
        self._fix_width()
        self._fix_height()

    def _fix_width(self) -> None:
        """Find what stands furthest out on either side."""
        at, reach = self.at, max(map(_reach, self.boxes), default=0)
        root_labels = [(at.left_foot[root], self.label_width[root] / 2) for root in self.bones.roots]
        left = min([at.start[1] - reach, *(foot - half for foot, half in root_labels)])
        end = at.start[-1] + self.columns.width[-1]
        right = max([end + reach, *(foot + half for foot, half in root_labels)])
        self.width = max(right - left, text_width(self.title, TITLE)) + 2 * MARGIN
        self.shift = (self.width - left - right) / 2

    def _fix_height(self) -> None:
        """Stack the lines of the picture from its top."""
        content, reach = self.content, max(map(_reach, self.boxes), default=0)
        self.level_height = LEVEL if content.labels else PLAIN_LEVEL
        top = MARGIN + (TITLE_LINE if self.title else 0) + (LABEL if content.labels else 0)
        self.base = top + FOOT_HEIGHT + self.level_height * max(self.at.level)
        self.word_top = self.base + 2 + (reach + 2 if reach else 0)
        self.word_bottom = self.word_top + WORD_LINE + (TAG_LINE if content.tags else 0)
        self.number_top = self.word_bottom + reach
        self.height = self.number_top + (NUMBER_LINE if content.numbers else 0) + MARGIN - 4

    def render(self, scale: float) -> str:
        """The whole picture as text."""
        # Elements come first: the style sheet depends on what they are painted with.
        body = [*self._ground(), *self._frames(), *self._arcs(), *self._labels(), *self._words()]
        name = quoteattr(self.title or " ".join(self.content.words[1:]))
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.paint.name}" role="img" aria-label={name} '
            f'width="{number(self.width * scale)}" height="{number(self.height * scale)}" '
            f'viewBox="0 0 {number(self.width)} {self.height}" '
            f'font-family="{theme.FONT}" text-anchor="middle">'
        )
        return "\n".join([opening, *self.paint.style(), *body, "</svg>\n"])

    def _ground(self) -> Iterator[str]:
        yield f'<rect {self.paint("ground", fill="ground")} width="100%" height="100%"/>'
        if self.title:
            yield self._text("title", self.title, self.width / 2, MARGIN + TITLE, TITLE, "ink", bold=True)

    def _text(self, kind: str, text: str, x: float, y: int, size: int, role: str, bold: bool = False) -> str:
        weight = ' font-weight="600"' if bold else ""
        paint = self.paint(kind, fill=role)
        return f'<text {paint} x="{number(x)}" y="{y}" font-size="{size}"{weight}>{escape(text)}</text>'

    def _frames(self) -> Iterator[str]:
        for index, box in enumerate(self.boxes):
            reach = _reach(box)
            height = self.word_bottom - self.word_top + 2 * reach
            dashes = theme.box_dashes(index)
            stroke = self.paint("box", stroke=theme.box_role(index)) + f' fill="none" stroke-width="{LINE}"'
            stroke += f' stroke-dasharray="{dashes}"' if dashes else ""
            for first, last in box.blocks:
                left = self.at.start[first] - reach
                width = self.at.start[last] + self.columns.width[last] + reach - left
                yield (
                    f'<rect {stroke} x="{number(left + self.shift)}" y="{self.word_top - reach}" '
                    f'width="{width}" height="{height}" rx="4"/>'
                )

    def _arcs(self) -> Iterator[str]:
        for arc in [*self.bones.order, *self.bones.roots]:
            role = self.roles[arc]
            width = BOLD_LINE if role == "highlight" else LINE
            stroke = self.paint("arc", stroke=role)
            yield f'<path {stroke} fill="none" stroke-width="{width}" d="{self._outline(arc)}"/>'
            tip = number(self._leg(arc, arc))
            yield f'<path {self.paint("head", fill=role)} d="M{tip} {self.base}{ARROWHEAD}"/>'

    def _outline(self, arc: int) -> str:
        left, right = self._leg(arc, self.bones.left[arc]), self._leg(arc, self.bones.right[arc])
        head_foot, dependent_foot = self.base, self.base - ARROWHEAD_HEIGHT
        if self.heads[arc] == 0:
            return f"M{number(left)} {self._top(arc)}V{dependent_foot}"
        legs = [self._leg(*leg) for leg in self.bones.legs[arc]] if self.mark_crossings else []
        run = Curve(left, right, self._top(arc)).outline(legs)
        if self.heads[arc] < arc:
            return f"M{number(left)} {head_foot}{run}V{dependent_foot}"
        return f"M{number(left)} {dependent_foot}{run}V{head_foot}"

    def _top(self, arc: int) -> int:
        return self.base - FOOT_HEIGHT - self.level_height * self.at.level[arc]

    def _leg(self, arc: int, word: int) -> float:
        """Where the leg of an arc at one of its words stands."""
        feet = self.at.left_foot if word == self.bones.left[arc] else self.at.right_foot
        return feet[arc] + self.shift

    def _labels(self) -> Iterator[str]:
        for arc, label in enumerate(self.content.labels):
            if label:
                role, x = self.roles[arc], self.at.label[arc] + self.shift
                yield self._text("label", label, x, self._top(arc) - 4, LABEL, role, bold=role == "highlight")

    def _words(self) -> Iterator[str]:
        content = self.content
        framed = {box.node: theme.box_role(index) for index, box in enumerate(self.boxes)}
        for word in range(1, len(self.heads)):
            x = self.at.start[word] + self.columns.width[word] / 2 + self.shift
            role = framed.get(word, "ink")
            yield self._text("word", content.words[word], x, self.word_top + 16, WORD, role)
            if content.tags:
                yield self._text("tag", content.tags[word], x, self.word_bottom - 4, TAG, "faint")
            if content.numbers:
                yield self._text("number", str(word), x, self.number_top + NUMBER_LINE - 4, NUMBER, "faint")
