"""Trees without their punctuation marks."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.treebank.document import Document
from nonproj.treebank.sentence import Sentence
from nonproj.treebank.words import Mask, Places, Words


def without(words: Words, removed: Mask) -> list[Sentence]:
    """The sentences without some of their words; those that have no word left are gone.

    The dependents of a word taken out go to its head, and on from there until there is a head that stays. Where that
    leads to a root that is taken out, the first of them takes the root's place and relation, and the others go to it.
    Multiword tokens stay if all their words do; enhanced dependencies and empty nodes are left out.
    """
    number, new_heads, relation_from = _renumbered(words, removed)
    source = relation_from - words.offsets[words.sentence]
    columns = (np.ascontiguousarray(column, np.int32) for column in (number, new_heads, source))
    texts = _core.conll_without_words(words.treebank.runs, np.ascontiguousarray(removed), *columns)
    is_left = words.some(~removed).tolist()
    kept = [sentence for sentence, stays in zip(words.treebank, is_left, strict=True) if stays]
    found: list[Sentence] = []
    # The sentences of one text become one text again, which is quicker to look at than many.
    pairs = zip(kept, texts, strict=True)
    for document, group in groupby(pairs, lambda pair: pair[0].document):
        own = list(group)
        origin = [(sentence.place.line, sentence.place.number) for sentence, _ in own]
        text = b"".join(text for _, text in own)
        shorter = Document(text, document.file, document.options, format=document.format, start=0, origin=origin)
        found += [Sentence(shorter, index) for index in range(len(shorter))]
    return found


def heads_without(words: Words, removed: Mask) -> tuple[npt.NDArray[np.int32], Places]:
    """Heads and offsets of the trees that `without` leaves; one that has no word left is empty."""
    _, heads, _ = _renumbered(words, removed)
    left = np.concatenate([[0], np.cumsum(~removed)])
    return heads[~removed].astype(np.int32), left[words.offsets]


def _renumbered(words: Words, removed: Mask) -> tuple[Places, Places, Places]:
    """New numbers of words, those of their heads, and the places of the words that the relations come from."""
    heads, relation_from = _reattached(words, removed)
    number = np.cumsum(~removed) - np.concatenate([[0], np.cumsum(~removed)])[words.offsets[words.sentence]]
    return number, np.where(heads >= 0, number[heads], 0) if len(words) else heads, relation_from


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
