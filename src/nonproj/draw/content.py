"""What a drawing says in words, made fit to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonproj.draw.measure import printable

if TYPE_CHECKING:
    from nonproj.trees import Tree


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
