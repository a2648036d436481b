"""WG_1 with D-rules between categories, in O(n^6): no item holds the position of its head.

Gómez-Rodríguez, Weir & Carroll 2009, section 3.3. The paper sketches items [i, j, C, l, r] beside those with a head,
and gives the head its position back when it is met between two of its dependents. Here the two kinds of items are those
of the dependents of a head that has not been met, and those of a head, now somewhere inside, with its dependents. The
head is one more block among its dependents' blocks, so every Combine step of Figure 1A comes three times (the head met
in neither, in the first, in the second antecedent), none has more than six positions, and no normalisation is needed.
(Keeping heads with positions, as in the sketch, costs seven when a child lies on both sides of its head between two
children that inherit the head's gap.)
"""

from __future__ import annotations

from collections.abc import Iterator

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

_GAPPED = "first <= i < l <= r < j <= n"


def _combinations() -> Iterator[Step]:
    steps = {
        "Ungapped": ("{}[i, j, C, -, -] {}[j+1, k, C, -, -] => {}[i, k, C, -, -]", ""),
        "Opening Gap": ("{}[i, j, C, -, -] {}[k, l, C, -, -] => {}[i, l, C, j+1, k-1]", "j < k-1"),
        "Keeping Gap Left": ("{}[i, j, C, l, r] {}[j+1, k, C, -, -] => {}[i, k, C, l, r]", ""),
        "Keeping Gap Right": ("{}[i, j, C, -, -] {}[j+1, k, C, l, r] => {}[i, k, C, l, r]", ""),
        "Closing Gap": ("{}[i, j, C, l, r] {}[l, r, C, -, -] => {}[i, j, C, -, -]", ""),
        "Shrinking Gap Left": ("{}[i, j, C, l, r] {}[l, k, C, -, -] => {}[i, j, C, k+1, r]", ""),
        "Shrinking Gap Right": ("{}[i, j, C, l, r] {}[k, r, C, -, -] => {}[i, j, C, l, k-1]", ""),
        "Shrinking Gap Centre": ("{}[i, j, C, l, r] {}[l, r, C, l2, r2] => {}[i, j, C, l2, r2]", ""),
    }
    kinds = {"": ("some", "some", "some"), " L": ("whole", "some", "whole"), " R": ("some", "whole", "whole")}
    for name, (rule, where) in steps.items():
        for met, chosen in kinds.items():
            yield Step(f"Combine {name}{met}", rule.format(*chosen), where)


WG1_UNLEXICALISED = Schema(
    "WG1-unlexicalised",
    "well-nested trees of gap degree at most 1, D-rules between categories",
    "Gómez-Rodríguez, Weir & Carroll 2009, section 3.3",
    class_name="WG1",
    items=[
        ItemForm(
            "some[i, j, C, -, -]", "1 <= i <= j <= n", "dependents, over i..j, of a head of category C not yet met"
        ),
        ItemForm("some[i, j, C, l, r]", "1 <= i < l <= r < j <= n", "the same over i..j without l..r"),
        ItemForm("whole[i, j, C, -, -]", "first <= i <= j <= n", "a head of category C with dependents, over i..j"),
        ItemForm("whole[i, j, C, l, r]", _GAPPED, "the same over i..j without l..r"),
    ],
    hypotheses=[
        Hypothesis("whole[h, h, cat(h), -, -]", "first <= h <= n"),
        Hypothesis("category[cat(h)]", "first <= h <= n"),
    ],
    steps=[
        Step("Link Ungapped", "category[C] whole[i, j, D, -, -] => some[i, j, C, -, -]", link="D -> C"),
        Step("Link Gapped", "category[C] whole[i, j, D, l, r] => some[i, j, C, l, r]", link="D -> C"),
        *_combinations(),
    ],
    final=Step("Final", "whole[0, n, C, -, -]"),
    single_root_final=Step("Final", "whole[1, n, C, -, -]", link="C -> 0"),
)
