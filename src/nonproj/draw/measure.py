"""How much room a piece of text takes, in terminal cells and on a page."""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

# Widths in ems of the common sans-serif faces, in coarse groups; what the groups leave over is ORDINARY.
_GROUPS = {
    0.28: "ijl|'.,:;!·’‘",
    0.36: 'ftrI()[]{}/\\-"` “”*',
    0.90: "mwMW@%—…&шщжюмфыЖШЩЮМФЫ",
}
_EMS = {character: ems for ems, characters in _GROUPS.items() for character in characters}
_UPPERCASE = 0.72
_ORDINARY = 0.58

# Characters that reorder or hide the text around them have no place in a drawing.
_BIDI_CONTROLS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@lru_cache(maxsize=4096)
def cells(character: str) -> int:
    """How many terminal cells a character takes: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if "\u1160" <= character <= "\u11ff":  # vowels and finals that join the Hangul syllable before them
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cell_width(text: str) -> int:
    """How many terminal cells a text takes.

    >>> cell_width("tree"), cell_width("語"), cell_width("e\u0301")
    (4, 2, 1)
    """
    return sum(map(cells, text))


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    base = unicodedata.normalize("NFD", character)[0]
    width = cells(base)
    if width != 1:
        return width / 2
    return _EMS.get(base, _UPPERCASE if base.isupper() else _ORDINARY)


def text_width(text: str, size: float) -> int:
    """The width of a text in a sans-serif face of the given size, estimated generously, in whole pixels."""
    return math.ceil(size * sum(map(_ems, text)))


def printable(text: str) -> str:
    """The text on one line, with what neither XML nor a terminal can show replaced by U+FFFD.

    A mark that has no letter to stand on gets a dotted circle, as in grammars.

    >>> printable("a\\tb\\x1b[2J")
    'a b\\ufffd[2J'
    """
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(map(_printable, text))
    return f"◌{shown}" if shown and cells(shown[0]) == 0 else shown


@lru_cache(maxsize=4096)
def _printable(character: str) -> str:
    if character in _BIDI_CONTROLS:
        return ""
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category in ("Cc", "Cs") or character in "\ufffe\uffff":
        return "\ufffd"
    return character
