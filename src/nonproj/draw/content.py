"""What a drawing says in words, made fit to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from nonproj.draw.direction import Direction, is_right_to_left
from nonproj.draw.measure import printable
from nonproj.errors import NonprojError
from nonproj.treebank import Sentence
from nonproj.trees import Tree

_Text = TypeVar("_Text")
Drawable: TypeAlias = Tree | Sentence
Tags: TypeAlias = Sequence[str] | Literal["upos", "xpos"] | None

LONGEST = 2000
"""Pictures grow with the square of the words: one of 30,000 would take minutes and gigabytes, for nobody to see."""


def refuse_too_long(what: Drawable, name: str = "the tree") -> None:
    """Raise where a tree has too many words for a picture."""
    if len(what) > LONGEST:
        raise NonprojError(f"{name} has {len(what)} words, too many for a picture, which holds {LONGEST} at most")


def tree_of(what: Drawable) -> Tree:
    """The tree of what is drawn."""
    return what.tree if isinstance(what, Sentence) else what


@dataclass(frozen=True)
class Token:
    """A multiword token: what is written for the words from ``first`` to ``last``."""

    first: int
    last: int
    form: str


@dataclass(frozen=True)
class Node:
    """An empty node, which stands after a word, or after 0 before all of them."""

    after: int
    number: str
    form: str
    tag: str
    features: list[str]


@dataclass(frozen=True)
class Content:
    """Each list of texts is indexed by word from 1, and empty for what is not shown."""

    words: list[str]
    tags: list[str]
    numbers: list[str]
    labels: list[str]
    features: list[list[str]] = field(default_factory=list)  # the lines of each word
    tokens: list[Token] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    is_right_to_left: bool = False

    @classmethod
    def of(
        cls,
        what: Drawable,
        *,
        labels: bool,
        stars: bool = False,
        tags: Tags = None,
        features: bool = False,
        direction: Direction = "auto",
    ) -> Content:
        """The forms of a tree or, in their absence, its numbers, and whatever else is asked for and there."""
        refuse_too_long(what)
        tree = tree_of(what)
        numbers = _from_one(map(str, range(1, len(tree) + 1)))
        words = _from_one(tree.forms)
        return cls(
            words=words or numbers,
            tags=_from_one(_tags(what, tags)),
            numbers=numbers if words else [],
            labels=_labels(tree, labels, stars),
            features=[[], *map(_lines, _sentence(what, "features").feats)] if features else [],
            tokens=_tokens(what),
            nodes=_nodes(what, tags, features),
            is_right_to_left=is_right_to_left(tree.forms or (), direction),
        )

    def features_of(self, item: int | Node | None) -> list[str]:
        """The features that are shown of a word, by its number, or of an empty node; none of anything else."""
        if isinstance(item, Node):
            return item.features
        return self.features[item] if self.features and item is not None else []

    @property
    def feature_lines(self) -> int:
        """How many lines the word with most features has."""
        return max(map(len, [*self.features, *(node.features for node in self.nodes)]), default=0)

    def mirrored(self) -> Content:
        """The same with the last word first, for texts that run from right to left."""
        size = len(self.words) - 1
        return Content(
            words=_backwards(self.words),
            tags=_backwards(self.tags),
            numbers=_backwards(self.numbers),
            labels=_backwards(self.labels),
            features=_backwards(self.features),
            tokens=[Token(size + 1 - token.last, size + 1 - token.first, token.form) for token in self.tokens],
            nodes=[
                Node(size - node.after, node.number, node.form, node.tag, node.features)
                for node in reversed(self.nodes)
            ],
            is_right_to_left=self.is_right_to_left,
        )


def _labels(tree: Tree, labels: bool, stars: bool) -> list[str]:
    """What stands on the arc to each word: its relation, and a star where the arc is not projective."""
    written = _from_one(tree.deprels if labels else None)
    if not stars:
        return written
    from nonproj.lifting import is_projective_arc

    marks = ["" if is_projective_arc(tree, word) else "*" for word in range(1, len(tree) + 1)]
    return ["", *map(str.__add__, written[1:] or [""] * len(tree), marks)]


def _backwards(texts: list[_Text]) -> list[_Text]:
    return [*texts[:1], *texts[:0:-1]]


def mirrored_tree(tree: Tree) -> Tree:
    """The tree with its last word first; what it says is left out."""
    size = len(tree)
    return Tree([size + 1 - head if head else 0 for head in reversed(tree.heads)])


def _sentence(what: Drawable, wanted: str) -> Sentence:
    if not isinstance(what, Sentence):
        raise NonprojError(f"{wanted}: a tree has none; draw the sentence that it is of")
    return what


def _tags(what: Drawable, tags: Tags) -> Sequence[str] | None:
    if tags is None:
        return None
    if isinstance(tags, str):
        if tags not in ("upos", "xpos"):
            raise NonprojError(f"tags: expected 'upos', 'xpos' or one tag a word, not {tags!r}")
        return [_filled(tag) for tag in _sentence(what, "tags").column(tags)]
    if len(tags) != len(what):
        raise NonprojError(f"tags: expected one for each of the {len(what)} words, got {len(tags)}")
    return tags


def _tokens(what: Drawable) -> list[Token]:
    if not isinstance(what, Sentence):
        return []
    return [Token(token.first, token.last, printable(token.form)) for token in what.multiword_tokens]


def _nodes(what: Drawable, tags: Tags, features: bool) -> list[Node]:
    if not isinstance(what, Sentence):
        return []
    return [
        Node(
            node.after,
            node.id,
            printable(_filled(node.form) or _filled(node.lemma) or "…"),
            printable(_filled(node.xpos if tags == "xpos" else node.upos)) if tags is not None else "",
            _lines(node.feats) if features else [],
        )
        for node in what.empty_nodes
    ]


def _lines(features: str) -> list[str]:
    return [printable(feature) for feature in _filled(features).split("|") if feature]


def _filled(value: str) -> str:
    return "" if value == "_" else value


def _from_one(texts: Iterable[str] | None) -> list[str]:
    return [] if texts is None else ["", *map(printable, texts)]
