"""Gap-minding trees (M0I) in O(n^5), and with a head's own head in its items, for grandparent scores, in O(n^6).

Pitler, Kannan & Marcus 2012, "Dynamic Programming for Higher Order Parsing of Gap-Minding Trees", section 5 with
Algorithm 1, and section 6. The names of the steps are those of Algorithm 1's functions, with the cases of Claim 2: the
root has a single dependent (S) or multiple (M), and both ends are below the same of them (C) or below different ones
(D). A tree has many derivations.
"""

from __future__ import annotations

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

_PAPER = "Pitler, Kannan & Marcus 2012"

GAP_MINDING = Schema(
    "M0I",
    "gap-minding trees: trees of WG1 in which no child inherits a gap",
    f"{_PAPER}, Algorithm 1",
    class_name="M0I",
    items=[
        ItemForm("C[i, j, p]", "first <= p <= n and first <= i <= j <= n", "a tree with the root p over {p} and i..j"),
        ItemForm(
            "DT[i, j, p, x]",
            "first <= p <= n and 1 <= i <= j <= n and x not in [i, j] and p != j",
            "trees with the roots p (left part) and x (right part) over {p, x} and i..j",
        ),
        ItemForm(
            "DF[i, j, p, x]",
            "first <= p <= n and 1 <= i <= j <= n and x not in [i, j] and p != i",
            "trees with the roots x (left part) and p (right part) over {p, x} and i..j",
        ),
    ],
    hypotheses=[Hypothesis("C[p, p, p]", "first <= p <= n"), Hypothesis("word[p]", "first <= p <= n")],
    steps=[
        Step("Endpoint Left", "C[i+1, j, i] => C[i, j, i]"),
        Step("Endpoint Right", "C[i, j-1, j] => C[i, j, j]"),
        Step(
            "SingleChild (S/C), interior",
            "C[i, p-1, x] C[p+1, j, x] word[p] => C[i, j, p]",
            where="x in [i, j]",
            arc="p -> x",
        ),
        Step(
            "SingleChild (S/C), exterior",
            "C[i, j, x] word[p] => C[i, j, p]",
            where="x in [i, j] and p not in [i, j]",
            arc="p -> x",
        ),
        Step("EndpointsDiff (M/D)", "C[i, k, p] C[k+1, j, p] => C[i, j, p]", where="p != i and p != j"),
        Step(
            "EndsFromLeftChild (M/C)",
            "C[i, k, x] DT[k+1, j, p, x] => C[i, j, p]",
            where="x in [i, k] and p not in [i, k]",
            arc="p -> x",
        ),
        Step(
            "EndsFromRightChild (M/C)",
            "DF[i, k-1, p, x] C[k, j, x] => C[i, j, p]",
            where="x in [k, j] and p not in [k, j]",
            arc="p -> x",
        ),
        Step(
            "Max2Subtrees T",
            "C[i, k, p] C[k+1, j, x] => DT[i, j, p, x]",
            where="x not in [i, j] and p not in [k+1, j] and x != p",
        ),
        Step(
            "Max2Subtrees F",
            "C[i, k, x] C[k+1, j, p] => DF[i, j, p, x]",
            where="x not in [i, j] and p not in [i, k] and x != p",
        ),
    ],
    final=Step("Final", "C[1, n, 0]"),
    single_root_final=Step("Final", "C[1, n, h]", where="h in [1, n]", arc="0 -> h"),
)

_NO_CIRCLE = "g not in [i, j]"

GRANDPARENTS = Schema(
    "M0I-grandparents",
    "gap-minding trees, each item with the head's own head g (the dummy's is the dummy)",
    f"{_PAPER}, section 6",
    class_name="M0I",
    items=[
        ItemForm(
            "C[i, j, p, g]",
            "first <= p <= n and first <= i <= j <= n",
            "a tree with the root p, which depends on g, over {p} and i..j",
        ),
        ItemForm(
            "DT[i, j, p, x, g]",
            "first <= p <= n and 1 <= i <= j <= n and x not in [i, j] and p != j",
            "trees with the roots p, which depends on g, and x, which depends on p",
        ),
        ItemForm(
            "DF[i, j, p, x, g]",
            "first <= p <= n and 1 <= i <= j <= n and x not in [i, j] and p != i",
            "the same with the part of x on the left",
        ),
    ],
    hypotheses=[
        Hypothesis("C[p, p, p, g]", "first <= p <= n and 0 <= g <= n and (p != g and p != 0 or p == 0 and g == 0)"),
        Hypothesis("word[p, g]", "first <= p <= n and 0 <= g <= n and (p != g and p != 0 or p == 0 and g == 0)"),
    ],
    steps=[
        Step("Endpoint Left", "C[i+1, j, i, g] => C[i, j, i, g]"),
        Step("Endpoint Right", "C[i, j-1, j, g] => C[i, j, j, g]"),
        Step(
            "SingleChild (S/C), interior",
            "C[i, p-1, x, p] C[p+1, j, x, p] word[p, g] => C[i, j, p, g]",
            where=f"x in [i, j] and {_NO_CIRCLE}",
            arc="g -> p -> x",
        ),
        Step(
            "SingleChild (S/C), exterior",
            "C[i, j, x, p] word[p, g] => C[i, j, p, g]",
            where=f"x in [i, j] and p not in [i, j] and {_NO_CIRCLE}",
            arc="g -> p -> x",
        ),
        Step("EndpointsDiff (M/D)", "C[i, k, p, g] C[k+1, j, p, g] => C[i, j, p, g]", where="p != i and p != j"),
        Step(
            "EndsFromLeftChild (M/C)",
            "C[i, k, x, p] DT[k+1, j, p, x, g] => C[i, j, p, g]",
            where=f"x in [i, k] and p not in [i, k] and {_NO_CIRCLE}",
            arc="g -> p -> x",
        ),
        Step(
            "EndsFromRightChild (M/C)",
            "DF[i, k-1, p, x, g] C[k, j, x, p] => C[i, j, p, g]",
            where=f"x in [k, j] and p not in [k, j] and {_NO_CIRCLE}",
            arc="g -> p -> x",
        ),
        Step(
            "Max2Subtrees T",
            "C[i, k, p, g] C[k+1, j, x, p] => DT[i, j, p, x, g]",
            where=f"x not in [i, j] and p not in [k+1, j] and {_NO_CIRCLE}",
        ),
        Step(
            "Max2Subtrees F",
            "C[i, k, x, p] C[k+1, j, p, g] => DF[i, j, p, x, g]",
            where=f"x not in [i, j] and p not in [i, k] and {_NO_CIRCLE}",
        ),
    ],
    final=Step("Final", "C[1, n, 0, 0]"),
    single_root_final=Step("Final", "C[1, n, h, 0]", where="h in [1, n]", arc="0 -> 0 -> h"),
)
