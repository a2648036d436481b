"""Equal rows of a table made one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_MOST = 1 << 62


def distinct_rows(table: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The different rows of a table of whole numbers in rising order, and which of them each row is.

    As ``np.unique(table, axis=0, return_inverse=True)``, some ten times quicker: a row becomes one number, since single
    numbers are sorted quickly.

    >>> rows, which = distinct_rows(np.array([[2, 1], [1, 5], [2, 1]]))
    >>> rows.tolist(), which.tolist()
    ([[1, 5], [2, 1]], [1, 0, 1])
    """
    codes, count = np.zeros(len(table), np.int64), 1
    for column in table.T if len(table) else ():
        low = int(column.min())
        base = int(column.max()) - low + 1
        if base > _MOST >> 31:
            digits, base = _ranks(column)
        else:
            digits = column.astype(np.int64) - low
        if count * base > _MOST:
            codes, count = _ranks(codes)
        codes = codes * base + digits
        count *= base
    which, count = _ranks(codes)
    some_row = np.zeros(count, np.int64)
    some_row[which] = np.arange(len(table))
    return table[some_row], which


def _ranks(numbers: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], int]:
    """Each number's place among the different ones, and how many there are."""
    different, place = np.unique(numbers, return_inverse=True)
    return place.astype(np.int64), len(different)
