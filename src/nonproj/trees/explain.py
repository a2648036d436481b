"""Why a tree is outside a class, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nonproj import _core
from nonproj.trees.binarisation import Bracket, best_attempt, bracket_text
from nonproj.trees.profile import profile_trees
from nonproj.trees.tree import Arc, Tree


@dataclass(frozen=True)
class Explanation:
    """Why a tree is outside a class, or that it is inside; ``str()`` gives the sentence.

    ``arcs`` is a set of the tree's arcs such that no tree that holds all of them is in the class, and
    ``words`` the words that the sentence names, as numbers.
    """

    class_name: str
    is_inside: bool
    reason: str
    text: str
    arcs: tuple[Arc, ...] = ()
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape: ``class``, ``reason``, ``text``, ``arcs`` and ``words``."""
        return {
            "class": self.class_name,
            "reason": self.reason,
            "text": self.text,
            "arcs": [list(arc) for arc in self.arcs],
            "words": list(self.words),
        }


def explain(tree: Tree, solver: _core.ClassSolver, *, inside: bool, text: str | None = None) -> Explanation:
    """The explanation for a tree that is known to be inside or outside; ``text`` takes the place of our sentence."""
    if inside:
        return Explanation(solver.name, True, "inside", f"the tree is in {solver.name}")
    reason, arcs, words = solver.violation(tree._array)
    violation = _Violation(tree, solver.name, [Arc(*arc) for arc in arcs], words)
    sentence = _SENTENCES[reason](violation) if text is None else text
    return Explanation(solver.name, False, reason, sentence, tuple(violation.arcs), tuple(words))


@dataclass(frozen=True)
class _Violation:
    """What the native core found; the order of `words` is documented in classes/violation.hpp."""

    tree: Tree
    class_name: str
    arcs: list[Arc]
    words: list[int]

    @property
    def bound(self) -> str:
        """The k of the class."""
        return "".join(c for c in self.class_name if c.isdigit())

    def word(self, word: int) -> str:
        if word == 0:
            return "the root"
        return str(word) if self.tree.forms is None else f"'{self.tree.form(word)}'"

    def place(self, word: int) -> str:
        return str(word) if self.tree.forms is None else f"{self.word(word)} ({word})"

    def some(self, words: Sequence[int]) -> str:
        return _listed([self.word(word) for word in words])

    def arc(self, arc: Arc) -> str:
        if self.tree.forms is None:
            return f"{arc.head} -> {arc.dependent}"
        return f"{self.word(arc.head)} -> {self.word(arc.dependent)} ({arc.head} -> {arc.dependent})"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _crossing(v: _Violation) -> str:
    first, second = v.arcs
    return f"the arcs {v.arc(first)} and {v.arc(second)} cross"


def _planes(v: _Violation) -> str:
    arcs = _listed([v.arc(arc) for arc in v.arcs])
    if v.bound == "2":
        return f"{len(v.arcs)} arcs cross one another in a ring, so two planes cannot part them: {arcs}"
    return f"{len(v.arcs)} arcs cross so that {v.bound} planes cannot part them: {arcs}"


def _endpoints(v: _Violation) -> str:
    crossed, first, second = v.arcs
    return f"the arc {v.arc(crossed)} is crossed by {v.arc(first)} and {v.arc(second)}, which share no end"


def _interval(v: _Violation) -> str:
    left, right, *needed = v.words
    need = f"need {len(needed)} words to touch them all: {v.some(needed)}"
    return f"the crossing arcs between {left} and {right} {need}"


def _gaps(v: _Violation) -> str:
    node = v.words[0]
    blocks = v.tree.blocks(node)
    spans = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in blocks)
    gaps = "1 gap" if len(blocks) == 2 else f"{len(blocks) - 1} gaps"
    return f"the yield of {v.word(node)} has {gaps}: it is {spans}"


def _nesting(v: _Violation) -> str:
    first, second, *witnesses = v.words
    return f"the yields of {v.word(first)} and {v.word(second)} interleave: {' < '.join(map(str, witnesses))}"


def _inheritance(v: _Violation) -> str:
    node, _, *children = v.words
    first, last = v.tree.blocks(node)[0][1] + 1, v.tree.blocks(node)[1][0] - 1
    gap = f"{first}" if first == last else f"{first}-{last}"
    have = "a dependent" if len(children) == 1 else f"{len(children)} dependents"
    return f"the yield of {v.word(node)} has a gap ({gap}), and {have} on both sides of it: {v.some(children)}"


def _head_split(v: _Violation) -> str:
    head, dependent, outside, parting = v.words
    return (
        f"the gap of {v.word(dependent)} holds its head {v.word(head)} but not all of that head's gap: "
        f"{v.place(outside)} lies beyond {v.place(parting)}"
    )


def _obstruction(v: _Violation) -> str:
    words = f"the words {v.some(v.words)} with their heads"
    part = Tree([v.words.index(v.tree.heads[word - 1]) + 1 if v.tree.heads[word - 1] else 0 for word in v.words])
    if "@" in v.class_name:  # the numbers below are those of a dummy root on the left
        return f"{words} alone are {_least_elsewhere(v, part)}outside {v.class_name}"
    if v.class_name.startswith("MH"):
        return f"{words} alone need items of {part.mh} nodes, more than {v.bound}"
    if v.class_name.startswith("AD"):
        needs = "are beyond every degree" if part.ad is None else f"need degree {part.ad}, more than {v.bound}"
        return f"{words} alone {needs}"
    if v.class_name.startswith("DD"):
        leaves = [word for word in range(1, len(part) + 1) if word not in part.heads]
        if all(abs(word - part.heads[word - 1]) > int(v.bound) for word in leaves):
            away = f"{v.bound} place" if v.bound == "1" else f"{v.bound} places"
            ends = v.some([v.words[word - 1] for word in leaves])
            return f"of {words} alone, those without dependents are more than {away} away from their heads: {ends}"
        return f"{words} alone have drop distance {part.drop_distance}, more than {v.bound}"
    if v.class_name.startswith("MG"):
        return _not_binarised(v, part)
    return f"{words} alone are outside {v.class_name}"


def _least_elsewhere(v: _Violation, part: Tree) -> str:
    """The least class of the family that a part of the tree is in, where the dummy root is not on the left."""
    name, _, place = v.class_name.partition("@")
    measured = _MEASURED.get(re.sub(r"[\d-]", "", name))
    if measured is None:
        return ""
    least = profile_trees(part.heads, [0, len(part)], wanted=[measured], dummy=place).column(measured)[0]
    if least is np.ma.masked or least <= int(v.bound):
        return ""
    return f"in {v.class_name.replace(v.bound, str(least), 1)}, and "


_MEASURED = {"C": "crossing_interval", "MH": "mh", "AD": "ad", "DD": "drop_distance"}


def _not_binarised(v: _Violation, part: Tree) -> str:
    """Which children of which head cannot be joined two at a time, and how far one comes."""
    k = int(v.bound)
    within = f"cannot be joined two at a time with at most {k} gap{'s' * (k != 1)} on the way"
    found = best_attempt(part, k)
    if found is None:
        return f"the words {v.some(v.words)} with their heads {within}"
    head, bracket, degree = found
    called = [0, *v.words]
    children = _listed([v.place(called[child]) for child in part.children(head)])
    attempt = bracket_text(_renamed(bracket, called))
    alone = "" if len(v.words) == len(v.tree) else f", with the words {v.some(v.words)} alone"
    gaps = f"{degree} gap{'s' * (degree != 1)}"
    return f"the dependents {children} of {v.word(called[head])} {within}{alone}; {attempt} takes {gaps}"


def _renamed(bracket: Bracket, called: Sequence[int]) -> Bracket:
    if isinstance(bracket, int):
        return called[bracket]
    first, second = bracket
    return _renamed(first, called), _renamed(second, called)


def _whole_tree(v: _Violation) -> str:
    return f"the tree is outside {v.class_name}"


_SENTENCES: dict[str, Callable[[_Violation], str]] = {
    "crossing": _crossing,
    "planes": _planes,
    "endpoints": _endpoints,
    "interval": _interval,
    "gaps": _gaps,
    "nesting": _nesting,
    "inheritance": _inheritance,
    "head_split": _head_split,
    "obstruction": _obstruction,
    "whole_tree": _whole_tree,
}
