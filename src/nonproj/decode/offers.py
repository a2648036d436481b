"""Which questions each class answers, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.trees import TreeClass, tree_class

SUMS = ("count_trees", "log_partition", "marginals", "entropy")


@dataclass(frozen=True)
class Offer:
    """What a class offers.

    ``chart`` names the chart behind ``strategy="chart"``, if there is one. ``questions`` lists the functions that
    answer for the class: `decode`, `decode_batch`, `k_best` and `sample_trees` always, sums where each tree of the
    class has exactly one derivation. ``sampling`` is ``direct``, or ``rejection`` of spanning trees.
    """

    chart: str | None
    questions: tuple[str, ...]
    sampling: str


@dataclass(frozen=True)
class Sums:
    """The native sums over the trees of a class; each takes a table of scores and whether there is a single root."""

    log_partition: Callable[..., float]
    marginals: Callable[..., Any]
    count_mod: Callable[..., int]
    sample: Callable[..., Any]
    entropy: Callable[..., float] | None = None


_SUMS = {
    "spanning": Sums(
        _core.matrix_tree_log_partition,
        _core.matrix_tree_marginals,
        _core.matrix_tree_count_mod,
        _core.spanning_sample,
        _core.matrix_tree_entropy,
    ),
    "Pr": Sums(
        _core.eisner_log_partition,
        _core.eisner_marginals,
        _core.eisner_count_mod,
        _core.eisner_sample,
    ),
    "1EC": Sums(
        _core.one_endpoint_crossing_log_partition,
        _core.one_endpoint_crossing_marginals,
        _core.one_endpoint_crossing_count_mod,
        _core.one_endpoint_crossing_sample,
    ),
}
for _name_of_class in ("M0I", "M1I", "M1IS", "WG1", "WG1S", "AD2"):
    _rule = tree_class(_name_of_class).rule
    _SUMS[_name_of_class] = Sums(
        partial(_core.nested_log_partition, _rule),
        partial(_core.nested_marginals, _rule),
        partial(_core.nested_count_mod, _rule),
        partial(_core.nested_sample, _rule),
    )
_SAME_AS_PROJECTIVE = ("MH3", "AD1", "1-C")


def offers(within: str | TreeClass) -> Offer:
    """What can be asked of a class.

    >>> offers("Pr").chart, offers("MH4").questions
    ('Eisner', ('decode', 'decode_batch', 'k_best', 'sample_trees'))
    >>> offers("MG1").sampling
    'rejection'
    """
    cls = tree_class(within)
    has_sums = _name(cls) in _SUMS
    questions = ("decode", "decode_batch", "k_best", "sample_trees", *(SUMS if has_sums else ()))
    return Offer(_core.chart_name(cls.rule), questions, "direct" if has_sums else "rejection")


def sums_of(question: str, within: str | TreeClass) -> Sums:
    """The sums of a class, or an error that says which classes have them."""
    cls = tree_class(within)
    if _name(cls) not in _SUMS:
        raise NonprojError(
            f"{question} is offered for {', '.join(_SUMS)}, not for {cls.name}: no derivation of its trees is known "
            f"here that gives each tree exactly once"
        )
    return _SUMS[_name(cls)]


def _name(cls: TreeClass) -> str:
    return "Pr" if cls.name in _SAME_AS_PROJECTIVE else cls.name
