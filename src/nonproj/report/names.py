"""What the rows of a report are called: files and treebanks, told apart by as much of their paths as it takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nonproj.treebank import Source, Treebank
from nonproj.treebank.inputs import Path, parts_of

_PART = re.compile(r"(?:([-_]ud)?[-_.]|^)(train|dev|test)$")


def path_of(source: Treebank | Source) -> Path:
    """Where a treebank comes from; one that was read before has its name alone."""
    return (source.name,) if isinstance(source, Treebank) else parts_of(source)


def treebanks_of(paths: Sequence[Path]) -> list[Path]:
    """The treebanks of which files are the train, dev or test parts.

    The parts of one may lie in several folders, unless there are several files of the same name.

    >>> treebanks_of([("nl", "alpino-train"), ("nl", "alpino-test"), ("xy", "test")])
    [('alpino',), ('alpino',), ('xy',)]
    >>> treebanks_of([("nl", "alpino-train"), ("nl", "alpino-test"), ("old", "alpino-test")])
    [('nl', 'alpino'), ('nl', 'alpino'), ('old', 'alpino')]
    """
    names = Counter(path[-1] for path in set(paths))
    unclear = {_PART.sub("", name) for name, times in names.items() if times > 1}
    found: list[Path] = []
    for *folders, name in paths:
        treebank = _PART.sub("", name)
        if not treebank:  # called train, dev or test: its folder has the name
            found.append(tuple(folders) or (name,))
        else:
            found.append((*folders, treebank) if treebank in unclear else (treebank,))
    return found
