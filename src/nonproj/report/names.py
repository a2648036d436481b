"""What the rows of a report are called: files and treebanks, told apart by as much of their paths as it takes."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from nonproj.treebank import Source, Treebank
from nonproj.treebank.inputs import label, stem

Path: TypeAlias = tuple[str, ...]
"""The folders on the way to a file as it was named, and the file without its extensions."""

_PART = re.compile(r"(?:([-_]ud)?[-_.]|^)(train|dev|test)$")


def path_of(source: Treebank | Source) -> Path:
    """Where a treebank comes from; one that was read before has its name alone."""
    if isinstance(source, Treebank):
        return (source.name,)
    *folders, name = os.path.normpath(label(source)).split(os.sep)
    return (*folders, stem(name))


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


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Short names for paths, no two alike; what has the same path is numbered.

    >>> distinct_names([("a", "x", "test"), ("b", "x", "test"), ("c", "test"), ("c", "dev"), ("c", "dev")])
    ['a/x/test', 'b/x/test', 'c/test', 'dev', 'dev (2)']
    """
    depth = dict.fromkeys(paths, 1)
    while True:
        names = Counter(path[-depth[path] :] for path in depth)
        unclear = [path for path in depth if names[path[-depth[path] :]] > 1 and depth[path] < len(path)]
        if not unclear:
            break
        for path in unclear:
            depth[path] += 1
    seen: Counter[str] = Counter()
    found = []
    for path in paths:
        name = "/".join(path[-depth[path] :]).replace("//", "/")
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
