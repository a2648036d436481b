"""Results as states: small, exact JSON, made in parts by any engine, or by ``xargs``, and added up in any order.

A state is one line. It says what it is a state of, in which version of the format, and holds whole numbers and names
alone, in a fixed order: equal results have equal states, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nonproj.errors import NonprojError

VERSION = 1


def state_line(kind: str, content: dict[str, Any]) -> str:
    r"""A state as a line of text.

    >>> state_line("coverage", {"classes": ["Pr"]})
    '{"nonproj":"coverage","version":1,"classes":["Pr"]}\n'
    """
    whole = {"nonproj": kind, "version": VERSION, **content}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def states_in(text: bytes, file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each line of a text is a state of, and what it holds; what is no state is an error.

    >>> list(states_in(b'{"nonproj":"coverage","version":1,"classes":["Pr"]}', "a.state"))
    [('coverage', {'classes': ['Pr']})]
    >>> list(states_in(b"1 2 3", "a.txt"))
    Traceback (most recent call last):
        ...
    nonproj.errors.NonprojError: a.txt:1: no state: make one with --format state
    """
    if not text.strip():
        raise NonprojError(f"{file}: no state in it, it is empty: was what should have written it cut off?")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            whole = json.loads(line)
            kind, version = whole.pop("nonproj"), whole.pop("version")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise NonprojError(f"{file}:{number}: no state: make one with --format state") from None
        if version != VERSION or not isinstance(kind, str):
            raise NonprojError(f"{file}:{number}: a state of version {version}, expected {VERSION}: make it anew")
        yield kind, whole


def whole_number(value: object, least: int = 0) -> int:
    """A value read from a state, if it is a whole number that is large enough."""
    if type(value) is not int or value < least:
        raise NonprojError(f"expected a whole number from {least} on, got {value!r}")
    return value
