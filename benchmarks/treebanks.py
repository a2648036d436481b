"""The treebanks to measure on: real ones where there are any, else the sample of nonproj many times over."""

from __future__ import annotations

import os
from pathlib import Path

import nonproj

TIMES = 200
"""How many copies of the sample stand for a treebank."""


def folder() -> Path | None:
    """The folder of treebanks: ``NONPROJ_DATA``, or ``../shared/data`` beside the repository; None without either."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    found = Path(os.environ.get("NONPROJ_DATA") or beside)
    return found if found.is_dir() else None


def text(*names: str) -> bytes:
    """The plain text of treebank files one after the other, given by names such as ``ud/nl_alpino-ud-test``."""
    data = folder()
    if data is None:
        return bytes(nonproj.example_treebank()) * TIMES
    paths = [path for name in names for path in sorted(data.glob(f"{name}.*"))]
    if len(paths) != len(names):
        raise FileNotFoundError(f"{data} should have one file for each of {', '.join(names)}; it has {paths}")
    return b"".join(bytes(nonproj.read(path)) for path in paths)


def label(name: str) -> str:
    """What to call the treebank of that name in a table."""
    return name if folder() else f"sample x {TIMES}"


def described() -> str:
    """A line that says which treebanks the numbers are from."""
    data = folder()
    if data:
        return f"treebanks of {data}"
    return (
        "no treebanks found (NONPROJ_DATA names their folder): measured on the sample of nonproj, "
        f"{TIMES} times over, while the targets are for real ones"
    )
