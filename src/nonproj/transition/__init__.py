"""Transition systems: how each builds a tree word by word, their oracles, dynamic costs and traces."""

from nonproj.transition.catalogue import SYSTEMS, SystemKind
from nonproj.transition.configuration import Configuration
from nonproj.transition.legal_choices import Choice, choices
from nonproj.transition.reordering import sort_treebank, unsort_treebank
from nonproj.transition.sequences import Sequences
from nonproj.transition.sorting import SortedTree, SwapStatistics, sort_words, swap_statistics
from nonproj.transition.system import TransitionSystem, transition_system
from nonproj.transition.trace import Row, Trace
from nonproj.transition.transition import Transition

__all__ = [
    "SYSTEMS",
    "Choice",
    "Configuration",
    "Row",
    "Sequences",
    "SortedTree",
    "SwapStatistics",
    "SystemKind",
    "Trace",
    "Transition",
    "TransitionSystem",
    "choices",
    "sort_treebank",
    "sort_words",
    "swap_statistics",
    "transition_system",
    "unsort_treebank",
]
