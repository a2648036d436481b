"""One way to draw in any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from nonproj.draw.content import Drawable
from nonproj.errors import NonprojError
from nonproj.treebank import Sentence
from nonproj.trees import Tree

if TYPE_CHECKING:
    from nonproj.grammar import Analysis


def draw(
    what: Drawable | Analysis | Iterable[Drawable],
    format: Literal["text", "svg", "html", "latex"] = "text",
    **options: Any,
) -> str:
    """Draw a tree or a sentence, with its crossing arcs marked.

    ``"text"`` is for the terminal, ``"svg"`` a picture, ``"html"`` a page, which may also show several trees or
    sentences, such as a whole treebank, ``"latex"`` text for the package tikz-dependency. The options are those of
    `nonproj.draw.text`, `nonproj.draw.svg`, `nonproj.draw.page` and `nonproj.draw.latex`. An analysis by a grammar is
    drawn as text or SVG, with its syntactic governors above the words and its linear ones below.

    >>> print(draw(Tree([3, 4, 0, 3]), width=80))
            ╷
       ╭────┼──────╮
    ╭──┼──╮ │ ╭──╮ │
    ▼  ▼  │ ▼ │  ▼ │
    1  2    3     4
    >>> draw(Tree([3, 4, 0, 3]), "svg", boxes="gaps", scale=2).startswith("<svg")
    True
    """
    if not isinstance(what, Drawable):
        from nonproj.grammar import Analysis  # only where it may be one: `import nonproj` is quick

        if isinstance(what, Analysis):
            return _analysis(what, format, **options)
    if format == "html":
        from nonproj.draw.gallery import page

        return page(_titled([what] if isinstance(what, Drawable) else what), **options)
    if format not in ("text", "svg", "latex"):
        raise NonprojError(f"format must be 'text', 'svg', 'html' or 'latex', not {format!r}")
    if not isinstance(what, Drawable):
        raise NonprojError(f"{format!r} draws one tree or sentence, not {type(what).__name__}: 'html' draws several")
    if format == "text":
        from nonproj.draw.terminal import text

        return text(what, **options)
    if format == "latex":
        from nonproj.draw.tikz import latex

        return latex(what, **options)
    from nonproj.draw.vector import svg

    return svg(what, **options)


def _analysis(what: Analysis, format: str, **options: Any) -> str:
    from nonproj.draw.double import analysis_svg, analysis_text

    if format not in ("text", "svg"):
        raise NonprojError(f"an analysis is drawn as 'text' or 'svg', not as {format!r}: draw its tree")
    return (analysis_text if format == "text" else analysis_svg)(what, **options)


def _titled(several: Iterable[Drawable]) -> Iterator[tuple[str, Drawable]]:
    for number, one in enumerate(several, 1):
        if isinstance(one, Sentence):
            yield one.sent_id, one
        elif isinstance(one, Tree):
            yield str(number), one
        else:
            raise NonprojError(f"expected a Tree or a Sentence, not {type(one).__name__}")
