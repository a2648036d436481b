"""What a request asks for, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonproj.errors import NonprojError


class NotFound(NonprojError):
    """There is no such treebank, sentence or file."""


class Query:
    """The named values of a request; each is checked when it is asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def text(self, name: str, default: str = "") -> str:
        """A text, at most 64 KiB long; halves of characters, which JSON can hold and UTF-8 cannot, become ``�``."""
        value = self._values.get(name, default)
        if not isinstance(value, str) or len(value) > 1 << 16:
            raise NonprojError(f"{name}: expected a text of at most 65,536 characters")
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")

    def number(self, name: str, default: int, least: int = 0, most: int = 2**31 - 1) -> int:
        """A whole number within bounds.

        >>> Query({"page": "3"}).number("page", 0)
        3
        """
        value = self._values.get(name, default)
        try:
            number = int(str(value)) if value != "" else default
        except ValueError:
            raise NonprojError(f"{name}: expected a whole number, not {str(value)[:40]!r}") from None
        if not least <= number <= most:
            raise NonprojError(f"{name}: expected a number from {least} to {most}, not {number}")
        return number

    def width(self) -> int | None:
        """How wide a picture may be, in pixels; None for as wide as it gets."""
        return self.number("width", 0, 0, 100_000) or None

    def flag(self, name: str) -> bool:
        """Yes or no."""
        return str(self._values.get(name, "")).lower() in ("1", "true", "yes")

    def names(self, name: str) -> list[str]:
        """Names with commas between them, or a list of them.

        >>> Query({"outside": "WG1,1EC"}).names("outside")
        ['WG1', '1EC']
        """
        value = self._values.get(name, "")
        given = value if isinstance(value, list) else str(value).split(",")
        return [str(one)[:80] for one in given[:200] if one]

    def words(self, name: str) -> list[str]:
        """A list of words, each cut at 80 characters; empty where none are given.

        >>> Query({"words": ["dogs", "bark"]}).words("words")
        ['dogs', 'bark']
        """
        value = self._values.get(name)
        if value is None or value == "":
            return []
        if not isinstance(value, list):
            raise NonprojError(f"{name}: expected a list of words, not {str(value)[:40]!r}")
        return [str(word)[:80] for word in value]

    def heads(self) -> list[int] | None:
        """Heads with dots between them, such as ``2.0.2``; None where none are given."""
        value = self.text("heads")
        if not value:
            return None
        try:
            return [int(head) for head in value.split(".")]
        except ValueError:
            raise NonprojError("heads: expected whole numbers with dots between them, such as 2.0.2") from None

    def raw(self, name: str) -> Any:
        """A value as it came."""
        return self._values.get(name)
