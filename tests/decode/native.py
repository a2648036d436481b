"""The charts and sums of the native core, each by itself, without what the package puts around them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from nonproj import NonprojError, _core
from nonproj.trees import tree_class

NO_ARCS = np.zeros((0, 2), dtype=np.int32)


def chart_best(name: str, scores: Any, single_root: bool) -> Any:
    if scores.dtype == np.float32:
        scores = scores.astype(np.float64)
    return _core.chart_best(tree_class(name).solver, scores, single_root)


def mh_best(scores: Any, k: int, single_root: bool) -> Any:
    return chart_best(f"MH{k}", scores, single_root)


def chart_bytes(words: int, name: str) -> float:
    return tree_class(name).solver.chart_bytes(words)


def spanning_best(scores: Any, single_root: bool, forbidden: Any = NO_ARCS) -> Any:
    return _core.spanning_best(scores, single_root, forbidden)


def marginals(solver: Any, scores: Any, single_root: bool) -> Any:
    """All 0 where there is no tree."""
    try:
        return _core.marginals(solver, scores, single_root)
    except NonprojError as error:
        if "avoids the forbidden arcs" not in str(error):
            raise
        return np.zeros_like(scores, dtype=np.float64)


def entropy(solver: Any, scores: Any, single_root: bool) -> float:
    """-inf where there is no tree."""
    try:
        return _core.entropy(solver, scores, single_root)
    except NonprojError as error:
        if "avoids the forbidden arcs" not in str(error):
            raise
        return -np.inf


def sums(name: str) -> list[Any]:
    """log_partition, marginals, entropy, count_mod and sample over the trees of a class."""
    functions = (_core.log_partition, marginals, entropy, _core.count_mod, _core.sample)
    return [partial(function, tree_class(name).solver) for function in functions]


eisner_best = partial(chart_best, "Pr")
one_endpoint_crossing_best = partial(chart_best, "1EC")
spanning_arc_bounds = _core.spanning_arc_bounds
gaps_best = _core.gaps_best
one_endpoint_crossing_best_plainly = _core.one_endpoint_crossing_best_plainly
matrix_tree_log_partition, matrix_tree_marginals, matrix_tree_entropy, matrix_tree_count_mod, spanning_sample = sums(
    "spanning"
)
eisner_log_partition, eisner_marginals, eisner_entropy, eisner_count_mod, eisner_sample = sums("Pr")
(
    one_endpoint_crossing_log_partition,
    one_endpoint_crossing_marginals,
    one_endpoint_crossing_entropy,
    one_endpoint_crossing_count_mod,
    one_endpoint_crossing_sample,
) = sums("1EC")
