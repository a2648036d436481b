"""Sentences and words of raw text, learnt from the tokens of a treebank."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.learner import Arrays, Order, Progress, packed, resume_tables, state_of_tables
from nonproj.parser.network import train_boundaries
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

Counts = npt.NDArray[np.int64]
"""Of sentences, for each part they are tried on, share of the network and threshold: found, there, right."""
NOTHING_TRIED: Counts = np.zeros(0, np.int64)


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
        learner = TokenLearner(treebank, dev, epochs)
        for _ in range(epochs):
            learner.learn(np.zeros(0, np.int64), lambda *_: None)
        learner.settle(lambda *_: None)
        return cls(learner.model(), learner.bits)

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


class TokenLearner:
    """A tokenizer in training, epoch by epoch; the order of sentences is that of the text."""

    kind = "tokenizer"
    tables = TABLES
    underivable = 0

    def __init__(self, treebank: Treebank, dev: Treebank | None, epochs: int = EPOCHS) -> None:
        self.bits = int(np.clip(max(len(treebank.heads), 1).bit_length() + 4, *_BITS))
        self._trainer = _core.TokenTrainer(treebank.runs, self.bits)
        self._treebank, self._dev = treebank, dev
        self._epochs = epochs
        self._words = len(treebank.heads)
        self._end_threshold, self._end_share = 0.0, 0.0

    def header(self) -> dict[str, Any]:
        """What settles the training besides its data."""
        return {"bits": self.bits}

    def prepare(self, orders: Callable[[int], Order], progress: Progress) -> None:
        """Nothing comes before the first epoch."""

    def learn(self, order: Order, progress: Progress) -> float:
        """Go over the text once; the loss is the number of wrong decisions a word."""
        wrong = self._trainer.learn()
        progress("tokens", len(order), len(order))
        return wrong / max(1, self._words)

    def settle(
        self, progress: Progress, tried: Counts = NOTHING_TRIED, keep: Callable[[Counts], None] = lambda _: None
    ) -> None:
        """Settle above which score a sentence ends, and whether a network has a share in the score.

        Both are tried on the dev set, and on each part of the treebank by the others. ``keep`` gets what was counted on
        all parts so far, after each; what an earlier call has ``tried`` is not tried again.
        """
        shares = (END_SHARE, 0.0) if len(self._treebank) >= _LEAST_SENTENCES else (0.0,)
        counted = list(tried.reshape(-1, len(shares), 3 * len(_core.end_thresholds())))
        has_network = False
        parts = self._parts()
        for number, (first, held_out) in enumerate(parts, 1):
            if number > len(counted):
                trainer = first()
                if END_SHARE in shares:
                    _train_end_network(trainer)
                    has_network |= trainer is self._trainer
                counted.append(np.array([trainer.try_ends(held_out.runs, share) for share in shares]))
                keep(np.array(counted).ravel())
            progress("ends of sentences", number, len(parts))
        if not counted:
            return
        found = [best_threshold(counts.reshape(-1, 3)) for counts in np.sum(counted, axis=0)]
        best = max(range(len(shares)), key=lambda i: found[i].f1)  # of equal ones the first
        self._end_threshold, self._end_share = found[best].threshold, shares[best]
        if self._end_share > 0 and not has_network:
            _train_end_network(self._trainer)

    def _parts(self) -> list[tuple[Callable[[], _core.TokenTrainer], Treebank]]:
        """What the ends of sentences are tried on, each with what makes a trainer that has not seen it."""

        def of_others(begin: int, end: int) -> _core.TokenTrainer:
            trainer = _core.TokenTrainer((self._treebank[:begin] + self._treebank[end:]).runs, self.bits)
            for _ in range(self._epochs):
                trainer.learn_ends()
            return trainer

        parts: list[tuple[Callable[[], _core.TokenTrainer], Treebank]] = []
        if self._dev is not None:
            parts.append((lambda: self._trainer, self._dev))
        bounds = sorted(set(np.linspace(0, len(self._treebank), END_FOLDS + 1).astype(int).tolist()))
        if len(bounds) > 2:
            parts += [(partial(of_others, begin, end), self._treebank[begin:end]) for begin, end in pairwise(bounds)]
        return parts

    def model(self) -> Any:
        """The tokenizer as it is now."""
        return self._trainer.model(self._end_threshold, self._end_share)

    def arrays(self, model: Any) -> Arrays:
        """A tokenizer's weights as its file keeps them."""
        return packed(model, self.tables)

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        return state_of_tables(self._trainer, TABLES)

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        resume_tables(self._trainer, TABLES, state)


class Threshold(NamedTuple):
    """How sure the end of a sentence must be, and the F1 that it has together with those around it."""

    threshold: float
    f1: float


def best_threshold(counts: npt.NDArray[np.int64]) -> Threshold:
    """The threshold with the best F1, together with those around it; of equal ones the nearest to 0.

    ``counts`` has, for each of the thresholds, the sentences that are found, are there, and are right. Few sentences
    settle nothing: 0.
    """
    found, there, right = counts.T
    f1 = 2 * right / np.maximum(1, found + there)
    around = np.convolve(np.pad(f1, _AROUND, mode="edge"), np.ones(2 * _AROUND + 1), mode="valid")
    thresholds = np.array(_core.end_thresholds())
    best = np.flatnonzero(around >= around.max() - 1e-9)
    nearest = best[np.argmin(np.abs(thresholds[best]))]
    threshold = 0.0 if there.max() < _LEAST_SENTENCES else float(thresholds[nearest])
    return Threshold(threshold, float(around[nearest]) / (2 * _AROUND + 1))


def _last_space(text: bytes, most: int) -> int:
    """Where the last space or line break ends within so many bytes, 0 if there is none."""
    return max(text.rfind(b" ", 0, most), text.rfind(b"\n", 0, most)) + 1


def _train_end_network(trainer: _core.TokenTrainer) -> None:
    network = trainer.end_trainer(_SEED)
    train_boundaries(network)
    trainer.set_end_network(network)


def _whole_characters(text: bytes, most: int) -> int:
    """How many bytes, at most so many, are whole characters of UTF-8."""
    end = min(most, len(text))
    while end > 0 and end < len(text) and text[end] & 0xC0 == 0x80:
        end -= 1
    return end
