"""Structural pseudo-projectivity as a class of trees, ``PP``: footnote 2 of Kahane, Nasr & Rambow (1998).

Every word is lifted to the highest of its ancestors that its arc covers; a tree belongs to the class when that makes it
projective. To import this module defines the class; `nonproj.tree_class` does so when it is asked for ``PP``.
"""

from __future__ import annotations

from nonproj.lifting.lifts import governors, is_projective_arc, lifted_tree
from nonproj.trees import Tree, define_class


def contains(tree: Tree) -> bool:
    """Whether the structural lift of a tree is projective.

    >>> contains(Tree([3, 0, 2])), contains(Tree([0, 1, 1, 2]))
    (True, False)
    """
    return tree.is_projective or lifted_tree(tree, "structural").is_projective


def explain(tree: Tree) -> str:
    """Why a tree does not belong to the class: an arc that is not projective even in the structural lift.

    >>> print(explain(Tree([0, 1, 1, 2])))
    the arc 2 -> 4 stays non-projective when every word is lifted to the highest ancestor that its arc covers
    """
    lifted = lifted_tree(tree, "structural")
    word = next(word for word in range(1, len(tree) + 1) if not is_projective_arc(lifted, word))
    moved = next(one for one in governors(tree, lifted) if one.word == word)
    arc = f"the arc {tree.heads[word - 1]} -> {word}"
    lift = f", lifted to {moved.linear_governor} -> {word}," if moved.is_lifted else ""
    return f"{arc}{lift} stays non-projective when every word is lifted to the highest ancestor that its arc covers"


PP = define_class(
    "PP",
    contains,
    explain=explain,
    is_hereditary=True,
    title="structurally pseudo-projective",
    definition="Lifting every word to the highest of its ancestors that its arc covers makes the tree projective.",
    reference="Kahane, Nasr & Rambow 1998, footnote 2, after Nasr 1996",
)
