"""Exact search of trained parsers against climbing, by the same models: speed, proofs, and what climbing misses."""

from __future__ import annotations

from collections.abc import Iterator

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, in_turn
from experiments.corpora import danish_sets, whole
from nonproj.parser import SearchReport

NAME = "searching"
QUESTION = "What does exact search cost a trained parser, and what does climbing miss? (default models, one thread)"
PEERS: tuple[str, ...] = ()

CORPORA = ("ud/got_proiel", "prague/latin_agldt", "conllx/danish")
WORDS = 20_000
"""Words a second that exact search has to keep."""
PROVEN = 99.0
"""The least share of trees that are proven best, in percent."""


def run() -> Iterator[Row]:
    """A default parser for each treebank; its test set by both searches."""
    for name in CORPORA:
        if treebanks.folder() is None:
            absent = Absent("not measured: there are no treebanks to train on")
            yield Row(f"{name}: exact search", target=Target("seconds", 1.0)).unmeasured(absent)
            continue
        train, dev, test = sets(name)
        exact = nonproj.Parser.train(train, dev, threads=1)
        yield from compared(name, exact, test)


def sets(name: str) -> tuple[nonproj.Treebank, nonproj.Treebank | None, nonproj.Treebank]:
    """A training set, a dev set where the treebank has one, and a test set."""
    folder, short = name.split("/")
    data = treebanks.folder()
    assert data is not None
    if folder == "conllx":
        train, test = danish_sets(data / folder)
        return train, None, test
    if folder == "prague":
        corpus = whole(short)
        return corpus.train, corpus.dev, corpus.test
    parts = [nonproj.read(treebanks.text(f"{name}-ud-{part}")) for part in ("train", "dev", "test")]
    return parts[0], parts[1], parts[2]


def compared(name: str, exact: nonproj.Parser, test: nonproj.Treebank) -> Iterator[Row]:
    """Time and accuracy of both searches; proofs, and trees that climbing misses."""
    climbing = exact.restricted(search="climb")
    text = bytes(test)
    sides = Timed(lambda: exact.parse_text(text, threads=1)), Timed(lambda: climbing.parse_text(text, threads=1))
    in_turn(*sides, rounds=4)
    words, size = len(test.heads), f"{len(test)} sentences"
    speed = [words / side.best for side in sides]
    uas = [nonproj.evaluate(test, side.answer).all.uas for side in sides]
    searches = SearchReport()
    exact.parse(test, threads=1, searches=searches)
    note = f"{speed[0]:.0f} and {speed[1]:.0f} words a second; UAS {uas[0]:.2f} and {uas[1]:.2f}"
    target = Target("seconds", words / WORDS)
    yield Row(f"{name}: exact search", size, sides[0].best, None, target=target, note=note)
    short = PROVEN - 100 * searches.proven / searches.trees
    yield Row(f"{name}: points short of {PROVEN:.0f}% proven", size, number=short, target=Target("most", 0))
    yield Row(f"{name}: trees that climbing misses", size, number=searches.climbing_errors, note=str(searches))
