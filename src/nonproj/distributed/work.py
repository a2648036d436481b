"""What a worker does: a task's pieces one after the other, in memory that does not grow, counts in return.

A job says what to do with a piece; it goes to the workers with every task, so it is small. What comes back, and what is
kept beside the parts to be found when the job is run again, is a record: names and whole numbers alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from nonproj.distributed.arrow import parquet_writer, sentence_table
from nonproj.distributed.models import Model
from nonproj.distributed.places import Hashed, joined_path, write_whole
from nonproj.distributed.running import Task
from nonproj.distributed.splitting import Piece, text_of
from nonproj.errors import NonprojError
from nonproj.parser import Evaluation, SearchReport, evaluate
from nonproj.parser.evaluation import Convention
from nonproj.parser.vocabulary import Fit
from nonproj.report.classified import FORMATS, measured
from nonproj.treebank import Filter, Treebank
from nonproj.treebank.compression import packing
from nonproj.treebank.document import BYTE_ORDER_MARK, Document, OnError, ReadOptions, Skipped, nothing_in, sent_id_in
from nonproj.treebank.reading import block_documents
from nonproj.treebank.writing import joined, missing_end
from nonproj.trees import TreeClass, profile_trees, tree_classes
from nonproj.trees.profile import Gathering

Record = dict[str, Any]


class Edges(NamedTuple):
    """Whether a piece is the very first and the very last of the job."""

    is_first: bool
    is_last: bool


class Reader:
    """The documents of a piece, and what is to be said of it: its counts, and what was left out."""

    def __init__(self, piece: Piece, options: ReadOptions) -> None:
        self.piece, self.options = piece, options
        self.record: Record = {"piece": str(piece), "sentences": 0, "words": 0, "lines": 0, "numbers": 0}
        self.record |= {"skipped": [], "empty": ""}
        self._something = b""

    def documents(self) -> Iterator[Document]:
        """Index the text block by block; at a fault stop, unless faults are to be skipped."""
        piece, record = self.piece, self.record
        blocks = block_documents(
            self._seen(),
            piece.source,
            self.options,
            form=piece.form,
            line=piece.first_line,
            number=piece.first_sentence,
        )
        for document in blocks:
            record["sentences"] += len(document)
            record["words"] += len(document.heads)
            record["numbers"] = document.index.rest_number - piece.first_sentence
            record["lines"] = document.index.rest_line - piece.first_line + document.rest.count(b"\n")
            yield document
            self.leave_out(document.skipped)
            if self.is_stopped:
                return
        if not record["sentences"] and not record["skipped"]:
            record["empty"] = nothing_in(self._something)

    def treebanks(self, only: Filter | None) -> Iterator[Treebank]:
        """Block by block the sentences that are asked for."""
        for document in self.documents():
            treebank = Treebank.from_documents([document], self.piece.source)
            yield treebank if only is None else only.apply(treebank)

    @property
    def is_stopped(self) -> bool:
        """Whether there was a fault where faults are not skipped."""
        return bool(self.record["skipped"]) and self.options.on_error == "stop"

    def leave_out(self, skipped: list[Skipped]) -> None:
        """Note faults: the line, the id, whether that is but a number, what is wrong."""
        for each in skipped:
            is_number = sent_id_in(each.text) is None
            self.record["skipped"].append([each.line, each.sent_id, is_number, each.message])

    def _seen(self) -> Iterator[bytes]:
        for block in text_of(self.piece):
            if len(self._something) < 4096:
                self._something += block[:4096]
            yield block


@dataclass(frozen=True)
class CountJob:
    """How many sentences and lines each piece has: for what needs their numbers."""

    on_error: OnError = "stop"
    name: ClassVar[str] = "count"
    ending: ClassVar[str] = ""

    def do(self, piece: Piece, write: Callable[[Any], Any], edges: Edges) -> Record:
        """Count."""
        reader = Reader(piece, ReadOptions(self.on_error))
        forms = {document.format for document in reader.documents() if len(document)}
        return {**reader.record, "forms": sorted(forms)}


@dataclass(frozen=True)
class CoverageJob:
    """The profiles of all trees, gathered."""

    classes: tuple[str, ...]
    dummy: str = "left"
    on_error: OnError = "stop"
    only: Filter | None = None
    name: ClassVar[str] = "coverage"
    ending: ClassVar[str] = ""

    def do(self, piece: Piece, write: Callable[[Any], Any], edges: Edges) -> Record:
        """Measure."""
        reader = Reader(piece, ReadOptions(self.on_error))
        solvers = [cls.solver for cls in tree_classes(self.classes)]
        gathering = Gathering(profile_trees([], [0], solvers=solvers, dummy=self.dummy))
        for treebank in reader.treebanks(self.only):
            profiles = profile_trees(treebank.heads, treebank.offsets, solvers=solvers, threads=1, dummy=self.dummy)
            gathering.add(profiles)
        return {**reader.record, "rows": gathering.whole().to_state()}


@dataclass(frozen=True)
class ClassifyJob:
    """A line, an object, the sentence with comments, or a row of Parquet for each tree."""

    classes: tuple[str, ...]
    form: str = "text"
    non_projective: bool = False
    packed: str = ""
    on_error: OnError = "stop"
    only: Filter | None = None
    dummy: str = "left"
    name: ClassVar[str] = "classify"

    @property
    def ending(self) -> str:
        """How names of parts end."""
        return {"text": ".txt", "json": ".jsonl", "conllu": ".conllu", "parquet": ".parquet"}[self.form] + self.packed

    def do(self, piece: Piece, write: Callable[[Any], Any], edges: Edges) -> Record:
        """Measure and write."""
        reader = Reader(piece, ReadOptions(self.on_error))
        classes = tree_classes(self.classes)
        for treebank in reader.treebanks(self.only):
            if self.form == "parquet":
                write(self._rows(treebank, piece.source, classes))
            elif len(treebank):
                chosen = (
                    FORMATS[self.form](sentence, values, outside)
                    for sentence, values, outside in measured(list(treebank), classes, 1, self.dummy)
                    if not self.non_projective or values["core"] > 0
                )
                write("".join(chosen).encode())
        return reader.record

    def _rows(self, treebank: Treebank, source: str, classes: list[TreeClass]) -> Any:
        if self.non_projective:
            profiles = profile_trees(treebank.heads, treebank.offsets, wanted=["core"], threads=1)
            crossing = profiles.column("core") > 0
            treebank = Treebank(sentence for sentence, crosses in zip(treebank, crossing, strict=True) if crosses)
        return sentence_table(treebank, source, classes, self.dummy)


@dataclass(frozen=True)
class ParseJob:
    """The sentences with the heads and relations that a parser finds."""

    model: Model
    report: bool = False
    packed: str = ""
    on_error: OnError = "stop"
    name: ClassVar[str] = "parse"

    @property
    def ending(self) -> str:
        """How names of parts end."""
        return ".conllu" + self.packed

    def do(self, piece: Piece, write: Callable[[Any], Any], edges: Edges) -> Record:
        """Parse and write."""
        parser = self.model.parser()
        reader = Reader(piece, ReadOptions(self.on_error, ignores_heads=True))
        searches = SearchReport() if self.report else None
        fit = Fit(parser.vocabulary)

        def texts() -> Iterator[bytes]:
            for document in reader.documents():
                treebank = Treebank.from_documents([document], piece.source)
                if not fit.has_seen_enough:
                    fit.look(treebank)
                skipped: list[Skipped] = []
                yield from parser.parsed_texts(treebank, 1, "skip", skipped, searches)
                reader.leave_out(skipped)
                reader.record["sentences"] -= len(skipped)

        last = b""
        for number, text in enumerate(joined(texts())):
            # Parts that follow each other read as one file: a byte order mark only at its beginning.
            write(text if number or edges.is_first else text.removeprefix(BYTE_ORDER_MARK))
            last = text or last
        if last and not edges.is_last:
            write(missing_end(last))
        record = {**reader.record, "misfits": fit.misfits()}
        return {**record, "searches": vars(searches)} if searches is not None else record


@dataclass(frozen=True)
class EvaluateJob:
    """The scores of systems on the sentences of a piece, of which the systems have others of the same numbers."""

    systems: tuple[tuple[Piece, ...], ...]
    """All the pieces of each system, which have been counted."""
    names: tuple[str, ...]
    """What the gold standard and each system is called."""
    convention: Convention
    classes: tuple[str, ...]
    on_error: OnError = "stop"
    name: ClassVar[str] = "evaluate"
    ending: ClassVar[str] = ""

    def do(self, piece: Piece, write: Callable[[Any], Any], edges: Edges) -> Record:
        """Evaluate block by block."""
        reader = Reader(piece, ReadOptions("stop"))
        streams = [_Numbered(pieces) for pieces in self.systems]
        found: list[Any] = [0] * len(streams)
        at = piece.before
        for document in reader.documents():
            if not len(document):
                continue
            gold = Treebank.from_documents([document], self.names[0])
            for i, stream in enumerate(streams):
                system = stream.taken(at, len(gold))
                system.name = self.names[i + 1]
                try:
                    part = evaluate(gold, system, convention=self.convention, classes=list(self.classes))
                except NonprojError as error:
                    raise NonprojError(f"{error} (counted from sentence {at + 1} on)") from None
                found[i] = found[i] + (part if len(streams) > 1 else part.without_sentences())
            at += len(gold)
        return {**reader.record, "evaluations": [_evaluation_record(each) for each in found if each]}


def _evaluation_record(found: Evaluation) -> Record:
    counts = [found.right_heads, found.right_arcs, found.words_of]
    return {"state": found.to_state(), "by_sentence": [array.tolist() for array in counts]}


class _Numbered:
    """Sentences of a system by their numbers, read forward from the piece that has the first one asked for."""

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self._pieces = pieces
        self._blocks: Iterator[Treebank] | None = None
        self._held: Treebank | None = None
        self._at = 0

    def taken(self, first: int, count: int) -> Treebank:
        """So many sentences from one on; calls go forward."""
        if self._blocks is None:
            begin = max(i for i, piece in enumerate(self._pieces) if piece.before <= first)
            self._at = self._pieces[begin].before
            self._blocks = self._read(self._pieces[begin:])
        found = Treebank()
        while count > 0:
            block = self._held if self._held is not None else next(self._blocks, None)
            self._held = None
            if block is None:
                break
            skip = min(first - self._at, len(block))
            take = min(count, len(block) - skip)
            found += block[skip : skip + take]
            if skip + take < len(block):
                self._held = block[skip + take :]
            self._at += skip + take
            first, count = first + take, count - take
        return found

    @staticmethod
    def _read(pieces: tuple[Piece, ...]) -> Iterator[Treebank]:
        for piece in pieces:
            for document in Reader(piece, ReadOptions("stop")).documents():
                yield Treebank.from_documents([document], piece.source)
                document.raise_first_fault()


Job = CountJob | CoverageJob | ClassifyJob | ParseJob | EvaluateJob


def do_task(job: Job, folder: str | None, task: Task) -> Record:
    """Do a task on a worker: the record of it, after its part was written, if it has one."""
    whole: Record = {"task": task.name, "part": None}
    bad: dict[int, str] = {}
    while True:
        try:
            if job.ending and folder is not None:
                records: list[Record] = []
                part = joined_path(folder, task.name + job.ending)
                size, checksum = write_whole(part, lambda file, records=records: _fill(job, task, bad, file, records))  # type: ignore[misc]
                whole["part"] = {"name": task.name + job.ending, "bytes": size, "sha256": checksum}
            else:
                records = _records(job, task, bad, lambda text: None)
            break
        except _BadPiece as error:  # without it, again: half of its output may have been written
            bad[error.number] = error.message
    whole["pieces"] = records
    if folder is not None:
        text = json.dumps(whole, ensure_ascii=False).encode()
        write_whole(joined_path(folder, f"{task.name}.json"), lambda file: file.write(text))
    return whole


def _fill(job: Job, task: Task, bad: dict[int, str], file: Hashed, records: list[Record]) -> None:
    if isinstance(job, ClassifyJob) and job.form == "parquet":
        with parquet_writer(file, tree_classes(job.classes)) as writer:
            records += _records(job, task, bad, writer.write_table)
        return
    packed = packing(file, job.ending)  # type: ignore[arg-type]
    try:
        records += _records(job, task, bad, packed.write)
    finally:
        if packed is not file:  # type: ignore[comparison-overlap]
            packed.close()


class _BadPiece(Exception):
    """A piece that cannot be read at all."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number, self.message = number, message


def _records(job: Job, task: Task, bad: dict[int, str], write: Callable[[Any], Any]) -> list[Record]:
    records = []
    for number, piece in enumerate(task.pieces):
        if number in bad:
            records.append({"piece": str(piece), "left_out": bad[number], "sentences": 0, "words": 0})
            continue
        try:
            is_last = task.is_last and number == len(task.pieces) - 1
            records.append(job.do(piece, write, Edges(task.number == number == (task.part or 0) == 0, is_last)))
        except NonprojError as error:
            raise _BadPiece(number, str(error)) from None
    return records
