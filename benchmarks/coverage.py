"""The command ``nonproj coverage`` with all classes over all treebanks, against reading them with pyconll."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, peer
from benchmarks.startup import COMMAND, output_of
from nonproj.treebank import sources

NAME = "coverage"
QUESTION = "How long does it take to measure every class over all treebanks? (new processes)"
PEERS = ("pyconll",)

READ_WITH_PYCONLL = """
import gzip, json, sys
import pyconll, pyconll.exception
counts = {}
for path in sys.argv[1:]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        try:
            counts[path] = len(pyconll.load_from_string(file.read()))
        except pyconll.exception.ParseError:
            counts[path] = None
print(json.dumps(counts))
"""
"""Prints how many sentences each file has; null where pyconll refuses the file, as it does some in CoNLL-X."""


def run() -> Iterator[Row]:
    """All the treebanks, or a file of the sample many times over."""
    data = treebanks.folder()
    if data is not None:
        yield from compare(data)
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sample.conllu").write_bytes(treebanks.text())
        yield from compare(Path(folder))


def compare(folder: Path) -> Iterator[Row]:
    """The command on all cores, as it is used, and on one; pyconll reads once, for it takes most of a minute."""
    paths = [str(path) for path in sources(folder)]
    target = Target("faster", 1)
    try:
        peer("pyconll")
    except Absent as absent:
        yield Row("pyconll, only reading", f"{len(paths)} files", target=target).unmeasured(absent)
        return
    every_core = Timed(lambda: coverage(folder, threads=0))
    one_core = Timed(lambda: coverage(folder, threads=1))
    theirs = Timed(lambda: json.loads(output_of(sys.executable, "-c", READ_WITH_PYCONLL, *paths)))
    in_turn(every_core, one_core, theirs, rounds=1)

    refused = {stem(path) for path, count in theirs.answer.items() if count is None}
    counts: Counter[str] = Counter()
    for path, count in theirs.answer.items():
        counts[stem(path)] += count or 0
    for ours, cores in ((every_core, "all cores"), (one_core, "one thread")):
        trees = {name: count for name, count in ours.answer.items() if name not in refused}
        agree(trees == {name: counts[name] for name in trees}, "pyconll finds other numbers of sentences")
        note = f"pyconll refuses {', '.join(sorted(refused))}" if refused else ""
        size = f"{len(paths)} files, {sum(ours.answer.values())} trees"
        yield Row(f"nonproj coverage ({cores}): pyconll, only reading", size, ours.best, theirs.best, target, note)


def coverage(folder: Path, threads: int) -> dict[str, int]:
    """Run the command with all classes; gives the number of trees in each file."""
    told = json.loads(output_of(COMMAND, "coverage", str(folder), "-j", str(threads), "--format", "json"))
    return {treebank["name"]: treebank["trees"] for treebank in told["treebanks"]}


def stem(path: str) -> str:
    """What the command calls a file."""
    return Path(path).name.split(".")[0]
