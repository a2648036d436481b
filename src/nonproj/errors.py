"""The errors of nonproj: one base, few children, each message saying what to do."""

from __future__ import annotations


class NonprojError(ValueError):
    """Base of every error that nonproj raises for bad input."""


class TreeError(NonprojError):
    """The heads given do not form a tree."""


class FormatError(NonprojError):
    """A treebank file is not valid CoNLL; the message starts with ``file:line: sentence``."""
