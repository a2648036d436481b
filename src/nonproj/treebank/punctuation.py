"""Trees without their punctuation marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonproj.treebank.sentence import Sentence
from nonproj.treebank.words import Mask, Places, Words


def without(words: Words, removed: Mask) -> list[Sentence]:
    """The sentences without some of their words; those that have no word left are gone.

    The dependents of a word taken out go to its head, and on from there until there is a head that stays. Where that
    leads to a root that is taken out, the first of them takes the root's place and relation, and the others go to it.
    Multiword tokens stay if all their words do; enhanced dependencies and empty nodes are left out.
    """
    heads, relation_from = _reattached(words, removed)
    number = np.cumsum(~removed) - np.concatenate([[0], np.cumsum(~removed)])[words.offsets[words.sentence]]
    new_heads = np.where(heads >= 0, number[heads], 0) if len(words) else heads
    is_whole = ~words.some(removed)
    is_left = words.some(~removed)
    source = relation_from - words.offsets[words.sentence]
    rows = _Rows(removed.tolist(), number.tolist(), new_heads.tolist(), source.tolist())
    found = []
    for index, sentence in enumerate(words.treebank):
        if is_whole[index]:
            found.append(sentence)
        elif is_left[index]:
            lines = rows.lines(sentence, int(words.offsets[index]))
            found.append(sentence._with_text(b"\n".join(lines) + b"\n\n"))
    return found


def _reattached(words: Words, removed: Mask) -> tuple[Places, Places]:
    """The places of new heads, -1 for roots, and the places of the words that the relations come from."""
    head, top = words.head_place.copy(), np.full(len(words), -1, np.int64)
    while (stray := (head >= 0) & removed[head] & ~removed).any():
        top[stray] = head[stray]
        head[stray] = words.head_place[head[stray]]
    orphans = np.flatnonzero((head < 0) & (top >= 0) & ~removed)
    relation_from = np.arange(len(words))
    if len(orphans):
        roots, first = np.unique(top[orphans], return_index=True)
        heir = np.full(len(words), -1, np.int64)
        heir[roots] = orphans[first]
        head[orphans] = heir[top[orphans]]
        head[orphans[first]] = -1
        relation_from[orphans[first]] = roots
    return head, relation_from


@dataclass(frozen=True)
class _Rows:
    """What is written in the lines of words: lists with one entry a word of the treebank."""

    removed: list[bool]
    number: list[int]
    head: list[int]
    relation_from: list[int]  # a word of the same sentence, from 0

    def lines(self, sentence: Sentence, start: int) -> Iterator[bytes]:
        """The lines of a sentence whose first word has this place."""
        place = sentence.place
        lines = sentence.document.text[place.body : place.body_end].split(b"\n")
        rows = [line.rstrip(b"\r").split(b"\t") for line in lines if line[:1].isdigit()]
        relations = [row[7] for row in rows if row[0].isdigit()]
        yield from (line.rstrip(b"\r") for line in lines if line.startswith(b"#"))
        for row in rows:
            if row[0].isdigit():
                word = start + int(row[0]) - 1
                if not self.removed[word]:
                    row[0], row[6], row[8] = b"%d" % self.number[word], b"%d" % self.head[word], b"_"
                    row[7] = relations[self.relation_from[word]]
                    yield b"\t".join(row)
            elif b"-" in row[0]:
                first, last = (start + int(end) - 1 for end in row[0].split(b"-"))
                if not any(self.removed[first : last + 1]):
                    row[0] = b"%d-%d" % (self.number[first], self.number[last])
                    yield b"\t".join(row)
