"""Lifts by definition: every way of hanging words from ancestors of their heads."""

from itertools import product

from .enumeration import Heads
from .yields import is_projective


def ancestors(heads: Heads, word: int) -> list[int]:
    """The head of a word, its head, and so on to the dummy."""
    found = []
    while word:
        word = heads[word - 1]
        found.append(word)
    return found


def lifts(heads: Heads) -> list[tuple[int, ...]]:
    """All trees in which the head of each word is its head or an ancestor of that."""
    return list(product(*(ancestors(heads, word) for word in range(1, len(heads) + 1))))


def steps(heads: Heads, lifted: Heads) -> int:
    """How many arcs the words were lifted over."""
    return sum(ancestors(heads, word).index(head) for word, head in enumerate(lifted, 1))


def projective_lifts(heads: Heads) -> list[tuple[int, ...]]:
    """The lifts that are projective."""
    return [lifted for lifted in lifts(heads) if is_projective(lifted)]
