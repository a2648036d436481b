"""What a drawing says in words, made fit to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonproj.draw.measure import printable
from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree

LONGEST = 2000
"""Pictures grow with the square of the words: one of 30,000 would take minutes and gigabytes, for nobody to see."""


def refuse_too_long(tree: Tree, name: str = "the tree") -> None:
    """Raise where a tree has too many words for a picture."""
    if len(tree) > LONGEST:
        raise NonprojError(f"{name} has {len(tree)} words, too many for a picture, which holds {LONGEST} at most")


@dataclass(frozen=True)
class Content:
    """Each list is indexed by word from 1, and empty for what is not shown."""

    words: list[str]
    tags: list[str]
    numbers: list[str]
    labels: list[str]

    @classmethod
    def of(cls, tree: Tree, *, labels: bool, tags: Sequence[str] | None = None) -> Content:
        """The forms of a tree or, in their absence, its numbers, and its relations if asked for."""
        refuse_too_long(tree)
        numbers = _from_one(map(str, range(1, len(tree) + 1)))
        words = _from_one(tree.forms)
        return cls(
            words=words or numbers,
            tags=_from_one(tags),
            numbers=numbers if words else [],
            labels=_from_one(tree.deprels if labels else None),
        )


def _from_one(texts: Iterable[str] | None) -> list[str]:
    return [] if texts is None else ["", *map(printable, texts)]
