"""Models of trained parsers on workers: each process loads one once, however many tasks it does."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass

from nonproj.distributed.places import is_url, read_all
from nonproj.errors import NonprojError
from nonproj.parser import Parser

_SHIPPED: dict[str, bytes] = {}
"""Models that were sent to this process, by checksum."""
_LOADED: dict[Model, Parser] = {}


@dataclass(frozen=True)
class Model:
    """A model by its path and checksum, and what was asked of it."""

    path: str
    checksum: str
    within: str | None = None
    search: str | None = None

    @staticmethod
    def of(path: str, within: str | None = None, search: str | None = None) -> Model:
        """The model in a file, tried here at once."""
        try:
            model = Model(path, hashlib.sha256(read_all(path)).hexdigest(), within, search)
        except OSError as error:
            raise NonprojError(f"{path}: cannot be read: {error.strerror or error}") from error
        model.parser()
        return model

    def parser(self) -> Parser:
        """The parser itself."""
        if self not in _LOADED:
            _LOADED.clear()  # one model at a time: they are large
            parser = self._load()
            if self.within is not None or self.search is not None:
                parser = parser.restricted(self.within, search=self.search)
            _LOADED[self] = parser
        return _LOADED[self]

    def _load(self) -> Parser:
        content = _SHIPPED.get(self.checksum)
        if content is None and not is_url(self.path) and os.path.exists(self.path):
            if hashlib.sha256(read_all(self.path)).hexdigest() != self.checksum:
                raise NonprojError(f"{self.path}: the model was changed while it was used: start again")
            return Parser.load(self.path)
        if content is None:
            content = read_all(self.path)
        with tempfile.TemporaryDirectory() as folder:  # the mapping outlives the name
            path = os.path.join(folder, os.path.basename(self.path))
            with open(path, "wb") as file:
                file.write(content)
            return Parser.load(path)


def ship(checksum: str, content: bytes) -> None:
    """Keep a model that was sent to this process."""
    _SHIPPED[checksum] = content
