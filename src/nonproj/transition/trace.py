"""How a tree is built, row by row, as the figures of papers show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nonproj.transition.configuration import Configuration
from nonproj.transition.named_system import NamedSystem
from nonproj.transition.transition import Transition
from nonproj.trees import Tree

MARK = ("\x02", "\x03")
"""What stands around the current word of a list in `Trace.cells`: to be made bold, or taken away."""
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Row(NamedTuple):
    """A transition, the configuration after it, and the arc (head, label, dependent) that it made."""

    transition: Transition | None
    configuration: Configuration
    arc: tuple[int, str | None, int] | None


class Trace:
    """The rows of a derivation; the first has no transition. Iterate over it, print it, or ask for its `cells`.

    ``why`` says why the rows end before the tree is built, where they do.
    """

    def __init__(self, system: NamedSystem, tree: Tree, transitions: list[Transition], why: str | None = None) -> None:
        self.system = system
        self.tree = tree
        self.transitions = transitions
        self.why = why

    def __len__(self) -> int:
        return len(self.transitions) + 1

    def __iter__(self) -> Iterator[Row]:
        native = self.system._native
        configuration = self._initial()
        yield Row(None, configuration, None)
        for transition in self.transitions:
            number = self.system._number(transition, len(self.tree))
            head, dependent = native.arc(configuration._native, number)
            configuration = Configuration(self.system, native.apply(configuration._native, number))
            yield Row(transition, configuration, (head, transition.label, dependent) if dependent else None)

    def _initial(self) -> Configuration:
        return Configuration(self.system, self.system._native.initial(len(self.tree)))

    @property
    def headings(self) -> list[str]:
        """The columns: the transition, the parts of the configuration, and the new arc where there are arcs."""
        parts = list(self._initial().parts)
        return ["transition", *parts, *(["new arc"] if self.system.kind.has_arcs else [])]

    def cells(self, *, full: bool = False) -> Iterator[list[str]]:
        """Each row as text, long lists cut short as papers do unless ``full``; the current word stands in `MARK`."""
        for row in self:
            shown = ["" if row.transition is None else str(row.transition)]
            for name, part in row.configuration.parts.items():
                if isinstance(part, list) and part and isinstance(part[0], list):
                    shown.append(" ".join(self._items(part)))
                elif isinstance(part, list):
                    words: list[int] = part  # type: ignore[assignment]
                    shown.append(self._list(name, words, row.configuration.marked.get(name), full))
                elif name in ("m", "active"):
                    shown.append(str(part))
                else:
                    shown.append("" if part is None else self._word(part))
            if self.system.kind.has_arcs:
                shown.append("" if row.arc is None else _arc(row.arc))
            yield shown

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape: ``system``, ``oracle``, ``derived``, ``why``, and ``steps``, each with its parts."""
        steps = [
            {
                "transition": None if row.transition is None else row.transition.name,
                "label": None if row.transition is None else row.transition.label,
                **row.configuration.parts,
                "arc": None if row.arc is None else list(row.arc),
            }
            for row in self
        ]
        return {
            "system": self.system.name,
            "oracle": self.system.oracle_name,
            "derived": self.why is None,
            "why": self.why,
            "steps": steps,
        }

    def __str__(self) -> str:
        rows = [self.headings, *([_unmarked(cell) for cell in row] for row in self.cells())]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    def _word(self, word: int) -> str:
        if word > len(self.tree):
            return "end"
        if self.tree.forms is None and word:
            return str(word)
        return f"{self.tree.form(word) if word else 'R'}{str(word).translate(_SUBSCRIPTS)}"

    def _items(self, items: list[int] | list[list[int]]) -> Iterator[str]:
        for item in items:
            assert isinstance(item, list)
            yield f"[{', '.join(map(self._word, item))}]"

    def _list(self, name: str, words: list[int], marked: int | None, full: bool) -> str:
        """As in Nivre 2009: a buffer by its ends, a stack by its bottom and its last two words or the current."""
        texts = [self._word(word) for word in words]
        if marked is not None:
            texts[marked] = f"{MARK[0]}{texts[marked]}{MARK[1]}"
        if not full and name in ("buffer", "λ2") and len(texts) > 2:
            texts = [texts[0], "...", texts[-1]]
        elif not full and name not in ("buffer", "λ2"):
            shown = len(texts) - 2 if marked is None else min(len(texts) - 2, marked - 1)
            if shown > 1:
                texts = [texts[0], "...", *texts[shown:]]
        return f"[{', '.join(texts)}]"


def _arc(arc: tuple[int, str | None, int]) -> str:
    head, label, dependent = arc
    return f"({head}, {dependent})" if label is None else f"({head}, {label}, {dependent})"


def _unmarked(cell: str) -> str:
    return cell.replace(MARK[0], "").replace(MARK[1], "")
