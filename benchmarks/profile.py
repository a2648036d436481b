"""Everything nonproj knows of a tree, against what others take to say only whether it is projective."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, peer, race
from nonproj.trees import CATALOGUE, profile_trees, tree_class

NAME = "profile"
QUESTION = "How long does the full profile of a tree take, all properties and classes? (one thread)"
PEERS = ("spacy", "udapi")

Projectivity = Callable[[], list[bool]]
"""Says of each tree whether an arc of it is non-projective; its input is prepared beforehand."""


def spacy_check(treebank: nonproj.Treebank) -> Projectivity:
    """spaCy's test of one tree: heads count from 0, and a root is its own head."""
    is_nonproj_tree = peer("spacy.pipeline._parser_internals.nonproj").is_nonproj_tree
    trees = [[head - 1 if head else word for word, head in enumerate(heads)] for heads in heads_of(treebank)]
    return lambda: [is_nonproj_tree(tree) for tree in trees]


def udapi_check(treebank: nonproj.Treebank) -> Projectivity:
    """Udapi's test of one node, for all nodes of a document that is already loaded."""
    document = peer("udapi.core.document").Document()
    document.from_conllu_string(treebank.to_text())
    trees = [tree.descendants for bundle in document.bundles for tree in bundle.trees]
    return lambda: [sum(node.is_nonprojective() for node in nodes) > 0 for nodes in trees]


COMPARISONS: list[tuple[str, list[str], str, Callable[[nonproj.Treebank], Projectivity], Target]] = [
    (
        "grc_perseus",
        ["ud/grc_perseus-ud-dev", "ud/grc_perseus-ud-test"],
        "spaCy is_nonproj_tree",
        spacy_check,
        Target("faster", 0.1),
    ),
    (
        "nl_alpino",
        ["ud/nl_alpino-ud-dev", "ud/nl_alpino-ud-test"],
        "udapi is_nonprojective",
        udapi_check,
        Target("faster", 3),
    ),
]


def run() -> Iterator[Row]:
    """Every treebank with its peer, and what the smallest d of DD_d takes."""
    for name, files, check, prepare, target in COMPARISONS:
        treebank = nonproj.read(treebanks.text(*files))
        row = Row(f"{treebanks.label(name)}: {check}", f"{len(treebank)} trees", target=target)
        try:
            yield compare(row, treebank, prepare(treebank))
        except Absent as absent:
            yield row.unmeasured(absent)
        target = Target("seconds", len(treebank) / 1e6)
        yield drop_distances(Row(f"{treebanks.label(name)}: DD2", f"{len(treebank)} trees", target=target), treebank)


def drop_distances(row: Row, treebank: nonproj.Treebank) -> Row:
    """Membership in DD_2, which should take less than a microsecond a tree; the trees of AD_2 and MH_4 are in it."""
    cls = tree_class("DD2")

    def held() -> npt.NDArray[np.int8]:
        return cls.holds(profile_trees(treebank.heads, treebank.offsets, wanted=cls.properties, threads=1))

    timed = Timed(held)
    in_turn(timed, rounds=5)
    every = profile_trees(treebank.heads, treebank.offsets, threads=1)
    for name in ("AD2", "MH4"):
        agree(bool((timed.answer >= tree_class(name).holds(every)).all()), f"DD2 has not all the trees of {name}")
    speed = f"{len(treebank) / timed.best:.0f} trees/s; {int((timed.answer == 0).sum())} outside"
    return replace(row, ours=timed.best, note=speed)


def compare(row: Row, treebank: nonproj.Treebank, check: Projectivity) -> Row:
    """The full profile of a treebank against a test of projectivity, which has to give what the profile says."""
    heads, offsets = treebank.heads, treebank.offsets

    def profile() -> dict[str, npt.NDArray[np.int8]]:
        profiles = profile_trees(heads, offsets, threads=1)
        return {cls.name: cls.holds(profiles) for cls in CATALOGUE}

    ours, theirs = race(profile, check)
    agree(np.array_equal(ours.answer["Pr"] == 0, theirs.answer), f"{row.what} finds other trees non-projective")
    trees, outside = len(treebank), sum(theirs.answer)
    speeds = f"{trees / ours.best:.0f} and {trees / theirs.best:.0f} trees/s; {outside} not projective"
    return replace(row, ours=ours.best, peer=theirs.best, note=speeds)


def heads_of(treebank: nonproj.Treebank) -> Iterator[list[int]]:
    """The heads of one tree after the other."""
    for begin, end in zip(treebank.offsets[:-1], treebank.offsets[1:], strict=True):
        yield treebank.heads[begin:end].tolist()
