"""What is counted of a parse, and the percentages that come of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


def percent(part: float, whole: float) -> float:
    """How much a part is of the whole; 0 of nothing."""
    return 100.0 * part / whole if whole else 0.0


@dataclass(frozen=True)
class Ratio:
    """Precision, recall and F1, in percent, from counts."""

    right: int
    system: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of the system's that is right."""
        return percent(self.right, self.system)

    @property
    def recall(self) -> float:
        """The share of the gold standard's that was found."""
        return percent(self.right, self.gold)

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return percent(2 * self.right, self.system + self.gold)

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.right + other.right, self.system + other.system, self.gold + other.gold)

    def to_dict(self) -> dict[str, float]:
        """The counts and what follows from them."""
        return {**asdict(self), "precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True)
class Scores:
    """Attachment scores over some words, from counts."""

    words: int
    right_heads: int
    right_arcs: int

    @property
    def uas(self) -> float:
        """The share of words with the right head, in percent."""
        return percent(self.right_heads, self.words)

    @property
    def las(self) -> float:
        """The share of words with the right head and relation, in percent."""
        return percent(self.right_arcs, self.words)

    def __add__(self, other: Scores) -> Scores:
        heads, arcs = self.right_heads + other.right_heads, self.right_arcs + other.right_arcs
        return Scores(self.words + other.words, heads, arcs)

    def to_dict(self) -> dict[str, float]:
        """The words and the scores."""
        return {"words": self.words, "uas": self.uas, "las": self.las}


@dataclass(frozen=True)
class ClassScores:
    """Sentences whose gold tree is inside a class, or outside: their scores, and the system's trees in the class."""

    name: str
    sentences_inside: int
    sentences_outside: int
    system_inside: int
    inside: Scores
    outside: Scores

    def __add__(self, other: ClassScores) -> ClassScores:
        return ClassScores(
            self.name,
            self.sentences_inside + other.sentences_inside,
            self.sentences_outside + other.sentences_outside,
            self.system_inside + other.system_inside,
            self.inside + other.inside,
            self.outside + other.outside,
        )

    def to_dict(self) -> dict[str, Any]:
        """The counts and the scores."""
        return {**asdict(self), "inside": self.inside.to_dict(), "outside": self.outside.to_dict()}
