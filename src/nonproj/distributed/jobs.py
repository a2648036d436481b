"""Jobs over an executor: what to do is cut into tasks, done anywhere, kept in parts, and put together in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import nonproj
from nonproj.distributed.dask import that_settles
from nonproj.distributed.places import (
    Place,
    joined_path,
    make_folder,
    names_in,
    read_all,
    size_of,
    write_whole,
)
from nonproj.distributed.running import LeftOut, Stop, Task, run
from nonproj.distributed.splitting import Piece, tasks, weight_of
from nonproj.distributed.work import CountJob, Job, Record, do_task
from nonproj.errors import FormatError, NonprojError
from nonproj.report.coverage import copies_of
from nonproj.treebank import Skipped
from nonproj.treebank.reading import ADVICE

Progress = Callable[[int, int, int], None]
"""Called with how many tasks are done, how many there are, and the sentences so far."""
Notice = Callable[[str], None]
JOB, MANIFEST = "job.json", "manifest.json"
_UNKNOWN_WORKERS = 8


def silent(*_: object) -> None:
    """Say nothing."""


@dataclass
class Done:
    """What a job found: the record of every piece, in order, and what no worker could do."""

    pieces: list[tuple[Piece, Record]]
    parts: list[Record]
    left_out: list[LeftOut]

    @property
    def sentences(self) -> int:
        """How many sentences were done."""
        return sum(int(record["sentences"]) for _, record in self.pieces)

    @property
    def words(self) -> int:
        """How many words they have."""
        return sum(int(record["words"]) for _, record in self.pieces)

    def by_source(self) -> Iterator[list[tuple[Piece, Record]]]:
        """The pieces of each source that were read, in order."""
        together: dict[tuple[str, int], list[tuple[Piece, Record]]] = {}
        for piece, record in self.pieces:
            together.setdefault((piece.source, piece.copy), []).append((piece, record))
        return iter(together.values())

    @property
    def skipped(self) -> list[Skipped]:
        """The sentences that were left out, with the lines that they have in the whole file."""
        return [skipped for pieces in self.by_source() for skipped in _skipped(pieces)]

    @property
    def empty(self) -> list[str]:
        """The sources without any sentence, and what was there instead."""
        found = []
        for pieces in self.by_source():
            said = [record.get("empty", "") for _, record in pieces]
            if all(said):
                # One that has comments somewhere has nothing but comments.
                found.append(f"{pieces[0][0].source}: no sentence: {max(said, key=lambda words: 'comments' in words)}")
        return found


def _skipped(pieces: list[tuple[Piece, Record]]) -> Iterator[Skipped]:
    lines = sentences = 0
    is_gapless = True  # behind a piece that nobody could count, lines are those of the piece
    for place, (piece, record) in enumerate(pieces):
        is_known = is_gapless and piece.number == place
        is_counted = piece.first_line > 1
        for line, sent_id, is_number, message in record.get("skipped", ()):
            if is_known and not is_counted:
                line, sent_id = line + lines, str(int(sent_id) + sentences) if is_number else sent_id
            yield Skipped(piece.source if is_known or is_counted else str(piece), line, sent_id, message, b"")
        is_gapless = is_gapless and "left_out" not in record
        lines += record.get("lines", 0)
        sentences += record.get("numbers", 0)


@dataclass
class Plan:
    """What is to be done: the tasks, and what is to be said of files that cannot be split."""

    found: list[Place]
    groups: list[list[Piece]]
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(found: list[Place], size: int, *, ends_finely: bool = False) -> Plan:
        """Cut files into tasks of about so many bytes of text, or towards the end of less."""
        copies = [copy for _, copy in copies_of([place.name for place in found])]
        return Plan(found, *tasks(found, copies, size, ends_finely=ends_finely))

    def tasks(self) -> list[Task]:
        """The tasks, numbered."""
        last = len(self.groups) - 1
        return [Task(number, pieces, is_last=number == last) for number, pieces in enumerate(self.groups)]

    def identity(self, job: Job) -> Record:
        """What the parts of a job depend on: when it is the same, they are those of the same job."""
        options = json.loads(json.dumps(asdict(job), default=str))
        sources = [[place.name, place.size, place.stamp] for place in self.found]
        cut = hashlib.sha256(json.dumps([list(map(str, group)) for group in self.groups]).encode()).hexdigest()
        return {"nonproj": nonproj.__version__, "job": job.name, "options": options, "sources": sources, "cut": cut}


def run_job(
    job: Job,
    plan: Plan,
    executor: Executor,
    folder: str | None = None,
    progress: Progress = silent,
    fold: Callable[[Piece, Record], None] = silent,
) -> Done:
    """Do a job: finished parts in the folder are not done again; the first fault in order is raised, as ever.

    ``fold`` gets each piece with its record once, in any order, and may take out of it what is large.
    """
    whole = plan.tasks()
    kept = _kept_records(job, plan, folder) if folder is not None else {}
    records: dict[tuple[int, int], list[tuple[Piece, Record]]] = {}
    parts: dict[tuple[int, int], Record] = {}
    counts = {"tasks": 0, "sentences": 0}

    def is_faulty(record: Record) -> bool:
        return job.on_error == "stop" and ("left_out" in record or bool(record["skipped"]))

    def receive(task: Task, record: Record) -> None:
        key = (task.number, task.part or 0)
        pairs = list(zip(task.pieces, record["pieces"], strict=True))
        for piece, each in pairs:
            if "left_out" not in each:
                fold(piece, each)
        records[key] = pairs
        parts[key] = record
        counts["tasks"] += task.part is None or task.part == 0
        counts["sentences"] += sum(each["sentences"] for _, each in pairs)
        progress(counts["tasks"], len(whole), counts["sentences"])
        if any(is_faulty(each) for _, each in pairs):
            raise Stop

    todo = []
    for task in whole:
        record = kept.get(task.name)
        if record is None or len(record["pieces"]) != len(task.pieces) or any(map(is_faulty, record["pieces"])):
            todo.append(task)
        else:
            receive(task, record)
    # The largest first: what cannot be split would else keep one worker when the others have done.
    place_of = {place.name: place for place in plan.found}
    todo.sort(key=lambda task: -sum(weight_of(piece, place_of[piece.source]) for piece in task.pieces))
    executor = that_settles(executor)
    left_out = run(todo, executor, do_task, (job, folder), receive, lambda: workers_of(executor))
    pieces = [pair for key in sorted(records) for pair in records[key]]
    left_out += [LeftOut(piece.source, each["left_out"]) for piece, each in pieces if "left_out" in each]
    done = Done(pieces, [parts[key] for key in sorted(parts)], left_out)
    if job.on_error == "stop":
        _raise_first_fault(done)
    if folder is not None:
        _write_manifest(job, plan, done, folder)
    return done


def workers_of(executor: Executor) -> int:
    """How many tasks an executor does at a time now, where it says so."""
    client = getattr(executor, "_client", None)
    if client is not None:
        try:
            return int(sum(client.nthreads().values()))
        except OSError:  # the scheduler does not answer
            return 0
    return int(getattr(executor, "_max_workers", None) or _UNKNOWN_WORKERS)


def _raise_first_fault(done: Done) -> None:
    for pieces in done.by_source():
        for place, (_, record) in enumerate(pieces):
            if "left_out" in record:
                raise NonprojError(record["left_out"])
            if record["skipped"]:
                raise FormatError(f"{next(_skipped(pieces[: place + 1]))}{ADVICE}")


def _kept_records(job: Job, plan: Plan, folder: str) -> dict[str, Record]:
    """The records of parts that are finished; what is not, or belongs to another job, is an error or done anew."""
    make_folder(folder)
    identity = plan.identity(job)
    names = names_in(folder)
    if JOB not in names:
        if strange := sorted(name for name in names if not name.startswith(".")):
            raise NonprojError(f"{folder}: has other files in it, such as {strange[0]}: name an empty or a new folder")
        text = json.dumps(identity, ensure_ascii=False).encode()
        write_whole(joined_path(folder, JOB), lambda file: file.write(text))
        return {}
    if _json(joined_path(folder, JOB)) != identity:
        raise NonprojError(
            f"{folder}: holds parts of another job, or the input was changed since: name another folder, or empty it"
        )
    found = {}
    for name in sorted(names):
        if name.startswith("part-") and name.endswith(".json"):
            record = _json(joined_path(folder, name))
            if _is_finished(record, folder):
                found[name.removesuffix(".json")] = record
    return found


def _json(path: str) -> Any:
    try:
        return json.loads(read_all(path))
    except ValueError:
        return None


def _is_finished(record: Any, folder: str) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("pieces"), list):
        return False
    part = record.get("part")
    return part is None or size_of(joined_path(folder, str(part["name"]))) == part["bytes"]


def _write_manifest(job: Job, plan: Plan, done: Done, folder: str) -> None:
    """Say what the folder holds: each part with its counts and checksum, and what was left out."""
    parts = [
        {
            **(record["part"] or {"name": f"{record['task']}.json"}),
            "sentences": sum(each["sentences"] for each in record["pieces"]),
            "words": sum(each["words"] for each in record["pieces"]),
            "skipped": sum(len(each.get("skipped", ())) for each in record["pieces"]),
            "pieces": [each["piece"] for each in record["pieces"]],
        }
        for record in done.parts
    ]
    identity = plan.identity(job)
    whole = {
        **{name: identity[name] for name in ("nonproj", "job", "options")},
        "sentences": done.sentences,
        "words": done.words,
        "skipped": [str(skipped) for skipped in done.skipped],
        "left_out": [str(each) for each in done.left_out],
        "parts": parts,
    }
    text = (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()
    write_whole(joined_path(folder, MANIFEST), lambda file: file.write(text))


def counted(
    plan: Plan, executor: Executor, on_error: Any, *, only_split: bool = True, progress: Progress = silent
) -> tuple[Plan, Done]:
    """The plan with the numbers of lines and sentences before each piece; those of unsplit files are known."""
    pieces = [piece for group in plan.groups for piece in group]
    split = {(piece.source, piece.copy) for piece in pieces if piece.number > 0}
    asked = [piece for piece in pieces if not only_split or (piece.source, piece.copy) in split]
    done = run_job(CountJob(on_error), Plan(plan.found, [[piece] for piece in asked]), executor, None, progress)
    if done.left_out:
        raise NonprojError(f"{done.left_out[0]}: its sentences cannot be counted: leave the file out")
    known: dict[Piece, Piece] = {}
    total = 0
    for group in done.by_source():
        lines = sentences = 0
        for piece, record in group:
            known[piece] = replace(piece, first_line=1 + lines, first_sentence=1 + sentences, before=total)
            lines += record["lines"]
            sentences += record["numbers"]
            total += record["sentences"]
    return Plan(plan.found, [[known.get(piece, piece) for piece in group] for group in plan.groups], plan.notes), done


def refuse(left_out: Sequence[LeftOut], told: list[LeftOut] | None) -> None:
    """Tell what was left out; where nobody listens, it is an error."""
    if told is not None:
        told.extend(left_out)
    elif left_out:
        more = f", and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        raise NonprojError(f"{left_out[0]}{more} (to go on without: left_out=[])")
