"""Punctuation marks that make trees non-projective, as the validator of Universal Dependencies tells them.

It looks at the words whose relation is ``punct``. A mark *causes* non-projectivity when an arc passes over it that
crosses its own arc, unless that arc comes from an ancestor of the mark, the root among them. It *is* attached
non-projectively when a word between it and its head is not below that head.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonproj.treebank.words import Mask, Words


@dataclass(frozen=True)
class PunctuationFaults:
    """What the marks of a treebank do; an entry a word in the first two, an entry a sentence in the last."""

    causes: Mask
    """punct-causes-nonproj"""
    is_nonprojective: Mask
    """punct-is-nonproj"""
    alone: Mask
    """Whether the tree is non-projective, and in every crossing one of the two arcs is that of a mark."""


def punctuation_faults(words: Words) -> PunctuationFaults:
    """Find the marks of a treebank that the validator complains of.

    >>> from nonproj.treebank import read
    >>> rows = ["1\\ta\\t_\\tX\\t_\\t_\\t3\\tdep\\t_\\t_", "2\\t,\\t_\\tPUNCT\\t_\\t_\\t4\\tpunct\\t_\\t_",
    ...         "3\\tb\\t_\\tX\\t_\\t_\\t4\\tdep\\t_\\t_", "4\\tc\\t_\\tX\\t_\\t_\\t0\\troot\\t_\\t_"]
    >>> found = punctuation_faults(Words(read("\\n".join(rows).encode())))
    >>> found.causes.tolist(), found.alone.tolist()
    ([False, True, False, False], [True])
    """
    is_mark = words.matches("deprel", "", lambda relation: relation.split(":")[0] == "punct")
    pairs = np.concatenate([words.crossing_pairs, words.crossing_pairs[:, ::-1]])
    pairs = pairs[is_mark[pairs[:, 0]]]
    mark, other = pairs[:, 0], pairs[:, 1]
    # The root stands before all words of the sentence.
    above = np.where(words.heads[other] > 0, words.head_place[other], words.offsets[words.sentence[other]] - 1)
    is_over = (np.minimum(other, above) < mark) & (mark < np.maximum(other, above))
    causes = np.zeros(len(words), np.bool_)
    causes[mark[is_over & ~words.is_above(words.head_place[other], mark)]] = True
    first, second = words.crossing_pairs.T
    crossed, otherwise = np.zeros((2, len(words.offsets) - 1), np.bool_)
    crossed[words.sentence[first]] = True
    otherwise[words.sentence[first[~(is_mark[first] | is_mark[second])]]] = True
    return PunctuationFaults(causes, words.is_nonprojective & is_mark, crossed & ~otherwise)
