"""Every class on scores that fit none, under a limit of time: what is found, what is proven, and at what cost.

``python -m benchmarks limits`` prints the rows; ``python -m benchmarks.limits docs/decoding.md`` writes them into the
page, between its marks. ``python -m benchmarks.limits docs/decoding.md 30`` writes the columns of 30 words alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, Target, agree
from nonproj import TreeClass, decode, tree_class
from nonproj.trees import CATALOGUE

NAME = "limits"
QUESTION = "What is found under a time limit, where no class fits the scores? (N(0, 1) scores, one thread)"
PEERS: tuple[str, ...] = ()

SIZES = (30, 50, 80)
SECONDS = 10.0
_ENDS = {"relax": "dive", "chart": "chart", "climb": "climbed"}
"""How trees were found that are neither proven nor the best of a class within."""
BEGIN, END = "<!-- Under a limit, by python -m benchmarks.limits -->\n", "<!-- end -->"


@dataclass(frozen=True)
class Found:
    """What a class came to for one sentence."""

    cls: TreeClass
    words: int
    score: float
    bound: float
    is_optimal: bool
    how: str
    seconds: float


def found(words: int) -> list[Found]:
    """Each class on the same scores, the smallest cost first."""
    scores = np.random.default_rng(words).normal(size=(words + 1, words + 1))
    results = []
    for cls in (*CATALOGUE, tree_class("spanning")):
        start = time.perf_counter()
        best = decode(scores, within=cls, time_limit=SECONDS)
        seconds = time.perf_counter() - start
        agree(best.tree in cls, f"{cls.name}: the tree is not in the class")
        how = best.strategy if best.is_optimal else f"best of {best.best_of}" if best.best_of else _ENDS[best.strategy]
        results.append(Found(cls, words, best.score, best.bound, best.is_optimal, how, seconds))
    return results


def shortfall(result: Found, others: list[Found]) -> float:
    """How much the best class within scores more, under the same limit; 0 as it should be."""
    within = [other.score for other in others if other.cls.solver.is_known_within(result.cls.solver)]
    return max(0.0, max(within, default=result.score) - result.score)


def run() -> Iterator[Row]:
    """A row for each class and size: its time, and whether it falls below a class within."""
    for words in SIZES:
        results = found(words)
        for result in results:
            proof = "proven" if result.is_optimal else f"bound {result.bound:.2f}"
            note = f"score {result.score:.2f}, {proof}, {result.how}, {result.seconds:.2f} s"
            below = shortfall(result, results)
            yield Row(
                f"{result.cls.name}: below classes within",
                f"{words} words",
                number=below,
                target=Target("most", 1e-9),
                note=note,
            )


def cells(words: int) -> list[list[str]]:
    """The three columns of a size: a row a class, below their titles."""
    results = found(words)
    rows = [[f"{words} words: score", "bound", "seconds"], ["---"] * 3]
    for result in results:
        agree(shortfall(result, results) < 1e-9, f"{result.cls.name} falls below a class within")
        bound = "proven" if result.is_optimal else f"{result.bound:.2f}, {result.how}"
        rows.append([f"{result.score:.2f}", bound, f"{result.seconds:.2f}"])
    return rows


def main() -> None:
    """Write the columns of the sizes that are named, or of all, into the table of the page that is named."""
    page, sizes = Path(sys.argv[1]), [int(words) for words in sys.argv[2:]] or list(SIZES)
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    old, after = rest.split(END, 1)
    table = [line.strip("|").split("|") for line in old.splitlines()]
    for words in sizes:
        first = 1 + 3 * SIZES.index(words)
        for row, new in zip(table, cells(words), strict=True):
            row[first : first + 3] = new
    lines = "".join(f"| {' | '.join(cell.strip() for cell in row)} |\n" for row in table)
    page.write_text(f"{before}{BEGIN}{lines}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
