"""The text of sentences with other heads and relations, or other tags and lemmas, all else byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError

FILLED = ("lemma", "upos", "xpos", "feats")


def rewritten(
    runs: list[_core.ConllRun], heads: npt.ArrayLike, deprels: Sequence[str] | None, comments: Sequence[str] = ()
) -> list[bytes]:
    """Write the text of each run anew with these heads, one for every word of all runs, checked to be trees."""
    table = np.asarray(heads)
    if table.ndim != 1 or (table.size > 0 and table.dtype.kind not in "iu"):
        raise NonprojError(f"heads must be a flat sequence of integers, got {table.dtype} of shape {table.shape}")
    if table.size > 0 and not -1 <= table.min() <= table.max() < 2**31:
        raise NonprojError("heads must be 0 (the root) or the number of a word")
    _must_keep_lines("relation", deprels or (), "\t\n\r\0")
    _must_keep_lines("comment", comments, "\n\r\0")
    if deprels is not None and len(deprels) != table.size:
        raise NonprojError(f"got {len(deprels)} relations for {table.size} heads: give one for every word")
    return _core.conll_rewrite(runs, table.astype(np.int32), list(deprels or ()), list(comments))


def fill(block: _core.Block, cells: Mapping[str, Sequence[str]]) -> None:
    """Put other cells into some of the columns from lemma to feats."""
    for name, strings in cells.items():
        if name not in FILLED:
            raise NonprojError(f"no column {name!r} can be filled in: only {', '.join(FILLED)}")
        _must_keep_lines(name, strings, "\t\n\r\0")
        block.fill(name, list(strings))


def _must_keep_lines(kind: str, strings: Sequence[str], marks: str) -> None:
    for string in dict.fromkeys(strings):
        if any(mark in string for mark in marks):
            raise NonprojError(f"the {kind} {string!r} would break its line: take out tabs and line ends")
