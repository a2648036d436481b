"""Which questions each class answers, and how: its row in the native table of solvers."""

from __future__ import annotations

from dataclasses import dataclass

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.trees import CATALOGUE, TreeClass, tree_class

SUMS = ("count_trees", "log_partition", "marginals", "entropy")


@dataclass(frozen=True)
class Offer:
    """What a class offers.

    ``chart`` names the chart behind ``strategy="chart"``, if there is one, and ``parts`` the larger parts that the
    class has a chart for. ``questions`` lists the functions that answer for the class: `decode`, `decode_batch`,
    `k_best` and `sample_trees` always, sums where each tree of the class has exactly one derivation. ``sampling`` is
    ``direct``, or ``rejection`` of spanning trees.
    """

    chart: str | None
    parts: tuple[str, ...]
    questions: tuple[str, ...]
    sampling: str


def offers(within: str | TreeClass) -> Offer:
    """What can be asked of a class.

    >>> offers("Pr").chart, offers("MH4").questions
    ('Eisner', ('decode', 'decode_batch', 'k_best', 'sample_trees'))
    >>> offers("MG1").sampling
    'rejection'
    """
    solver = tree_class(within).solver
    questions = ("decode", "decode_batch", "k_best", "sample_trees", *(SUMS if solver.has_sums else ()))
    return Offer(solver.chart, tuple(solver.parts), questions, "direct" if solver.has_sums else "rejection")


def solver_with_sums(question: str, within: str | TreeClass) -> _core.ClassSolver:
    """The solver of a class that has sums, or an error that says which classes have them."""
    cls = tree_class(within)
    if not cls.solver.has_sums:
        offered = ["spanning", *(each.name for each in CATALOGUE if each.solver.has_sums)]
        raise NonprojError(
            f"{question} is offered for {', '.join(offered)}, not for {cls.name}: no derivation of its trees is known "
            f"here that gives each tree exactly once"
        )
    return cls.solver
