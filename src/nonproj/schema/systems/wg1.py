"""WG_1: well-nested trees of gap degree at most 1, in O(n^7).

Gómez-Rodríguez, Weir & Carroll 2009, "Parsing Mildly Non-projective Dependency Structures", section 3.1, Figure 1A.
A tree has many derivations. Without Combine Shrinking Gap Centre it is M1I in O(n^6): Pitler, Kannan & Marcus 2012,
"Dynamic Programming for Higher Order Parsing of Gap-Minding Trees", section 4.1. With the steps of Figure 1C it is
MG_1.
"""

from __future__ import annotations

from nonproj.schema.normal import normalise_one_gap, one_gap_forms
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

_PAPER = "Gómez-Rodríguez, Weir & Carroll 2009"

WG1 = Schema(
    "WG1",
    "well-nested trees of gap degree at most 1",
    f"{_PAPER}, section 3.1, Figure 1A",
    class_name="WG1",
    normalise=normalise_one_gap,
    forms=one_gap_forms,
    items=[
        ItemForm(
            "[i, j, h, -, -]",
            "first <= h <= n and first <= i <= j <= n and h != j and h != i-1",
            "a tree with the root h over {h} and i..j",
        ),
        ItemForm(
            "[i, j, h, l, r]",
            "first <= h <= n and first <= i < l <= r < j <= n and h != j and h != i-1 and h != l-1 and h != r",
            "a tree with the root h over {h} and i..j without l..r",
        ),
    ],
    hypotheses=[Hypothesis("[h, h, h, -, -]", "first <= h <= n")],
    steps=[
        Step(
            "Link Ungapped",
            "[h1, h1, h1, -, -] ~[i2, j2, h2, -, -] => [i2, j2, h1, -, -]",
            where="h2 in [i2, j2] and h1 not in [i2, j2]",
            link="h2 -> h1",
        ),
        Step(
            "Link Gapped",
            "[h1, h1, h1, -, -] ~[i2, j2, h2, l2, r2] => [i2, j2, h1, l2, r2]",
            where="h2 in [i2, j2] and h2 not in [l2, r2] and (h1 not in [i2, j2] or h1 in [l2, r2])",
            link="h2 -> h1",
        ),
        Step("Combine Ungapped", "[i, j, h, -, -] [j+1, k, h, -, -] => [i, k, h, -, -]"),
        Step("Combine Opening Gap", "[i, j, h, -, -] [k, l, h, -, -] => [i, l, h, j+1, k-1]", where="j < k-1"),
        Step("Combine Keeping Gap Left", "[i, j, h, l, r] [j+1, k, h, -, -] => [i, k, h, l, r]"),
        Step("Combine Keeping Gap Right", "[i, j, h, -, -] [j+1, k, h, l, r] => [i, k, h, l, r]"),
        Step("Combine Closing Gap", "[i, j, h, l, r] [l, r, h, -, -] => [i, j, h, -, -]"),
        Step("Combine Shrinking Gap Left", "[i, j, h, l, r] [l, k, h, -, -] => [i, j, h, k+1, r]"),
        Step("Combine Shrinking Gap Right", "[i, j, h, l, r] [k, r, h, -, -] => [i, j, h, l, k-1]"),
        Step("Combine Shrinking Gap Centre", "[i, j, h, l, r] [l, r, h, l2, r2] => [i, j, h, l2, r2]"),
    ],
    final=Step("Final", "~[0, n, 0, -, -]"),
    single_root_final=Step("Final", "~[1, n, h, -, -]", where="h in [1, n]", link="h -> 0"),
)

M1I = WG1.without(
    "Combine Shrinking Gap Centre",
    name="M1I",
    title="trees of WG1 in which at most one child inherits a gap",
    reference="Pitler, Kannan & Marcus 2012, section 4.1",
    class_name="M1I",
)

MG1 = WG1.adding(
    Step("Combine Interleaving", "[i, j, h, l, r] [l, k, h, r+1, j] => [i, k, h, -, -]"),
    Step("Combine Interleaving Gap C", "[i, j, h, l, r] [l, k, h, m, j] => [i, k, h, m, r]", where="m < r+1"),
    Step("Combine Interleaving Gap L", "[i, j, h, l, r] [l, k, h, r+1, u] => [i, k, h, j+1, u]", where="u > j"),
    Step("Combine Interleaving Gap R", "[i, j, h, l, r] [k, m, h, r+1, j] => [i, m, h, l, k-1]", where="k > l"),
    name="MG1",
    title="mildly ill-nested trees of gap degree at most 1",
    reference=f"{_PAPER}, section 5.1, Figures 1A and 1C",
    class_name="MG1",
)
