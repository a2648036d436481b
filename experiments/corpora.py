"""Treebanks with a training set and a test set."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

import nonproj as npj

UD = ("af_afribooms", "en_ewt", "got_proiel", "hu_szeged", "la_perseus", "pt_bosque", "tr_imst")
HELD_OUT = 10
"""A treebank that is not split gives every tenth sentence to the test set."""


@dataclass(frozen=True)
class Corpus:
    """A training set and a test set; there is no dev set, so that every row trains for the same number of epochs."""

    name: str
    train: npj.Treebank
    test: npj.Treebank


def folder() -> Path:
    """The folder of treebanks."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    found = Path(os.environ.get("NONPROJ_DATA") or beside)
    if not found.is_dir():
        raise click.UsageError("no treebanks: name their folder with the environment variable NONPROJ_DATA")
    return found


def danish() -> Corpus:
    """The CoNLL-X test set has coarser tags than the training set rebuilt from the treebank, and no lemmas."""
    data = folder() / "conllx"
    test = npj.read(data / "danish_test.conll.gz")
    coarse = dict(zip(test.column("xpos"), test.column("upos"), strict=True))
    lines = []
    for line in npj.read(data / "danish_train.conll.gz").to_text().split("\n"):
        cells = line.split("\t")
        if len(cells) == 10:
            cells[2:5] = "_", coarse.get(cells[3], cells[3][:1]), cells[3]
        lines.append("\t".join(cells))
    return Corpus("danish", npj.read("\n".join(lines).encode(), name="danish train"), test)


def dutch() -> Corpus:
    """As it comes: the training set was converted from Alpino and is close to that of CoNLL-X."""
    data = folder() / "conllx"
    return Corpus("dutch", npj.read(data / "dutch_train.conll.gz"), npj.read(data / "dutch_test.conll.gz"))


def universal(name: str) -> Corpus:
    """A treebank of Universal Dependencies."""
    data = folder() / "ud"
    train, test = (npj.read(data / f"{name}-ud-{part}.conllu.gz") for part in ("train", "test"))
    return Corpus(name, train, test)


def split(name: str, path: str) -> Corpus:
    """A treebank in one file, cut into a training set and a test set."""
    treebank = npj.read(folder() / path)
    train = npj.Treebank(sentence for i, sentence in enumerate(treebank) if i % HELD_OUT)
    return Corpus(name, train, treebank[::HELD_OUT])


CORPORA: dict[str, Callable[[], Corpus]] = {
    "danish": danish,
    "dutch": dutch,
    "latin_agldt": lambda: split("latin_agldt", "prague/latin_agldt.conll.gz"),
    **{name: (lambda name=name: universal(name)) for name in UD},  # type: ignore[misc]
}


def chosen(names: str, limit: int | None) -> list[Corpus]:
    """The corpora of these names, each with at most so many training sentences."""
    found = []
    for name in names.split(","):
        if name not in CORPORA:
            raise click.UsageError(f"no treebank is called {name}: there are {', '.join(CORPORA)}")
        corpus = CORPORA[name]()
        found.append(Corpus(corpus.name, corpus.train[:limit] if limit else corpus.train, corpus.test))
    return found
