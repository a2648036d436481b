"""Trees by arcs, siblings and grandparents as an integer programme, solved by HiGHS."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from nonproj.trees import Tree, tree_class


class Programme:
    """Siblings and grandparents as an integer programme: the arcs as 0/1 variables; the children on each side of a head
    as a path; each arc together with the head of its head. Cycles and trees outside the class are cut off as they
    come."""

    def __init__(
        self, scores: npt.NDArray[np.float64], parts: dict[str, Any], name: str, single_root: bool = False
    ) -> None:
        highspy = pytest.importorskip("highspy", reason="the integer programme needs highspy")
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        self.highs.setOptionValue("mip_abs_gap", 1e-7)
        self.kind = highspy.HighsVarType.kInteger
        self.inf = highspy.kHighsInf
        self.highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self.name = name
        words = len(scores) - 1
        self.arc = {
            (h, d): self.variable(scores[h, d], True)
            for h, d in itertools.product(range(words + 1), range(1, words + 1))
            if h != d and scores[h, d] > -np.inf
        }
        for d in range(1, words + 1):
            self.row(1, 1, [(self.arc[arc], 1) for arc in self.arc if arc[1] == d])
        if single_root:
            self.row(1, 1, [(self.arc[arc], 1) for arc in self.arc if arc[0] == 0])
        grandparents = {part[:3]: part[3] for part in parts.get("grandparents", [])}
        for h, d in self.arc:
            under = {
                g: self.variable(grandparents.get((g, h, d), 0.0), False)
                for g in range(words + 1)
                if (g, h) in self.arc and g != d
            }
            if h > 0:
                self.row(0, 0, [*((place, 1) for place in under.values()), (self.arc[h, d], -1)])
            for g, place in under.items():
                self.row(-self.inf, 0, [(place, 1), (self.arc[g, h], -1)])
        siblings = {part[:3]: part[3] for part in parts.get("siblings", [])}
        for h in range(words + 1):
            for side in (range(h - 1, 0, -1), range(h + 1, words + 1)):
                self.path(h, [d for d in side if (h, d) in self.arc], siblings)
        for one, other in itertools.combinations(self.arc, 2) if name == "Pr" else []:
            (a, b), (c, e) = sorted(one), sorted(other)
            if a < c < b < e or c < a < e < b:
                self.row(-self.inf, 1, [(self.arc[one], 1), (self.arc[other], 1)])

    def path(self, h: int, children: list[int], siblings: dict[tuple[int, int, int], float]) -> None:
        step = {
            (s, d): self.variable(siblings.get((h, s, d), 0.0), False)
            for i, d in enumerate(children)
            for s in [h, *children[:i]]
        }
        leaves = {s: [(step[s, d], 1) for d in children if (s, d) in step] for s in [h, *children]}
        self.row(-self.inf, 1, leaves[h])
        for d in children:
            enters = [(step[s, e], 1) for s, e in step if e == d]
            self.row(0, 0, [*enters, (self.arc[h, d], -1)])
            self.row(-self.inf, 0, [*leaves[d], (self.arc[h, d], -1)])

    def variable(self, score: float, is_whole: bool) -> int:
        place = int(self.highs.getNumCol())
        self.highs.addCol(float(score), 0.0, 1.0, 0, np.empty(0, dtype=np.int32), np.empty(0))
        if is_whole:
            self.highs.changeColIntegrality(place, self.kind)
        return place

    def row(self, lower: float, upper: float, terms: Sequence[tuple[int, float]]) -> None:
        places = np.array([place for place, _ in terms], dtype=np.int32)
        values = np.array([value for _, value in terms], dtype=np.float64)
        self.highs.addRow(float(lower), float(upper), len(terms), places, values)

    def best(self) -> tuple[float, list[int]]:
        cls = tree_class(self.name)
        for _ in range(1000):
            self.highs.run()
            values = self.highs.getSolution().col_value
            head = {d: h for (h, d), place in self.arc.items() if values[place] > 0.5}
            heads = [head[d] for d in sorted(head)]
            cycle = next((c for c in (cycle_above(heads, d) for d in head) if c), None)
            if cycle is not None:
                enters = [(place, 1.0) for (h, d), place in self.arc.items() if d in cycle and h not in cycle]
                self.row(1, self.inf, enters)
            elif self.name == "spanning" or Tree(heads) in cls:
                return float(self.highs.getInfo().objective_function_value), heads
            else:
                _, arcs, _ = cls.solver.violation(np.array(heads, dtype=np.int32))
                self.row(-self.inf, len(arcs) - 1, [(self.arc[head, word], 1) for head, word in arcs])
        raise AssertionError("too many cuts")


def cycle_above(heads: list[int], word: int) -> set[int] | None:
    """The cycle that a word's heads run into, if they do not come to the root."""
    path: list[int] = []
    while word != 0 and word not in path:
        path.append(word)
        word = heads[word - 1]
    return set(path[path.index(word) :]) if word else None
