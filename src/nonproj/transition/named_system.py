"""A transition system's names: what its configurations, traces and sequences know of it."""

from __future__ import annotations

from nonproj.errors import NonprojError
from nonproj.transition.catalogue import SystemKind
from nonproj.transition.transition import Transition


class NamedSystem:
    """The names and numbers of a system and of its transitions; `TransitionSystem` adds what it does."""

    def __init__(self, kind: SystemKind, number: int, oracle: str | None, single_root: bool) -> None:
        self._native = kind.row.make(number, oracle or "", single_root)
        self.kind = kind
        self.name = kind.shown(number)
        self.oracle_name = oracle or (kind.oracles[0] if kind.oracles else None)
        self.single_root = single_root
        self._numbers: dict[str, int] = {}
        self._named_for = 0

    def __repr__(self) -> str:
        oracle = f", oracle={self.oracle_name!r}" if self.oracle_name else ""
        return f"transition_system({self.name!r}{oracle}{', single_root=True' if self.single_root else ''})"

    def names(self, words: int) -> list[str]:
        """The names of its transitions for a sentence of so many words.

        >>> from nonproj.transition import transition_system
        >>> transition_system("attardi-2").names(10)
        ['SHIFT', 'LA1', 'RA1', 'LA2', 'RA2']
        """
        return self._native.names(words)

    def _number(self, transition: Transition | str, words: int) -> int:
        name = Transition.parse(transition).name if isinstance(transition, str) else transition.name
        if name not in self._numbers and words > self._named_for:
            self._numbers = {known: number for number, known in enumerate(self.names(words))}
            self._named_for = words
        if name not in self._numbers:
            raise NonprojError(f"{self.name} has no transition {name!r}; it has {', '.join(self.names(1))}")
        return self._numbers[name]
