"""Training: stages that learn by epochs, scores on a dev set, early stopping, and checkpoints to resume from."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser.container import read_container, write_container
from nonproj.parser.options import Schedule
from nonproj.treebank import Source, Treebank, read
from nonproj.treebank.writing import must_be_new, try_target

Arrays = dict[str, npt.NDArray[Any]]
Order = npt.NDArray[np.int64]
Progress = Callable[[str, int, int], None]
Done = Callable[[int, int], None]
Path = str | os.PathLike[str]

PORTION = 64
"""Sentences that are learnt between two looks at the progress."""
SECONDS_BETWEEN_CHECKPOINTS = 20.0
"""So much work may be lost by a kill, and the epoch at hand."""

_PARTS = ("marks", "values", "late_marks", "late_values", "steps")
_ANEW = "to start anew, delete it (nonproj train --restart does)"


def silent(*_: Any) -> None:
    """Take any news and say nothing."""


class Score(NamedTuple):
    """A number with its name, such as LAS; more is better."""

    name: str
    value: float


@dataclass(frozen=True)
class Epoch:
    """How far a stage has come: the loss on the way, and its scores if there is a dev set; the last of them decides.

    ``stage`` is empty where trees are learnt.
    """

    number: int
    loss: float
    scores: tuple[Score, ...] = ()
    is_best: bool = True
    stage: str = ""

    def __str__(self) -> str:
        stage = f"{self.stage}: " if self.stage else ""
        scores = "".join(f" {score.name} {score.value:.2f}" for score in self.scores)
        dev = f"  dev{scores}{'  best' if self.is_best else ''}" if scores else ""
        return f"{stage}epoch {self.number:2}  loss {self.loss:.4f}{dev}"


Report = Callable[[Epoch], object]
Judge = Callable[["Stage", Arrays], Sequence[Score]]
"""Scores the weights of a stage on a dev set."""


class Stage(ABC):
    """What is learnt by epochs: tokens, tags, what prunes, trees, a network."""

    name: str = ""  # in reports and checkpoints; empty where trees are learnt
    place: str = ""  # what the model file keeps it under; empty if it is the parser itself
    is_judged: bool = False  # whether a dev set, if there is one, chooses the best epoch
    is_kept: bool = True  # whether it has checkpoints: what has none is learnt again, and needs no `state`

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def header(self) -> dict[str, Any]:
        """What the model file says of it besides its weights."""
        return {}

    @abstractmethod
    def epoch(self, number: int, done: Done) -> float:
        """Learn from everything once and return the loss; the first epoch has the number 0."""

    def arrays(self) -> Arrays:
        """The weights as they are now, as the model file keeps them."""
        return {}

    def placed(self, arrays: Arrays) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays by the names that they have in a model file."""
        if not self.place:
            return self.header(), arrays
        return {self.place: self.header()}, {f"{self.place}.{name}": array for name, array in arrays.items()}

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        raise NonprojError(f"there are no checkpoints of {self.name}")

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        raise NonprojError(f"there are no checkpoints of {self.name}")


class TableStage(Stage):
    """A stage that learns tables of weights, by a native trainer or several side by side."""

    trainers: Sequence[Any]
    learning: tuple[str, ...]  # the tables that each of them learns

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        found: Arrays = {}
        for k, name in product(range(len(self.trainers)), self.learning):
            (now, late), steps = self.trainers[k].state(name)
            arrays = (*now, *late, np.array([steps], np.uint64))
            found |= {f"{k}.{name}.{part}": array for part, array in zip(_PARTS, arrays, strict=True)}
        return found

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        for k, name in product(range(len(self.trainers)), self.learning):
            *arrays, steps = (state[f"{k}.{name}.{part}"] for part in _PARTS)
            self.trainers[k].resume(name, *arrays, int(steps[0]))


@dataclass
class Trained:
    """The best weights of a stage and the epochs that led to them."""

    arrays: Arrays
    epochs: list[Epoch]


@dataclass(frozen=True)
class Run:
    """What the stages of a training share: where checkpoints go, and who hears of them."""

    checkpoint: str | None = None
    progress: Progress = silent
    report: Report = silent

    def path(self, name: str) -> str | None:
        """The checkpoint of a stage of this name."""
        return f"{self.checkpoint}{'.' if name else ''}{name}" if self.checkpoint is not None else None

    def learn(self, stage: Stage, data: Sequence[Any], judge: Judge | None = None, *, is_part: bool = False) -> Trained:
        """Train until the schedule's end, or until the score of ``judge`` no longer gains; keep the best epoch.

        The checkpoint is written after an epoch that ends `SECONDS_BETWEEN_CHECKPOINTS` or more after the last one was,
        and at the end. ``data`` is all that the weights depend on besides the header and the schedule: a checkpoint of
        something else is an error. Of what ``is_part`` of something that is kept, the end is not saved, and only the
        last epoch is reported.
        """
        # More epochs may be added, and the number of threads changes nothing.
        schedule = asdict(stage.schedule) | {"epochs": 0, "threads": 0}
        identity = identity_of(stage.name, stage.header(), schedule, *data)
        path = self.path(stage.name) if stage.is_kept else None
        judge = judge if stage.is_judged else None
        epochs, best = _resumed(stage, identity, path)
        for epoch in epochs if not is_part else ():
            self.report(epoch)
        saved = time.monotonic()
        while not _is_over(epochs, stage.schedule):
            loss = stage.epoch(len(epochs), partial(self.progress, stage.name or "training"))
            epoch = Epoch(len(epochs) + 1, loss, stage=stage.name)
            if judge is not None:
                arrays = stage.arrays()
                scores = tuple(judge(stage, arrays))
                is_best = all(scores[-1].value > before.scores[-1].value for before in epochs)
                epoch = Epoch(epoch.number, loss, scores, is_best, stage.name)
                best = arrays if is_best else best
            epochs.append(epoch)
            is_over = _is_over(epochs, stage.schedule)
            if is_over or not is_part:
                self.report(epoch)
            is_due = time.monotonic() - saved >= SECONDS_BETWEEN_CHECKPOINTS
            if path is not None and (is_due or (is_over and not is_part)):
                _save(stage, epochs, best, identity, path)
                saved = time.monotonic()
        return Trained(best if judge is not None else stage.arrays(), epochs)

    def by_parts(
        self, name: str, data: Sequence[Any], makers: Sequence[Callable[[], npt.NDArray[Any]]]
    ) -> Iterator[npt.NDArray[Any]]:
        """What each of them makes; all that was made is kept, so that a kill costs the part at hand."""
        path, identity = self.path(name), identity_of(name, *data)
        made = kept_arrays(path, identity)[1] if path is not None and os.path.exists(path) else {}
        for number, make in enumerate(makers):
            key = f"{number:03}"
            if key not in made:
                made[key] = make()
                if path is not None:
                    write_container(path, {"checkpoint": identity}, made)
            self.progress(name, number + 1, len(makers))
            yield made[key]


def portions(order: Order, done: Done) -> Iterator[Order]:
    """Cut an order of sentences into parts; each is ``done`` when the next is asked for."""
    for begin in range(0, len(order), PORTION):
        part = np.ascontiguousarray(order[begin : begin + PORTION])
        yield part
        done(begin + len(part), len(order))


def as_treebank(source: Treebank | Source) -> Treebank:
    """A treebank, read if need be."""
    return source if isinstance(source, Treebank) else read(source)


def must_be_writable(checkpoint: Path | None, save_as: Path | None, replace: bool) -> None:
    """An error for files that could not be written in the end, and for a model that may not be replaced."""
    for path in (checkpoint, save_as):
        if path is not None:
            try_target(path)
    if save_as is not None and not replace:
        must_be_new(save_as)


def remove(paths: Iterable[str]) -> None:
    """Remove files as far as they are there."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


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


def _save(stage: Stage, epochs: list[Epoch], best: Arrays, identity: str, path: str) -> None:
    arrays = {f"state.{name}": array for name, array in stage.state().items()}
    arrays |= {f"best.{name}": array for name, array in best.items()}
    write_container(path, {"checkpoint": identity, "epochs": [asdict(epoch) for epoch in epochs]}, arrays)


def _resumed(stage: Stage, identity: str, path: str | None) -> tuple[list[Epoch], Arrays]:
    if path is None or not os.path.exists(path):
        return [], {}
    header, arrays = kept_arrays(path, identity)
    stage.resume(arrays_under("state", arrays))
    epochs = [Epoch(**{**each, "scores": tuple(Score(*pair) for pair in each["scores"])}) for each in header["epochs"]]
    return epochs, arrays_under("best", arrays)


def arrays_under(place: str, arrays: Arrays) -> Arrays:
    """The arrays whose names begin with a place, without it."""
    return {name.removeprefix(f"{place}."): array for name, array in arrays.items() if name.startswith(f"{place}.")}


def kept_arrays(path: str, identity: str) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a checkpoint; one of another training is an error."""
    try:
        header, arrays = read_container(path)
    except NonprojError as error:
        raise NonprojError(f"{error}; it is a checkpoint: {_ANEW}") from None
    if header.get("checkpoint") != identity:
        raise NonprojError(
            f"{path}: left by a training with other data or options: repeat that training to go on with it; {_ANEW}"
        )
    return header, arrays
