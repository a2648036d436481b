"""Training of all steps: tokens, tags and lemmas, trees; each with its checkpoints, so that a kill costs little."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from nonproj.errors import NonprojError
from nonproj.parser import Parser
from nonproj.parser.container import write_container
from nonproj.parser.learner import Progress
from nonproj.parser.options import NeuralOptions, Options, Schedule
from nonproj.parser.parser import checkpoints_of_trees
from nonproj.parser.training import Epoch, identity_of, kept_arrays, train_epochs
from nonproj.parser.vocabulary import columns_in
from nonproj.text.tagger import TAGS, Tagger, TagLearner
from nonproj.text.tokenizer import EPOCHS, NOTHING_TRIED, Counts, Tokenizer, TokenLearner
from nonproj.treebank import Treebank, read

STEPS = ("tokens", "tags", "parse")
ENDS = "tokens-ends"
"""The checkpoint of what settles where sentences end."""
FOLDED = "tags-predicted"
"""The checkpoint of the folds whose tags are predicted."""
FOLDS = 10
TAG_SCHEDULE = Schedule(epochs=16, patience=3)
FOLD_SCHEDULE = Schedule(epochs=8)
TOKEN_SCHEDULE = Schedule(epochs=EPOCHS)


@dataclass(frozen=True)
class StepEpoch:
    """An epoch of a step before the trees: the loss on the way, and the share of right tags on the dev set."""

    step: str
    epoch: Epoch

    def __str__(self) -> str:
        right = "" if self.epoch.las is None else f"  dev tags {self.epoch.las:.2f}"
        best = "  best" if right and self.epoch.is_best else ""
        return f"{self.step}: epoch {self.epoch.number:2}  loss {self.epoch.loss:.4f}{right}{best}"


@dataclass
class Job:
    """What all steps of a training share."""

    train: Treebank
    dev: Treebank | None
    seed: int
    threads: int
    checkpoint: str | None
    progress: Progress
    report: Callable[[Any], None]
    tell: Callable[[str], None]

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

    def path(self, step: str) -> str | None:
        """Where the checkpoint of a step is."""
        return None if self.checkpoint is None else f"{self.checkpoint}.{step}"

    def identity(self, step: str, learner: Any, treebank: Treebank, patience: int) -> str:
        """A digest of all that a step depends on."""
        dev = b"" if self.dev is None else bytes(self.dev)
        return identity_of(step, learner.header(), self.seed, patience, bytes(treebank), dev)

    def run(
        self, step: str, learner: Any, treebank: Treebank, score: Any, schedule: Schedule, is_fold: bool = False
    ) -> Any:
        """Train a step to its end, or go on with it; the best arrays that it had.

        Of a fold only the last epoch is reported, and what is kept at its end is up to the caller.
        """
        identity = self.identity(step, learner, treebank, schedule.patience)

        def report(epoch: Epoch) -> None:
            if not is_fold or epoch.number == schedule.epochs:
                self.report(StepEpoch(step, epoch))

        def progress(_: str, done: int, total: int) -> None:
            self.progress(step, done, total)

        own = Schedule(schedule.epochs, schedule.patience, self.seed, self.threads)
        path, ends = self.path(step), not is_fold
        trained = train_epochs(learner, len(treebank), score, own, identity, path, progress, report, saves_end=ends)
        return trained.arrays


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


def train_tokens(job: Job) -> Tokenizer:
    """The tokenizer: epochs over the text, then how sure the end of a sentence must be."""
    began = time.monotonic()
    learner = TokenLearner(job.train, job.dev)
    arrays = job.run("tokens", learner, job.train, None, TOKEN_SCHEDULE)
    settle_ends(job, learner)
    model = learner.model()  # with lexicons, rules and threshold
    for name in learner.tables:
        model.fill(name, arrays[f"{name}.marks"], arrays[f"{name}.values"])
    job.tell(f"tokens: done in {time.monotonic() - began:.1f} s")
    return Tokenizer(model, learner.bits)


def settle_ends(job: Job, learner: TokenLearner) -> None:
    """Settle where sentences end; what was counted on each part is kept, so that a kill costs one of them."""
    path = job.path(ENDS)
    identity = job.identity(ENDS, learner, job.train, TOKEN_SCHEDULE.patience)
    tried = NOTHING_TRIED
    if path is not None and os.path.exists(path):
        tried = kept_arrays(path, identity)["tried"].astype(np.int64)

    def keep(counted: Counts) -> None:
        if path is not None:
            write_container(path, {"checkpoint": identity}, {"tried": counted.astype(np.uint64)})

    learner.settle(lambda _, done, total: job.progress("tokens", done, total), tried, keep)


def train_tags(job: Job) -> Tagger:
    """The tagger, by the epoch that is best on the dev set."""
    began = time.monotonic()
    for name in _lacking(job):
        job.tell(f"tags: the dev set has no {name}, so it is not learnt")
    tagger = _tagger(job, "tags", job.train, TAG_SCHEDULE, job.dev)
    job.tell(f"tags: done in {time.monotonic() - began:.1f} s ({', '.join(tagger.columns)})")
    return tagger


def _tagger(
    job: Job, step: str, treebank: Treebank, schedule: Schedule, dev: Treebank | None, is_fold: bool = False
) -> Tagger:
    columns = job.columns()
    learner = TagLearner(treebank, columns, job.seed)

    def score(model: Any) -> tuple[float, float]:
        assert dev is not None
        found = Tagger(model, columns, learner.bits).fill_in(dev, threads=job.threads)
        right = np.ones(len(dev.heads), bool)
        for name in columns:
            if name in TAGS:
                right &= np.array(found.column(name), object) == np.array(dev.column(name), object)
        return (100 * float(right.mean()),) * 2

    arrays = job.run(step, learner, treebank, None if dev is None else score, schedule, is_fold)
    model = learner.model()  # with tags, rules and lexicons
    for name in learner.tables:
        model.fill(name, arrays[f"{name}.marks"], arrays[f"{name}.values"])
    return Tagger(model, columns, learner.bits)


def jackknifed(job: Job) -> Treebank:
    """The training set with predicted tags: each fold by a tagger that was trained on the others.

    The folds that are done are kept, so that a kill costs no more than the fold at hand.
    """
    began = time.monotonic()
    bounds = np.linspace(0, len(job.train), FOLDS + 1).astype(int).tolist()
    if len(set(bounds)) <= FOLDS:
        raise NonprojError(f"{job.train.name}: too few sentences to predict tags for: train with --gold-tags")
    parts: list[bytes] = []
    path, identity = job.path(FOLDED), identity_of(FOLDED, job.columns(), job.seed, bytes(job.train))
    if path is not None and os.path.exists(path):
        kept = kept_arrays(path, identity)
        parts = [text.tobytes() for text in np.split(kept["text"], kept["ends"].astype(np.int64)[:-1])]
    for fold, (begin, end) in enumerate(pairwise(bounds), 1):
        if fold <= len(parts):
            continue
        others = job.train[:begin] + job.train[end:]
        tagger = _tagger(job, f"tags-{fold}", others, FOLD_SCHEDULE, None, is_fold=True)
        parts.append(tagger.filled_text(job.train[begin:end], tagger.columns, job.threads))
        if path is not None:
            ends = np.cumsum([len(part) for part in parts]).astype(np.uint64)
            text = np.frombuffer(b"".join(parts), np.uint8)
            write_container(path, {"checkpoint": identity}, {"text": text, "ends": ends})
    job.tell(f"tags of the training set, predicted in {FOLDS} folds: done in {time.monotonic() - began:.1f} s")
    return read(b"".join(parts))


def train_trees(
    job: Job,
    tagger: Tagger | None,
    gold_tags: bool,
    options: Options | None,
    epochs: int | None,
    patience: int | None,
) -> Parser:
    """The parser, on predicted tags where there is a tagger; a network that predicts them needs none but beside it."""
    began = time.monotonic()
    train, dev = job.train, job.dev
    predicted = None
    if is_joint(options):
        assert isinstance(options, NeuralOptions)
        predicted = jackknifed(job) if options.linear and not gold_tags else None
    elif tagger is not None and not gold_tags:
        train = jackknifed(job)
        dev = None if dev is None else tagger.fill_in(dev, threads=job.threads)
    lacking = _lacking(job)
    if lacking:
        job.tell(f"trees: the dev set has no {', '.join(lacking)}, so it is not learnt from")
        train = _without(train, lacking)
        predicted = None if predicted is None else _without(predicted, lacking)
    parser = Parser.train(
        train,
        dev,
        options=options,
        predicted=predicted,
        epochs=epochs,
        patience=patience,
        seed=job.seed,
        threads=job.threads,
        checkpoint=job.checkpoint,
        keeps_checkpoint=True,
        progress=job.progress,
        report=job.report,
    )
    job.tell(f"trees: done in {time.monotonic() - began:.1f} s")
    return parser


def _lacking(job: Job) -> list[str]:
    """The columns that the dev set leaves empty, if it has any: what is parsed will not have them either."""
    given = [] if job.dev is None else columns_in(job.dev)
    return [name for name in columns_in(job.train) if name not in given] if given else []


def _without(treebank: Treebank, names: list[str]) -> Treebank:
    """The treebank with these columns empty."""
    return treebank.with_columns(**dict.fromkeys(names, ["_"] * len(treebank.heads)))


def is_joint(options: Options | None) -> bool:
    """Whether a parser predicts tags itself."""
    return isinstance(options, NeuralOptions) and options.joint


def checkpoints(base: str) -> list[str]:
    """All checkpoints there may be; that of the trees has no addition.

    >>> checkpoints("m.checkpoint")[:4]
    ['m.checkpoint', 'm.checkpoint.network', 'm.checkpoint.half-1', 'm.checkpoint.half-1.network']
    """
    steps = ("tokens", ENDS, "tags", *(f"tags-{fold}" for fold in range(1, FOLDS + 1)), FOLDED)
    return [*checkpoints_of_trees(base), *(f"{base}.{step}" for step in steps)]
