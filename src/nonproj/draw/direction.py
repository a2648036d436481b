"""Which way a text runs, and how words of either kind keep their places in a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal, TypeAlias

from nonproj.errors import NonprojError

Direction: TypeAlias = Literal["auto", "ltr", "rtl"]

# A mark without width that reads from left to right. Around a word of another direction it keeps terminals that
# reorder text from moving the words; within a word they may put the letters in order.
_MARK = "\u200e"
# Brackets look the other way in such text. Viewers know; where words are placed one by one it must be done by hand.
_TURNED = str.maketrans("()[]{}<>«»‹›“”", ")(][}{><»«›‹”“")


def is_right_to_left(words: Iterable[str], direction: Direction = "auto") -> bool:
    """Whether a sentence of these words runs from right to left: as more of its words do.

    >>> is_right_to_left(["שלום", "עולם", "OK", "2024"]), is_right_to_left(["OK", "2024"])
    (True, False)
    """
    if direction not in ("auto", "ltr", "rtl"):
        raise NonprojError(f"direction must be 'auto', 'ltr' or 'rtl', not {direction!r}")
    if direction != "auto":
        return direction == "rtl"
    kinds = [_first_strong(word) for word in words]
    return kinds.count("R") > kinds.count("L")


def _first_strong(text: str) -> str:
    """The direction of the first letter that has one: L, R, or nothing."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("L", "R", "AL"):
            return "L" if kind == "L" else "R"
    return ""


def held(text: str) -> str:
    """A text for the terminal that stays where it is put, whatever its letters.

    >>> held("tree"), held("עץ") == "\\u200eעץ\\u200e"
    ('tree', True)
    """
    return f"{_MARK}{text}{_MARK}" if not text.isascii() and any(map(_is_moved, text)) else text


def _is_moved(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("R", "AL", "AN")


def turned(text: str) -> str:
    """A word with its brackets turned round, if it has no letters that tell a viewer to do so.

    >>> turned("("), turned("(ב)") == "(ב)"
    (')', True)
    """
    return text if any(map(_is_moved, text)) else text.translate(_TURNED)
