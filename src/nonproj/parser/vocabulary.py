"""What a model was trained with: the columns that had anything in them, their tags, the relations.

A parser fed with less than that, or with other tags, parses badly and cannot know: `Fit` finds it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from nonproj.errors import NonprojError
from nonproj.treebank import Treebank
from nonproj.treebank.sentences import Sentences

Vocabulary: TypeAlias = dict[str, list[str]]

COLUMNS = ("lemma", "upos", "xpos", "feats")
_CLOSED = {"upos": "tag (upos)", "xpos": "tag (xpos)", "deprel": "relation"}
_MAX_VALUES = 4096  # a column with more of them has no closed set of values
_FEW = 0.1
_WORDS = 2_000  # that are looked at: enough to judge by


def vocabulary_of(treebank: Treebank, *, reads_tags: bool = True) -> Vocabulary:
    """The columns that are filled in, and the values of those that have a closed set of them, as far as they are read.

    >>> from nonproj.treebank import example_treebank
    >>> found = vocabulary_of(example_treebank())
    >>> "upos" in found["columns"], "VERB" in found["upos"]
    (True, True)
    """
    counts = {name: Counter(treebank.column(name)) for name in (*COLUMNS, "deprel")}
    words = len(treebank.heads)
    read = COLUMNS if reads_tags else ()
    found = {"columns": [name for name in read if words - counts[name]["_"] >= _FEW * words]}
    for name in _CLOSED if reads_tags else ("deprel",):
        values = sorted(set(counts[name]) - {"_"})
        if 0 < len(values) <= _MAX_VALUES:
            found[name] = values
    return found


def columns_in(treebank: Sentences) -> list[str]:
    """The columns of tags and lemmas that have anything in them."""
    return [name for name in COLUMNS if any(cell != "_" for cell in treebank.column(name))]


def checked_vocabulary(given: Any) -> Vocabulary:
    """A vocabulary as it was read from a file; none is in models that were made before."""
    if given is None:
        return {}
    is_sound = isinstance(given, Mapping) and all(
        isinstance(values, list) and all(isinstance(value, str) for value in values) for values in given.values()
    )
    if not is_sound:
        raise NonprojError("its vocabulary is damaged")
    return dict(given)


class Fit:
    """Whether input is like what a model was trained with: look at the beginning of it, then ask for `misfits`.

    >>> from nonproj.treebank import example_treebank, read
    >>> fit = Fit(vocabulary_of(example_treebank()))
    >>> fit.look(read(b"1\\tYes\\tyes\\tNIL\\t_\\t_\\t_\\t_\\t_\\t_\\n\\n", unparsed=True))
    >>> print(*fit.misfits(), sep="\\n")  # doctest: +ELLIPSIS
    1 of 1 words have a tag (upos) that the model never saw, such as NIL: ...
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in (*COLUMNS, "deprel")}
        self._words = 0

    @property
    def has_seen_enough(self) -> bool:
        """Whether more input would not change the judgement."""
        return not self._vocabulary or self._words >= _WORDS

    def look(self, treebank: Sentences) -> None:
        """Take more input into account."""
        if self.has_seen_enough:
            return
        enough = int(np.searchsorted(treebank.offsets, _WORDS - self._words))
        looked_at = treebank[:enough]
        self._words += len(looked_at.heads)
        for name, counts in self._counts.items():
            counts.update(looked_at.column(name))

    def misfits(self) -> list[str]:
        """What the input lacks, and what the model does not know, in sentences."""
        if not self._vocabulary or self._words == 0:
            return []
        found = []
        trained = self._vocabulary.get("columns", [])
        lacking = [name for name in COLUMNS if name in trained and self._counts[name]["_"] == self._words]
        if lacking:
            found.append(
                f"the input has no {_listed(lacking)}, which the model was trained with: parses will be poor, so fill "
                f"in what is missing, for instance with a tagger"
            )
        for name, title in _CLOSED.items():
            known = {*self._vocabulary.get(name, ()), "_"}
            unknown = Counter({value: n for value, n in self._counts[name].items() if value not in known})
            if name in self._vocabulary and unknown.total() > _FEW * self._words:
                shown = ", ".join(value for value, _ in unknown.most_common(3))
                found.append(
                    f"{unknown.total()} of {self._words} words have a {title} that the model never saw, such as "
                    f"{shown}: was it trained on another treebank, or another version?"
                )
        return found


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
