"""Parsers trained on the same treebank with gold words, tags and features: how accurate, and how fast.

It takes about seven minutes on a quiet machine, five of them to train the peer.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, in_turn, peer
from experiments.corpora import danish_sets

NAME = "parsing"
QUESTION = "How accurate are trained parsers, how fast do they train and parse? (Gothic, one thread, text to text)"
PEERS = ("ufal.udpipe",)

TREEBANK = "ud/got_proiel-ud"
UAS, LAS = 82.5, 77.5
"""What our best parser has to reach on the test set."""
OURS = {
    "graph, order 1": nonproj.GraphOptions(order="1", network=0),
    "graph, both orders": nonproj.GraphOptions(),
    "graph, both orders, climbing": nonproj.GraphOptions(search="climb", network=0),
    "greedy swap": nonproj.TransitionOptions(),
    "greedy arc-hybrid, lifted": nonproj.TransitionOptions(system="arc-hybrid", lifting="head+path"),
}
SPEED = {"graph, both orders": 2.0, "graph, both orders, climbing": 10.0, "graph, order 1": 10.0, "greedy swap": 20.0}
"""How many times the peer's words a second; exact search has to keep 20,000 words a second."""
BEST = "graph, both orders"
"""The parser that has to reach the scores, and the speed as well."""
DANISH = 90.0
"""UAS without punctuation on the test set of CoNLL-X."""


@dataclass(frozen=True)
class Trained:
    """A parser as a function from text to text, and the processor's seconds that training took."""

    parse: Callable[[], bytes]
    training: float
    parser: nonproj.Parser | None = None


def run() -> Iterator[Row]:
    """Training times, speeds as ratios to the peer, and how far the scores are from where they should be."""
    data = treebanks.folder()
    if data is None:
        absent = Absent("not measured: there are no treebanks to train on")
        for name in OURS:
            yield Row(f"{name}: parsing", target=Target("faster", SPEED.get(name, 1.0))).unmeasured(absent)
        return
    parts = {part: nonproj.read(treebanks.text(f"{TREEBANK}-{part}")) for part in ("train", "dev", "test")}
    test = parts["test"]
    size = f"{len(test.heads)} words"
    ours = {name: train(parts, options) for name, options in OURS.items()}
    sides = {name: Timed(trained.parse) for name, trained in ours.items()}
    theirs = None
    try:
        theirs = train_udpipe(parts)
        sides["UDPipe"] = Timed(theirs.parse)
    except Absent as reason:
        missing = reason
    in_turn(*sides.values(), rounds=4)
    scores = {name: nonproj.evaluate(test, side.answer) for name, side in sides.items()}
    for name, trained in ours.items():
        note = f"UAS {scores[name].all.uas:.2f} LAS {scores[name].all.las:.2f}"
        training = Row(f"{name}: training", "", ours=trained.training, target=Target("faster", 1.0), note=note)
        speed = Target("faster", SPEED[name]) if name in SPEED else None
        parsing = Row(f"{name}: parsing", size, ours=sides[name].best, target=speed)
        if theirs is None:
            yield training.unmeasured(missing)
            yield parsing.unmeasured(missing)
            continue
        udpipe = scores["UDPipe"].all
        yield replace(training, peer=theirs.training, note=f"{note}; UDPipe {udpipe.uas:.2f} {udpipe.las:.2f}")
        words = len(test.heads) / sides[name].best
        yield replace(parsing, peer=sides["UDPipe"].best, note=f"{words:.0f} words a second")
    best = scores[BEST].all
    yield Row(f"{BEST}: points short of UAS {UAS}", size, number=UAS - best.uas, target=Target("most", 0))
    yield Row(f"{BEST}: points short of LAS {LAS}", size, number=LAS - best.las, target=Target("most", 0))
    parser = ours[BEST].parser
    assert parser is not None
    yield loading(parser)
    yield danish(data)


def danish(data: Path) -> Row:
    """Danish as in CoNLL-X, without a dev set."""
    train_set, test_set = danish_sets(data / "conllx")
    start = time.process_time()
    parser = nonproj.Parser.train(train_set, threads=1)
    training = time.process_time() - start
    uas = nonproj.evaluate(test_set, parser.parse(test_set, threads=1)).no_punctuation.uas
    note = f"UAS {uas:.2f} without punctuation; {training:.0f} s of training"
    size = f"{len(test_set.heads)} words"
    return Row(f"Danish: points short of UAS {DANISH}", size, number=DANISH - uas, target=Target("most", 0), note=note)


def loading(parser: nonproj.Parser) -> Row:
    """How long a model takes to load."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        parser.save(path)
        timed = Timed(lambda: nonproj.Parser.load(path))
        in_turn(timed, rounds=3)
        megabytes = os.path.getsize(path) / 1e6
    return Row("loading a model", f"{megabytes:.0f} MB", ours=timed.best, target=Target("seconds", 0.2))


def train(parts: dict[str, nonproj.Treebank], options: nonproj.GraphOptions | nonproj.TransitionOptions) -> Trained:
    """Ours, to its default stop."""
    start = time.process_time()
    parser = nonproj.Parser.train(parts["train"], parts["dev"], options=options, threads=1)
    text = bytes(parts["test"])
    return Trained(lambda: parser.parse_text(text, threads=1), time.process_time() - start, parser)


def train_udpipe(parts: dict[str, nonproj.Treebank]) -> Trained:
    """UDPipe with the swap system and five iterations; it takes some minutes."""
    udpipe = peer("ufal.udpipe")

    def sentences(treebank: nonproj.Treebank) -> object:
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText(treebank.to_text())
        found, error = udpipe.Sentences(), udpipe.ProcessingError()
        while True:
            sentence = udpipe.Sentence()
            if not reader.nextSentence(sentence, error):
                return found
            found.append(sentence)

    start = time.process_time()
    error = udpipe.ProcessingError()
    options = "iterations=5;transition_system=swap"
    model_bytes = udpipe.Trainer.train(
        "morphodita_parsito", sentences(parts["train"]), sentences(parts["dev"]), "none", "none", options, error
    )
    if error.occurred():
        raise Absent(f"not measured: UDPipe: {error.message}")
    seconds = time.process_time() - start
    with tempfile.NamedTemporaryFile() as file:
        file.write(model_bytes)
        file.flush()
        model = udpipe.Model.load(file.name)
    pipeline = udpipe.Pipeline(model, "conllu", udpipe.Pipeline.NONE, udpipe.Pipeline.DEFAULT, "conllu")
    text = parts["test"].to_text()

    def parse() -> bytes:
        assert model is not None  # a pipeline does not keep its model alive
        parsed: str = pipeline.process(text)
        return parsed.encode()

    return Trained(parse, seconds)
