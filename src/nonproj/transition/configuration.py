"""Where a transition system stands."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from nonproj import _core
from nonproj.transition.named_system import NamedSystem
from nonproj.trees import Arc

Part: TypeAlias = int | list[int] | list[list[int]] | None
"""An index, a list of words, a list of items, or what a register holds."""

_NUMBER, _WORDS, _REGISTER = 0, 1, 2


class Configuration:
    """A configuration of a transition system; it is never changed, each transition gives a new one.

    >>> from nonproj.transition import transition_system
    >>> system = transition_system("sort-parse")
    >>> start = system.initial(3)
    >>> start.parts
    {'m': 0, 'list': [0], 'buffer': [1, 2, 3]}
    >>> system.apply(start, "SHIFT").parts
    {'m': 0, 'list': [0, 1], 'buffer': [2, 3]}
    """

    def __init__(self, system: NamedSystem, native: _core.Configuration) -> None:
        self.system = system
        self._native = native

    @cached_property
    def _columns(self) -> list[tuple[str, int, list[int], int]]:
        return self.system._native.columns(self._native)

    @cached_property
    def parts(self) -> dict[str, Part]:
        """The stacks, lists, registers and indices by name, as a trace shows them; lists end with their head or top."""
        return {name: _plain(kind, values) for name, kind, values, _ in self._columns}

    @cached_property
    def marked(self) -> dict[str, int]:
        """For lists with a current word, its place in the list."""
        return {name: place for name, _, _, place in self._columns if place >= 0}

    @cached_property
    def heads(self) -> list[int | None]:
        """The heads of words 1, 2, ... made so far, None where there is none yet."""
        return [None if head < 0 else head for head in self.system._native.heads(self._native)[1:]]

    @property
    def arcs(self) -> list[Arc]:
        """The arcs made so far, by dependent."""
        return [Arc(head, word) for word, head in enumerate(self.heads, 1) if head is not None]

    def __repr__(self) -> str:
        return f"Configuration({self.system.name}, {', '.join(f'{name}={part}' for name, part in self.parts.items())})"


def _plain(kind: int, values: list[int]) -> Part:
    if kind == _NUMBER:
        return values[0]
    if kind == _WORDS:
        return list(values)
    if kind == _REGISTER:
        return values[0] if values else None
    return _items(values)


def _items(values: list[int]) -> list[list[int]]:
    """Items that share their ends: a new one starts where a word is repeated."""
    items: list[list[int]] = []
    for place, word in enumerate(values):
        if place == 0 or values[place - 1] == word:
            items.append([])
        items[-1].append(word)
    return items
