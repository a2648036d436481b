"""WG_1 with D-rules between categories, in O(n^6): no item holds the position of its head.

Gómez-Rodríguez, Weir & Carroll 2009, section 3.3. The paper sketches items [i, j, C, l, r] beside those with a head,
and gives the head its position back when it is met between two of its dependents. Here the two kinds of items are those
of the dependents of a head that has not been met, and those of a head, now somewhere inside, with its dependents. The
head is one more block among its dependents' blocks, so every Combine step of Figure 1A comes three times (the head met
in neither, in the first, in the second antecedent), none has more than six positions, and no normalisation is needed.
(Keeping heads with positions, as in the sketch, costs seven when a child lies on both sides of its head between two
children that inherit the head's gap.)

`WG1_PRINTED` and `WG1_PRINTED_WIDE` are the sketch itself, with the steps that it names written out. The paper asks for
"certain variants of the Combine Shrinking Gap steps" that give the head its position back, and shows one, in which the
head stands at an end of the gap that is filled (Centre L). With its like (Centre R, Left L, Right R), which is the
first reading, 16 of the 11102 trees of six words are missed, such as Tree([3, 3, 5, 2, 0, 1]), where the gap that word
3 inherits from its child 1 must shrink by its child 2, which lies on both sides of it. The second reading also has
Shrinking Gap Left and Right for an inner item whose own gap is the head, which cost six positions too. Then no tree of
up to seven words is missed; one with two inheriting children, such as Tree([3, 3, 6, 2, 3, 0, 5, 1]), would take
Shrinking Gap Centre with an inner item that has met its head, at seven positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nonproj.schema.normal import normalise_one_gap, one_gap_forms
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.pattern import Item
from nonproj.schema.schema import Schema
from nonproj.schema.systems.wg1 import WG1

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


def _normalise(item: Item) -> Item:
    return normalise_one_gap(item) if item[0] == "" else item


def _forms(item: Item) -> Iterable[Item]:
    return one_gap_forms(item) if item[0] == "" else [item]


def _combine_both_kinds() -> Iterator[Step]:
    for step in WG1.steps:
        if step.name.startswith("Combine"):
            if "Shrinking" not in step.name:
                yield step
            rule = step.rule.replace("[", "some[").replace(", h,", ", C,")
            yield Step(f"{step.name} C", rule, step.where)


WG1_PRINTED = Schema(
    "WG1-printed",
    "well-nested trees of gap degree at most 1, short of some, as section 3.3 sketches it",
    "Gómez-Rodríguez, Weir & Carroll 2009, section 3.3",
    class_name="WG1",
    shortfall="16 of the 11,102 trees of 6 words, none that are shorter",
    normalise=_normalise,
    forms=_forms,
    items=[
        *WG1.items,
        ItemForm("some[i, j, C, -, -]", "1 <= i <= j <= n", "dependents, over i..j, of a head of category C"),
        ItemForm("some[i, j, C, l, r]", "1 <= i < l <= r < j <= n", "the same over i..j without l..r"),
    ],
    hypotheses=[
        *WG1.hypotheses,
        Hypothesis("category[cat(h)]", "first <= h <= n"),
        Hypothesis("word[h, cat(h)]", "first <= h <= n"),
    ],
    steps=[
        Step(
            "Link Ungapped",
            "category[C] word[h2, D] ~[i2, j2, h2, -, -] => some[i2, j2, C, -, -]",
            where="h2 in [i2, j2]",
            link="D -> C",
        ),
        Step(
            "Link Gapped",
            "category[C] word[h2, D] ~[i2, j2, h2, l2, r2] => some[i2, j2, C, l2, r2]",
            where="h2 in [i2, j2] and h2 not in [l2, r2]",
            link="D -> C",
        ),
        *_combine_both_kinds(),
        Step(
            "Bind Ungapped",
            "some[i, j, C, -, -] [h, h, h, -, -] => [i, j, h, -, -]",
            where="cat(h) == C and h not in [i, j]",
        ),
        Step(
            "Bind Gapped",
            "some[i, j, C, l, r] [h, h, h, -, -] => [i, j, h, l, r]",
            where="cat(h) == C and (h not in [i, j] or h in [l, r])",
        ),
        Step(
            "Combine Shrinking Gap Left L",
            "some[i, j, C, l, r] some[l+1, k, C, -, -] => [i, j, l, k+1, r]",
            where="cat(l) == C and k < r",
        ),
        Step(
            "Combine Shrinking Gap Right R",
            "some[i, j, C, l, r] some[k, r-1, C, -, -] => [i, j, r, l, k-1]",
            where="cat(r) == C and l < k",
        ),
        Step(
            "Combine Shrinking Gap Centre L",
            "some[i, j, C, l, r] some[l+1, r, C, l2, r2] => [i, j, l, l2, r2]",
            where="cat(l) == C",
        ),
        Step(
            "Combine Shrinking Gap Centre R",
            "some[i, j, C, l, r] some[l, r-1, C, l2, r2] => [i, j, r, l2, r2]",
            where="cat(r) == C",
        ),
    ],
    final=WG1.final,
    single_root_final=WG1.single_root_final,
)

WG1_PRINTED_WIDE = WG1_PRINTED.adding(
    Step(
        "Combine Shrinking Gap Left Head",
        "some[i, j, C, l, r] some[l, k, C, h, h] => [i, j, h, k+1, r]",
        where="cat(h) == C",
    ),
    Step(
        "Combine Shrinking Gap Right Head",
        "some[i, j, C, l, r] some[k, r, C, h, h] => [i, j, h, l, k-1]",
        where="cat(h) == C",
    ),
    name="WG1-printed-wide",
    title="well-nested trees of gap degree at most 1, short of some, as section 3.3 can be read at the most",
    shortfall="no tree of up to 7 words, but some of 8, such as 3 3 6 2 3 0 5 1",
)
