"""Reading what people write: categories, expressions and rules, with errors that point at the mistake."""

from __future__ import annotations

import re

from nonproj.errors import NonprojError

_MARKS = '[](){}|*?+,#^↑→=@"'
_BARE = re.compile(rf"(?:(?!->)[^\s{re.escape(_MARKS)}])+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
# A comment begins with // at the start or after a space, and not within quotes, which are therefore stepped over.
_COMMENT = re.compile(rf"({_QUOTED.pattern})|(?:^|(?<=\s))//.*")
# Line ends have escapes, so that every name stays on its line; before any other character a backslash changes nothing.
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_MEANT = {"n": "\n", "r": "\r"}


class NotationError(NonprojError):
    """A rule or grammar is not written as it should be; the message has file, line, column and a caret."""

    def __init__(self, message: str, file: str, line: int, column: int, text: str) -> None:
        self.file, self.line, self.column = file, line, column
        pointed = re.sub(r"[^\t]", " ", text[: column - 1])
        super().__init__(f"{file}:{line}:{column}: {message}\n    {text}\n    {pointed}^")


class Scanner:
    """Walks over one line of text."""

    def __init__(self, text: str, file: str = "<text>", line: int = 1) -> None:
        self.whole, self.file, self.line = text, file, line
        self.text = _COMMENT.sub(lambda found: found[1] or "", text).rstrip()
        self.at = 0
        self.depth = 0  # of parentheses
        self.skip_spaces()

    def error(self, message: str, at: int | None = None) -> NotationError:
        """An error that points at a place, which is the current one if not given."""
        return NotationError(message, self.file, self.line, (self.at if at is None else at) + 1, self.whole)

    def skip_spaces(self) -> None:
        """Go on to what is no space."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left but a comment."""
        return self.at >= len(self.text)

    def sees(self, *marks: str) -> str | None:
        """The mark that comes next, if it is one of these."""
        return next((mark for mark in marks if self.text.startswith(mark, self.at)), None)

    def take(self, *marks: str) -> str | None:
        """Step over a mark if it comes next."""
        mark = self.sees(*marks)
        if mark:
            self.at += len(mark)
            self.skip_spaces()
        return mark

    def expect(self, mark: str, what: str) -> None:
        """Step over a mark that has to come."""
        if not self.take(mark):
            raise self.error(f"expected {mark!r} {what}, found {self.found()}")

    def found(self) -> str:
        """What comes next, for an error message."""
        if self.is_at_end:
            return "the end of the line"
        bare = _BARE.match(self.text, self.at)
        return repr(bare[0] if bare else self.text[self.at])

    def name(self, what: str) -> str:
        """A name: any run of characters that are no marks, or anything at all in double quotes.

        Within quotes ``\\"`` is a quote, ``\\\\`` a backslash, ``\\n`` and ``\\r`` are line ends.
        """
        quoted = _QUOTED.match(self.text, self.at)
        bare = quoted or _BARE.match(self.text, self.at)
        if bare is None:
            if self.sees('"'):
                raise self.error("this quote is never closed")
            raise self.error(f"expected {what}, found {self.found()}")
        name = re.sub(r"\\(.)", lambda after: _MEANT.get(after[1], after[1]), quoted[1]) if quoted else bare[0]
        end = bare.end()
        if not quoted and len(name) > 1 and name.endswith(":"):
            name, end = name[:-1], end - 1
        self.at = end
        self.skip_spaces()
        return name

    def end(self) -> None:
        """Make sure that nothing is left."""
        if not self.is_at_end:
            raise self.error(f"expected the end of the line, found {self.found()}")


def written_name(name: str) -> str:
    """A name as `Scanner.name` reads it, in quotes where it has to be.

    >>> written_name("nsubj:pass"), written_name("a b")
    ('nsubj:pass', '"a b"')
    """
    bare = _BARE.fullmatch(name)
    if bare and not name.endswith(":") and "//" not in name and name not in (".", "+"):
        return name
    return quoted_name(name)


def quoted_name(name: str) -> str:
    """A name in quotes, whatever is in it."""
    return '"' + "".join(_ESCAPED.get(character, character) for character in name) + '"'


def lines_of(text: str) -> list[str]:
    """The lines of a text as a file has them: other characters that split lines elsewhere may stand in a name."""
    return re.split(r"\r\n?|\n", text)
