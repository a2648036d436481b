"""AD_2: Attardi's transition system with arcs to the two words below the top of the stack, tabulated in O(n^7).

Attardi 2006, "Experiments with a Multilanguage Non-Projective Dependency Parser"; the push computations are from Cohen,
Gómez-Rodríguez & Satta 2011. A tree has many derivations.

Two push computations in a row leave three symbols h2 h4 h5 on top of the stack; then h5 is linked with one of the
others, and the dependent leaves. Written as one step that would have eight indices; so what leaves does so in a step of
its own, before the two are joined.
"""

from __future__ import annotations

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

AD2 = Schema(
    "AD2",
    "Attardi's system of degree 2, its push computations",
    "Cohen, Gómez-Rodríguez & Satta 2011",
    class_name="AD2",
    items=[
        ItemForm(
            "push[h1, i, h2, h3, j]",
            "0 <= h1 < i <= h3 < j <= n+1 and (h2 == h1 or i <= h2 < h3)",
            "from h1 on top of the stack and i next to h2 h3 in the place of h1 and j next, never lower in between",
        ),
        ItemForm(
            "top[h3, k, h, j]",
            "0 <= h3 < k < j <= n+1 and (h == h3 or k <= h < j)",
            "two words for h3, and one of them linked with the other and gone: h is left",
        ),
        ItemForm(
            "top[h2, h3, k, h, j]",
            "0 <= h2 < h3 < k < j <= n+1 and (h == h3 or k <= h < j)",
            "two words for h3, and the upper one linked with h2, the word below, and gone: h is left",
        ),
        ItemForm(
            "low[h1, i, h3, k, h5]",
            "0 <= h1 < i <= h3 < k <= h5 <= n",
            "h2 h3 for h1, and h2 linked with h5, a word to come, and gone",
        ),
        ItemForm("stack[j]", "1 <= j <= n+1", "the dummy alone on the stack, and j next"),
    ],
    hypotheses=[
        Hypothesis("push[h1, i, h1, i, i+1]", "0 <= h1 < i <= n"),
        Hypothesis("word[h]", "0 <= h <= n"),
        Hypothesis("stack[1]", ""),
    ],
    steps=[
        Step("LA1", "push[h3, k, h4, h5, j] => top[h3, k, h5, j]", "1 <= h4", arc="h5 -> h4"),
        Step("RA1", "push[h3, k, h4, h5, j] => top[h3, k, h4, j]", "first <= h4", arc="h4 -> h5"),
        Step("RA2", "push[h3, k, h4, h5, j] word[h2] => top[h2, h3, k, h4, j]", "first <= h2 < h3", arc="h2 -> h5"),
        Step(
            "LA2",
            "push[h1, i, h2, h3, k] word[h5] => low[h1, i, h3, k, h5]",
            "1 <= h2 and k <= h5",
            arc="h5 -> h2",
        ),
        Step("Join", "push[h1, i, h2, h3, k] top[h3, k, h, j] => push[h1, i, h2, h, j]"),
        Step("Join, RA2", "push[h1, i, h2, h3, k] top[h2, h3, k, h, j] => push[h1, i, h2, h, j]"),
        Step("Join, LA2", "low[h1, i, h3, k, h5] push[h3, k, h4, h5, j] => push[h1, i, h4, h5, j]"),
        Step("Root", "stack[i] push[0, i, 0, h, j] => stack[j]", "first == 0", arc="0 -> h"),
    ],
    final=Step("Final", "stack[n+1]"),
    single_root_final=Step("Final", "push[0, 1, 0, h, n+1]", arc="0 -> h"),
)
