"""Lift and lower trees, sentences and whole treebanks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.lifting.encoding import CoveredRoots, Encoding, Scheme, UnreadableRelation
from nonproj.lifting.lifts import lifted_tree
from nonproj.processors import processors
from nonproj.treebank import Sentence, Treebank
from nonproj.trees import Tree

Trees = TypeVar("Trees", Tree, Sentence, Treebank)
Progress = Callable[[int, int], None]
Heads = npt.NDArray[np.int32]
Change = Callable[[Heads, npt.NDArray[np.int64], list[str]], tuple[Heads, list[str]]]
_PORTION = 2000  # trees between two reports of progress


def lift(
    trees: Trees,
    encoding: Scheme = "head+path",
    *,
    covered_roots: CoveredRoots = "keep",
    progress: Progress | None = None,
) -> Trees:
    """Lift a tree, a sentence or a treebank to projective trees, with labels that say how to lower them again.

    Parameters
    ----------
    trees
        A `Tree`, `Sentence` or `Treebank`. A tree without relations is only lifted, by its smallest lift.
    encoding
        What the labels tell: ``"head"``, ``"path"`` or ``"head+path"``.
    covered_roots
        What to do first about words below the dummy root that lie under an arc: ``"keep"`` them, or hang them
        from the ``"left"`` or ``"right"`` end or the ``"head"`` of the shortest arc over them.
    progress
        ``progress(done, total)`` is called now and then on a treebank.

    >>> lifted = lift(Tree([3, 0, 2], deprels=["obj", "root", "xcomp"]))
    >>> lifted.heads, lifted.deprels
    ((2, 0, 2), ('obj↑xcomp', 'root', 'xcomp↓'))
    >>> lower(lifted).heads
    (3, 0, 2)
    """
    scheme = Encoding(encoding, covered_roots)
    if isinstance(trees, Tree):
        if trees.deprels is None:
            return lifted_tree(trees)
        heads, labels = scheme.encode(trees.heads, trees.deprels)
        return Tree(heads, forms=trees.forms, deprels=labels)
    if isinstance(trees, Sentence):
        return trees.with_heads(*scheme.encode(trees.heads, trees.deprels))
    return _lifted(trees, scheme, progress)


def lower(trees: Trees, encoding: Scheme = "head+path", *, progress: Progress | None = None) -> Trees:
    """Undo `lift`, for trees or for what a parser trained on lifted trees gives; labels are always plain afterwards.

    ``encoding`` must be the one that was lifted with. ``progress(done, total)`` is called now and then on a
    treebank.

    >>> lower(Tree([2, 0, 2], deprels=["obj↑xcomp", "root", "xcomp"]), "head")
    Tree([3, 0, 2])
    """
    scheme = Encoding(encoding)
    if isinstance(trees, Tree):
        if trees.deprels is None:
            raise NonprojError("a tree is lowered by its labels, and this one has no relations: give deprels")
        heads, labels = scheme.decode(trees.heads, trees.deprels)
        return Tree(heads, forms=trees.forms, deprels=labels)
    if isinstance(trees, Sentence):
        return trees.with_heads(*scheme.decode(trees.heads, trees.deprels))
    return _lowered(trees, scheme, progress)


def _lifted(treebank: Treebank, scheme: Encoding, progress: Progress | None) -> Treebank:
    return _changed(treebank, lambda *trees: scheme.encode_many(*trees, threads=processors()), progress)


def _lowered(treebank: Treebank, scheme: Encoding, progress: Progress | None) -> Treebank:
    return _changed(treebank, scheme.decode_many, progress)


def _changed(treebank: Treebank, change: Change, progress: Progress | None) -> Treebank:
    heads, labels = treebank.heads.copy(), treebank.column("deprel")
    for first in range(0, len(treebank), _PORTION):
        offsets = treebank.offsets[first : first + _PORTION + 1]
        begin, end = int(offsets[0]), int(offsets[-1])
        try:
            heads[begin:end], labels[begin:end] = change(heads[begin:end], offsets - begin, labels[begin:end])
        except UnreadableRelation as error:
            at = treebank[first + int(np.searchsorted(offsets - begin, error.word, side="right")) - 1]
            raise NonprojError(f"{at.file}:{at.line}: sentence {at.sent_id}: {error}") from None
        if progress:
            progress(first, len(treebank))
    return _named(treebank, treebank.with_heads(heads, labels))


def _named(before: Treebank, after: Treebank) -> Treebank:
    after.name, after.skipped = before.name, before.skipped
    return after
