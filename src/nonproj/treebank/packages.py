"""Packages that only a conversion needs: imported when it is asked for, named when they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nonproj.errors import NonprojError


def package(name: str) -> Any:
    """Import a package or say how to get it.

    >>> package("no_such")
    Traceback (most recent call last):
        ...
    nonproj.errors.NonprojError: this conversion needs the package no_such: pip install no_such
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise NonprojError(f"this conversion needs the package {name}: pip install {name}") from error
