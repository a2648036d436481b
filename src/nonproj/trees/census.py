"""A census: how many trees of n words each class holds."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors, thread_pool
from nonproj.trees.classes import TreeClass, tree_class, tree_classes
from nonproj.trees.tree import Tree

CENSUS_CLASSES = "spanning Pr 1-P 2-P 1EC 2-C 3-C WG1 WG2 M0I M1I WG1S M1IS MG1 MH4 MH5 MH6 AD2 AD3"

_NESTINGS = ("well-nested", "mildly ill-nested", "strongly ill-nested")
_Counted = TypeVar("_Counted")
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
    solvers, total = [cls.solver for cls in tree_classes(classes)], _number_of_trees(n)
    begun, tried = time.perf_counter(), 0
    for place in range(_PLACES):
        begin = total * (2 * place + 1) // (2 * _PLACES)
        end = min(begin + _TRIED, total)
        _core.census(n, solvers, begin, end, only_single_root, nesting)
        tried += end - begin
    return (time.perf_counter() - begun) / max(1, tried) * total / (threads or processors())


def _number_of_trees(n: int) -> int:
    if not 1 <= n <= _core.MAX_CENSUS_WORDS:
        raise NonprojError(f"a census takes 1 to {_core.MAX_CENSUS_WORDS} words, not {n}")
    return _core.number_of_trees(n)


@dataclass(frozen=True)
class ClassPair:
    """How many trees are in one class and not in another, and one of them."""

    inside: str
    outside: str
    trees: int
    example: Tree | None

    def to_dict(self) -> dict[str, object]:
        """The pair as plain data."""
        heads = None if self.example is None else list(self.example.heads)
        return {"inside": self.inside, "outside": self.outside, "trees": self.trees, "example": heads}


def census(
    n: int,
    classes: str | Iterable[str | TreeClass] = CENSUS_CLASSES,
    *,
    threads: int = 0,
    only_single_root: bool = False,
    nesting: bool = False,
    dummy: str = "left",
    progress: Callable[[int, int], None] | None = None,
) -> Census:
    """Count the trees of ``n`` words class by class, by looking at every one of the (n+1)^(n-1).

    ``only_single_root`` passes over the other trees and leaves ``all`` empty; ``nesting`` also counts the trees
    that are well-nested, mildly and strongly ill-nested; ``dummy`` says where the dummy root stands (see `tree_class`);
    ``progress`` is called with how many trees have been dealt with, and how many there are.

    >>> census(4, "Pr 1EC WG1").all
    {'Pr': 55, '1EC': 125, 'WG1': 121}
    """
    chosen = tree_classes(classes, dummy=dummy)
    solvers = _solvers(chosen, dummy)
    names = [cls.name for cls in chosen]
    size = len(names) + (len(_NESTINGS) if nesting else 0)
    everything, single_root = [0] * size, [0] * size

    def count(begin: int, end: int) -> tuple[list[int], list[int]]:
        return _core.census(n, solvers, begin, end, only_single_root, nesting)

    for counted, counted_single in _portions(n, count, threads, progress):
        everything = [a + b for a, b in zip(everything, counted, strict=True)]
        single_root = [a + b for a, b in zip(single_root, counted_single, strict=True)]
    by_root = {"all": [] if only_single_root else everything, "single_root": single_root}
    counts = {root: dict(zip(names, values, strict=False)) for root, values in by_root.items()}
    nested = {root: dict(zip(_NESTINGS, values[len(names) :], strict=False)) for root, values in by_root.items()}
    return Census(n, counts["all"], counts["single_root"], nested if nesting else None)


def census_pairs(
    n: int,
    classes: str | Iterable[str | TreeClass] = CENSUS_CLASSES,
    *,
    threads: int = 0,
    only_single_root: bool = False,
    dummy: str = "left",
    progress: Callable[[int, int], None] | None = None,
) -> list[ClassPair]:
    """Compare classes two by two on all trees of ``n`` words: how many are in one and not in the other, and an example.

    The options are those of `census`. Where no tree of this size is in one class and outside another, the first may
    lie within the second; an example proves that it does not.

    >>> for pair in census_pairs(5, "MH4 1EC"):
    ...     print(pair.inside, "and not", pair.outside, pair.trees, pair.example)
    MH4 and not 1EC 70 Tree([2, 5, 1, 0, 0])
    1EC and not MH4 155 Tree([4, 0, 0, 2, 0])
    """
    chosen = tree_classes(classes, dummy=dummy)
    if len(chosen) < 2:
        raise NonprojError(f"pairs take two classes or more, not {chosen[0].name} alone")
    solvers, size = _solvers(chosen, dummy), len(chosen)
    trees = [0] * size**2
    examples: list[list[int]] = [[]] * size**2

    def count(begin: int, end: int) -> tuple[list[int], list[list[int]]]:
        return _core.census_of_pairs(n, solvers, begin, end, only_single_root)

    for counted, first in _portions(n, count, threads, progress):
        trees = [a + b for a, b in zip(trees, counted, strict=True)]
        examples = [a or b for a, b in zip(examples, first, strict=True)]
    return [
        ClassPair(one.name, other.name, trees[at], Tree(examples[at]) if examples[at] else None)
        for at, (one, other) in enumerate(itertools.product(chosen, chosen))
        if one is not other
    ]


def _solvers(classes: Iterable[TreeClass], dummy: str) -> list[_core.ClassSolver]:
    """What decides the classes with the dummy root there; a class that says itself where it is keeps it."""
    return [(cls if cls.dummy != "left" else tree_class(cls, dummy)).solver for cls in classes]


def _portions(
    n: int, count: Callable[[int, int], _Counted], threads: int, progress: Callable[[int, int], None] | None
) -> Iterator[_Counted]:
    """What is counted of portions of all trees of n words, in their order."""
    total, threads = _number_of_trees(n), threads or processors()
    with thread_pool(threads) as pool:

        def portions() -> Iterator[_Counted]:
            waiting: deque[Future[_Counted]] = deque()  # a few, however many portions there are
            for begin in range(0, total, _PORTION):
                waiting.append(pool.submit(count, begin, min(begin + _PORTION, total)))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            yield from (each.result() for each in waiting)

        try:
            for done, counted in enumerate(portions(), 1):
                yield counted
                if progress is not None:
                    progress(min(done * _PORTION, total), total)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
