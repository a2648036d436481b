"""Trees by how surprising their crossings are for the treebank: where annotation errors hide.

What is usual is learnt from the other sentences of the treebank. A crossing of two relations is as surprising as few of
the sentences that have both relations have them cross, and each of its arcs as few arcs of its relation are
non-projective; the sum, in bits, is that of the crossing, and a tree is as surprising as its most surprising one. Two
relations that often stand together, and cross in no other sentence, are a likely error. They come first by their bits:
with errors put in by lot, this order found more of them than one by that mark.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.report.table import Column, Table
from nonproj.treebank import Sentence, Treebank
from nonproj.treebank.words import Words

Numbers: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]

OFTEN = 10
"""Other sentences that must have two relations, without a crossing of them, to call one a likely error."""


@dataclass(frozen=True)
class Surprise:
    """A tree and its most surprising crossing."""

    sentence: Sentence
    bits: float
    is_likely_error: bool
    """Whether these two relations often stand together, and cross in no other sentence of the treebank."""
    arcs: tuple[tuple[int, int], tuple[int, int]]
    """The two arcs, each (head, dependent), by the numbers of words; 0 is the root."""
    relations: tuple[str, str]
    others: int
    """How many other sentences have such a crossing."""
    together: int
    """How many other sentences have both relations."""

    @property
    def arcs_in_words(self) -> str:
        """The arcs with their relations."""
        shown = (
            f"{head} -{name}-> {dependent}" for (head, dependent), name in zip(self.arcs, self.relations, strict=True)
        )
        return ", ".join(shown)

    @property
    def place(self) -> str:
        """The file and the line where the sentence begins."""
        return f"{self.sentence.file}:{self.sentence.line}"

    def __str__(self) -> str:
        why = f"they cross in {self.others} of {self.together} other sentences with both"
        return f"{self.place}: {self.sentence.sent_id}: {self.bits:.1f} bits: {self.arcs_in_words}: {why}"

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {
            "sent_id": self.sentence.sent_id,
            "file": self.sentence.file,
            "line": self.sentence.line,
            "bits": round(self.bits, 3),
            "is_likely_error": self.is_likely_error,
            "arcs": [
                {"head": head, "dependent": dependent, "deprel": name}
                for (head, dependent), name in zip(self.arcs, self.relations, strict=True)
            ],
            "others": self.others,
            "together": self.together,
        }


@dataclass(frozen=True)
class Surprises:
    """The most surprising trees of a treebank."""

    name: str
    trees: int
    crossed: int
    """How many trees have a crossing."""
    found: list[Surprise]

    def table(self) -> Table:
        """A row for each tree."""
        columns = [Column("sentence", align_left=True), Column("bits"), Column("error?", align_left=True)]
        columns += [Column("arcs that cross", align_left=True), Column("cross in"), Column("of")]
        columns += [Column("where", align_left=True)]
        rows = [
            [
                each.sentence.sent_id,
                f"{each.bits:.1f}",
                "likely" if each.is_likely_error else "",
                each.arcs_in_words,
                str(each.others),
                str(each.together),
                each.place,
            ]
            for each in self.found
        ]
        caption = (
            f"{self.name}: {len(self.found)} of {self.crossed} trees with crossings, the most surprising first. In how "
            "many other sentences these relations cross, of those that have both."
        )
        return Table(columns, rows, caption=caption)

    def to_json(self) -> str:
        """Everything as JSON text."""
        found = [each.to_dict() for each in self.found]
        whole = {"name": self.name, "trees": self.trees, "crossed": self.crossed, "unusual": found}
        return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"

    def __str__(self) -> str:
        return self.table().to_text()


def unusual(treebank: Treebank, count: int = 20) -> Surprises:
    """Find the trees of a treebank whose crossings are the most surprising: likely annotation errors.

    ``count=0`` gives all trees that have a crossing. Arcs from the root count.

    >>> from nonproj.treebank import example_treebank
    >>> found = unusual(example_treebank(), 3)
    >>> len(found.found), found.found[0].bits >= found.found[1].bits
    (3, True)
    """
    if count < 0:
        raise NonprojError(f"count is {count}, expected 0 (all) or more")
    words = Words(treebank)
    pairs = words.crossing_pairs
    if not len(pairs):
        return Surprises(treebank.name, len(treebank), 0, [])
    relation, names = words.codes("deprel")
    others, together = _pair_counts(words, relation.astype(np.int64), len(names))
    arc_bits = _arc_bits(words, relation.astype(np.int64), len(names))
    bits = _bits(others, together) + arc_bits[pairs].sum(axis=1)
    is_error = (others == 0) & (together >= OFTEN)
    sentence = words.sentence[pairs[:, 0]]
    # Of the crossings of a sentence the most surprising one, then of all sentences the most surprising.
    order = np.lexsort((np.arange(len(pairs)), -bits, sentence))
    first = order[np.concatenate([[True], np.diff(sentence[order]) > 0])]
    ranked = first[np.lexsort((sentence[first], -bits[first]))]
    found = []
    for crossing in ranked[: count or None].tolist():
        one, two = pairs[crossing].tolist()
        found.append(
            Surprise(
                treebank[int(sentence[crossing])],
                float(bits[crossing]),
                bool(is_error[crossing]),
                (_arc(words, one), _arc(words, two)),
                (names[relation[one]], names[relation[two]]),
                int(others[crossing]),
                int(together[crossing]),
            )
        )
    return Surprises(treebank.name, len(treebank), len(first), found)


def _arc(words: Words, place: int) -> tuple[int, int]:
    return int(words.heads[place]), int(words.number_in_sentence[place])


def _bits(times: npt.NDArray[Any], of: npt.NDArray[Any]) -> Numbers:
    """How surprising it is to see something once more that was seen so many times; half a time is seen before."""
    found: Numbers = -np.log2(np.minimum((times + 0.5) / (of + 1.0), 1.0))
    return found


def _pair_counts(words: Words, relation: Places, kinds: int) -> tuple[Places, Places]:
    """For each crossing, how many other sentences have one of these relations, and how many have both relations."""
    pairs = relation[words.crossing_pairs]
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    key = low * kinds + high
    sentence = words.sentence[words.crossing_pairs[:, 0]]
    once = np.unique(sentence * (kinds * kinds) + key) % (kinds * kinds)
    crossed, of_key = np.unique(once, return_counts=True)
    others = of_key[np.searchsorted(crossed, key)] - 1
    # Sentences by relation, once, and those that have it twice, which two arcs of one relation need.
    cells, times = np.unique(words.sentence * kinds + relation, return_counts=True)
    has = np.zeros((len(words.offsets) - 1, kinds), np.float32)
    has[cells // kinds, cells % kinds] = 1
    both = has.T @ has
    twice = np.bincount(cells[times > 1] % kinds, minlength=kinds)
    np.fill_diagonal(both, twice)
    return others, np.rint(both[low, high]).astype(np.int64) - 1


def _arc_bits(words: Words, relation: Places, kinds: int) -> Numbers:
    """How surprising it is that an arc is non-projective, by the arcs of its relation in other sentences."""
    is_odd = words.is_nonprojective
    arcs = np.bincount(relation, minlength=kinds)
    odd = np.bincount(relation[is_odd], minlength=kinds)
    _, cell = np.unique(words.sentence * kinds + relation, return_inverse=True)
    own_arcs, own_odd = np.bincount(cell.ravel())[cell], np.bincount(cell.ravel(), weights=is_odd)[cell]
    return np.where(is_odd, _bits(odd[relation] - own_odd, arcs[relation] - own_arcs), 0.0)
