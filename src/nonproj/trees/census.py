"""A census: how many trees of n words each class holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors, thread_pool
from nonproj.trees.classes import TreeClass, tree_classes
from nonproj.trees.tree import Tree

CENSUS_CLASSES = "spanning Pr 1-P 2-P 1EC 2-C 3-C WG1 WG2 M0I M1I WG1S M1IS MG1 MH4 MH5 MH6 AD2 AD3"

_NESTINGS = ("well-nested", "mildly ill-nested", "strongly ill-nested")
_PORTION = 200_000  # trees counted in one native call: a fraction of a second, so that Ctrl-C is heard


@dataclass(frozen=True)
class Census:
    """How many trees of ``n`` words each class holds: of all trees, and of those with a single root."""

    n: int
    all: dict[str, int]
    single_root: dict[str, int]
    nesting: dict[str, dict[str, int]] | None = None
    """The same two counts of the trees that are well-nested, mildly and strongly ill-nested, where asked for."""

    def to_dict(self) -> dict[str, object]:
        """The census as plain data."""
        data: dict[str, object] = {"n": self.n, "all": self.all, "single_root": self.single_root}
        return data if self.nesting is None else {**data, "nesting": self.nesting}


def braid(gap_degree: int) -> Tree:
    """An ill-nested tree of MH_4 with so many gaps: two chains, word by word in turn, below one word.

    Gómez-Rodríguez 2016, Figure 1, shows that MH_4 bounds neither gaps nor nesting with such trees. Each word from the
    fourth on depends on the one two places before it.

    >>> tree = braid(3)
    >>> tree.heads, tree.gap_degree, tree.is_well_nested
    ((0, 1, 1, 2, 3, 4, 5, 6, 7), 3, False)
    """
    if gap_degree < 1:
        raise NonprojError(f"two chains interleave with 1 gap or more, not {gap_degree}")
    return Tree([0, 1, *range(1, 2 * gap_degree + 2)])


def census(
    n: int,
    classes: str | Iterable[str | TreeClass] = CENSUS_CLASSES,
    *,
    threads: int = 0,
    only_single_root: bool = False,
    nesting: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Census:
    """Count the trees of ``n`` words class by class, by looking at every one of the (n+1)^(n-1).

    ``only_single_root`` passes over the other trees and leaves ``all`` empty; ``nesting`` also counts the trees
    that are well-nested, mildly and strongly ill-nested; ``progress`` is called with how many trees have been
    dealt with, and how many there are.

    >>> census(4, "Pr 1EC WG1").all
    {'Pr': 55, '1EC': 125, 'WG1': 121}
    """
    if not 1 <= n <= _core.MAX_CENSUS_WORDS:
        raise NonprojError(f"a census takes 1 to {_core.MAX_CENSUS_WORDS} words, not {n}")
    chosen = tree_classes(classes)
    solvers = [cls.solver for cls in chosen]
    total = _core.number_of_trees(n)
    names = [cls.name for cls in chosen] + (list(_NESTINGS) if nesting else [])
    everything, single_root = [0] * len(names), [0] * len(names)
    with thread_pool(threads or processors()) as pool:
        portions = pool.map(
            lambda begin: _core.census(n, solvers, begin, min(begin + _PORTION, total), only_single_root, nesting),
            range(0, total, _PORTION),
        )
        try:
            for done, (counted, counted_single) in enumerate(portions, 1):
                everything = [a + b for a, b in zip(everything, counted, strict=True)]
                single_root = [a + b for a, b in zip(single_root, counted_single, strict=True)]
                if progress is not None:
                    progress(min(done * _PORTION, total), total)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    by_name = {"all": {} if only_single_root else dict(zip(names, everything, strict=True))}
    by_name["single_root"] = dict(zip(names, single_root, strict=True))
    nested = {
        root: {name: counts.pop(name) for name in _NESTINGS if name in counts} for root, counts in by_name.items()
    }
    return Census(n, by_name["all"], by_name["single_root"], nested if nesting else None)
