"""MH_k: items with up to k heads, in O(n^k); for k = 3 the projective trees.

Gómez-Rodríguez 2016, "Restricted Non-Projectivity: Coverage vs. Efficiency", Figure 2; from Gómez-Rodríguez, Carroll &
Weir 2011. A word is linked to another head of its item and dropped from it. A tree has many derivations.

As a transition system (the tabulation of section 3 of Kuhlmann, Gómez-Rodríguez & Satta 2011, carried over to k heads)
the same steps run from left to right: an item begins only where another has ended, by Shift. For k = 3 this is
arc-hybrid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from nonproj.errors import NonprojError
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema
from nonproj.schema.systems.size import refuse_large


@cache
def mhk(k: int) -> Schema:
    """The schema of Figure 2 for items of at most k heads."""
    if k < 3:
        raise NonprojError(f"MH{k}: an item needs at least 3 heads to be linked")
    refuse_large(f"MH{k}", sum((m - 2) * m for m in range(3, k + 1)), k)
    return Schema(
        f"MH{k}",
        f"multi-headed trees, items of at most {k} heads",
        "Gómez-Rodríguez 2016, Figure 2",
        class_name=f"MH{k}",
        items=[_form(m) for m in range(2, k + 1)],
        hypotheses=[Hypothesis("[i, i+1]", "0 <= i <= n")],
        steps=[*_combine(k), *_link(k)],
        final=Step("Final", "[0, n+1]"),
        single_root_final=Step("Final", "[0, h, n+1]", arc="0 -> h"),
    )


@cache
def mhk_transitions(k: int) -> Schema:
    """The same steps in the order of a transition system, with Shift."""
    chart = mhk(k)
    shifts = [
        Step(f"Shift {m}", f"?{_heads(range(1, m + 1))} => [h{m}, h{m}+1]", f"h{m} <= n") for m in range(2, k + 1)
    ]
    return replace(
        chart,
        name=f"MH{k}-transitions",
        title=f"the transition system of MH{k}, tabulated",
        hypotheses=[Hypothesis("[0, 1]", "")],
        steps=[*shifts, *chart.steps],
    )


def _heads(numbers: Sequence[int]) -> str:
    return f"[{', '.join(f'h{number}' for number in numbers)}]"


def _form(m: int) -> ItemForm:
    ordered = " < ".join(f"h{number}" for number in range(1, m + 1))
    open_heads = "" if m == 2 else f"; h2..h{m - 1} have no head yet" if m > 3 else "; h2 has no head yet"
    meaning = f"words h1..h{m}, all others between them linked{open_heads}"
    return ItemForm(_heads(range(1, m + 1)), f"0 <= {ordered} <= n+1", meaning)


def _combine(k: int) -> Iterator[Step]:
    for p in range(3, k + 1):
        for m in range(2, p):
            rule = f"{_heads(range(1, m + 1))} {_heads(range(m, p + 1))} => {_heads(range(1, p + 1))}"
            yield Step(f"Combine {m}+{p - m + 1}", rule)


def _link(k: int) -> Iterator[Step]:
    for m in range(3, k + 1):
        everyone = range(1, m + 1)
        for j in everyone[1:-1]:
            left = _heads([number for number in everyone if number != j])
            for i in everyone:
                if i != j:
                    # n+1 is no word, and with a single root the dummy waits for the final step
                    where = f"h{m} <= n" if i == m else "first <= h1" if i == 1 else ""
                    yield Step(f"Link {j} to {i} of {m}", f"{_heads(everyone)} => {left}", where, arc=f"h{i} -> h{j}")
