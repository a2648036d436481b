"""An option, written once: its default and type in a dataclass, and beside them its help, its values and its switch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any

from nonproj.errors import NonprojError


@dataclass(frozen=True)
class Option:
    """What a field of a dataclass of options says of itself.

    The command line has those with a ``help`` or a ``switch``, the latter where it is not the option's name.
    ``usual`` says what is taken where none is chosen. Values are one ``among`` a few, or numbers between bounds.
    """

    help: str = ""
    switch: str = ""
    metavar: str | None = None
    usual: str = ""
    among: tuple[str, ...] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    @property
    def bounds(self) -> str:
        """The bounds of a number in words; empty for what is no number.

        >>> Option(least=0, below=1).bounds
        'at least 0 and below 1'
        """
        named = {"at least": self.least, "above": self.above, "at most": self.most, "below": self.below}
        return " and ".join(f"{words} {bound}" for words, bound in named.items() if bound is not None)

    def holds(self, value: float) -> bool:
        """Whether a number lies between the bounds."""
        least, above = (-math.inf if bound is None else bound for bound in (self.least, self.above))
        most, below = (math.inf if bound is None else bound for bound in (self.most, self.below))
        return least <= value <= most and above < value < below


def option(default: Any, about: str | Option = "", **more: Any) -> Any:
    """A field of a dataclass of options: its default, its help, and the rest of an `Option`."""
    said = about if isinstance(about, Option) else Option(about, **more)
    return field(default=default, metadata={"option": said})


def described(options: Any) -> Iterator[tuple[Field[Any], Option]]:
    """The fields of a dataclass of options that say something of themselves, in order."""
    return ((each, each.metadata["option"]) for each in fields(options) if "option" in each.metadata)


def is_whole(each: Field[Any]) -> bool:
    """Whether an option that is a number is a whole one."""
    return "int" in str(each.type)


class Checked:
    """A dataclass of options whose values are checked by what its fields say."""

    def __post_init__(self) -> None:
        for each, about in described(self):
            value = getattr(self, each.name)
            if value is None:
                continue
            if about.among and value not in about.among:
                raise NonprojError(f"{each.name} must be one of {', '.join(about.among)}, not {value!r}")
            types = int if is_whole(each) else (int, float)
            if about.bounds and not (type(value) is not bool and isinstance(value, types) and about.holds(value)):
                kind = "a whole number" if is_whole(each) else "a number"
                raise NonprojError(f"{each.name} must be {kind}, {about.bounds}, not {value!r}")
