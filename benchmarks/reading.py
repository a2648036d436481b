"""Plain CoNLL-U in memory to the heads of all its words: NumPy array here, Python integers there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Disagreement, Row, Target, agree, peer, race

NAME = "reading"
QUESTION = "How fast does CoNLL-U become heads? (one thread)"
PEERS = ("ufal.udpipe", "conllu", "pyconll", "udapi", "rustling")

TREEBANKS = {
    "en_ewt train": ["ud/en_ewt-ud-train"],
    "nl_alpino": ["ud/nl_alpino-ud-dev", "ud/nl_alpino-ud-test"],
    "grc_perseus": ["ud/grc_perseus-ud-dev", "ud/grc_perseus-ud-test"],
}

Reader = Callable[[str], list[int]]


def udpipe_reader() -> Reader:
    """UDPipe's own reader, in C++; its words have a technical root at index 0."""
    udpipe = peer("ufal.udpipe")

    def read(text: str) -> list[int]:
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText(text)
        sentence, error = udpipe.Sentence(), udpipe.ProcessingError()
        heads: list[int] = []
        while reader.nextSentence(sentence, error):
            words = sentence.words
            heads.extend([words[i].head for i in range(1, len(words))])
        if error.occurred():
            raise Disagreement(f"UDPipe: {error.message}")
        return heads

    return read


def conllu_reader() -> Reader:
    """The package conllu; the ids of words are integers, those of other tokens tuples."""
    conllu = peer("conllu")
    return lambda text: [
        token["head"] for sentence in conllu.parse(text) for token in sentence if isinstance(token["id"], int)
    ]


def pyconll_reader() -> Reader:
    """The package pyconll."""
    pyconll = peer("pyconll")
    return lambda text: [
        int(token.head)
        for sentence in pyconll.load_from_string(text)
        for token in sentence
        if not token.is_multiword() and not token.is_empty_node()
    ]


def udapi_reader() -> Reader:
    """Udapi, whose nodes know their parent."""
    document = peer("udapi.core.document").Document

    def read(text: str) -> list[int]:
        loaded = document()
        loaded.from_conllu_string(text)
        return [node.parent.ord for bundle in loaded.bundles for tree in bundle.trees for node in tree.descendants]

    return read


def rustling_reader() -> Reader:
    """Rustling, in Rust, whose tokens are strings."""
    conllu = peer("rustling.conllu")
    return lambda text: [
        int(token.head)
        for sentence in conllu.CoNLLU.from_strs([text], parallel=False).sentences()
        for token in sentence.tokens()
        if token.id.isdigit()
    ]


READERS: dict[str, tuple[Callable[[], Reader], Target | None]] = {
    "UDPipe": (udpipe_reader, Target("faster", 8)),
    "conllu": (conllu_reader, Target("faster", 100)),
    "pyconll": (pyconll_reader, None),
    "udapi": (udapi_reader, None),
    "rustling": (rustling_reader, None),
}


def run() -> Iterator[Row]:
    """Every treebank with every reader."""
    for name, files in TREEBANKS.items():
        text = treebanks.text(*files)
        for reader, (prepare, target) in READERS.items():
            row = Row(f"{treebanks.label(name)}: {reader}", target=target)
            try:
                yield compare(row, text, prepare())
            except Absent as absent:
                yield row.unmeasured(absent)
        if treebanks.folder() is None:
            return


def compare(row: Row, text: bytes, reader: Reader) -> Row:
    """One treebank with one reader."""
    decoded = text.decode()

    def read() -> npt.NDArray[np.int32]:
        return nonproj.read(text, threads=1).heads

    ours, theirs = race(read, lambda: reader(decoded), limit=4.0)
    words = len(ours.answer)
    agree(np.array_equal(ours.answer, theirs.answer), f"{row.what} reads other heads")
    speeds = f"{words / ours.best / 1e6:.2f} and {words / theirs.best / 1e6:.3f} M words/s"
    return replace(row, size=f"{words} words", ours=ours.best, peer=theirs.best, note=speeds)
