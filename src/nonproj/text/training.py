"""Training of all steps: tokens, tags and lemmas, trees; each with its checkpoints, so that a kill costs little."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser import Parser
from nonproj.parser.kinds import recipe_of
from nonproj.parser.options import Options, Schedule
from nonproj.parser.parser import checkpoints_of_trees
from nonproj.parser.settling import folds
from nonproj.parser.training import Arrays, Run, Score, Stage
from nonproj.parser.vocabulary import columns_in
from nonproj.text.tagger import TAGS, Tagger, TagStage
from nonproj.text.tokenizer import ENDS, Tokenizer, trained_tokenizer
from nonproj.treebank import Treebank, read

STEPS = ("tokens", "tags", "parse")
FOLDED = "tags-predicted"
"""The checkpoint of the folds whose tags are predicted."""
FOLDS = 10
TAG_EPOCHS, FOLD_EPOCHS = 16, 8


@dataclass
class Job:
    """What all steps of a training share, and the tagger once there is one."""

    train: Treebank
    dev: Treebank | None
    options: Options
    gold_tags: bool
    epochs: int | None
    patience: int | None
    seed: int
    threads: int
    run: Run
    tell: Callable[[str], None]
    tagger: Tagger | None = None

    def columns(self) -> list[str]:
        """The columns of tags and lemmas to learn: those that the dev set has too."""
        columns = columns_in(self.train)
        if self.dev is None:
            return columns
        found = [name for name in columns if name in columns_in(self.dev)]
        if not found:
            raise NonprojError(
                f"{self.dev.name}: none of {', '.join(columns)} is in the dev set: give one with tags, or leave the "
                "step tags out"
            )
        return found

    def lacking(self) -> list[str]:
        """The columns that the dev set leaves empty, if it has any: what is parsed will not have them either."""
        given = [] if self.dev is None else columns_in(self.dev)
        return [name for name in columns_in(self.train) if name not in given] if given else []

    def data(self, train: Treebank | None = None) -> list[Any]:
        """What weights depend on, of all training sentences or some, besides headers and schedules."""
        dev = b"" if self.dev is None else bytes(self.dev)
        return [self.seed, bytes(train if train is not None else self.train), dev]


def chosen_steps(steps: str | Iterable[str], train: Treebank) -> list[str]:
    """Names of steps, in order; ``"all"`` takes what the treebank supports.

    >>> from nonproj.treebank import example_treebank
    >>> chosen_steps("all", example_treebank()), chosen_steps("parse", example_treebank())
    (['tokens', 'tags', 'parse'], ['parse'])
    """
    names = steps.replace(",", " ").split() if isinstance(steps, str) else list(steps)
    for name in names:
        if name not in (*STEPS, "all"):
            raise NonprojError(f"there is no step {name!r}: steps are {', '.join(STEPS)}, or all of them")
    if not names:
        raise NonprojError(f"no step to train: name some of {', '.join(STEPS)}")
    if "all" not in names:
        return [step for step in STEPS if step in names]
    # CoNLL-X does not say where spaces are.
    supported = {"tokens": train.format == "conllu", "tags": bool(columns_in(train)), "parse": True}
    return [step for step in STEPS if supported[step]]


def trained(job: Job, steps: list[str]) -> tuple[Tokenizer | None, Tagger | None, Parser | None]:
    """What each of these steps learns, in order; what a later one would refuse is refused before the first."""
    if "tags" in steps:
        job.columns()
    if "parse" in steps:
        recipe_of(job.options)
    found: dict[str, Any] = dict.fromkeys(STEPS)
    for step in steps:
        if step == "tags" and "parse" in steps and job.options.joint:
            continue
        began = time.monotonic()
        found[step] = _TRAIN[step](job)
        job.tagger = found["tags"]
        job.tell(f"{'trees' if step == 'parse' else step}: done in {time.monotonic() - began:.1f} s")
    return found["tokens"], found["tags"], found["parse"]


def train_tokens(job: Job) -> Tokenizer:
    """The tokenizer: epochs over the text, then how sure the end of a sentence must be."""
    return trained_tokenizer(job.run, job.train, job.dev, job.data())


def train_tags(job: Job) -> Tagger:
    """The tagger, by the epoch that is best on the dev set."""
    for name in job.lacking():
        job.tell(f"tags: the dev set has no {name}, so it is not learnt")

    def judge(stage: Stage, arrays: Arrays) -> list[Score]:
        assert job.dev is not None
        tagger = Tagger.from_content(stage.header(), arrays)
        found = tagger.fill_in(job.dev, threads=job.threads)
        right = np.ones(len(job.dev.heads), bool)
        for name in tagger.columns:
            if name in TAGS:
                right &= np.array(found.column(name), object) == np.array(job.dev.column(name), object)
        return [Score("tags", 100 * float(right.mean()))]

    stage = TagStage(job.train, job.columns(), Schedule(TAG_EPOCHS, seed=job.seed))
    trained = job.run.learn(stage, job.data(), None if job.dev is None else judge)
    return Tagger.from_content(stage.header(), trained.arrays)


def jackknifed(job: Job) -> Treebank:
    """The training set with predicted tags: each fold by a tagger that was trained on the others.

    The folds that are done are kept, so that a kill costs no more than the fold at hand.
    """
    began, parts = time.monotonic(), folds(job.train, FOLDS)
    if len(parts) < FOLDS:
        raise NonprojError(f"{job.train.name}: too few sentences to predict tags for: train with --gold-tags")

    def tagged(number: int, others: Treebank, part: Treebank) -> npt.NDArray[np.uint8]:
        stage = TagStage(others, job.columns(), Schedule(FOLD_EPOCHS, seed=job.seed), f"tags-{number}")
        trained = job.run.learn(stage, job.data(others), is_part=True)
        tagger = Tagger.from_content(stage.header(), trained.arrays)
        return np.frombuffer(tagger.filled_text(part, tagger.columns, job.threads), np.uint8)

    makers = [partial(tagged, number, *part) for number, part in enumerate(parts, 1)]
    text = np.concatenate(list(job.run.by_parts(FOLDED, [*job.data(), job.columns()], makers)))
    job.tell(f"tags of the training set, predicted in {FOLDS} folds: done in {time.monotonic() - began:.1f} s")
    return read(text.tobytes())


def train_trees(job: Job) -> Parser:
    """The parser, on predicted tags where there is a tagger; a network that predicts them needs none but beside it."""
    train, dev, predicted = job.train, job.dev, None
    # With too few sentences for folds, gold tags are all there is.
    is_gold = job.gold_tags or len(train) < 2 * FOLDS
    if job.options.joint:
        predicted = jackknifed(job) if job.options.linear and not is_gold else None
    elif job.tagger is not None and not is_gold:
        train = jackknifed(job)
        dev = None if dev is None else job.tagger.fill_in(dev, threads=job.threads)
    lacking = job.lacking()
    if lacking:
        job.tell(f"trees: the dev set has no {', '.join(lacking)}, so it is not learnt from")
        empty = {name: ["_"] * len(train.heads) for name in lacking}
        train = train.with_columns(**empty)
        predicted = None if predicted is None else predicted.with_columns(**empty)
    return Parser.train(
        train,
        dev,
        options=job.options,
        predicted=predicted,
        epochs=job.epochs,
        patience=job.patience,
        seed=job.seed,
        threads=job.threads,
        checkpoint=job.run.checkpoint,
        keeps_checkpoint=True,
        progress=job.run.progress,
        report=job.run.report,
    )


_TRAIN: dict[str, Callable[[Job], Any]] = {"tokens": train_tokens, "tags": train_tags, "parse": train_trees}


def checkpoints(base: str) -> list[str]:
    """All checkpoints there may be; that of the trees has no addition.

    >>> checkpoints("m.checkpoint")[:4]
    ['m.checkpoint', 'm.checkpoint.linear', 'm.checkpoint.network', 'm.checkpoint.half-1']
    """
    steps = ("tokens", ENDS, "tags", *(f"tags-{fold}" for fold in range(1, FOLDS + 1)), FOLDED)
    return [*checkpoints_of_trees(base), *(f"{base}.{step}" for step in steps)]
