"""From raw text to trees, against UDPipe 1 trained on the same files by its defaults (with the system swap).

UDPipe takes about half an hour of the processor for each of the small treebanks and several hours for the large ones.
``NONPROJ_UDPIPE`` names a folder where models are kept: ``NAME.STEP.udpipe`` with ``NAME.STEP.json`` beside it, for its
steps tokenizer, tagger and parser, and ``NAME.nonproj``, ours, as long as the native code is the same; what is not
there is trained and put there. ``NONPROJ_TEXT`` names the treebanks to take. All is measured on one thread, on the raw
text of the test sets without line breaks in paragraphs; sentences and LAS of ours also on the same text wrapped at 80
columns, and with one sentence a line. Loading a model is the middle of the first times in five processes.

``python -m benchmarks.text NAME...`` only trains what the folder lacks of UDPipe, a step at a time, and goes on there
when it is run again. ``NONPROJ_UDPIPE_TOKENIZER``, ``..._TAGGER`` and ``..._PARSER`` give UDPipe's steps other options
than its own, such as ``epochs=20``; the table says so. pt_bosque needs ``NONPROJ_UDPIPE_TAGGER=use_xpostag=0``: its
training set has 4,522 XPOS, with which UDPipe's tagger would take two days, and its other parts have none.
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, in_turn, peer
from nonproj import _core
from nonproj.parser import evaluate_columns
from nonproj.text import Pipeline, restored_text

NAME = "text"
QUESTION = "From raw text to trees: how good, how fast, how long to train? (one thread, against UDPipe 1)"
PEERS = ("ufal.udpipe",)

TREEBANKS = ("got_proiel", "tr_imst", "af_afribooms", "en_ewt", "pt_bosque")
STEPS = ("tokenizer", "tagger", "parser")
COLUMNS = ("Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas")
BEHIND, AHEAD = 0.2, 4.0
"""F1 may be so much below that of UDPipe; LAS has to be so much above it."""
WRAPPED, COLUMN = 0.3, 80
"""F1 of wrapped text may differ by so much from that of the same text without breaks; columns of a line."""
FASTER, FASTER_ALONE, SHARE, LOAD = 8.0, 3.0, 0.5, 0.2
ALONE = 200
"""So many sentences are also given one by one, in a call each."""


@dataclass(frozen=True)
class Peer:
    """UDPipe's models of each step, the seconds of the processor that they took, and other options than its own."""

    models: dict[str, Any]
    seconds: float
    note: str


def run() -> Iterator[Row]:
    """For every treebank: F1 of each column, words a second, training, loading, and whether the text is restored."""
    if treebanks.folder() is None:
        yield Row("text to trees", target=Target("faster", FASTER), note="not measured: there are no treebanks")
        return
    for name in os.environ.get("NONPROJ_TEXT", " ".join(TREEBANKS)).split():
        yield from rows_of(name)


def rows_of(name: str) -> Iterator[Row]:
    """The rows of one treebank."""
    parts = {part: nonproj.read(treebanks.text(f"ud/{name}-ud-{part}")) for part in ("train", "dev", "test")}
    text = raw_text(parts["test"])
    with tempfile.TemporaryDirectory() as made:
        path, training = ours_trained(name, parts, models_folder(made))
        load = statistics.median(first_load(path) for _ in range(5))
        pipeline = Pipeline.load(path)
    ours = Timed(lambda: b"".join(pipeline.parse_stream(text.encode(), kind="text", threads=1)))
    yield Row(f"{name}: loading a model", ours=load, target=Target("seconds", LOAD))
    size = f"{len(parts['test'].heads)} words"
    rows = [
        Row(f"{name}: training", ours=training, target=Target("share", SHARE)),
        Row(f"{name}: text to trees", size, target=Target("faster", FASTER)),
        Row(f"{name}: a sentence a call", f"{ALONE} sentences", target=Target("faster", FASTER_ALONE)),
        *(Row(f"{name}: {column}, UDPipe less ours", target=Target("most", BEHIND)) for column in COLUMNS),
        Row(f"{name}: LAS, UDPipe less ours", target=Target("most", -AHEAD)),
    ]
    try:
        theirs = udpipe(name, parts)
    except Absent as reason:
        ours.repeat()
        found = evaluate_columns(parts["test"], ours.answer)
        note = " ".join(f"{column} {found[column].f1:.2f}" for column in (*COLUMNS, "LAS"))
        yield from (row.unmeasured(reason) for row in rows)
        yield Row(f"{name}: ours", size, ours=ours.best, note=note)
    else:
        yield from compared(rows, parts["test"], ours, theirs, text, pipeline)
    yield from of_lines(name, parts["test"], pipeline, ours.answer)
    same = restored_text(ours.answer) == text
    yield Row(f"{name}: bytes of the text lost", number=float(not same), target=Target("most", 0))


def of_lines(name: str, test: nonproj.Treebank, pipeline: Pipeline, answer: bytes) -> Iterator[Row]:
    """What line breaks cost: F1 of wrapped text, and of a sentence a line, beside that of text without breaks."""
    usual = evaluate_columns(test, answer)
    text = raw_text(test)
    for form, given in (("wrapped", wrapped(text)), ("a sentence a line", sentence_a_line(test))):
        found = evaluate_columns(test, b"".join(pipeline.parse_stream(given.encode(), kind="text", threads=1)))
        for column in ("Sentences", "LAS"):
            before, after = usual[column].f1, found[column].f1
            worse = abs(before - after) if form == "wrapped" else before - after
            target = Target("most", WRAPPED if form == "wrapped" else 0)
            note = f"without breaks {before:.2f}, {form} {after:.2f}"
            yield Row(f"{name}: {column} lost, {form}", number=worse, target=target, note=note)


def wrapped(text: str) -> str:
    """The text with lines as long as `COLUMN` lets them be, and an empty line between paragraphs."""
    paragraphs: list[str] = []
    for paragraph in text.split("\n\n"):
        lines = [""]
        for word in paragraph.split(" "):
            if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMN:
                lines.append(word)
            else:
                lines[-1] += f" {word}" if lines[-1] else word
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def sentence_a_line(treebank: nonproj.Treebank) -> str:
    """The text with each sentence on a line of its own."""
    return "".join(f"{restored_text(treebank[i : i + 1]).strip()}\n" for i in range(len(treebank)))


def models_folder(made: str) -> Path:
    """Where models are kept: the folder that is named, or else one that was made."""
    folder = Path(os.environ.get("NONPROJ_UDPIPE") or made)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def ours_trained(name: str, parts: dict[str, nonproj.Treebank], folder: Path) -> tuple[Path, float]:
    """Our model and the seconds of the processor that its training took; trained anew by other native code."""
    path = folder / f"{name}.nonproj"
    beside = path.with_suffix(".json")
    code = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()
    about = json.loads(beside.read_text()) if path.exists() and beside.exists() else {}
    if about.get("code") != code:
        beside.unlink(missing_ok=True)
        start = time.process_time()
        Pipeline.train(parts["train"], parts["dev"], threads=1, save_as=path, replace=True)
        about = {"train_cpu": time.process_time() - start, "code": code}
        beside.write_text(json.dumps(about))
    return path, about["train_cpu"]


def first_load(path: Path) -> float:
    """Seconds that a new process takes to load a model, without its imports."""
    code = """
import sys, time
from nonproj.text import Pipeline
start = time.perf_counter()
Pipeline.load(sys.argv[1])
print(time.perf_counter() - start)
"""
    return float(subprocess.run([sys.executable, "-c", code, path], check=True, capture_output=True).stdout)


def compared(
    rows: list[Row], test: nonproj.Treebank, ours: Timed[bytes], theirs: Peer, text: str, pipeline: Pipeline
) -> Iterator[Row]:
    """The rows with the peer's side."""
    other = Timed(lambda: udpipe_parse(theirs, text))
    in_turn(ours, other, rounds=2)
    scores = [evaluate_columns(test, answer) for answer in (ours.answer, other.answer)]
    training, parsing, calls, *columns = rows
    yield Row(training.what, ours=training.ours, peer=theirs.seconds, target=training.target, note=theirs.note)
    words = [round(len(test.heads) / side.best) for side in (ours, other)]
    note = f"{words[0]} and {words[1]} words a second"
    yield Row(parsing.what, parsing.size, ours.best, other.best, parsing.target, note)
    alone = [sentence.text or "" for sentence in test[:ALONE]]
    one = Timed(lambda: [pipeline(sentence, threads=1) for sentence in alone])
    another = Timed(lambda: [udpipe_parse(theirs, sentence) for sentence in alone])
    in_turn(one, another, rounds=2)
    yield Row(calls.what, calls.size, one.best, another.best, calls.target)
    for row, column in zip(columns, (*COLUMNS, "LAS"), strict=True):
        mine, peers = (found[column].f1 for found in scores)
        yield Row(row.what, number=peers - mine, target=row.target, note=f"ours {mine:.2f}, UDPipe {peers:.2f}")


def raw_text(treebank: nonproj.Treebank) -> str:
    """The text of a treebank; paragraphs are an empty line apart."""
    begins = [
        i
        for i, sentence in enumerate(treebank)
        if i == 0 or any(comment.startswith(("# newpar", "# newdoc")) for comment in sentence.comments)
    ]
    ends = [*begins[1:], len(treebank)]
    return "\n\n".join(restored_text(treebank[begin:end]) for begin, end in zip(begins, ends, strict=True))


def udpipe(name: str, parts: dict[str, nonproj.Treebank]) -> Peer:
    """The peer's models: those of the folder, the rest trained."""
    module = peer("ufal.udpipe")
    with tempfile.TemporaryDirectory() as made:
        folder = models_folder(made)
        models, seconds, notes = {}, 0.0, []
        for step in STEPS:
            path = folder / f"{name}.{step}.udpipe"
            if not path.exists():
                train_step(module, parts, step, path)
            about = json.loads(path.with_suffix(".json").read_text())
            seconds += about["train_cpu"]
            if about.get("options"):
                notes.append(f"{step} with {about['options']}")
            models[step] = module.Model.load(str(path))
            if models[step] is None:
                raise Absent(f"not measured: {path} is no model of UDPipe")
    return Peer(models, seconds, ", ".join(notes))


def train_step(module: Any, parts: dict[str, nonproj.Treebank], step: str, path: Path) -> None:
    """One step by UDPipe's defaults; the parser learns from the tags of its tagger."""
    tagger = path.with_name(path.name.replace(".parser.", ".tagger."))
    asked = os.environ.get(f"NONPROJ_UDPIPE_{step.upper()}", "")
    options = dict.fromkeys(STEPS, "none") | {step: asked}
    if step == "parser":
        options |= {
            "tagger": f"from_model=file:{tagger}",
            "parser": ";".join(filter(None, ("transition_system=swap;transition_oracle=static_lazy", asked))),
        }
    error = module.ProcessingError()
    start = time.process_time()
    train, dev = (sentences(module, parts[part].to_text()) for part in ("train", "dev"))
    model = module.Trainer.train("morphodita_parsito", train, dev, *(options[name] for name in STEPS), error)
    if error.occurred():
        raise Absent(f"not measured: UDPipe: {error.message}")
    about = {"train_cpu": time.process_time() - start, "options": asked}
    path.with_suffix(".json").write_text(json.dumps(about))
    part = path.with_suffix(".part")
    part.write_bytes(model)
    part.replace(path)


def sentences(module: Any, text: str) -> Any:
    """Sentences of CoNLL-U as UDPipe has them."""
    reader = module.InputFormat.newConlluInputFormat()
    reader.setText(text)
    found, error = module.Sentences(), module.ProcessingError()
    while True:
        sentence = module.Sentence()
        if not reader.nextSentence(sentence, error):
            return found
        found.append(sentence)


def udpipe_parse(theirs: Peer, text: str) -> bytes:
    """Raw text to CoNLL-U by the peer."""
    module = peer("ufal.udpipe")
    tokenizer = theirs.models["tokenizer"].newTokenizer("")
    tokenizer.setText(text)
    writer, error = module.OutputFormat.newOutputFormat("conllu"), module.ProcessingError()
    written: list[str] = []
    while True:
        sentence = module.Sentence()
        if not tokenizer.nextSentence(sentence, error):
            return "".join(written).encode()
        theirs.models["tagger"].tag(sentence, "")
        theirs.models["parser"].parse(sentence, "")
        written.append(writer.writeSentence(sentence))


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        udpipe(wanted, {part: nonproj.read(treebanks.text(f"ud/{wanted}-ud-{part}")) for part in ("train", "dev")})
