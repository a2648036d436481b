"""A small language to find sentences by: conditions on words, arcs, relations, crossings and classes.

A query is a condition on one word, and a sentence is found when one of its words fulfils it::

    query     = and { "|" and }                   also written: or
    and       = unit { "&" unit }                 also written: and
    unit      = "!" unit | "(" query ")" | test   also written: not
    test      = PLACE "(" query ")"               of another word, or of words of the sentence
              | PLACE "." test                    the same for a single test: head.upos=VERB
              | FIELD [ OPERATOR values ]         a field alone: that it is there, or not 0
    OPERATOR  = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
    values    = value { "," value }               one of them; * stands for any characters; "..." is taken as it is

``~`` takes a regular expression for the whole value. `FIELDS` and `PLACES` list what can be said.
"""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.treebank.rows import COLUMNS
from nonproj.treebank.words import NUMBERS, PLACES, Words
from nonproj.trees import TreeClass, tree_class
from nonproj.trees.profile import PROPERTIES

Mask: TypeAlias = npt.NDArray[np.bool_]
Condition: TypeAlias = Callable[[Words], Mask]

FIELDS: dict[str, str] = {
    **{name: f"the column {name}, as it is written" for name in COLUMNS},
    "feats.NAME": "the value of a feature; one of several is enough",
    "misc.NAME": "the same in the last column",
    **{name: meaning for name, (meaning, _) in NUMBERS.items()},
    "direction": "left or right: where the word stands, seen from its head; root for a root",
    "class": "class=WG1: the tree is in the class; class!=WG1: it is outside",
    "tree.NAME": f"a property of the whole tree: {', '.join(PROPERTIES)}",
    "sent_id": "the id of the sentence",
    "file": "the file it was read from",
}
"""What a test can ask of a word, and what it means."""

_TOKEN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>!=|!~|<=|>=|[=<>~!&|(),])|(?P<word>[^\s"=<>~!&|(),]+))'
)
_COMPARISONS: dict[str, Callable[[npt.NDArray[np.int64], int], Mask]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPERATORS = ("=", "!=", "~", "!~", *_COMPARISONS)
_MAX_DEPTH = 100


class QueryError(NonprojError):
    """A query is not written as it should be; the message points at the place."""

    def __init__(self, message: str, text: str, at: int) -> None:
        self.at = at
        shown = re.sub(r"\s", " ", text)
        super().__init__(f"the query is not understood: {message}\n    {shown}\n    {' ' * at}^")


@dataclass(frozen=True)
class Query:
    """A query, read and ready to be asked of treebanks.

    >>> from nonproj.treebank import example_treebank
    >>> query = Query("upos=VERB & crossing & head.upos=NOUN")
    >>> [sentence.sent_id for sentence in example_treebank().where(query)][:1]
    ['en-relative']
    >>> Query("upos=VERB &")
    Traceback (most recent call last):
        ...
    nonproj.treebank.query.QueryError: the query is not understood: a test is missing, such as upos=VERB
        upos=VERB &
                   ^
    """

    text: str

    def __post_init__(self) -> None:
        assert self._read

    @cached_property
    def _read(self) -> tuple[Condition, _Reader]:
        reader = _Reader(self.text)
        return reader.query(), reader

    @property
    def fields(self) -> frozenset[str]:
        """The fields that it asks for."""
        return frozenset(self._read[1].fields)

    @property
    def has_expressions(self) -> bool:
        """Whether it has regular expressions, which may take any time."""
        return self._read[1].has_expressions

    def words(self, words: Words) -> Mask:
        """Which words fulfil the query."""
        return self._read[0](words)

    def sentences(self, words: Words) -> Mask:
        """Which sentences have such a word."""
        return words.some(self.words(words))

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return (Query, (self.text,))


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int


class _Reader:
    """Reads a query from left to right, each method one line of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.fields: set[str] = set()
        self.has_expressions = False
        self.depth = 0
        at, end = 0, len(text.rstrip())
        while at < end:
            found = _TOKEN.match(text, at)
            if found is None:
                raise QueryError("a quotation mark is not closed", text, end - len(text[at:end].lstrip()))
            kind = str(found.lastgroup)
            self.tokens.append(_Token(kind, found[kind], found.start(kind)))
            at = found.end()
        self.next = 0

    def query(self) -> Condition:
        condition = self.any()
        if self.next < len(self.tokens):
            self.fail("expected & or | here")
        return condition

    def any(self) -> Condition:
        parts = [self.all()]
        while self.take("|", "or"):
            parts.append(self.all())
        return parts[0] if len(parts) == 1 else lambda words: _either(words, parts)

    def all(self) -> Condition:
        parts = [self.unit()]
        while self.take("&", "and"):
            parts.append(self.unit())
        return parts[0] if len(parts) == 1 else lambda words: _both(words, parts)

    def unit(self) -> Condition:
        self.deeper()
        if self.take("!", "not"):
            inner = self.unit()
            condition: Condition = lambda words: ~inner(words)  # noqa: E731
        elif self.take("("):
            condition = self.any()
            self.close()
        else:
            condition = self.test()
        self.depth -= 1
        return condition

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail(f"the query is nested more than {_MAX_DEPTH} deep")

    def test(self) -> Condition:
        if self.next == len(self.tokens) or self.tokens[self.next].kind != "word":
            self.fail("a test is missing, such as upos=VERB")
        token = self.tokens[self.next]
        self.next += 1
        if token.text in PLACES and self.take("("):
            inner = self.any()
            self.close()
            return _at(token.text, inner)
        return self.field(token)

    def field(self, name: _Token) -> Condition:
        place, _, rest = name.text.partition(".")
        if place in PLACES and rest:
            self.deeper()
            inner = _at(place, self.field(_Token("word", rest, name.at + len(place) + 1)))
            self.depth -= 1
            return inner
        self.fields.add(name.text)
        sign = self.take(*_OPERATORS)
        values = self.values() if sign else []
        kind, _, key = name.text.partition(".")
        if name.text == "class":
            return self.in_class(sign, values, name)
        if name.text in NUMBERS or (kind == "tree" and key in PROPERTIES):
            return self.number(name, sign, values)
        if name.text in COLUMNS or name.text in ("direction", "sent_id", "file"):
            return self.of_text(name.text, "", sign, values)
        if kind in ("feats", "misc") and key:
            return self.of_text(kind, key, sign, values)
        known = ", ".join([*FIELDS, *(f"{place}(...)" for place in PLACES)])
        closest = difflib.get_close_matches(name.text, [*FIELDS, *PLACES], 1)
        meant = f", did you mean {closest[0]}" if closest else ""
        self.fail(f"there is no field {name.text}{meant}; there are: {known}", name.at)

    def values(self) -> list[_Token]:
        values = []
        while True:
            if self.next == len(self.tokens) or self.tokens[self.next].kind == "mark":
                self.fail("a value is missing; one with spaces or marks stands in quotes")
            values.append(self.tokens[self.next])
            self.next += 1
            if not self.take(","):
                return values

    def in_class(self, sign: str | None, values: list[_Token], name: _Token) -> Condition:
        if sign not in ("=", "!="):
            self.fail("a class is asked for as class=WG1 or class!=WG1", name.at)
        classes: list[TreeClass] = []
        for value in values:
            try:
                classes.append(tree_class(_plain(value)))
            except NonprojError as error:
                raise QueryError(str(error), self.text, value.at) from None
        inside: Condition = lambda words: words.in_one_of(classes)  # noqa: E731
        outside: Condition = lambda words: words.outside_all(classes)  # noqa: E731
        return inside if sign == "=" else outside

    def number(self, name: _Token, sign: str | None, values: list[_Token]) -> Condition:
        if sign in ("~", "!~"):
            self.fail(f"{name.text} is a number: compare it with = != < <= > or >=", name.at)
        for value in values:
            if not re.fullmatch(r"-?[0-9]{1,9}", value.text):
                self.fail(f"{name.text} is compared with a whole number", value.at)
        wanted = np.array([int(value.text) for value in values], np.int64)
        if sign is None:
            return lambda words: words.number(name.text) > 0
        if sign in _COMPARISONS:
            if len(values) > 1:
                self.fail(f"only one number goes with {sign}", values[1].at)
            compare = _COMPARISONS[sign]
            return lambda words: words.is_settled(name.text) & compare(words.number(name.text), int(wanted[0]))
        return lambda words: words.is_settled(name.text) & (np.isin(words.number(name.text), wanted) == (sign == "="))

    def of_text(self, column: str, key: str, sign: str | None, values: list[_Token]) -> Condition:
        if sign in _COMPARISONS:
            self.fail(f"{column} is text: compare it with = != ~ or !~", values[0].at)
        if sign is None:
            return lambda words: words.matches(column, key, lambda value: value not in ("", "_"))
        is_expression = sign in ("~", "!~")
        self.has_expressions |= is_expression
        patterns = [self.pattern(value, is_expression=is_expression) for value in values]

        def fits(value: str) -> bool:
            return any(pattern(value) for pattern in patterns)

        if sign in ("=", "~"):
            return lambda words: words.matches(column, key, fits)
        return lambda words: ~words.matches(column, key, fits)

    def pattern(self, value: _Token, *, is_expression: bool) -> Callable[[str], object]:
        if not is_expression:
            return _wildcards([_plain(value)] if value.kind == "quoted" else value.text.split("*"))
        try:
            return re.compile(_plain(value), re.DOTALL).fullmatch
        except (re.error, OverflowError, RecursionError) as error:
            raise QueryError(f"no regular expression: {error}", self.text, value.at) from None

    def take(self, *marks: str) -> str | None:
        if self.next < len(self.tokens):
            token = self.tokens[self.next]
            if token.kind != "quoted" and token.text in marks:
                self.next += 1
                return token.text
        return None

    def close(self) -> None:
        if not self.take(")"):
            self.fail("a parenthesis is not closed: expected )")

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        if at is None:
            at = self.tokens[self.next].at if self.next < len(self.tokens) else len(self.text)
        raise QueryError(message, self.text, at)


def _plain(value: _Token) -> str:
    return re.sub(r"\\(.)", r"\1", value.text[1:-1], flags=re.DOTALL) if value.kind == "quoted" else value.text


def _wildcards(parts: list[str]) -> Callable[[str], bool]:
    """Whether a text is these parts with anything between them, in one pass over it however many parts there are."""
    if len(parts) == 1:
        return parts[0].__eq__
    first, *middle, last = parts

    def fits(text: str) -> bool:
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return False
        for part in middle:
            found = text.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True

    return fits


def _at(place: str, inner: Condition) -> Condition:
    return lambda words: words.at(place, inner(words))


def _both(words: Words, parts: list[Condition]) -> Mask:
    held = parts[0](words)
    for part in parts[1:]:
        if not held.any():  # what comes next may be dear
            break
        held = held & part(words)
    return held


def _either(words: Words, parts: list[Condition]) -> Mask:
    held = parts[0](words)
    for part in parts[1:]:
        if held.all():
            break
        held = held | part(words)
    return held
