"""The brute force that judges the engine: every definition by sets and loops, slow on purpose.

A tree is a sequence of heads: `heads[i - 1]` is the head of word i, and 0 is the dummy, which stands to the
left of word 1. Several words may have head 0.
"""

from .attardi import ad, drop_distance, is_attardi, is_attardi_with_words_put_back
from .binarisation import is_mildly_ill_nested, mg
from .classes import CLASSES
from .crossings import (
    arcs,
    crossing_interval,
    crossing_pairs,
    is_crossing_interval,
    is_k_planar,
    is_one_endpoint_crossing,
    planes,
)
from .enumeration import Heads, is_tree, trees
from .multiheaded import is_multiheaded, mh
from .order import projective_order
from .yields import (
    children,
    edge_degree,
    gap_degree,
    gaps,
    inheritance_degree,
    is_head_split,
    is_projective,
    is_well_nested,
    yields,
)

__all__ = [
    "CLASSES",
    "Heads",
    "ad",
    "arcs",
    "children",
    "crossing_interval",
    "crossing_pairs",
    "drop_distance",
    "edge_degree",
    "gap_degree",
    "gaps",
    "inheritance_degree",
    "is_attardi",
    "is_attardi_with_words_put_back",
    "is_crossing_interval",
    "is_head_split",
    "is_k_planar",
    "is_mildly_ill_nested",
    "is_multiheaded",
    "is_one_endpoint_crossing",
    "is_projective",
    "is_tree",
    "is_well_nested",
    "mg",
    "mh",
    "planes",
    "projective_order",
    "trees",
    "yields",
]
