r"""A tree in LaTeX, for the package tikz-dependency."""

from __future__ import annotations

from nonproj.draw.content import Content, Drawable, Tags, mirrored_tree, tree_of
from nonproj.draw.direction import Direction

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "&": r"\symbol{38}",  # \& parts the words
    **{character: f"\\{character}" for character in "{}$#%_"},
}


def latex(
    what: Drawable, *, labels: bool = True, stars: bool = False, tags: Tags = None, direction: Direction = "auto"
) -> str:
    r"""Draw a tree or a sentence with tikz-dependency: an environment to paste into a paper that uses the package.

    Roots are drawn by ``\deproot``; words are numbered by their order, as in the tree. What runs from right to left is
    written with its last word first, since the package sets words from left to right. The options are those of `svg`.

    >>> from nonproj.trees import Tree
    >>> print(latex(Tree([2, 0], forms=["50_%", "&"], deprels=["a", "root"])))
    \begin{dependency}
      \begin{deptext}
        50\_\% \& \symbol{38} \\
      \end{deptext}
      \depedge{2}{1}{a}
      \deproot{2}{root}
    \end{dependency}
    <BLANKLINE>
    """
    tree, content = tree_of(what), Content.of(what, labels=labels, stars=stars, tags=tags, direction=direction)
    if content.is_right_to_left:
        tree, content = mirrored_tree(tree), content.mirrored()
    rows = [content.words[1:], *([content.tags[1:]] if content.tags else [])]
    texts = [r" \& ".join(map(_escaped, row)) for row in rows]  # what parts the words of deptext
    lines = [r"\begin{dependency}", r"  \begin{deptext}", *(f"    {text} \\\\" for text in texts), r"  \end{deptext}"]
    for word, head in enumerate(tree.heads, 1):
        label = _escaped(content.labels[word]) if content.labels else ""
        lines.append(f"  \\depedge{{{head}}}{{{word}}}{{{label}}}" if head else f"  \\deproot{{{word}}}{{{label}}}")
    return "\n".join([*lines, r"\end{dependency}", ""])


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
