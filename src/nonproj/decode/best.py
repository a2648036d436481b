"""The best trees within a class."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.graded import Chain, Within, chain, native
from nonproj.decode.parts import Quadruples, Triples, part_list
from nonproj.decode.scores import FLOAT64, Arcs, Mask, Scores, as_arcs, as_mask, as_table, prepared
from nonproj.errors import NonprojError
from nonproj.trees import Tree, TreeClass, tree_class
from nonproj.trees.classes import DEFINED_CLASSES

Strategy: TypeAlias = Literal["auto", "relax", "chart"]

MEMORY_LIMIT = 2 << 30
_MAX_WORK = 2**31 - 1


class Decoded(_core.Decoded):
    """A tree found by a decoder, its score, and what is proven about it.

    >>> best = decode([[0, 3, 1], [0, 0, 4], [0, 5, 0]], single_root=True)
    >>> best.tree, best.heads.tolist(), best.score, best.is_optimal
    (Tree([0, 1]), [0, 1], 7.0, True)
    """

    __slots__ = ()

    @property
    def tree(self) -> Tree:
        """The heads as a tree."""
        return Tree(self.heads)

    @property
    def planes(self) -> npt.NDArray[np.int32]:
        """The plane of the arc into each word, in the fewest planes without crossings; -1 for arcs from the dummy.

        Trees of MH4 and of 1EC have two planes at most.
        """
        return np.array(_core.planes(self.heads), dtype=np.int32)

    def to_dict(self, *, planes: bool = False) -> dict[str, Any]:
        """The fixed JSON shape: ``heads``, ``score``, ``is_optimal``, and what else there is to say."""
        row: dict[str, Any] = {"heads": self.heads.tolist()}
        if self.labels is not None:
            row["labels"] = self.labels.tolist()
        if planes:
            row["planes"] = self.planes.tolist()
        row |= {"score": self.score, "is_optimal": self.is_optimal}
        if self.grade is not None:
            row |= {"grade": self.grade, "price": self.price}
        if not self.is_optimal:
            row["bound"] = self.bound
        return row


def decode(
    scores: Scores,
    *,
    within: Within = "spanning",
    single_root: bool = False,
    siblings: Triples | None = None,
    grandparents: Triples | None = None,
    grand_siblings: Quadruples | None = None,
    three_siblings: Quadruples | None = None,
    ends: npt.ArrayLike | None = None,
    valency: npt.ArrayLike | None = None,
    rearrange: bool = False,
    strategy: Strategy = "auto",
    work_limit: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
    time_limit: float | None = None,
    mask: Mask | None = None,
    required: Arcs | None = None,
    forbidden: Arcs | None = None,
) -> Decoded:
    """Find the best tree within a class: ``.tree``, ``.heads``, ``.score``, and what is proven about it.

    ``scores[h, d]`` is the score of the arc from head ``h`` to word ``d``; row 0 is the root and ``-inf`` forbids an
    arc. The diagonal and column 0 are ignored. Scores of shape (n+1, n+1, labels) take the best label of each arc, and
    ``.labels`` tells which. Any array of numbers will do, a torch tensor too.

    ``strategy="relax"`` solves spanning trees until the best one left is in the class, ``"chart"`` runs the class's
    dynamic programme, and ``"auto"`` takes the shorter road; all are exact. ``.strategy`` tells which it was, and
    ``.relaxations`` how many spanning trees were solved. ``work_limit`` bounds these (10,000 by default; none where
    ``time_limit`` is given), ``memory_limit`` the bytes of a chart's tables, ``time_limit`` the seconds of a sentence.
    Where a class has no chart within the limits and they are reached, ``.is_optimal`` is false: the tree is then at
    least as good as the best one of every class inside that has such a chart (``.best_of`` names the class it is the
    best of, if it is that of one), and ``.bound`` is a score that no tree of the class exceeds. Without time for any
    such chart it may be the best spanning tree, its words lifted to ancestors until it is projective.

    ``mask`` is a boolean array of the arcs that may be used (see `candidate_heads`); ``required`` and ``forbidden``
    are pairs (head, dependent). Equal scores are settled the same way every time.

    ``within`` may be a graded class as well, a rising chain of classes with a price each:
    ``{"Pr": 0, "1EC": 1.5, "spanning": 4}``. A tree pays the price of the smallest class that holds it, and the best
    tree is that of the highest score less price: ``.grade`` names that class, ``.price`` is what it costs, and
    ``.score`` and ``.bound`` are less the price.

    Larger parts can have scores as well, within any class. ``grandparents[g, h, d]`` is added for arcs g -> h and
    h -> d, ``siblings[h, s, d]`` for children s and d of h on the same side of it, s the next one between h and d;
    ``siblings[h, h, d]`` for the child d that is nearest to h on its side. Both are arrays of shape (n+1, n+1, n+1), or
    lists of (g, h, d, score) for the triples that are not 0, which stay as short as they are. ``grand_siblings`` lists
    (g, h, s, d, score), siblings under the head g of h; ``three_siblings`` lists (h, t, s, d, score), t the next child
    between h and s, or h. ``ends[h, d]`` is added for the outermost child d on a side of h, ``valency[h, l, r]`` for l
    children of h on its left and r on its right, where the last l and r stand for that many or more.

    The best tree is then found by Lagrangian relaxation: ``strategy="relax"``. Where the class has a chart for the
    parts (see `offers`), Pr for siblings and grandparents (Koo & Collins 2010) and M0I for grandparents (Pitler et al.
    2012), ``"chart"`` runs that and ``"auto"`` takes the shorter road. Past the work limit the best tree found
    comes with ``.bound``. ``rearrange`` then changes one head at a time as long as the score grows, across any arcs
    (McDonald & Pereira 2006): the tree is no longer proven best, nor held to the class; ``.strategy`` is "climb".

    >>> scores = [[0, 1, 1, 9, 1], [0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0, 8, 1, 0, 8], [0, 1, 9, 1, 0]]
    >>> best = decode(scores)
    >>> best.heads.tolist(), best.score
    ([3, 4, 0, 3], 34.0)
    >>> decode(scores, within="Pr").heads.tolist(), decode(scores, within="Pr", forbidden=[(3, 1)]).heads.tolist()
    ([3, 3, 0, 3], [2, 3, 0, 3])
    >>> best = decode(scores, within={"Pr": 0, "WG1": 5, "spanning": 9})
    >>> best.heads.tolist(), best.grade, best.price, best.score
    ([3, 4, 0, 3], 'WG1', 5.0, 29.0)
    >>> pairs = [(0, 3, 2, 1.0), (3, 2, 1, 1.0)]
    >>> decode([[0] * 4] * 4, within="1EC", grandparents=pairs).heads.tolist()
    [2, 3, 0]
    """
    # The best spanning tree of a short sentence takes half a microsecond: what is asked most is looked at first, in as
    # few steps of the interpreter as can be.
    if type(within) is str and not DEFINED_CLASSES:
        options = _kept_options(within, single_root, strategy, work_limit, memory_limit, time_limit)
    else:
        options = _options(within, single_root, strategy, work_limit, memory_limit, time_limit)
    best: Decoded
    has_parts = not (siblings is None and grandparents is None and grand_siblings is None and three_siblings is None)
    if has_parts or not (ends is None and valency is None and not rearrange):
        if rearrange and isinstance(within, Mapping):
            raise NonprojError("rearrange changes heads across any arcs and takes no prices: name a single class")
        table = _table_for_parts(scores, mask, required, forbidden)
        parts = part_list(table, siblings, grandparents, grand_siblings, three_siblings, ends, valency)
        best = _core.decode_with_parts(Decoded, parts, options, rearrange)
    elif mask is None and required is None and forbidden is None:
        is_table = type(scores) is np.ndarray and scores.dtype is FLOAT64
        best = _core.decode(Decoded, scores if is_table else as_table(scores), options)
    else:
        arcs = as_arcs("required", required), as_arcs("forbidden", forbidden)
        best = _core.decode(Decoded, as_table(scores), options, as_mask(mask), *arcs)
    return best


def _table_for_parts(
    scores: Scores, mask: Mask | None, required: Arcs | None, forbidden: Arcs | None
) -> npt.NDArray[np.float64]:
    return np.ascontiguousarray(prepared(scores, mask, required, forbidden), dtype=np.float64)


def decode_batch(
    sentences: Iterable[Scores],
    *,
    within: Within = "spanning",
    single_root: bool = False,
    siblings: Sequence[Triples] | None = None,
    grandparents: Sequence[Triples] | None = None,
    grand_siblings: Sequence[Quadruples] | None = None,
    three_siblings: Sequence[Quadruples] | None = None,
    ends: Sequence[npt.ArrayLike] | None = None,
    valency: Sequence[npt.ArrayLike] | None = None,
    threads: int = 0,
    strategy: Strategy = "auto",
    work_limit: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
    time_limit: float | None = None,
) -> list[Decoded]:
    """Decode many sentences of any lengths, on several threads (0 for one a core); the options are those of `decode`.

    Larger parts are given as lists of what `decode` takes, one a sentence.

    >>> import numpy as np
    >>> [best.heads.tolist() for best in decode_batch([np.eye(2), np.eye(3)], within="WG1")]
    [[0], [0, 1]]
    >>> [best.heads.tolist() for best in decode_batch([np.eye(3)] * 2, grandparents=[[(0, 2, 1, 5.0)], []])]
    [[2, 0], [0, 1]]
    """
    if threads < 0:
        raise NonprojError(f"threads must be 0 (one a core) or more, not {threads}")
    options = _options(within, single_root, strategy, work_limit, memory_limit, time_limit)
    threads = threads or os.cpu_count() or 1
    given = {
        "siblings": siblings,
        "grandparents": grandparents,
        "grand_siblings": grand_siblings,
        "three_siblings": three_siblings,
        "ends": ends,
        "valency": valency,
    }
    listed: dict[str, list[Any]] = {name: list(parts) for name, parts in given.items() if parts is not None}
    if not listed:
        return _core.decode_batch(Decoded, [as_table(scores) for scores in sentences], options, threads)
    tables = [_table_for_parts(scores, None, None, None) for scores in sentences]
    for name, each in listed.items():
        if len(each) != len(tables):
            raise NonprojError(f"{name} must be given for each of the {len(tables)} sentences, not for {len(each)}")
    parts = []
    for i, table in enumerate(tables):
        try:
            parts.append(part_list(table, **{name: each[i] for name, each in listed.items()}))
        except NonprojError as error:
            raise NonprojError(f"sentence {i}: {error}") from None
    return _core.decode_batch_with_parts(Decoded, parts, options, threads)


def k_best(
    scores: Scores,
    k: int,
    *,
    within: Within = "spanning",
    single_root: bool = False,
    strategy: Strategy = "auto",
    work_limit: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
    time_limit: float | None = None,
    mask: Mask | None = None,
    required: Arcs | None = None,
    forbidden: Arcs | None = None,
) -> list[Decoded]:
    """Find the k best trees within a class, best first, or all of them if there are fewer.

    The options are those of `decode`. Every tree returned is proven to be the next best: past the work limit, a class
    without a chart raises an error.

    >>> [(best.heads.tolist(), best.score) for best in k_best([[0, 3, 1], [0, 0, 4], [0, 5, 0]], 5)]
    [([0, 1], 7.0), ([2, 0], 6.0), ([0, 0], 4.0)]
    """
    if k < 1:
        raise NonprojError(f"k must be at least 1, not {k}")
    options = _options(within, single_root, strategy, work_limit, memory_limit, time_limit)
    arcs = as_arcs("required", required), as_arcs("forbidden", forbidden)
    return _core.k_best(Decoded, as_table(scores), k, options, as_mask(mask), *arcs)


def _options(
    within: Within,
    single_root: bool,
    strategy: str,
    work_limit: int | None,
    memory_limit: int,
    time_limit: float | None,
) -> _core.DecodeOptions:
    if isinstance(within, str) and not DEFINED_CLASSES:  # else a name may stand for another class by now
        return _kept_options(within, single_root, strategy, work_limit, memory_limit, time_limit)
    meant = chain(within) if isinstance(within, Mapping) else tree_class(within)
    return _kept_options(meant, single_root, strategy, work_limit, memory_limit, time_limit)


@lru_cache(maxsize=256)
def _kept_options(
    within: str | TreeClass | Chain,
    single_root: bool,
    strategy: str,
    work_limit: int | None,
    memory_limit: int,
    time_limit: float | None,
) -> _core.DecodeOptions:
    steps = within if isinstance(within, tuple) else ((tree_class(within), 0.0),)
    if strategy not in ("auto", "relax", "chart"):
        raise NonprojError(f"strategy must be 'auto', 'relax' or 'chart', not {strategy!r}")
    for cls, _ in steps:
        if strategy == "chart" and cls.name != "spanning" and cls.solver.chart is None:
            raise NonprojError(f"{cls.name} has no chart: use strategy 'auto' or 'relax'")
    if work_limit is not None and not 1 <= work_limit <= _MAX_WORK:
        raise NonprojError(f"work_limit must lie between 1 and {_MAX_WORK} spanning trees, not {work_limit}")
    if memory_limit < 0:
        raise NonprojError(f"memory_limit must be a number of bytes, not {memory_limit}")
    if time_limit is not None and not time_limit > 0:
        raise NonprojError(f"time_limit must be a number of seconds above 0, not {time_limit}")
    chosen = getattr(_core.Strategy, strategy)
    seconds = math.inf if time_limit is None else float(time_limit)
    options = _core.DecodeOptions(cls.solver, bool(single_root), chosen, work_limit or 0, float(memory_limit), seconds)
    return options.graded(native(steps)) if isinstance(within, tuple) else options
