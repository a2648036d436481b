"""The columns of a word, and CoNLL-U text made of single values, as conversions from other packages need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nonproj.errors import NonprojError

# The columns of a word that hold strings, with their places. CoNLL-X has other names for some of them.
COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7, "deps": 8, "misc": 9}
ID, HEAD, EMPTY = "id", "head", "_"
NAMES = {0: ID, 6: HEAD, **{place: name for name, place in COLUMNS.items()}}


def row(word: Mapping[str, Any]) -> str:
    """Write the line of a word; what it lacks is ``_``.

    >>> row({"id": 1, "form": "Yes", "head": 0})
    '1\\tYes\\t_\\t_\\t_\\t_\\t0\\t_\\t_\\t_\\n'
    """
    return "\t".join(_cell(NAMES[place], word.get(NAMES[place])) for place in range(10)) + "\n"


def comments(values: Mapping[str, Any]) -> Iterable[str]:
    """Write comments such as ``# sent_id = 12``."""
    return (f"# {key} = {_cell(key, value)}\n" for key, value in values.items() if value is not None)


def _cell(name: str, value: Any) -> str:
    if value is None or value == "":
        return EMPTY
    text = str(value)
    if any(mark in text for mark in "\t\n\r\0"):
        raise NonprojError(f"{name} {text!r} would break its line: take out tabs and line ends")
    return text
