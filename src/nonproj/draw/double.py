"""The double structure of an analysis, as in Figure 4 of Kahane, Nasr & Rambow (1998).

Syntactic governors are drawn above the words, linear ones below; what differs stands out.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nonproj.draw.content import Content
from nonproj.draw.curve import number
from nonproj.draw.measure import printable
from nonproj.draw.paint import Paint
from nonproj.draw.picture import ARROWHEAD_HEIGHT, BOLD_LINE, FOOT_HEIGHT, LINE, MARGIN, PLAIN_LEVEL, Picture
from nonproj.draw.terminal import text
from nonproj.trees import Tree

if TYPE_CHECKING:
    from nonproj.grammar import Analysis

CORNER = 10
FOOT = 5  # between the legs of one head


def analysis_svg(analysis: Analysis, *, title: str | None = None, dark: bool | None = None) -> str:
    """Draw an analysis as an SVG picture: syntactic governors above, linear ones below, categories under the words.

    >>> from nonproj.grammar import Grammar
    >>> analysis = Grammar.load("beans.gdg").parse("beans Fernando thought Carlos eats").best
    >>> analysis_svg(analysis).count('class="below')
    10
    """
    return _DoublePicture(analysis, printable(title or ""), Paint(dark)).render(1.0)


def analysis_text(analysis: Analysis, *, width: int | None = None, color: bool = False) -> str:
    """Draw an analysis for the terminal: the syntactic tree, the linear one where it differs, and the categories.

    >>> from nonproj.grammar import Grammar
    >>> print(analysis_text(Grammar.load("beans.gdg").parse("Carlos eats rice").best, width=60))
              ╷
      ╭─────╮ │ ╭───╮
      ▼     │ ▼ │   ▼
    Carlos  eats   rice
      1       2     3
    1 Carlos: N[case:nom, top -, wh -]
    2 eats: V[bridge -, clause -, finite +, trans +]
    3 rice: N[case:obj, top +, wh -]
    <BLANKLINE>
    """
    width = shutil.get_terminal_size().columns if width is None else width
    parts = [text(analysis.tree, width=width, color=color)]
    if analysis.lifts:
        parts = ["syntactic governors:", *parts, "linear governors:", text(analysis.lifted, width=width, color=color)]
        parts += [
            f"'{analysis.words[lift.word - 1]}' ({lift.word}) is lifted from "
            f"'{analysis.tree.form(lift.syntactic_governor)}' to '{analysis.tree.form(lift.linear_governor)}'"
            for lift in analysis.lifts
        ]
    parts += [
        f"{n} {word}: {c}" for n, (word, c) in enumerate(zip(analysis.words, analysis.categories, strict=True), 1)
    ]
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


class _DoublePicture(Picture):
    """A picture with more arcs below the words."""

    def __init__(self, analysis: Analysis, title: str, paint: Paint) -> None:
        tree = analysis.tree
        self.below = (0, *analysis.lifted.heads)
        self.lifted = {lift.word for lift in analysis.lifts}
        self.depth = _nesting(analysis.lifted)
        super().__init__(
            tree,
            content=Content.of(
                tree,
                labels=False,
                tags=[str(category) for category in analysis.categories],
                direction="ltr",  # the arcs below know the words by their places
            ),
            title=title,
            roles=["highlight" if word in self.lifted else "ink" for word in range(len(tree) + 1)],
            boxes=[],
            paint=paint,
            mark_crossings=True,
        )

    def _fix_height(self) -> None:
        super()._fix_height()
        self.lower_base = self.height - MARGIN + 8
        self.height = self.lower_base + FOOT_HEIGHT + PLAIN_LEVEL * max(self.depth) + MARGIN

    def _words(self) -> Iterator[str]:
        yield from super()._words()
        for word in range(1, len(self.below)):
            yield from self._arc_below(word)

    def _centre(self, word: int) -> float:
        return self._middle(word)[1]

    def _arc_below(self, word: int) -> Iterator[str]:
        role = "highlight" if word in self.lifted else "ink"
        width = BOLD_LINE if word in self.lifted else LINE
        head, base = self.below[word], self.lower_base
        tip, bottom = self._centre(word), base + FOOT_HEIGHT + PLAIN_LEVEL * self.depth[word]
        path = f"M{number(tip)} {number(bottom)}V{number(base + ARROWHEAD_HEIGHT)}"
        if head:
            path = self._run_below(word, head, tip, bottom)
        yield f'<path {self.paint("below", stroke=role)} fill="none" stroke-width="{width}" d="{path}"/>'
        yield f'<path {self.paint("below-head", fill=role)} d="M{number(tip)} {base}l-3.2 7.5l3.2 -1.5l3.2 1.5z"/>'

    def _run_below(self, word: int, head: int, tip: float, bottom: float) -> str:
        side = 1 if word > head else -1
        # Of the arcs of a head to one side the longer stand nearer to its middle.
        sisters = [d for d in range(1, len(self.below)) if self.below[d] == head and (d > head) == (word > head)]
        place = sorted(sisters, key=lambda d: -abs(d - head)).index(word)
        start = self._centre(head) + side * FOOT * (place + 1)
        corner = min(CORNER, abs(tip - start) / 2) * side
        base = self.lower_base
        return (
            f"M{number(start)} {base}V{number(bottom - CORNER)}Q{number(start)} {number(bottom)} "
            f"{number(start + corner)} {number(bottom)}H{number(tip - corner)}Q{number(tip)} {number(bottom)} "
            f"{number(tip)} {number(bottom - CORNER)}V{base + ARROWHEAD_HEIGHT}"
        )


def _nesting(tree: Tree) -> Sequence[int]:
    """How deep each arc of a projective tree lies below the words: deeper than all that it spans."""
    depth = [0] * (len(tree) + 1)
    spans = {word: (min(word, head), max(word, head)) for word, head in enumerate(tree.heads, 1) if head}
    for word in sorted(spans, key=lambda w: spans[w][1] - spans[w][0]):
        first, last = spans[word]
        inner = [depth[w] for w, (a, b) in spans.items() if w != word and first <= a and b <= last and depth[w]]
        depth[word] = max(inner, default=0) + 1
    for root in tree.roots:
        depth[root] = max(depth) + 1
    return depth
