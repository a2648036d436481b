"""How many non-projective trees come back when they are lifted and lowered again, with gold labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, peer
from nonproj.lifting import SCHEMES, lift, lower
from nonproj.lifting.encoding import Scheme

NAME = "lifting"
QUESTION = "What share of the non-projective trees does lifting and lowering restore? (in percent, gold labels)"
PEERS = ("spacy",)

TREEBANKS = {
    "nl_alpino": ["ud/nl_alpino-ud-dev", "ud/nl_alpino-ud-test"],
    "grc_perseus": ["ud/grc_perseus-ud-dev", "ud/grc_perseus-ud-test"],
    "got_proiel": ["ud/got_proiel-ud-train", "ud/got_proiel-ud-dev", "ud/got_proiel-ud-test"],
}
DEFAULT = "head+path"
MARGIN = 3.0
"""Points by which the default encoding has to be better than spaCy's."""


def run() -> Iterator[Row]:
    """Every treebank with every encoding, then the peer against the default one."""
    for name, files in TREEBANKS.items():
        treebank = nonproj.read(treebanks.text(*files))
        crossing = np.array([not sentence.tree.is_projective for sentence in treebank])
        size = f"{crossing.sum()} of {len(treebank)} trees"
        ours: dict[str, tuple[float, Timed[nonproj.Treebank]]] = {}
        for scheme in SCHEMES:
            timed = Timed(partial(round_trip, treebank, scheme))
            in_turn(timed, rounds=2)
            agree(timed.answer.column("deprel") == treebank.column("deprel"), "lowering leaks labels")
            ours[scheme] = restored(treebank, timed.answer.heads, crossing), timed
            yield Row(f"{treebanks.label(name)}: {scheme}", size, ours=timed.best, number=ours[scheme][0])
        share, timed = ours[DEFAULT]
        row = Row(f"{treebanks.label(name)}: points short of spaCy + {MARGIN:g}", size, target=Target("most", 0))
        try:
            theirs = Timed(spacy_round_trip(treebank))
            in_turn(theirs, rounds=1)
        except Absent as absent:
            yield row.unmeasured(absent)
            continue
        theirs_share = restored(treebank, theirs.answer, crossing)
        note = f"ours {share:.2f}, spaCy {theirs_share:.2f}; {theirs.best / timed.best:.1f} times its speed"
        yield replace(row, number=theirs_share + MARGIN - share, note=note)


def round_trip(treebank: nonproj.Treebank, scheme: Scheme) -> nonproj.Treebank:
    """Lift all trees and lower them again."""
    return lower(lift(treebank, scheme), scheme)


def restored(treebank: nonproj.Treebank, heads: np.ndarray, crossing: np.ndarray) -> float:
    """The percentage of the crossing trees that have their own heads again."""
    same = np.logical_and.reduceat(treebank.heads == heads, treebank.offsets[:-1])
    return float(100 * same[crossing].mean())


def spacy_round_trip(treebank: nonproj.Treebank) -> Callable[[], np.ndarray]:
    """spaCy's projectivize and deprojectivize; its heads count from 0, and a root is its own head."""
    scheme = peer("spacy.pipeline._parser_internals.nonproj")
    document = peer("spacy.tokens").Doc
    vocabulary = peer("spacy.vocab").Vocab()
    sentences = [(sentence.heads, sentence.deprels) for sentence in treebank]

    def lowered(heads: tuple[int, ...], deprels: list[str]) -> list[int]:
        own = [head - 1 if head else word for word, head in enumerate(heads)]
        lifted, labels = scheme.projectivize(own, deprels)
        doc = document(vocabulary, words=["w"] * len(own), heads=lifted, deps=labels)
        found = [token.head.i for token in scheme.deprojectivize(doc)]
        return [0 if head == word else head + 1 for word, head in enumerate(found)]

    return lambda: np.array([head for heads, deprels in sentences for head in lowered(heads, deprels)])
