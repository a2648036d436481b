"""Sentences and words of raw text, learnt from the tokens of a treebank."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.network import BoundaryStage
from nonproj.parser.options import Schedule
from nonproj.parser.settling import folds, settle
from nonproj.parser.training import Arrays, Done, Run, TableStage, silent
from nonproj.text.content import arrays_of, checked_bits, set_arrays
from nonproj.treebank import Treebank

TABLES = ("cut", "end", "expand", "join")
LEXICONS = ("tokens", "kinds", "expansions", "joins")
NETWORK = ("keys", "ends", "entries", "shared", "vectors")
"""What a model file keeps of the network that finds ends of sentences."""
LONGEST = 1000
"""Tokens of a sentence at most: a longer one is cut."""
EPOCHS = 20
"""Of training: past 5, sentence ends still get better on dev sets."""
END_FOLDS = 5
"""Parts of the treebank that settle where sentences end."""
END_SHARE = 0.4
"""Of the network in the score of an end of a sentence, where it has any."""
_AROUND = 5
"""So many thresholds on either side of one count with it: sentences are too few to tell neighbours apart."""
_LEAST_SENTENCES = 100
"""Fewer settle nothing, and have no network."""
_SEED = 1
_PIECE = 1 << 18
_HASTE = 0.05
"""Seconds to look for sentences in text that is not all there, besides as many as were waited for it."""
_BITS = (16, 22)

Counts = npt.NDArray[Any]
"""Of sentences, for each threshold: found, there, right."""
ENDS = "tokens-ends"
"""The checkpoint of what settles where sentences end."""


class Tokenizer:
    """Cuts raw text into sentences and words, as CoNLL-U from which the text can be had again byte for byte.

    An empty line ends a sentence. A single line break (LF, CR LF or CR) is a space, as text may be wrapped, unless the
    lines are whole sentences or paragraphs: then it ends a sentence. Which of both is settled by the first 256 KiB, if
    4 lines or more in them are followed by another. Lines are whole if three quarters of them end like sentences by the
    model, or if there is no column at which they were wrapped: less than two fifths of them would, with the next word,
    be longer than three quarters of the lines are, or those three quarters have fewer than 20 letters.

    >>> from nonproj.treebank import read
    >>> rows = "".join(f"{i}\\t{w}\\t_\\t_\\t_\\t_\\t{i - 1}\\t_\\t_\\t{m}\\n" for i, (w, m) in
    ...                enumerate([("It", "_"), ("rains", "SpaceAfter=No"), (".", "_")], 1))
    >>> tokenizer = Tokenizer.train(read((rows + "\\n").encode() * 30))
    >>> print(*(line.split("\\t")[:2] for line in tokenizer.cut("It rains. It rains.").decode().splitlines()))
    ['# newpar'] ['# sent_id = 1'] ['# text = It rains.'] ['1', 'It'] ['2', 'rains'] ['3', '.'] [''] \
['# sent_id = 2'] ['# text = It rains.'] ['1', 'It'] ['2', 'rains'] ['3', '.'] ['']
    """

    def __init__(self, model: _core.TokenModel, bits: int) -> None:
        self._model, self._bits = model, bits
        self._idle: list[_core.Tokenizing] = []

    @classmethod
    def train(cls, treebank: Treebank, dev: Treebank | None = None, *, epochs: int = EPOCHS) -> Tokenizer:
        """Train on the tokens of a treebank; its parts and ``dev`` settle how sure the end of a sentence must be."""
        return trained_tokenizer(Run(), treebank, dev, (), epochs)

    def cut(self, text: str | bytes, *, longest: int = LONGEST) -> bytes:
        """CoNLL-U of a text, with nothing but forms and the spaces between them."""
        given = text.encode() if isinstance(text, str) else text
        return b"".join(self.cut_stream(iter([given]), longest=longest))

    def cut_stream(self, pieces: Iterator[bytes], *, longest: int = LONGEST) -> Iterator[bytes]:
        """The same of a text that comes in pieces of whole characters; memory does not grow with it."""
        for block in self.blocks(pieces, longest=longest):
            if len(block):
                yield from block.written()

    def blocks(
        self, pieces: Iterable[bytes], *, longest: int = LONGEST, may_wait: bool = False
    ) -> Iterator[_core.Block]:
        """The same as blocks of sentences. Where pieces ``may_wait``, sentences come as soon as they are known."""
        if longest < 1:
            raise NonprojError(f"a sentence has at least 1 word, not {longest}")
        session = self._idle.pop() if self._idle else _core.Tokenizing(self._model)
        session.begin_text()
        rest, waited, spent = b"", _HASTE, 0.0
        coming = iter(pieces)
        began = time.perf_counter()
        while (piece := next(coming, None)) is not None:
            waited += time.perf_counter() - began
            rest += piece
            while len(rest) >= _PIECE:
                # What is cut at a space is surely whole; an endless word is cut anyhow, between two characters.
                end = _last_space(rest, _PIECE) or _whole_characters(rest, _PIECE)
                block, consumed = session.cut(rest[:end], _core.Stretch.middle, longest)
                if consumed == 0:  # nothing but spaces: they go with what follows, unless there is no end of them
                    if end < _PIECE // 2 or len(rest) < 4 * _PIECE:
                        break
                    raise NonprojError("the text has a million spaces one after the other: take them out")
                yield block
                rest = rest[consumed:]
            began = time.perf_counter()
            if may_wait and spent <= waited:  # to look takes no longer than there was nothing to do
                block, _ = session.cut(rest[: _last_space(rest, len(rest))], _core.Stretch.beginning, longest)
                spent += time.perf_counter() - began
                yield block
                began = time.perf_counter()
        yield session.cut(rest, _core.Stretch.last, longest)[0]
        self._idle.append(session)  # with what it found out about words

    def content(self) -> tuple[dict[str, Any], Arrays]:
        """What a model file keeps: a header and arrays."""
        model = self._model
        ends = {"end_threshold": model.end_threshold, "end_share": model.end_share}
        arrays = arrays_of(model, TABLES, LEXICONS)
        if model.end_share > 0:
            network: tuple[Any, ...] = model.end_network()
            arrays.update({f"end_network.{name}": array for name, array in zip(NETWORK, network, strict=True)})
        return {"bits": self._bits, "rules": model.rules, **ends}, arrays

    @classmethod
    def from_content(cls, header: dict[str, Any], arrays: Arrays) -> Tokenizer:
        """A tokenizer as `content` gave it; whatever is wrong with it is an error."""
        bits = checked_bits(header, _BITS)
        model = _core.TokenModel(header["rules"], bits, float(header["end_threshold"]))
        set_arrays(model, arrays, TABLES, LEXICONS)
        share = float(header["end_share"])
        if share != 0:
            network = [arrays[f"end_network.{name}"] for name in NETWORK]
            if [array.dtype for array in network] != [np.uint64] * 3 + [np.float32] * 2:
                raise NonprojError("the network of the tokenizer is of another type")
            model.set_end_network(share, *network)
        return cls(model, bits)


class TokenStage(TableStage):
    """What tells tokens and sentences; the order of sentences is that of the text."""

    name = "tokens"
    learning = TABLES

    def __init__(self, treebank: Treebank, bits: int, epochs: int) -> None:
        super().__init__(Schedule(epochs))
        self.trainer = _core.TokenTrainer(treebank.runs, bits)
        self.trainers = [self.trainer]
        self._words = len(treebank.heads)
        self.has_network = False

    def epoch(self, number: int, done: Done) -> float:
        """Go over the text once; the loss is the number of wrong decisions a word."""
        wrong = self.trainer.learn()
        done(1, 1)
        return wrong / max(1, self._words)

    def learn_network(self, run: Run) -> None:
        """Learn the network that may have a share in the score of an end of a sentence."""
        network = self.trainer.end_trainer(_SEED)
        run.learn(BoundaryStage(network), ())
        self.trainer.set_end_network(network)
        self.has_network = True


class EndStage(TokenStage):
    """What tells where sentences end, alone, to be tried on sentences that it has not seen."""

    name = "ends"
    is_kept = False

    def epoch(self, number: int, done: Done) -> float:
        """Go over the text once; the loss is the number of wrong ends a word."""
        return self.trainer.learn_ends() / max(1, self._words)


def trained_tokenizer(
    run: Run, treebank: Treebank, dev: Treebank | None, data: Sequence[Any], epochs: int = EPOCHS
) -> Tokenizer:
    """Learn tokens and sentences, then settle above which score a sentence ends, and whether a network has a share.

    Both are tried on the dev set, and on each fold of the treebank by what learnt from the others; what is counted on
    each is kept. ``data`` is all that the weights depend on.
    """
    bits = int(np.clip(max(len(treebank.heads), 1).bit_length() + 4, *_BITS))
    tokens, quiet = TokenStage(treebank, bits, epochs), replace(run, report=silent)
    run.learn(tokens, data)
    shares = (END_SHARE, 0.0) if len(treebank) >= _LEAST_SENTENCES else (0.0,)

    def counted(learnt: TokenStage, held_out: Treebank) -> Counts:
        if learnt is not tokens:
            quiet.learn(learnt, data)
        if END_SHARE in shares:
            learnt.learn_network(quiet)
        return np.array([learnt.trainer.try_ends(held_out.runs, share) for share in shares]).astype(np.uint64).ravel()

    def counted_on_fold(rest: Treebank, fold: Treebank) -> Counts:
        return counted(EndStage(rest, bits, epochs), fold)

    parts: list[Callable[[], Counts]] = [] if dev is None else [partial(counted, tokens, dev)]
    if len(treebank) > 1:
        parts += [partial(counted_on_fold, *each) for each in folds(treebank, END_FOLDS)]
    counts = np.zeros((len(shares), len(_core.end_thresholds()), 3), np.int64)
    for each in run.by_parts(ENDS, data, parts):
        counts += each.astype(np.int64).reshape(counts.shape)
    found = {share: best_threshold(counts[k]) for k, share in enumerate(shares)}
    share = settle(shares, lambda share: found[share].f1)
    if share > 0 and not tokens.has_network:
        tokens.learn_network(quiet)
    return Tokenizer(tokens.trainer.model(found[share].threshold, share), bits)


class Threshold(NamedTuple):
    """How sure the end of a sentence must be, and the F1 that it has together with those around it."""

    threshold: float
    f1: float


def best_threshold(counts: Counts) -> Threshold:
    """The threshold with the best F1, together with those around it; of equal ones the nearest to 0.

    ``counts`` has, for each of the thresholds, the sentences that are found, are there, and are right. Few sentences
    settle nothing: 0.
    """
    found, there, right = counts.T
    f1 = 2 * right / np.maximum(1, found + there)
    around = np.convolve(np.pad(f1, _AROUND, mode="edge"), np.ones(2 * _AROUND + 1), mode="valid")
    thresholds = np.array(_core.end_thresholds())
    # Sums that are equal may differ by their rounding.
    best = settle(np.argsort(np.abs(thresholds), kind="stable"), lambda place: round(float(around[place]), 9))
    threshold = 0.0 if there.max() < _LEAST_SENTENCES else float(thresholds[best])
    return Threshold(threshold, float(around[best]) / (2 * _AROUND + 1))


def _last_space(text: bytes, most: int) -> int:
    """Where the last space or line break ends within so many bytes, 0 if there is none."""
    return max(text.rfind(b" ", 0, most), text.rfind(b"\n", 0, most)) + 1


def _whole_characters(text: bytes, most: int) -> int:
    """How many bytes, at most so many, are whole characters of UTF-8."""
    end = min(most, len(text))
    while end > 0 and end < len(text) and text[end] & 0xC0 == 0x80:
        end -= 1
    return end
