"""How much a request may ask for."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The bounds of the server; every request is held to them."""

    upload: int = 128 * MEBIBYTE
    """Bytes of a treebank that is dropped on the page, as it comes and unpacked."""
    kept: int = 1024 * MEBIBYTE
    """Bytes of all dropped treebanks together; the oldest leave first."""
    body: int = 4 * MEBIBYTE
    """Bytes of any other request."""
    seconds: float = 20.0
    """From the first byte of a request to its answer."""
    upload_seconds: float = 120.0
    at_once: int = 4
    """Requests that are worked on at a time."""
    waiting: int = 256
    """Requests that wait for their turn; more are refused."""
    connections: int = 512
    """Connections of which one more is refused."""
    silent_connections: int = 256
    """Connections on which no request is being answered; the oldest is closed for one more."""
    header_seconds: float = 10.0
    """From the opening of a connection, or the last answer on it, to the end of a request's header."""
    words: int = 400
    """Words of a sentence that is drawn or stepped through."""
    scored_words: int = 80
    """Words of a sentence that is decoded in every class."""
