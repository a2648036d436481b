"""The elements of an SVG picture of a tree, and where they go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from nonproj.draw import theme
from nonproj.draw.boxes import Box
from nonproj.draw.columns import Slots, broken, in_order
from nonproj.draw.content import Content, Node, mirrored_tree
from nonproj.draw.curve import Curve, number
from nonproj.draw.layout import Columns, Skeleton, place, skeleton
from nonproj.draw.measure import text_width
from nonproj.draw.paint import Paint

if TYPE_CHECKING:
    from nonproj.trees import Tree

# All sizes are in pixels at scale 1.
WORD, TAG, NUMBER, LABEL, TITLE, TOKEN = 16, 10, 9, 11, 14, 12  # sizes of type
WORD_LINE, TAG_LINE, NUMBER_LINE, TITLE_LINE, FEATURE_LINE, TOKEN_LINE = 21, 13, 14, 28, 12, 22  # heights of lines
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
TAIL = 12  # what an arc runs on beyond the last word of a line, and before the first one
LINE_APART = 18
ROUNDS = 6  # labels may widen a line that is broken; it is then broken earlier


def _reach(box: Box) -> int:
    """How far a frame stands off the words in it."""
    return BOX_INSET + BOX_STEP * box.depth


def _columns(content: Content, bones: Skeleton, slots: Slots, boxes: Iterable[Box]) -> Columns:
    """The room that words and feet need, and the frames between words."""
    width: list[int] = [0]
    offset: list[list[int]] = [[]]
    for item, feet in zip(slots.items[1:], bones.feet[1:], strict=True):
        written = _written(content, item)
        spread = min(FOOT_SPREAD * (len(feet) - 1), max(written, FEET_AT_MOST)) if feet else 0
        width.append(max(written, spread))
        first = (width[-1] - spread) // 2
        offset.append([first + spread * i // max(1, len(feet) - 1) for i in range(len(feet))])
    gaps = _gaps(slots, boxes)
    _make_room_for_tokens(content, slots, width, gaps)
    return Columns(width, gaps, offset, slots.breaks)


def _written(content: Content, item: int | Node | None) -> int:
    """The width of what is written in a column."""
    if item is None:
        return 0
    if isinstance(item, Node):
        form, tag, below = item.form, item.tag, item.number
    else:
        form, tag, below = content.words[item], content.tags[item] if content.tags else "", ""
    small = [text_width(text, NUMBER) for text in [*content.features_of(item), below]]
    return max(text_width(form, WORD), text_width(tag, TAG), *small)


def _gaps(slots: Slots, boxes: Iterable[Box]) -> list[int]:
    columns = len(slots.items)
    before, after = [0] * columns, [0] * columns
    for box in boxes:
        for first, last in box.blocks:
            left, right = slots.column_of[first], slots.column_of[last]
            before[left] = max(before[left], _reach(box))
            after[right] = max(after[right], _reach(box))
    gaps = [0, 0, *(max(WORD_GAP, after[i - 1] + BOX_APART + before[i]) for i in range(2, columns))]
    for column in slots.breaks:
        gaps[column] = TAIL + after[column - 1]
        gaps[column + 1] = TAIL + before[column + 1]
    return gaps


def _make_room_for_tokens(content: Content, slots: Slots, width: Sequence[int], gaps: list[int]) -> None:
    """Widen the gaps within a multiword token that is longer than its words."""
    for token in content.tokens:
        first, last = slots.column_of[token.first], slots.column_of[token.last]
        there = sum(width[first : last + 1]) + sum(gaps[first + 1 : last + 1])
        missing = text_width(token.form, TOKEN) - there
        for column in range(first + 1, last + 1):
            gaps[column] += max(0, -(-missing // (last - first)))


@dataclass
class Line:
    """One line of a picture: its columns, and where everything in it stands."""

    first: int
    last: int
    left: float = 0  # of all that is on it, before it is shifted
    right: float = 0
    shift: float = 0
    begin: float = 0  # where arcs come in, and where they go on
    end: float = 0
    rank: dict[int, int] = field(default_factory=dict)  # of each level on it, from 1
    base: int = 0
    word_top: int = 0
    word_bottom: int = 0
    number_top: int = 0
    token_top: int = 0
    bottom: int = 0


class Picture:
    """A tree laid out, ready to be rendered.

    What runs from right to left is laid out with its last word first: words, arcs and boxes are numbered so in here.
    """

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
        room: float | None = None,
    ) -> None:
        if content.is_right_to_left:
            content, boxes = content.mirrored(), [_mirrored(box, len(tree)) for box in boxes]
            tree, roles = mirrored_tree(tree), [*roles[:1], *roles[:0:-1]]
        self.heads = (0, *tree.heads)
        self.content, self.title, self.roles, self.boxes, self.paint = content, title, roles, boxes, paint
        self.mark_crossings = mark_crossings
        self.label_width = [text_width(label, LABEL) + LABEL_CLEARANCE for label in content.labels]
        self.label_width = self.label_width or [0] * len(roles)
        self._lay_out(skeleton(tree), room)
        self._fix_width()
        self._fix_height()

    def _lay_out(self, bones: Skeleton, room: float | None) -> None:
        """Place the columns, on as many lines as it takes."""
        breaks: list[int] = []
        for round in range(ROUNDS):
            self.slots = Slots.of(self.content, breaks)
            self.bones = bones.over(self.slots.column_of, len(self.slots.items))
            self.columns = _columns(self.content, self.bones, self.slots, self.boxes)
            self.at = place(self.bones, self.columns, self.label_width)
            self.lines = [self._extent(*columns) for columns in self.slots.lines]
            if room is None or max(line.right - line.left for line in self.lines) + 2 * MARGIN <= room:
                break
            # What comes to stick out, such as the label of a root, is made room for in the next round.
            breaks = self._breaks((room - 2 * MARGIN - 2 * TAIL) * (1 - round / 20))

    def _breaks(self, room: float) -> list[int]:
        """After which items lines should end, by the widths of the present layout."""
        columns = [column for column, item in enumerate(self.slots.items) if item is not None]
        start, width = self.at.start, self.columns.width
        widths = [width[column] for column in columns]
        gaps = [0.0]
        for before, column in pairwise(columns):
            tails = 2 * TAIL - WORD_GAP if column - before > 1 else 0
            gaps.append(max(WORD_GAP, start[column] - start[before] - width[before] - tails))
        is_whole = [False] * len(columns)
        places = {item: place for place, item in enumerate(in_order(self.content)) if isinstance(item, int)}
        for token in self.content.tokens:
            for place_of in range(places[token.first], places[token.last]):
                is_whole[place_of] = True
        if not self.content.is_right_to_left:
            return broken(widths, gaps, is_whole, room)
        # The first line is at the right.
        found = broken(widths[::-1], [0.0, *gaps[:0:-1]], [*is_whole[-2::-1], False], room)
        return sorted(len(columns) - after for after in found)

    def _extent(self, first: int, last: int) -> Line:
        """The line of these columns, and what stands furthest out on either side."""
        at, reach = self.at, max(map(_reach, self.boxes), default=0)
        root_labels = [
            (at.left_foot[root], self.label_width[root] / 2)
            for root in self.bones.roots
            if first <= self.bones.left[root] <= last
        ]
        left = min([at.start[first] - reach, *(foot - half for foot, half in root_labels)])
        end = at.start[last] + self.columns.width[last]
        right = max([end + reach, *(foot + half for foot, half in root_labels)])
        for token in self.content.tokens:  # one that is longer than its words
            if first <= self.slots.column_of[token.first] <= self.slots.column_of[token.last] <= last:
                middle, half = self._token_middle(token.first, token.last), text_width(token.form, TOKEN) / 2
                left, right = min(left, middle - half), max(right, middle + half)
        begin, stop = at.start[first], end
        if first > 1:
            begin, left = at.start[first - 1], min(left, at.start[first - 1])
        if last < len(at.start) - 1:
            stop, right = at.start[last + 1], max(right, at.start[last + 1])
        return Line(first, last, left, right, begin=begin, end=stop)

    def _token_middle(self, first: int, last: int) -> float:
        left, right = self.slots.column_of[first], self.slots.column_of[last]
        return (self.at.start[left] + self.at.start[right] + self.columns.width[right]) / 2

    def _fix_width(self) -> None:
        """Find how wide it is, and move the lines to its side."""
        widest = max(line.right - line.left for line in self.lines)
        self.width = max(widest, text_width(self.title, TITLE)) + 2 * MARGIN
        for line in self.lines:
            if len(self.lines) == 1:
                line.shift = (self.width - line.left - line.right) / 2
            elif self.content.is_right_to_left:
                line.shift = self.width - MARGIN - line.right
            else:
                line.shift = MARGIN - line.left
        # What runs from right to left begins with the line of the last columns.
        self.in_order = self.lines[::-1] if self.content.is_right_to_left else self.lines

    def _fix_height(self) -> None:
        """Stack the lines of the picture from its top."""
        content, reach = self.content, max(map(_reach, self.boxes), default=0)
        self.level_height = LEVEL if content.labels else PLAIN_LEVEL
        top = MARGIN + (TITLE_LINE if self.title else 0)
        tag_line = TAG_LINE if content.tags else 0
        for line in self.in_order:
            line.rank = self._ranks(line)
            line.base = top + (LABEL if content.labels else 0) + FOOT_HEIGHT + self.level_height * len(line.rank)
            line.word_top = line.base + 2 + (reach + 2 if reach else 0)
            features = max(len(content.features_of(item)) for item in self.slots.items[line.first : line.last + 1])
            line.word_bottom = line.word_top + WORD_LINE + tag_line + FEATURE_LINE * features
            line.number_top = line.word_bottom + reach
            line.token_top = line.number_top + (NUMBER_LINE if content.numbers or content.nodes else 0)
            line.bottom = line.token_top + (TOKEN_LINE if content.tokens else 0)
            top = line.bottom + LINE_APART
        self.height = self.in_order[-1].bottom + MARGIN - 4

    def _ranks(self, line: Line) -> dict[int, int]:
        """The levels that a line has, numbered anew: a line is as high as its own arcs."""
        if len(self.lines) == 1:
            return {level: level for level in range(1, max(self.at.level) + 1)}
        bones = self.bones
        there = {
            self.at.level[arc]
            for arc in [*bones.order, *bones.roots]
            if bones.left[arc] <= line.last and bones.right[arc] >= line.first
        }
        return {level: rank for rank, level in enumerate(sorted(there), 1)}

    def render(self, scale: float) -> str:
        """The whole picture as text."""
        # Elements come first: the style sheet depends on what they are painted with.
        body = [*self._ground(), *self._frames(), *self._arcs(), *self._labels(), *self._words(), *self._tokens()]
        words = [self.content.words[word] for word in self._reading_order()]
        name = quoteattr(self.title or " ".join(words))
        direction = ' direction="rtl"' if self.content.is_right_to_left else ""
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.paint.name}" role="img" aria-label={name} '
            f'width="{number(self.width * scale)}" height="{number(self.height * scale)}" '
            f'viewBox="0 0 {number(self.width)} {self.height}" '
            f'font-family="{theme.FONT}" text-anchor="middle"{direction}>'
        )
        return "\n".join([opening, *self.paint.style(), *body, "</svg>\n"])

    def _reading_order(self) -> Sequence[int]:
        words = range(1, len(self.heads))
        return words[::-1] if self.content.is_right_to_left else words

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
            dashes = theme.box_dashes(index)
            stroke = self.paint("box", stroke=theme.box_role(index)) + f' fill="none" stroke-width="{LINE}"'
            stroke += f' stroke-dasharray="{dashes}"' if dashes else ""
            for first, last in box.blocks:
                for line, left, right in self._cut(first, last):
                    reach = _reach(box)
                    yield (
                        f'<rect {stroke} x="{number(left - reach)}" y="{line.word_top - reach}" '
                        f'width="{number(right - left + 2 * reach)}" '
                        f'height="{line.word_bottom - line.word_top + 2 * reach}" rx="4"/>'
                    )

    def _cut(self, first: int, last: int) -> Iterator[tuple[Line, float, float]]:
        """A stretch of words, line by line, with where its words begin and end."""
        for line in self.lines:
            left = max(self.slots.column_of[first], line.first)
            right = min(self.slots.column_of[last], line.last)
            if left <= right:
                end = self.at.start[right] + self.columns.width[right]
                yield line, self.at.start[left] + line.shift, end + line.shift

    def _arcs(self) -> Iterator[str]:
        for arc in [*self.bones.order, *self.bones.roots]:
            role = self.roles[arc]
            width = BOLD_LINE if role == "highlight" else LINE
            stroke = self.paint("arc", stroke=role)
            yield f'<path {stroke} fill="none" stroke-width="{width}" d="{self._outline(arc)}"/>'
            yield f'<path {self.paint("head", fill=role)} d="{self._tip(arc)}"/>'

    def _tip(self, arc: int) -> str:
        line, x = self._foot(arc, self.slots.column_of[arc])
        return f"M{number(x)} {line.base}{ARROWHEAD}"

    def _outline(self, arc: int) -> str:
        first, last = self.bones.left[arc], self.bones.right[arc]
        if self.heads[arc] == 0:
            line, x = self._foot(arc, first)
            return f"M{number(x)} {self._top(arc, line)}V{line.base - ARROWHEAD_HEIGHT}"
        lines = [line for line in self.lines if first <= line.last and last >= line.first]
        return "".join(self._piece(arc, line) for line in lines)

    def _piece(self, arc: int, line: Line) -> str:
        """What is seen of an arc on one line."""
        first, last = self.bones.left[arc], self.bones.right[arc]
        comes_in, goes_on = first < line.first, last > line.last
        left = line.begin + line.shift if comes_in else self._foot(arc, first)[1]
        right = line.end + line.shift if goes_on else self._foot(arc, last)[1]
        on_line = (leg for leg in self.bones.legs[arc] if line.first <= leg[1] <= line.last)
        legs = [self._foot(*leg)[1] for leg in on_line] if self.mark_crossings else []
        run = Curve(left, right, self._top(arc, line), comes_in, goes_on).outline(legs)
        feet = [line.base, line.base - ARROWHEAD_HEIGHT]  # of the head, and of the dependent below its arrow
        if self.heads[arc] > arc:
            feet.reverse()
        return ("" if comes_in else f"M{number(left)} {feet[0]}") + run + ("" if goes_on else f"V{feet[1]}")

    def _top(self, arc: int, line: Line) -> int:
        return line.base - FOOT_HEIGHT - self.level_height * line.rank[self.at.level[arc]]

    def _foot(self, arc: int, column: int) -> tuple[Line, float]:
        """The line on which the leg of an arc in one of its columns stands, and where."""
        feet = self.at.left_foot if column == self.bones.left[arc] else self.at.right_foot
        line = self._line(column)
        return line, feet[arc] + line.shift

    def _line(self, column: int) -> Line:
        return next(line for line in self.lines if line.first <= column <= line.last)

    def _label_place(self, arc: int) -> tuple[float, int]:
        """Where the label of an arc stands."""
        x = self.at.label[arc]
        there = self._line(self.bones.left[arc])
        if self.heads[arc]:
            there = next(line for line in self.lines if x <= line.end or line is self.lines[-1])
        return x + there.shift, self._top(arc, there) - 4

    def _labels(self) -> Iterator[str]:
        for arc, label in enumerate(self.content.labels):
            if label:
                role = self.roles[arc]
                yield self._text("label", label, *self._label_place(arc), LABEL, role, bold=role == "highlight")

    def _middle(self, column: int) -> tuple[Line, float]:
        line = self._line(column)
        return line, self.at.start[column] + self.columns.width[column] / 2 + line.shift

    def _words(self) -> Iterator[str]:
        content = self.content
        framed = {box.node: theme.box_role(index) for index, box in enumerate(self.boxes)}
        for word in self._reading_order():
            line, x = self._middle(self.slots.column_of[word])
            yield self._text("word", content.words[word], x, line.word_top + 16, WORD, framed.get(word, "ink"))
            tag = content.tags[word] if content.tags else ""
            yield from self._below(line, x, tag, content.features_of(word))
            if content.numbers:
                yield self._number(line, x, content.numbers[word])
        for column, node in self.slots.nodes:
            line, x = self._middle(column)
            yield self._text("empty", node.form, x, line.word_top + 16, WORD, "faint")
            yield from self._below(line, x, node.tag, node.features)
            yield self._number(line, x, node.number)

    def _below(self, line: Line, x: float, tag: str, features: Iterable[str]) -> Iterator[str]:
        y = line.word_top + WORD_LINE - 4
        if self.content.tags:
            y += TAG_LINE
            yield self._text("tag", tag, x, y, TAG, "faint")
        for feature in features:
            y += FEATURE_LINE
            yield self._text("feature", feature, x, y, NUMBER, "faint")

    def _number(self, line: Line, x: float, shown: str) -> str:
        return self._text("number", shown, x, line.number_top + NUMBER_LINE - 4, NUMBER, "faint")

    def _tokens(self) -> Iterator[str]:
        """A bracket below the words of each multiword token, and what is written for them."""
        for token in self.content.tokens:
            pieces = list(self._cut(token.first, token.last))
            for line, left, right in pieces:
                y = line.token_top + 1
                path = f"M{number(left)} {y}V{y + 4}H{number(right)}V{y}"
                yield f'<path {self.paint("bracket", stroke="faint")} fill="none" stroke-width="1" d="{path}"/>'
            line, left, right = max(pieces, key=lambda piece: piece[2] - piece[1])
            yield self._text("token", token.form, (left + right) / 2, line.token_top + 17, TOKEN, "ink")


def _mirrored(box: Box, size: int) -> Box:
    blocks = [(size + 1 - last, size + 1 - first) for first, last in reversed(box.blocks)]
    return Box(size + 1 - box.node, blocks, box.depth)
