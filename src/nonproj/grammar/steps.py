"""How often a treebank has each step of the rule-FSMs: a generative model of dependents from left to right.

A head makes its linear dependents one after the other, itself among them; then the dependents that are lifted away from
it; then it ends. What comes next depends on the category of the head and on a *phase*:

    first   nothing has been read        before  some dependent has           head    the head has just been read
    after   a dependent after it has     away    a dependent has been lifted away

Probabilities are smoothed: by those of all heads in the same phase, which are smoothed in their turn by adding one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from typing import TypeAlias

from nonproj.lifting import Category
from nonproj.lifting.category import read_category
from nonproj.lifting.expression import HEAD
from nonproj.lifting.notation import Scanner

Letter: TypeAlias = tuple[str, Category | None]
"""A role with the category of the dependent; ``("#", None)`` is the head."""
END: Letter = ("|", None)
PHASES = ("first", "before", "head", "after", "away")
SMOOTHING = 2.0
"""How many steps of all heads are added to those of one."""


def next_phase(phase: str, letter: Letter) -> str:
    """The phase after one more step."""
    role = letter[0]
    if role == HEAD:
        return "head"
    if role == "out":
        return "away"
    return "before" if phase in ("first", "before") else "after"


@dataclass
class StepCounts:
    """The counts, by the category of the head and the phase."""

    counts: dict[tuple[Category, str], Counter[Letter]] = field(default_factory=dict)

    def add(self, head: Category, letters: Iterable[Letter]) -> None:
        """Count the steps of one head; the end is counted too."""
        phase = "first"
        for letter in (*letters, END):
            self.counts.setdefault((head, phase), Counter())[letter] += 1
            phase = next_phase(phase, letter)

    def __bool__(self) -> bool:
        return bool(self.counts)

    @cached_property
    def _all_heads(self) -> dict[str, Counter[Letter]]:
        found: dict[str, Counter[Letter]] = {phase: Counter() for phase in PHASES}
        for (_, phase), counts in self.counts.items():
            found[phase].update(counts)
        return found

    @cached_property
    def _letters(self) -> int:
        return len(set().union(*self._all_heads.values())) + 1

    @cached_property
    def _totals(self) -> dict[tuple[Category, str], int]:
        return {key: sum(counts.values()) for key, counts in self.counts.items()}

    def weight(self, head: Category, phase: str, letter: Letter) -> float:
        """The logarithm of the probability of a step."""
        everywhere = self._all_heads[phase]
        general = (everywhere[letter] + 1) / (everywhere.total() + self._letters)
        key = (head, phase) if (head, phase) in self.counts else (Category(head.name), phase)
        seen = self.counts[key][letter] if key in self.counts else 0
        return log((seen + SMOOTHING * general) / (self._totals.get(key, 0) + SMOOTHING))

    def lines(self) -> Iterator[str]:
        """The counts as they are written in a grammar."""
        for (head, phase), counts in sorted(
            self.counts.items(), key=lambda item: (item[0][0], PHASES.index(item[0][1]))
        ):
            shown = ", ".join(f"{_shown(letter)} {number}" for letter, number in sorted(counts.items(), key=_order))
            yield f"count {head} {phase}: {shown}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StepCounts) and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]


def _order(item: tuple[Letter, int]) -> tuple[int, str, str]:
    (role, category), number = item
    return -number, role, str(category)


def _shown(letter: Letter) -> str:
    role, category = letter
    return {"own": f"{category}", "in": f"^ {category}", "out": f"{category} ^"}.get(role, role)


def read_counts(scanner: Scanner, head: Category, counts: StepCounts) -> None:
    """Read a line of counts after the category of its head."""
    at = scanner.at
    phase = scanner.name("a phase: " + ", ".join(PHASES))
    if phase not in PHASES:
        raise scanner.error(f"a phase is one of {', '.join(PHASES)}, not {phase!r}", at)
    if (head, phase) in counts.counts:
        raise scanner.error(f"the counts of {head} {phase} are given twice", at)
    scanner.expect(":", "after the phase")
    found: Counter[Letter] = Counter()
    while True:
        letter: Letter
        if mark := scanner.take(HEAD, "|"):
            letter = (mark, None)
        elif scanner.take("^", "↑"):
            letter = ("in", read_category(scanner))
        else:
            category = read_category(scanner)
            letter = ("out" if scanner.take("^", "↑") else "own", category)
        at = scanner.at
        number = scanner.name("a count")
        if not number.isdecimal() or int(number) == 0:
            raise scanner.error(f"expected a count, a whole number from 1, found {number!r}", at)
        found[letter] += int(number)
        if not scanner.take(","):
            break
    counts.counts[head, phase] = found
