"""Trained parsers and their evaluation."""

from __future__ import annotations

from nonproj.parser.aligned import ColumnScores, evaluate_columns
from nonproj.parser.counts import ClassScores, Ratio, Scores
from nonproj.parser.evaluation import Evaluation, evaluate
from nonproj.parser.options import GraphOptions, NeuralOptions, TransitionOptions
from nonproj.parser.paper_recipes import paper_recipe
from nonproj.parser.parser import Parser
from nonproj.parser.searches import SearchReport
from nonproj.parser.significance import Difference
from nonproj.parser.training import Epoch

__all__ = [
    "ClassScores",
    "ColumnScores",
    "Difference",
    "Epoch",
    "Evaluation",
    "GraphOptions",
    "NeuralOptions",
    "Parser",
    "Ratio",
    "Scores",
    "SearchReport",
    "TransitionOptions",
    "evaluate",
    "evaluate_columns",
    "paper_recipe",
]
