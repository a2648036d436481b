"""MH_4^2P: the parser of MH_4 that gives every arc one of two planes in which no arcs cross.

Gómez-Rodríguez 2016, "Restricted Non-Projectivity: Coverage vs. Efficiency", section 5: the proof that MH_4 lies in
2-P. A node of an item may have a forbidden plane, on which no arc may be made at it: that of an arc which was made
across it. An arc takes a plane that neither of its ends forbids; if there is a choice, the one that a node between them
forbids already, so that no node ever forbids both; and else P0. No item has more than one node with a forbidden plane,
and the first and the last have none, so that the kind of an item tells which node and which plane: ``not1_at_2[h1, h2,
h3]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

_Forbidden: TypeAlias = tuple[int, int] | None  # the number of a node in its item, and the plane
_KINDS: dict[int, list[_Forbidden]] = {
    2: [None],
    3: [None, (2, 0), (2, 1)],
    4: [None, (2, 0), (2, 1), (3, 0), (3, 1)],
}


def _kind(forbidden: _Forbidden) -> str:
    return "" if forbidden is None else f"not{forbidden[1]}_at_{forbidden[0]}"


def _item(numbers: Sequence[int], forbidden: _Forbidden) -> str:
    return f"{_kind(forbidden)}[{', '.join(f'h{number}' for number in numbers)}]"


def _forms() -> Iterator[ItemForm]:
    for m, kinds in _KINDS.items():
        ordered = " < ".join(f"h{number}" for number in range(1, m + 1))
        for forbidden in kinds:
            meaning = f"words h1..h{m}, all others between them linked"
            meaning += "" if forbidden is None else f"; no arc at h{forbidden[0]} may be on P{forbidden[1]}"
            yield ItemForm(_item(range(1, m + 1), forbidden), f"0 <= {ordered} <= n+1", meaning)
    yield ItemForm("root[h]", "1 <= h <= n", "everything below h is linked")


def _called(what: str, forbidden: _Forbidden) -> str:
    return what if forbidden is None else f"{what}, P{forbidden[1]} forbidden at {forbidden[0]}"


def _combine() -> Iterator[Step]:
    yield Step("Combine 2+2", "[h1, h2] [h2, h3] => [h1, h2, h3]")
    for forbidden in _KINDS[3]:
        longer = _item(range(1, 4), forbidden)
        yield Step(_called("Combine 3+2", forbidden), f"{longer} [h3, h4] => {_item(range(1, 5), forbidden)}")
        moved = None if forbidden is None else (3, forbidden[1])
        yield Step(
            _called("Combine 2+3", forbidden),
            f"[h1, h2] {_item(range(2, 5), forbidden)} => {_item(range(1, 5), moved)}",
        )


def _plane(i: int, j: int, forbidden: _Forbidden) -> int:
    """The plane of an arc between nodes i and j of an item."""
    if forbidden is None:
        return 0
    node, plane = forbidden
    return 1 - plane if node in (i, j) else plane if min(i, j) < node < max(i, j) else 0


def _after(i: int, j: int, plane: int, forbidden: _Forbidden) -> _Forbidden:
    """What is forbidden once j is linked to i and dropped: the arc's plane, at a node between."""
    for node in range(min(i, j) + 1, max(i, j)):
        return node - (node > j), plane
    if forbidden is None or forbidden[0] == j:
        return None
    return forbidden[0] - (forbidden[0] > j), forbidden[1]


def _link() -> Iterator[Step]:
    for m in (3, 4):
        everyone = range(1, m + 1)
        for forbidden in _KINDS[m]:
            for j in everyone[1:-1]:
                for i in everyone:
                    if i == j:
                        continue
                    plane = _plane(i, j, forbidden)
                    left = _item([number for number in everyone if number != j], _after(i, j, plane, forbidden))
                    where = f"h{m} <= n" if i == m else "first <= h1" if i == 1 else ""
                    name = _called(f"Link {j} to {i} of {m} on P{plane}", forbidden)
                    yield Step(name, f"{_item(everyone, forbidden)} => {left}", where, arc=f"h{i} -> h{j}")


def _root() -> Iterator[Step]:
    for forbidden in _KINDS[3]:
        rule = f"{_kind(forbidden)}[0, h, n+1] => root[h]"
        yield Step(_called("Root", forbidden), rule, "first == 1")


MH4_PLANES = Schema(
    "MH4-2P",
    "multi-headed trees, items of at most 4 heads, with a plane for every arc",
    "Gómez-Rodríguez 2016, section 5",
    class_name="MH4",
    items=list(_forms()),
    hypotheses=[Hypothesis("[i, i+1]", "0 <= i <= n")],
    steps=[*_combine(), *_link(), *_root()],
    final=Step("Final", "[0, n+1]"),
    single_root_final=Step("Final", "root[h]", arc="0 -> h"),
)
