"""Parsing schemata: the papers' algorithms as items and deduction steps that run."""

from __future__ import annotations

from nonproj.schema.catalogue import catalogue, parsing_schema, schema_for_tree
from nonproj.schema.errors import SchemaError
from nonproj.schema.forest import Forest, Parse, Row
from nonproj.schema.judge import Check, Complexity, Verdict, check, completeness, complexity, soundness
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.problem import Problem
from nonproj.schema.rules import DRules
from nonproj.schema.schema import Schema
from nonproj.schema.semiring import Boolean, Counting, KBest, Semiring, TreeSets
from nonproj.schema.show import show, show_latex, show_step
from nonproj.schema.systems.gaps import combination_strings

__all__ = [
    "Boolean",
    "Check",
    "Complexity",
    "Counting",
    "DRules",
    "Forest",
    "Hypothesis",
    "ItemForm",
    "KBest",
    "Parse",
    "Problem",
    "Row",
    "Schema",
    "SchemaError",
    "Semiring",
    "Step",
    "TreeSets",
    "Verdict",
    "catalogue",
    "check",
    "combination_strings",
    "completeness",
    "complexity",
    "parsing_schema",
    "schema_for_tree",
    "show",
    "show_latex",
    "show_step",
    "soundness",
]
