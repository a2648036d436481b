"""Reports on treebanks: which classes cover them, and which of their trees are odd."""

from nonproj.report.causes import Causes, ClassCauses, Example, causes
from nonproj.report.chance import Chance, Expected, chance
from nonproj.report.class_chance import ClassChance, Within, class_chance
from nonproj.report.coverage import Coverage, TreebankCoverage, coverage
from nonproj.report.difference import Change, ClassChange, Difference, WordChange, diff
from nonproj.report.graphs import GraphCounts, GraphMeasures, Graphs, graphs, measure_graph
from nonproj.report.lengths import Lengths, MeanLength, lengths
from nonproj.report.surprise import Surprise, Surprises, unusual
from nonproj.report.table import Column, Table
from nonproj.report.unusual import Unusual

__all__ = [
    "Causes",
    "Chance",
    "Change",
    "ClassCauses",
    "ClassChance",
    "ClassChange",
    "Column",
    "Coverage",
    "Difference",
    "Example",
    "Expected",
    "GraphCounts",
    "GraphMeasures",
    "Graphs",
    "Lengths",
    "MeanLength",
    "Surprise",
    "Surprises",
    "Table",
    "TreebankCoverage",
    "Unusual",
    "Within",
    "WordChange",
    "causes",
    "chance",
    "class_chance",
    "coverage",
    "diff",
    "graphs",
    "lengths",
    "measure_graph",
    "unusual",
]
