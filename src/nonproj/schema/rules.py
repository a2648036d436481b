"""Grammars of D-rules: which word, or which tag, may depend on which."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.treebank import Sentence

ROOT = "<root>"
"""How the dummy is written in a rule."""

_SYMBOL = r'("(?:[^"\\]|\\.)*"|[^\s"#;]+)'
_RULE = re.compile(rf"{_SYMBOL}\s+->\s+{_SYMBOL}\s*(?=[;#]|$)")
_BETWEEN = re.compile(r"[\s;]*(?:#.*)?")


class DRules:
    """A set of D-rules ``dependent -> head`` over words or over tags.

    >>> rules = DRules([("dogs", "bark"), ("bark", ROOT)])
    >>> rules.licenses("dogs", "bark"), len(rules)
    (True, 2)
    >>> print(rules.to_text(), end="")
    bark -> <root>
    dogs -> bark
    """

    def __init__(self, rules: Iterable[tuple[str, str]], over: Literal["words", "tags"] = "words") -> None:
        if over not in ("words", "tags"):
            raise NonprojError(f"D-rules are over 'words' or 'tags', not {over!r}")
        self.over = over
        self._rules = frozenset((str(dependent), "" if head == ROOT else str(head)) for dependent, head in rules)
        if any(dependent in ("", ROOT) for dependent, _ in self._rules):
            raise NonprojError("the root cannot depend on anything: it stands on the right of -> only")

    @classmethod
    def read(cls, text: str, over: Literal["words", "tags"] = "words") -> DRules:
        """Read rules such as ``dogs -> bark``, one a line or with ; between; # begins a comment.

        A first line ``# over tags`` says that the rules are over tags.
        """
        if re.match(r"\s*#\s*over\s+tags\b", text):
            over = "tags"
        rules = []
        for number, line in enumerate(text.split("\n"), 1):
            at = _after_blanks(line, 0)
            while at < len(line):
                match = _RULE.match(line, at)
                if not match:
                    raise NonprojError(
                        f"line {number}: a rule is written 'dependent -> head', not {line[at:].strip()!r}"
                    )
                rules.append((_unquoted(match[1]), _unquoted(match[2])))
                at = _after_blanks(line, match.end())
        return cls(rules, over)

    @classmethod
    def load(cls, path: str, over: Literal["words", "tags"] = "words") -> DRules:
        """Read rules from a file."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls.read(file.read(), over)
        except OSError as error:
            raise NonprojError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise NonprojError(f"{path}: D-rules are UTF-8 text, and this file is not") from None
        except NonprojError as error:
            raise NonprojError(f"{path}: {error}") from None

    @classmethod
    def from_treebank(cls, sentences: Iterable[Sentence], over: Literal["words", "tags"] = "tags") -> DRules:
        """The rules that the trees of a treebank use.

        >>> from nonproj import example_treebank
        >>> rules = DRules.from_treebank(example_treebank())
        >>> rules.licenses("DET", "NOUN"), rules.licenses("NOUN", "DET")
        (True, False)
        """
        rules = set()
        for sentence in sentences:
            symbols = [ROOT, *(sentence.forms if over == "words" else sentence.upos)]
            rules |= {(symbols[word], symbols[head]) for word, head in enumerate(sentence.tree.heads, 1)}
        return cls(rules, over)

    def to_text(self) -> str:
        """The rules as text that :meth:`read` reads, in order."""
        first = "# over tags\n" if self.over == "tags" else ""
        return first + "".join(f"{_quoted(d)} -> {_quoted(h) if h else ROOT}\n" for d, h in sorted(self._rules))

    def licenses(self, dependent: str, head: str) -> bool:
        """Whether the first may depend on the second, which may be the root."""
        return (dependent, "" if head == ROOT else head) in self._rules

    def symbols(self, words: Sequence[str], tags: Sequence[str] | None) -> list[str]:
        """What the rules speak of: the words, or their tags."""
        if self.over == "words":
            return list(words)
        if tags is None or len(tags) != len(words):
            raise NonprojError(f"these D-rules are over tags: give one tag a word, {len(words)} in all")
        return list(tags)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(sorted((dependent, head or ROOT) for dependent, head in self._rules))

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DRules) and (self.over, self._rules) == (other.over, other._rules)

    def __hash__(self) -> int:
        return hash((self.over, self._rules))

    def __repr__(self) -> str:
        return f"<DRules: {len(self)} over {self.over}>"


def _after_blanks(line: str, at: int) -> int:
    """Where the next rule begins: after spaces, semicolons and a comment."""
    match = _BETWEEN.match(line, at)
    return match.end() if match else at


def _quoted(symbol: str) -> str:
    plain = re.fullmatch(r'[^\s"#;]+', symbol) and symbol not in ("->", ROOT)
    return symbol if plain else json.dumps(symbol)


def _unquoted(symbol: str) -> str:
    if not symbol.startswith('"'):
        return symbol
    try:
        return str(json.loads(symbol))
    except ValueError:
        raise NonprojError(f"cannot read the quoted symbol {symbol}") from None
