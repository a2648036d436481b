"""Projective trees: Eisner's span algorithm in O(n^3), and head-in-the-item (CYK-style) parsing in O(n^5).

Eisner 1996, "Three New Probabilistic Models for Dependency Parsing"; with its split heads each tree has one derivation.
The CYK-style schema joins two finished spans and links their heads, as in Collins 1996 and in section 3 of
Gómez-Rodríguez, Carroll & Weir 2008; the dependents of a head on its two sides may come in any order.
"""

from __future__ import annotations

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

EISNER = Schema(
    "Eisner",
    "projective trees by spans with their heads at the ends",
    "Eisner 1996",
    class_name="Pr",
    items=[
        ItemForm("right[i, j]", "first <= i <= j <= n", "i heads i..j"),
        ItemForm("left[i, j]", "first <= i <= j <= n", "j heads i..j"),
        ItemForm("arc_right[i, j]", "first <= i < j <= n", "i heads i..j, and j depends on i but is not finished"),
        ItemForm("arc_left[i, j]", "first <= i < j <= n", "j heads i..j, and i depends on j but is not finished"),
    ],
    hypotheses=[Hypothesis("right[h, h]", "first <= h <= n"), Hypothesis("left[h, h]", "first <= h <= n")],
    steps=[
        Step("Link Right", "right[i, k] left[k+1, j] => arc_right[i, j]", arc="i -> j"),
        Step("Link Left", "right[i, k] left[k+1, j] => arc_left[i, j]", arc="j -> i"),
        Step("Complete Right", "arc_right[i, k] right[k, j] => right[i, j]"),
        Step("Complete Left", "left[i, k] arc_left[k, j] => left[i, j]"),
    ],
    final=Step("Final", "right[0, n]"),
    single_root_final=Step("Final", "left[1, h] right[h, n]", arc="0 -> h"),
)

CYK = Schema(
    "CYK",
    "projective trees by spans with their heads inside",
    "Collins 1996",
    class_name="Pr",
    items=[ItemForm("[i, j, h]", "first <= i <= h <= j <= n", "h heads i..j")],
    hypotheses=[Hypothesis("[h, h, h]", "first <= h <= n")],
    steps=[
        Step("Link Right", "[i, j, h1] [j+1, k, h2] => [i, k, h1]", arc="h1 -> h2"),
        Step("Link Left", "[i, j, h1] [j+1, k, h2] => [i, k, h2]", arc="h2 -> h1"),
    ],
    final=Step("Final", "[0, n, 0]"),
    single_root_final=Step("Final", "[1, n, h]", arc="0 -> h"),
)
