"""The same jobs past one machine: over any executor, such as Dask's, on files of any size and place.

``coverage``, ``classify``, ``parse`` and ``evaluate`` give what their namesakes in one process give, bit by bit,
however the work was cut and in whatever order it was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nonproj.distributed.jobs import Done, Notice, Plan, Progress, counted, refuse, run_job, silent
from nonproj.distributed.models import Model
from nonproj.distributed.places import joined_path, places, raw_blocks
from nonproj.distributed.running import LeftOut
from nonproj.distributed.splitting import Piece, fair_size
from nonproj.distributed.work import ClassifyJob, CoverageJob, EvaluateJob, ParseJob, Record
from nonproj.errors import NonprojError
from nonproj.parser import Evaluation, SearchReport
from nonproj.parser.evaluation import CLASSES, Convention
from nonproj.report.coverage import TOTAL, Coverage, TreebankCoverage, copies_of
from nonproj.report.names import path_of
from nonproj.state import states_in
from nonproj.treebank import Filter, Skipped
from nonproj.treebank.compression import decompress, kind_of
from nonproj.treebank.document import OnError
from nonproj.treebank.inputs import title
from nonproj.trees import Profiles, TreeClass, tree_classes
from nonproj.trees.profile import Gathering

if TYPE_CHECKING:
    import os

__all__ = ["LeftOut", "Model", "Written", "classify", "coverage", "evaluate", "parse"]

MEGABYTE = 1 << 20
# Text for two to thirty seconds of one core: sending a task costs little beside it, and so does doing one again.
SIZES = {"coverage": 1024, "evaluate": 256, "classify": 128, "parse": 32}


def _plan(
    job: str,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    megabytes: float | None,
    notice: Notice,
) -> Plan:
    """Cut what there is to read into tasks, of the size asked for or one that suits the job."""
    if megabytes is not None and megabytes <= 0:
        raise NonprojError(f"the size of a task must be more than 0 megabytes, not {megabytes}")
    found = places(paths)
    size = fair_size(found, SIZES[job] * MEGABYTE) if megabytes is None else max(1, int(megabytes * MEGABYTE))
    plan = Plan.of(found, size, ends_finely=megabytes is None)
    for note in plan.notes:
        notice(note)
    return plan


def _asked(only: Filter | None) -> Filter | None:
    """A filter that leaves something out, or none: so that the same job is known by the same options."""
    return None if only is None or only.keeps_all else only


def coverage(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    executor: Executor,
    by: str = "file",
    on_error: OnError = "stop",
    dummy: Literal["left", "right", "none"] = "left",
    only: Filter | None = None,
    folder: str | None = None,
    megabytes: float | None = None,
    left_out: list[LeftOut] | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> Coverage:
    """Measure which classes cover treebanks, as `nonproj.coverage` does, with the work done by an executor.

    Parameters
    ----------
    paths
        Files, folders and patterns, here or wherever fsspec reaches (``s3://``, ``gs://``, ``https://`` ...).
    classes, by, on_error, dummy, only
        As in `nonproj.coverage`.
    executor
        Any `concurrent.futures.Executor`: ``Client(...).get_executor(pure=False)`` of Dask, or a pool.
    folder
        Where to keep what each task found: run again, those are not done again.
    megabytes
        About how much text a task reads.
    left_out
        A list that is told which files no worker could do; without it such a file is an error.
    progress, notice
        Called with (tasks done, tasks, sentences), and with what is to be said.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from importlib.resources import files
    >>> sample = str(files("nonproj.treebank").joinpath("sample.conllu"))
    >>> import nonproj
    >>> with ThreadPoolExecutor(2) as executor:
    ...     coverage(sample, "Pr WG1", executor=executor, megabytes=0.01) == nonproj.coverage(sample, "Pr WG1")
    True
    """
    chosen = tree_classes(classes, dummy=dummy)
    plan = _plan("coverage", paths, megabytes, notice)
    asked = _asked(only)
    if asked is not None and asked.asks_for_ids:
        plan, _ = counted(plan, executor, on_error)  # a sentence without an id has its number in the file for one
    said = "" if asked is None else str(asked)
    held = [cls.name for cls in chosen if cls.solver.has_only_a_test]
    gatherings: dict[tuple[str, int], Gathering] = {}

    def fold(piece: Piece, record: Record) -> None:
        key = (TOTAL, 1) if by == TOTAL else (piece.source, piece.copy)
        found = Profiles.from_state(record.pop("rows"), held, dummy)
        if key in gatherings:
            gatherings[key].add(found)
        else:
            gatherings[key] = Gathering(found)

    job = CoverageJob(tuple(cls.name for cls in chosen), dummy, on_error, asked)
    done = run_job(job, plan, executor, folder, progress, fold)
    refuse(done.left_out, left_out)
    skipped, empty = done.skipped, done.empty
    profiles = {key: gathering.whole() for key, gathering in gatherings.items()}
    if by == TOTAL:
        every = [TreebankCoverage(TOTAL, found, chosen, skipped, [], empty) for found in profiles.values()]
        return Coverage.of_sources(every, chosen, by, dummy, said)
    done_of = {(pieces[0][0].source, pieces[0][0].copy): Done(pieces, [], []) for pieces in done.by_source()}
    rows = []
    for name, copy in copies_of([place.name for place in plan.found]):
        if (name, copy) in profiles:
            own, found = done_of[name, copy], profiles[name, copy]
            row = TreebankCoverage(title([name]), found, chosen, own.skipped, [], own.empty, name, copy, path_of(name))
            rows.append(row)
    return Coverage.of_sources(rows, chosen, by, dummy, said)


@dataclass
class Written:
    """What `classify` and `parse` wrote: the folder with its parts, and what there is to say of them."""

    folder: str
    parts: list[str]
    sentences: int
    words: int
    skipped: list[Skipped]
    empty: list[str]
    misfits: list[str] = field(default_factory=list)
    searches: SearchReport | None = None

    def blocks(self) -> Iterator[bytes]:
        """The text of all parts, one after the other, unpacked: what one process writes."""
        for name in self.parts:
            path = joined_path(self.folder, name)
            kind = kind_of(next(raw_blocks(path), b""))
            yield from decompress(raw_blocks(path), kind, path) if kind else raw_blocks(path)


def classify(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    folder: str,
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    executor: Executor,
    form: Literal["text", "json", "conllu", "parquet"] = "text",
    non_projective: bool = False,
    packed: Literal["", ".gz", ".bz2", ".xz", ".zst"] = "",
    on_error: OnError = "stop",
    dummy: Literal["left", "right", "none"] = "left",
    only: Filter | None = None,
    megabytes: float | None = None,
    left_out: list[LeftOut] | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> Written:
    """Measure every tree, and write a line, a JSON object, its sentence or a row of Parquet for each, in parts.

    The folder gets a part for each task and ``manifest.json``, with the counts and the SHA-256 of each. Run again, what
    is finished there is not done again. The other parameters are those of `coverage`.
    """
    if form == "parquet" and packed:
        raise NonprojError("Parquet is compressed inside: leave out packed=")
    plan = _plan("classify", paths, megabytes, notice)
    # Sentences without an id are named by their number in the file, which a piece has to know.
    plan, _ = counted(plan, executor, on_error)
    chosen = tuple(cls.name for cls in tree_classes(classes, dummy=dummy))
    job = ClassifyJob(chosen, form, non_projective, packed, on_error, _asked(only), dummy)
    done = run_job(job, plan, executor, folder, progress)
    refuse(done.left_out, left_out)
    parts = [str(record["part"]["name"]) for record in done.parts]
    return Written(folder, parts, done.sentences, done.words, done.skipped, done.empty)


def parse(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    folder: str,
    model: Model,
    *,
    executor: Executor,
    report: bool = False,
    packed: Literal["", ".gz", ".bz2", ".xz", ".zst"] = "",
    on_error: OnError = "stop",
    megabytes: float | None = None,
    left_out: list[LeftOut] | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> Written:
    """Parse treebanks with a trained model, in parts, as `classify` writes them.

    ``model`` is ``Model.of(path)``: every worker loads it once. ``report`` counts which trees are proven best.
    """
    plan = _plan("parse", paths, megabytes, notice)
    done = run_job(ParseJob(model, report, packed, on_error), plan, executor, folder, progress)
    refuse(done.left_out, left_out)
    parts = [str(record["part"]["name"]) for record in done.parts]
    written = Written(folder, parts, done.sentences, done.words, done.skipped, done.empty)
    records = [record for _, record in done.pieces if "left_out" not in record]
    # In one process the first sentences tell what the input lacks: so do those of the first piece.
    written.misfits = list(records[0]["misfits"]) if records else []
    if report:
        found = [record["searches"] for record in records]
        written.searches = SearchReport(
            trees=sum(each["trees"] for each in found),
            proven=sum(each["proven"] for each in found),
            unbounded=sum(each["unbounded"] for each in found),
            climbing_errors=sum(each["climbing_errors"] for each in found),
            max_gap=max((each["max_gap"] for each in found), default=0.0),
        )
    return written


def evaluate(
    gold: str | os.PathLike[str],
    systems: Sequence[str | os.PathLike[str]],
    *,
    executor: Executor,
    convention: Convention | None = None,
    classes: str | Iterable[str | TreeClass] = CLASSES,
    folder: str | None = None,
    megabytes: float | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> list[Evaluation]:
    """Compare parsed treebanks with the gold standard, each a file, a folder or a pattern with the same sentences.

    Sentences are counted first, so that files may be cut at different places. With several systems the evaluations have
    counts by sentence, for `Evaluation.compare`, which grow with the data; with one they have not.
    """
    plans, counts = [], []
    for paths in (gold, *systems):
        plan, done = counted(_plan("evaluate", paths, megabytes, notice), executor, "stop", only_split=False)
        plans.append(plan)
        counts.append(done)
    names = tuple(str(paths) for paths in (gold, *systems))
    for name, done in zip(names[1:], counts[1:], strict=True):
        if done.sentences != counts[0].sentences:
            raise NonprojError(f"{names[0]} has {counts[0].sentences} sentences and {name} has {done.sentences}")
    if counts[0].sentences == 0:
        raise NonprojError(f"{names[0]}: nothing to evaluate on: there are no sentences")
    if convention not in (None, "conllu", "conllx"):
        raise NonprojError(f"convention must be 'conllu' or 'conllx', not {convention!r}")
    forms = {form for _, record in counts[0].pieces for form in record["forms"]}
    chosen: Convention = convention or ("conllx" if forms == {"conllx"} else "conllu")
    pieces = tuple(tuple(piece for group in plan.groups for piece in group) for plan in plans[1:])
    job = EvaluateJob(pieces, names, chosen, tuple(cls.name for cls in tree_classes(classes)))
    done = run_job(job, plans[0], executor, folder, progress)
    refuse(done.left_out, None)
    found: list[Any] = [0] * len(systems)
    for _, record in done.pieces:
        for i, each in enumerate(record["evaluations"]):
            found[i] = found[i] + _evaluation(each)
    return found


def _evaluation(record: Record) -> Evaluation:
    ((_, content),) = states_in(record["state"].encode(), "record")
    part = Evaluation.from_state(content)
    heads, arcs, words = (np.array(counts, np.int64) for counts in record["by_sentence"])
    return Evaluation(**{**vars(part), "right_heads": heads, "right_arcs": arcs, "words_of": words})
