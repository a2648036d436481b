"""Trees, the classes of trees, and why a tree is outside a class."""

from nonproj.trees.binarisation import Binarisation, BinaryNode, binarise
from nonproj.trees.census import Census, ClassPair, braid, census, census_pairs
from nonproj.trees.classes import AD, CATALOGUE, DD, MG, MH, WG, TreeClass, define_class, tree_class, tree_classes
from nonproj.trees.explain import Explanation
from nonproj.trees.profile import Profiles, profile_trees
from nonproj.trees.tree import Arc, Tree

__all__ = [
    "AD",
    "CATALOGUE",
    "DD",
    "MG",
    "MH",
    "WG",
    "Arc",
    "Binarisation",
    "BinaryNode",
    "Census",
    "ClassPair",
    "Explanation",
    "Profiles",
    "Tree",
    "TreeClass",
    "binarise",
    "braid",
    "census",
    "census_pairs",
    "define_class",
    "profile_trees",
    "tree_class",
    "tree_classes",
]
