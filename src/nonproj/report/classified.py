"""Every tree with its properties and the classes it is outside of, in the formats of ``nonproj classify``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from nonproj._core import UNBOUNDED
from nonproj.treebank import Sentence
from nonproj.trees import TreeClass, profile_trees
from nonproj.trees.profile import NEED_A_DUMMY, PROPERTIES

PORTION = 2000
"""How many sentences to measure at once."""


def measured(
    sentences: Sequence[Sentence], classes: Sequence[TreeClass], threads: int, dummy: str = "left"
) -> Iterator[tuple[Sentence, dict[str, int], list[str]]]:
    """Each sentence with its properties, and the classes that its tree is outside of.

    ``dummy`` is that of `profile_trees`; without one, what has no meaning is left as a degree that does not exist.
    """
    heads = [np.asarray(sentence.heads, dtype=np.int32) for sentence in sentences]
    offsets = np.concatenate([[0], np.cumsum([len(tree) for tree in heads])])
    solvers = [cls.solver for cls in classes]
    profiles = profile_trees(np.concatenate(heads), offsets, solvers=solvers, threads=threads, dummy=dummy)
    missing = dict.fromkeys(NEED_A_DUMMY if dummy == "none" else (), UNBOUNDED)
    held = [cls.holds(profiles) for cls in classes]
    for i, sentence in enumerate(sentences):
        outside = [cls.name for cls, member in zip(classes, held, strict=True) if member[i] == 0]
        yield sentence, {**dict(zip(PROPERTIES, profiles.table[i].tolist(), strict=True)), **missing}, outside


def _text(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    facts = "projective" if values["core"] == 0 else " ".join(_facts(values))
    return f"{sentence.sent_id}\t{len(sentence)}\t{facts}\t{' '.join(outside) or '-'}\n"


def _facts(values: dict[str, int]) -> Iterator[str]:
    for name, value in values.items():
        if name not in ("words", "roots", "core"):
            yield f"{name}={'?' if value < 0 else '-' if value == UNBOUNDED else value}"


def _json(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    plain = {name: None if value < 0 or value == UNBOUNDED else value for name, value in values.items()}
    return json.dumps({"sent_id": sentence.sent_id, **plain, "outside": outside}, ensure_ascii=False) + "\n"


def _conllu(sentence: Sentence, values: dict[str, int], outside: list[str]) -> str:
    facts = "projective" if values["core"] == 0 else " ".join(_facts(values))
    comments = [f"# nonproj = {facts}"]
    if outside:
        comments.append(f"# nonproj_outside = {' '.join(outside)}")
    return str(sentence.with_heads(sentence.heads, comments_added=comments))


FORMATS: dict[str, Callable[[Sentence, dict[str, int], list[str]], str]] = {
    "text": _text,
    "json": _json,
    "conllu": _conllu,
}
"""How a sentence that was measured is written."""
