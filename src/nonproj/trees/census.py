"""A census: how many trees of n words each class holds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors, thread_pool
from nonproj.trees.classes import TreeClass, tree_classes
from nonproj.trees.tree import Tree

CENSUS_CLASSES = "spanning Pr 1-P 2-P 1EC 2-C 3-C WG1 WG2 M0I M1I WG1S M1IS MG1 MH4 MH5 MH6 AD2 AD3"

_NESTINGS = ("well-nested", "mildly ill-nested", "strongly ill-nested")
_PORTION = 50_000  # trees counted in one native call: a fraction of a second, so that Ctrl-C is heard
_TRIED, _PLACES = 2_000, 5  # trees counted at each of so many places, to foresee the time of a census


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


def seconds_of_census(
    n: int,
    classes: str | Iterable[str | TreeClass] = CENSUS_CLASSES,
    *,
    threads: int = 0,
    only_single_root: bool = False,
    nesting: bool = False,
) -> float:
    """Foresee roughly how long `census` takes, by counting a few trees here and there.

    >>> seconds_of_census(4, "Pr") < 60 < seconds_of_census(11, "Pr 1EC WG1")
    True
    """
    chosen, total = _asked(n, classes)
    begun, tried = time.perf_counter(), 0
    for place in range(_PLACES):
        begin = total * (2 * place + 1) // (2 * _PLACES)
        end = min(begin + _TRIED, total)
        _core.census(n, [cls.solver for cls in chosen], begin, end, only_single_root, nesting)
        tried += end - begin
    return (time.perf_counter() - begun) / max(1, tried) * total / (threads or processors())


def _asked(n: int, classes: str | Iterable[str | TreeClass]) -> tuple[list[TreeClass], int]:
    """The classes to count, and how many trees there are."""
    if not 1 <= n <= _core.MAX_CENSUS_WORDS:
        raise NonprojError(f"a census takes 1 to {_core.MAX_CENSUS_WORDS} words, not {n}")
    return tree_classes(classes), _core.number_of_trees(n)


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
    chosen, total = _asked(n, classes)
    solvers = [cls.solver for cls in chosen]
    names = [cls.name for cls in chosen] + (list(_NESTINGS) if nesting else [])
    everything, single_root = [0] * len(names), [0] * len(names)
    threads = threads or processors()
    with thread_pool(threads) as pool:

        def portions() -> Iterator[tuple[list[int], list[int]]]:
            waiting: deque[Future[tuple[list[int], list[int]]]] = deque()  # a few, however many portions there are
            for begin in range(0, total, _PORTION):
                end = min(begin + _PORTION, total)
                waiting.append(pool.submit(_core.census, n, solvers, begin, end, only_single_root, nesting))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            yield from (each.result() for each in waiting)

        try:
            for done, (counted, counted_single) in enumerate(portions(), 1):
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
