"""Items and patterns: ``[i, j+1, h, -, -]``, ``right[i, k]``, ``[i, j, h, (l1, r1)]``.

A pattern is a kind (a word before the bracket, or none) and fields. A field is an index with an offset, a number, or
``-`` for the papers' diamond. An index that begins with a capital letter is a category, not a position. Round brackets
are only there for the eye. ``~`` before a pattern reads "an item that equals this after normalisation"; ``?`` before
one reads "as soon as there is such an item": it lets a step happen, but is no part of what the step builds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from nonproj.schema.condition import is_index, latex_name
from nonproj.schema.errors import SchemaError

Item: TypeAlias = tuple[str | int | None, ...]
"""A kind followed by the values of the fields; None is the diamond."""

# No two runs of spaces may meet: to part a long one among them in every way takes forever.
_PATTERN = re.compile(r"(?:([~?])\s*)?(?:([A-Za-z][\w']*)\s*)?\[([^\[\]]*)\]\s*", re.ASCII)
_ROUND = re.compile(r"(?<!cat)\(([^()]*)\)")
_FIELD = re.compile(r"(?P<name>\w+)(?P<offset>[+-]\d{1,6})?|cat\((?P<word>\w+)\)")


@dataclass(frozen=True)
class Field:
    """One place of a pattern: an index plus an offset, the category of a word, a number, or the diamond."""

    name: str = ""
    number: int | None = None
    of_word: bool = False

    @classmethod
    def read(cls, text: str) -> Field:
        """Read one field."""
        text = text.replace(" ", "")
        if text in ("-", "⋄"):
            return cls()
        match = _FIELD.fullmatch(text)
        if re.fullmatch(r"[0-9]{1,6}", text):
            return cls("", int(text))
        if not match or not is_index(match["name"] or match["word"]):
            raise SchemaError(f"cannot read the field {text!r}: write an index such as j+1, a number, or -")
        if match["word"]:
            return cls(match["word"], 0, of_word=True)
        if match["offset"] and match["name"][0].isupper():
            raise SchemaError(f"cannot read the field {text!r}: a category has no number to add to")
        return cls(match["name"], int(match["offset"] or 0))

    @property
    def is_diamond(self) -> bool:
        """Whether it stands for no position at all."""
        return self.number is None

    @property
    def is_category(self) -> bool:
        """Whether it holds a category rather than a position."""
        return self.of_word or self.name[:1].isupper()

    @property
    def source(self) -> str:
        """The value as a Python expression over the indices."""
        if self.of_word:
            return f"cat({self.name})"
        if not self.name or self.number is None:
            return str(self.number)
        return self.name + (f"{self.number:+d}" if self.number else "")

    @property
    def latex(self) -> str:
        """The field as LaTeX."""
        if self.is_diamond:
            return r"\diamond"
        if self.of_word:
            return rf"\mathrm{{cat}}({latex_name(self.name)})"
        if not self.name:
            return str(self.number)
        return latex_name(self.name) + (f"{self.number:+d}" if self.number else "")


@dataclass(frozen=True)
class Pattern:
    """An item with indices for positions."""

    kind: str
    fields: tuple[Field, ...]
    text: str
    up_to_normalisation: bool = False
    is_prediction: bool = False

    @cached_property
    def shape(self) -> str:
        """What an item must look like for the pattern to match: its kind, and which fields are diamonds."""
        return self.kind + ":" + "".join("-" if field.is_diamond else "x" for field in self.fields)

    @cached_property
    def names(self) -> frozenset[str]:
        """The indices it binds or uses."""
        return frozenset(field.name for field in self.fields if field.name)

    @cached_property
    def latex(self) -> str:
        """The pattern as LaTeX."""
        kind = rf"\mathrm{{{self.kind}}}".replace("_", r"\_") if self.kind else ""
        body = iter(field.latex for field in self.fields)
        inner = self.text[self.text.index("[") + 1 : -1]
        return kind + "[" + re.sub(r"[^\s,()]+(?:\([^)]*\))?", lambda _: next(body), _spaced(inner)) + "]"


def _spaced(inner: str) -> str:
    """Fields with no space inside, so that each is one run of characters."""
    return re.sub(r"\s*([+-])\s*(?=\d)", r"\1", inner)


def read_patterns(text: str) -> list[Pattern]:
    """The patterns written one after another.

    >>> [pattern.shape for pattern in read_patterns("[i, j, h, -, -] ~right[j+1, k]")]
    [':xxx--', 'right:xx']
    """
    text = text.strip()
    patterns, position = [], 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        if not match:
            raise SchemaError(f"cannot read {text[position:]!r}: write items such as [i, j+1, h, -, -]")
        inner = " ".join(match[3].split())
        body = _ROUND.sub(r"\1", inner)
        fields = tuple(Field.read(field) for field in body.split(","))
        patterns.append(Pattern(match[2] or "", fields, f"{match[2] or ''}[{inner}]", match[1] == "~", match[1] == "?"))
        position = match.end()
    return patterns


def shape_of(item: Item) -> str:
    """The shape of an item, to be compared with that of a pattern."""
    return f"{item[0]}:" + "".join("-" if field is None else "x" for field in item[1:])
