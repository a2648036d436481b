"""Treebanks with a training set and a test set."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

import nonproj as npj

HELD_OUT = 10
"""Where a dev set or a test set is missing, it gets every tenth sentence."""


@dataclass(frozen=True)
class Corpus:
    """A training set, a dev set to choose by, and a test set to report on."""

    name: str
    train: npj.Treebank
    dev: npj.Treebank
    test: npj.Treebank


def folder() -> Path:
    """The folder of treebanks."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    found = Path(os.environ.get("NONPROJ_DATA") or beside)
    if not found.is_dir():
        raise click.UsageError("no treebanks: name their folder with the environment variable NONPROJ_DATA")
    return found


def parted(treebank: npj.Treebank) -> tuple[npj.Treebank, npj.Treebank]:
    """All but every tenth sentence, and every tenth."""
    rest = npj.Treebank(sentence for i, sentence in enumerate(treebank) if i % HELD_OUT)
    return rest, treebank[::HELD_OUT]


def danish_sets(data: Path) -> tuple[npj.Treebank, npj.Treebank]:
    """All of the training set and the test set of CoNLL-X.

    The test set has coarser tags than the training set, which was rebuilt from the treebank, and no lemmas.
    """
    test = npj.read(data / "danish_test.conll.gz")
    coarse = dict(zip(test.column("xpos"), test.column("upos"), strict=True))
    lines = []
    for line in npj.read(data / "danish_train.conll.gz").to_text().split("\n"):
        cells = line.split("\t")
        if len(cells) == 10:
            cells[2:5] = "_", coarse.get(cells[3], cells[3][:1]), cells[3]
        lines.append("\t".join(cells))
    return npj.read("\n".join(lines).encode(), name="danish train"), test


def danish() -> Corpus:
    """Danish as in CoNLL-X."""
    train, test = danish_sets(folder() / "conllx")
    train, dev = parted(train)
    return Corpus("danish", train, dev, test)


def danish_whole() -> Corpus:
    """The same with nothing held out, as papers have it: its dev set is part of the training set, and says little."""
    train, test = danish_sets(folder() / "conllx")
    return Corpus("danish_whole", train, parted(train)[1], test)


def dutch() -> Corpus:
    """As it comes: the training set was converted from Alpino and is close to that of CoNLL-X."""
    data = folder() / "conllx"
    train, dev = parted(npj.read(data / "dutch_train.conll.gz"))
    return Corpus("dutch", train, dev, npj.read(data / "dutch_test.conll.gz"))


def universal(name: str) -> Corpus:
    """A treebank of Universal Dependencies."""
    data = folder() / "ud"
    train, test = (npj.read(data / f"{name}-ud-{part}.conllu.gz") for part in ("train", "test"))
    path = data / f"{name}-ud-dev.conllu.gz"
    if path.exists():
        return Corpus(name, train, npj.read(path), test)
    train, dev = parted(train)
    return Corpus(name, train, dev, test)


def whole(name: str) -> Corpus:
    """A treebank in one file, cut into three sets."""
    train, test = parted(npj.read(folder() / "prague" / f"{name}.conll.gz"))
    train, dev = parted(train)
    return Corpus(name, train, dev, test)


CORPORA: dict[str, Callable[[str], Corpus]] = {
    "hu_szeged": universal,
    "la_perseus": universal,
    "latin_agldt": whole,
    "af_afribooms": universal,
    "got_proiel": universal,
    "tr_imst": universal,
    "danish": lambda name: danish(),
    "czech_fictree": whole,
    "dutch": lambda name: dutch(),
    "en_ewt": universal,
    "pt_bosque": universal,
    "ancient_greek_agldt": whole,
}
"""From small to large."""
WHOLE: dict[str, Callable[[str], Corpus]] = {"danish_whole": lambda name: danish_whole()}
"""To be asked for by name."""


def chosen(names: str, limit: int | None) -> Iterator[Corpus]:
    """The corpora of these names, each with at most so many training sentences."""
    known = CORPORA | WHOLE
    for name in names.split(","):
        if name not in known:
            raise click.UsageError(f"no treebank is called {name}: there are {', '.join(known)}")
    for name in names.split(","):
        corpus = known[name](name)
        yield replace(corpus, train=corpus.train[:limit]) if limit else corpus
