"""Lifting: projective lifts of trees, encodings that undo them, and lifting rules learned from treebanks."""

from nonproj.lifting.category import Category
from nonproj.lifting.columns import sentence_categories
from nonproj.lifting.encoding import SCHEMES, Encoding, plain_label
from nonproj.lifting.expression import Automaton, Expression, Reader
from nonproj.lifting.learning import RuleCoverage, generalised, learn, rule_coverage
from nonproj.lifting.lifts import (
    LiftedWord,
    ancestors,
    governors,
    is_lift,
    is_projective_arc,
    lifted_tree,
    projective_lifts,
)
from nonproj.lifting.notation import NotationError
from nonproj.lifting.rules import LiftingRule, RuledLift, RuleSet, Verdict
from nonproj.lifting.transform import lift, lower

__all__ = [
    "SCHEMES",
    "Automaton",
    "Category",
    "Encoding",
    "Expression",
    "LiftedWord",
    "LiftingRule",
    "NotationError",
    "Reader",
    "RuleCoverage",
    "RuleSet",
    "RuledLift",
    "Verdict",
    "ancestors",
    "generalised",
    "governors",
    "is_lift",
    "is_projective_arc",
    "learn",
    "lift",
    "lifted_tree",
    "lower",
    "plain_label",
    "projective_lifts",
    "rule_coverage",
    "sentence_categories",
]
