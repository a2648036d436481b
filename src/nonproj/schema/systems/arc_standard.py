"""Arc-standard transitions, tabulated in O(n^5): projective trees.

The transitions are those of Nivre 2009, "Sorting Out Dependency Parsing", Figure 3; the items those of
Kuhlmann, Gómez-Rodríguez & Satta 2011, "Dynamic Programming Algorithms for Transition-Based Dependency Parsers",
section 3: [i, h, j] says that some run goes from a configuration whose buffer begins at i to one with h pushed on that
stack and a buffer that begins at j. Shift begins an item only where another has ended, as a parser does that reads
from left to right.
"""

from __future__ import annotations

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

ARC_STANDARD = Schema(
    "arc-standard",
    "the arc-standard transition system, tabulated",
    "Nivre 2009, Figure 3; Kuhlmann, Gómez-Rodríguez & Satta 2011, section 3",
    class_name="Pr",
    items=[ItemForm("[i, h, j]", "0 <= i <= h < j <= n+1", "i..j-1 has been read and left h on the stack")],
    hypotheses=[Hypothesis("[0, 0, 1]", "")],
    steps=[
        Step("Shift", "?[i, h, j] => [j, j, j+1]", where="j <= n"),
        Step("Left-Arc", "[i, h1, k] [k, h2, j] => [i, h2, j]", where="h1 >= 1", arc="h2 -> h1"),
        Step("Right-Arc", "[i, h1, k] [k, h2, j] => [i, h1, j]", where="h1 >= first", arc="h1 -> h2"),
    ],
    final=Step("Final", "[0, 0, n+1]"),
    single_root_final=Step("Final", "[0, 0, 1] [1, h, n+1]", arc="0 -> h"),
)
