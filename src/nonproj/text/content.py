"""What a model file keeps of a step: its tables of weights and its lexicons, each under its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser.training import Arrays

_LEXICON = ("keys", "ends", "entries")
Numbers = npt.NDArray[np.uint64]


class StepModel(Protocol):
    """A native tokenizer or tagger."""

    def pack(self, name: str) -> tuple[Any, ...]:
        """A table of weights: where there are any, and which."""

    def fill(self, name: str, marks: Numbers, values: Any) -> None:
        """Set a table of weights; those of another type are refused."""

    def lexicon(self, name: str) -> tuple[Numbers, Numbers, Numbers]:
        """A lexicon: its keys, where the entries of each end, and the entries."""

    def set_lexicon(self, name: str, keys: Numbers, ends: Numbers, entries: Numbers) -> None:
        """Set a lexicon; what is damaged is refused."""


def arrays_of(model: StepModel, tables: Sequence[str], lexicons: Sequence[str]) -> Arrays:
    """All that was learnt."""
    arrays: Arrays = {}
    for name in tables:
        arrays[f"{name}.marks"], arrays[f"{name}.values"] = model.pack(name)
    for name in lexicons:
        for part, array in zip(_LEXICON, model.lexicon(name), strict=True):
            arrays[f"{name}.{part}"] = array
    return arrays


def set_arrays(model: StepModel, arrays: Arrays, tables: Sequence[str], lexicons: Sequence[str]) -> None:
    """Set what `arrays_of` gave; what is missing or of another kind is an error."""
    for name in tables:
        model.fill(name, _numbers(arrays, f"{name}.marks"), arrays[f"{name}.values"])
    for name in lexicons:
        model.set_lexicon(name, *(_numbers(arrays, f"{name}.{part}") for part in _LEXICON))


def checked_bits(header: dict[str, Any], bounds: tuple[int, int]) -> int:
    """The size of the tables that a header names, as a power of two."""
    bits = header["bits"]
    if not isinstance(bits, int) or not bounds[0] <= bits <= bounds[1]:
        raise NonprojError("the size of its tables is damaged")
    return bits


def _numbers(arrays: Arrays, name: str) -> Numbers:
    array = arrays[name]
    if array.dtype != np.uint64:
        raise NonprojError(f"{name} is of another type")
    return array
