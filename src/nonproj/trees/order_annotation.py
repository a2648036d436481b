"""Order annotations: how a head, its children's subtrees and the gaps between them follow each other.

Kuhlmann & Möhl 2007, "Mildly context-sensitive dependency languages"; the proofs of Gómez-Rodríguez, Weir & Carroll
2009 go through their forms (sections 3.2 and 5.1).
"""

from __future__ import annotations

from collections.abc import Mapping


def order_annotation(heads: Mapping[int, int], word: int) -> str:
    """The order annotation of a node in a tree, or part of one, that gives the head of each of its dependents.

    0 is the node itself and 1, 2, ... are its children, numbered by their first words; a comma is a gap.

    >>> order_annotation({1: 3, 3: 2, 4: 2, 5: 1}, 2)
    '1 0 1 2 1'
    >>> order_annotation({1: 3, 5: 3, 6: 5}, 3)
    '1, 0, 2'
    """
    below = {word: word}  # each word with the child that it stands below
    for dependent in heads:
        path = [dependent]
        while path[-1] in heads and path[-1] != word and heads[path[-1]] != word:
            path.append(heads[path[-1]])
        if path[-1] == word or heads.get(path[-1]) == word:
            below[dependent] = path[-1]
    number = {word: 0}
    shown, last = "", -1
    for position in sorted(below):
        child = below[position]
        number.setdefault(child, len(number))
        gap = bool(shown) and position != last + 1
        if gap or not shown or child != below[last]:
            shown += (", " if gap else " " if shown else "") + str(number[child])
        last = position
    return shown
