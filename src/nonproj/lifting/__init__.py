"""Lifting: projective lifts of trees, encodings that undo them, and lifting rules learned from treebanks."""

from nonproj.lifting.encoding import SCHEMES, Encoding, plain_label
from nonproj.lifting.lifts import (
    LiftedWord,
    ancestors,
    governors,
    is_lift,
    is_projective_arc,
    lifted_tree,
    projective_lifts,
)
from nonproj.lifting.transform import lift, lower

__all__ = [
    "SCHEMES",
    "Encoding",
    "LiftedWord",
    "ancestors",
    "governors",
    "is_lift",
    "is_projective_arc",
    "lift",
    "lifted_tree",
    "lower",
    "plain_label",
    "projective_lifts",
]
