"""Parsers of papers by name: the rows of Table 2 of Pitler, Kannan & Marcus (2012)."""

from __future__ import annotations

from functools import partial

from nonproj.errors import NonprojError
from nonproj.parser.options import MOST_CANDIDATES, GraphOptions

# Linear parsers, as in the paper, and the limits of its section 7: Proj and MST are run without pruning.
_linear = partial(GraphOptions, network=0)
_pruned = partial(_linear, candidates=10, threshold=0.001, parsing_candidates=10, parsing_threshold=0.001)
_unpruned = partial(
    _linear,
    candidates=MOST_CANDIDATES,
    threshold=0.0,
    parsing_candidates=MOST_CANDIDATES,
    parsing_threshold=0.0,
)

RECIPES: dict[str, GraphOptions] = {
    "proj": _unpruned(within="Pr", order="1"),
    "mst": _unpruned(within="spanning", order="1"),
    "gap-mind": _pruned(within="M0I", order="1"),
    "proj+sib": _pruned(within="Pr", order="sibling"),
    "rearr": _pruned(within="Pr", order="sibling", rearrange=True),
    "gm+grand": _pruned(within="M0I", order="grandparent"),
}
"""The rows, by their names in lower case."""


def paper_recipe(name: str) -> GraphOptions:
    """The options of a row of Table 2 of Pitler, Kannan & Marcus (2012).

    The rows are ``"proj"``, ``"mst"``, ``"gap-mind"``, ``"proj+sib"``, ``"rearr"`` and ``"gm+grand"``: linear parsers
    by MIRA, with the decoder of their class in training and in parsing. The first two look at all heads of a word, the
    others at the 10 likeliest with a probability above .001; with ``pruner="mst"`` these are pruned as in the paper.

    >>> paper_recipe("gap-mind").within, paper_recipe("gm+grand").order
    ('M0I', 'grandparent')
    """
    if name not in RECIPES:
        raise NonprojError(f"there is no recipe {name!r}: recipes are {', '.join(RECIPES)}")
    return RECIPES[name]
