"""Training: epochs in shuffled order, scores on a dev set, early stopping, and checkpoints to resume from."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser.container import read_container, write_container
from nonproj.parser.learner import Arrays, Learner, Model, Progress
from nonproj.parser.options import Schedule
from nonproj.treebank import Treebank

Report = Callable[["Epoch"], None]

SECONDS_BETWEEN_CHECKPOINTS = 20.0
"""So much work may be lost by a kill, and the epoch at hand."""

_ANEW = "to start anew, delete it (nonproj train --restart does)"


@dataclass(frozen=True)
class Epoch:
    """How far training has come: the loss on the way, and the scores on the dev set if there is one."""

    number: int
    loss: float
    uas: float | None = None
    las: float | None = None
    is_best: bool = True

    def __str__(self) -> str:
        scores = "" if self.uas is None else f"  dev UAS {self.uas:.2f} LAS {self.las:.2f}"
        return f"epoch {self.number:2}  loss {self.loss:.4f}{scores}{'  best' if self.is_best and scores else ''}"


@dataclass
class Trained:
    """The best model of a training and the epochs that led to it."""

    arrays: Arrays
    epochs: list[Epoch]


def must_be_parsed(treebank: Treebank) -> None:
    """An error for a treebank without sentences, or without heads."""
    if len(treebank) == 0:
        raise NonprojError(f"{treebank.name}: no sentences to learn from")
    if (treebank.heads < 0).any():
        raise NonprojError(f"{treebank.name}: some sentences have no heads: nothing can be learnt from them")


def relations_of(treebank: Treebank) -> list[str]:
    """The relations of a treebank, most frequent first.

    >>> from nonproj.treebank import example_treebank
    >>> relations_of(example_treebank())[0]
    'dep'
    """
    counts: dict[str, int] = {}
    for relation in treebank.column("deprel"):
        counts[relation] = counts.get(relation, 0) + 1
    counts.pop("_", None)
    return sorted(counts, key=lambda relation: (-counts[relation], relation))


def train_epochs(
    learner: Learner,
    sentences: int,
    score: Callable[[Model], tuple[float, float]] | None,
    schedule: Schedule,
    identity: str,
    checkpoint: str | None,
    progress: Progress,
    report: Report,
    *,
    saves_end: bool = True,
) -> Trained:
    """Train until the schedule's end, or until ``score(model)``, UAS and LAS, no longer gains; keep the best epoch.

    The checkpoint is written after an epoch that ends `SECONDS_BETWEEN_CHECKPOINTS` or more after the last one was, and
    at the end, unless the caller keeps what comes of it (``saves_end=False``).
    """

    def order(epoch: int) -> npt.NDArray[np.int64]:
        # Each epoch's order depends on the seed and its number alone, so that a resumed training sees the same.
        return np.random.Generator(np.random.PCG64([schedule.seed, epoch + 1000])).permutation(sentences)

    learner.prepare(lambda epoch: order(-1 - epoch), progress)
    epochs, best = _resumed(learner, identity, checkpoint)
    for epoch in epochs:
        report(epoch)
    saved = time.monotonic()
    while not _is_over(epochs, schedule):
        loss = learner.learn(order(len(epochs)), progress)
        epoch = Epoch(len(epochs) + 1, loss)
        if score is not None:
            model = learner.model()
            uas, las = score(model)
            best_las = max((e.las if e.las is not None else 0.0 for e in epochs), default=-1.0)
            epoch = Epoch(epoch.number, loss, uas, las, las > best_las)
            if epoch.is_best:
                best = learner.arrays(model)
        epochs.append(epoch)
        report(epoch)
        is_due = time.monotonic() - saved >= SECONDS_BETWEEN_CHECKPOINTS
        if checkpoint is not None and (is_due or (saves_end and _is_over(epochs, schedule))):
            _save(learner, epochs, best, identity, checkpoint)
            saved = time.monotonic()
    # Where none is scored, the last one is the best.
    return Trained(best if score is not None else learner.arrays(learner.model()), epochs)


def identity_of(*parts: Any) -> str:
    """A digest of all that a training depends on: a checkpoint is only resumed by the same training."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _is_over(epochs: list[Epoch], schedule: Schedule) -> bool:
    if len(epochs) >= schedule.epochs:
        return True
    return len(epochs) >= schedule.patience and not any(epoch.is_best for epoch in epochs[-schedule.patience :])


def _save(learner: Learner, epochs: list[Epoch], best: Arrays, identity: str, path: str) -> None:
    arrays = {f"state.{name}": array for name, array in learner.state().items()}
    arrays |= {f"best.{name}": array for name, array in best.items()}
    write_container(path, {"checkpoint": identity, "epochs": [asdict(epoch) for epoch in epochs]}, arrays)


def _resumed(learner: Learner, identity: str, path: str | None) -> tuple[list[Epoch], Arrays]:
    if path is None or not os.path.exists(path):
        return [], {}
    header, arrays = _kept(path, identity)
    state = {name.removeprefix("state."): array for name, array in arrays.items() if name.startswith("state.")}
    best = {name.removeprefix("best."): array for name, array in arrays.items() if name.startswith("best.")}
    learner.resume(state)
    return [Epoch(**epoch) for epoch in header["epochs"]], best


def kept_arrays(path: str, identity: str) -> Arrays:
    """The arrays of a checkpoint; one of another training is an error."""
    return _kept(path, identity)[1]


def _kept(path: str, identity: str) -> tuple[dict[str, Any], Arrays]:
    try:
        header, arrays = read_container(path)
    except NonprojError as error:
        raise NonprojError(f"{error}; it is a checkpoint: {_ANEW}") from None
    if header.get("checkpoint") != identity:
        raise NonprojError(
            f"{path}: left by a training with other data or options: repeat that training to go on with it; {_ANEW}"
        )
    return header, arrays
