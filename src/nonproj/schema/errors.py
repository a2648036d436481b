"""What is wrong with a schema, said so that its author finds the line."""

from __future__ import annotations

from nonproj.errors import NonprojError


class SchemaError(NonprojError):
    """A schema cannot be run as written; the message names the step."""
