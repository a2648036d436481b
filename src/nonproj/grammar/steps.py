"""How often a treebank has each step of the rule-FSMs: a generative model of dependents from left to right.

A head makes its linear dependents one after the other, itself among them; then the dependents that are lifted away from
it; then it ends. What comes next depends on the category of the head, on a *phase*, and on the dependent just made
on the same side, by its name:

    first   nothing has been read        before  some dependent has           head    the head has just been read
    after   a dependent after it has     away    a dependent has been lifted away

Probabilities are smoothed: those of a category by those of its name, what depends on the dependent just made by what
does not, that by all heads in the same phase, and these by adding one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.lifting import Category
from nonproj.lifting.category import read_category
from nonproj.lifting.expression import HEAD
from nonproj.lifting.notation import Scanner

Letter: TypeAlias = tuple[str, Category | None]
"""A role with the category of the dependent; ``("#", None)`` is the head."""
Phase: TypeAlias = tuple[str, Letter | None]
"""The name of a phase with the dependent just made, by its name; None where there is none or it is not counted."""
Key: TypeAlias = tuple[Category | str, Phase]
"""Where steps are counted: for a category, all of a name, or all heads by the empty name."""
END: Letter = ("|", None)
FIRST: Phase = ("first", None)
PHASES = ("first", "before", "head", "after", "away")
SMOOTHING = 5.0
"""How many steps of the general are added to those of the special."""


def next_phase(phase: str, letter: Letter) -> str:
    """The name of the phase after one more step."""
    role = letter[0]
    if role == HEAD:
        return "head"
    if role == "out":
        return "away"
    return "before" if phase in ("first", "before") else "after"


def without_relation(category: Category) -> Category:
    """A category without its relation, which says nothing of what is below it."""
    return Category(category.name, tuple(pair for pair in category.features if pair[0] != "rel"))


@dataclass
class StepCounts:
    """The counts, by the category of the head and the phase."""

    counts: dict[tuple[Category, Phase], Counter[Letter]] = field(default_factory=dict)

    def add(self, head: Category, letters: Iterable[Letter]) -> None:
        """Count the steps of one head; the end is counted too."""
        phase = FIRST
        for letter in (*letters, END):
            self.counts.setdefault((head, phase), Counter())[letter] += 1
            phase = _after(phase, letter, remembers=True)

    def plain(self) -> StepCounts:
        """The same without what depends on the dependent just made."""
        counts: dict[tuple[Category, Phase], Counter[Letter]] = {}
        for (head, (name, _)), found in self.counts.items():
            counts.setdefault((head, (name, None)), Counter()).update(found)
        return StepCounts(counts)

    def after(self, phase: Phase, letter: Letter) -> Phase:
        """The phase after one more step."""
        return _after(phase, letter, self._remembers)

    def __bool__(self) -> bool:
        return bool(self.counts)

    @cached_property
    def _remembers(self) -> bool:
        return any(previous for _, (_, previous) in self.counts)

    @cached_property
    def _levels(self) -> dict[Key, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """The numbers of the steps of each category and phase, of its name, and so on, with how often each was seen."""
        found: dict[Key, Counter[Letter]] = {}
        for (head, phase), counts in self.counts.items():
            for key in _keys(head, phase):
                found.setdefault(key, Counter()).update(counts)
        return {
            key: (np.array([self.letters[letter] for letter in counts]), np.array(list(counts.values())))
            for key, counts in found.items()
        }

    @cached_property
    def letters(self) -> dict[Letter, int]:
        """Every step that was ever seen, numbered; what never was has the number after the last."""
        return {letter: n for n, letter in enumerate(dict.fromkeys(chain.from_iterable(self.counts.values())))}

    def index(self, letter: Letter) -> int:
        """The number of a step."""
        return self.letters.get(letter, len(self.letters))

    def weights(self, head: Category, phase: Phase) -> npt.NDArray[np.float64]:
        """The logarithms of the probabilities of the steps of a head in a phase, by their numbers."""
        levels = [self._levels[key] for key in _keys(without_relation(head), phase) if key in self._levels]
        size = len(self.letters) + 1
        likely, added = np.full(size, 1 / size), float(size)
        for number, (letters, counts) in enumerate(levels):
            # Where a category is all that its name stands for, both say the same, which counts once.
            if number > 1 and counts.sum() == levels[number - 1][1].sum():
                continue
            likely *= added
            likely[letters] += counts
            likely /= counts.sum() + added
            added = SMOOTHING
        logarithms: npt.NDArray[np.float64] = np.log(likely)
        return logarithms

    def lines(self) -> Iterator[str]:
        """The counts as they are written in a grammar."""
        listed = [
            (head, PHASES.index(phase[0]), _named(phase), counts) for (head, phase), counts in self.counts.items()
        ]
        for head, _, phase, counts in sorted(listed, key=lambda line: line[:3]):
            shown = ", ".join(f"{_shown(letter)} {number}" for letter, number in sorted(counts.items(), key=_order))
            yield f"count {head} {phase}: {shown}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StepCounts) and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]


def _after(phase: Phase, letter: Letter, remembers: bool) -> Phase:
    name, (role, category) = next_phase(phase[0], letter), letter
    is_remembered = remembers and category is not None and name in ("before", "after")
    return name, (role, Category(category.name)) if is_remembered and category else None


def _keys(head: Category, phase: Phase) -> list[Key]:
    """Where a step is counted, from the general to the special."""
    plain: Phase = (phase[0], None)
    return list(dict.fromkeys([("", plain), (head.name, plain), (head.name, phase), (head, phase)]))


def _order(item: tuple[Letter, int]) -> tuple[int, str, str]:
    (role, category), number = item
    return -number, role, str(category)


def _shown(letter: Letter) -> str:
    role, category = letter
    return {"own": f"{category}", "in": f"^ {category}", "out": f"{category} ^"}.get(role, role)


def _named(phase: Phase) -> str:
    name, previous = phase
    return f"{name} {_shown(previous)}" if previous else name


def read_counts(scanner: Scanner, head: Category, counts: StepCounts) -> None:
    """Read a line of counts after the category of its head."""
    at = scanner.at
    name = scanner.name("a phase: " + ", ".join(PHASES))
    if name not in PHASES:
        raise scanner.error(f"a phase is one of {', '.join(PHASES)}, not {name!r}", at)
    is_remembered = name in ("before", "after") and not scanner.sees(":")
    phase: Phase = (name, _read_letter(scanner) if is_remembered else None)
    if (head, phase) in counts.counts:
        raise scanner.error(f"the counts of {head} {_named(phase)} are given twice", at)
    scanner.expect(":", "after the phase")
    found: Counter[Letter] = Counter()
    while True:
        letter = _read_letter(scanner)
        at = scanner.at
        number = scanner.name("a count")
        if not number.isdecimal() or int(number) == 0:
            raise scanner.error(f"expected a count, a whole number from 1, found {number!r}", at)
        found[letter] += int(number)
        if not scanner.take(","):
            break
    counts.counts[head, phase] = found


def _read_letter(scanner: Scanner) -> Letter:
    if mark := scanner.take(HEAD, "|"):
        return mark, None
    if scanner.take("^", "↑"):
        return "in", read_category(scanner)
    category = read_category(scanner)
    return "out" if scanner.take("^", "↑") else "own", category
