r"""A tree in LaTeX, for the package tikz-dependency."""

from __future__ import annotations

from nonproj.draw.content import Content
from nonproj.trees import Tree

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "&": r"\symbol{38}",  # \& parts the words
    **{character: f"\\{character}" for character in "{}$#%_"},
}


def latex(tree: Tree, *, labels: bool = True) -> str:
    r"""Draw a tree with tikz-dependency: an environment to paste into a paper that uses the package.

    Roots are drawn by ``\deproot``; words are numbered by their order, as in the tree.

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
    content = Content.of(tree, labels=labels)
    words = r" \& ".join(map(_escaped, content.words[1:]))  # what parts the words of deptext
    lines = [r"\begin{dependency}", r"  \begin{deptext}", f"    {words} \\\\", r"  \end{deptext}"]
    for word, head in enumerate(tree.heads, 1):
        label = _escaped(content.labels[word]) if content.labels else ""
        lines.append(f"  \\depedge{{{head}}}{{{word}}}{{{label}}}" if head else f"  \\deproot{{{word}}}{{{label}}}")
    return "\n".join([*lines, r"\end{dependency}", ""])


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
