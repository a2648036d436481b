"""The text of sentences with other heads and relations, all else byte for byte."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError


def rewritten(
    runs: list[_core.ConllRun], heads: npt.ArrayLike, deprels: Sequence[str] | None, comments: Sequence[str] = ()
) -> list[bytes]:
    """Write the text of each run anew with these heads, one for every word of all runs, checked to be trees."""
    table = np.asarray(heads)
    if table.ndim != 1 or (table.size > 0 and table.dtype.kind not in "iu"):
        raise NonprojError(f"heads must be a flat sequence of integers, got {table.dtype} of shape {table.shape}")
    if table.size > 0 and not -1 <= table.min() <= table.max() < 2**31:
        raise NonprojError("heads must be 0 (the root) or the number of a word")
    for kind, strings in (("relation", deprels or ()), ("comment", comments)):
        for string in dict.fromkeys(strings):
            if any(mark in string for mark in ("\n", "\r", "\0")) or (kind == "relation" and "\t" in string):
                raise NonprojError(f"the {kind} {string!r} would break its line: take out tabs and line ends")
    if deprels is not None and len(deprels) != table.size:
        raise NonprojError(f"got {len(deprels)} relations for {table.size} heads: give one for every word")
    return _core.conll_rewrite(runs, table.astype(np.int32), list(deprels or ()), list(comments))
