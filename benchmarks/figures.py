"""The accuracy of the default models on six small treebanks, by three seeds each: what docs/figures.md shows.

``python -m benchmarks.figures [NAME...]`` trains, measures and writes the page, row by row; rows that are not named
stay as they were. It takes about half an hour of one processor. ``python -m benchmarks figures`` trains too, writes
nothing, and compares with the page; ``NONPROJ_FIGURES`` names the treebanks for it. The ratio to UDPipe needs models of
it in the folder that ``NONPROJ_UDPIPE`` names (see `benchmarks.text`).
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, in_turn
from benchmarks.text import raw_text, udpipe, udpipe_parse
from nonproj.parser import SearchReport, evaluate_columns
from nonproj.text import Pipeline

NAME = "figures"
QUESTION = "Are the default models as good as docs/figures.md says?"
PEERS = ("ufal.udpipe",)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "figures.md"
SEEDS = (1, 2, 3)
LEAST_MARGIN = 0.1
"""So far outside the range of the seeds a figure may lie, or as far as half of the range is wide."""

RELEASES = {
    "got_proiel": "2.12 to 2.16",
    "af_afribooms": "2.17, 2.18",
    "hu_szeged": "2.17, 2.18",
    "tr_imst": "2.15, 2.16",
    "la_perseus": "2.18",
    "grc_perseus": "2.13 to 2.17",
}
"""The releases of Universal Dependencies that have these very files."""

GOLD = ("UAS", "LAS", "Proven")
RAW = ("UPOS", "Lemmas", "Sentences", "UAS, raw", "LAS, raw")
COLUMNS = ("treebank", *GOLD, *RAW, "speed", "commit")


@dataclass(frozen=True)
class Figure:
    """What the seeds gave: the mean, the lowest and the highest, each with two digits.

    >>> figure = Figure.of([83.54, 83.69, 83.6])
    >>> str(figure), figure == Figure.read(str(figure)), Figure.read("100.00")
    ('83.61 (83.54 to 83.69)', True, Figure(mean=100.0, lowest=100.0, highest=100.0))
    >>> figure.excess(83.7), round(figure.excess(84.0), 2)
    (0.0, 0.21)
    """

    mean: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        """The figure of the seeds' values."""
        return cls(*(round(value, 2) for value in (mean(values), min(values), max(values))))

    @classmethod
    def read(cls, cell: str) -> Figure:
        """The figure in a cell of the page."""
        average, *bounds = (float(number) for number in re.findall(r"\d+\.\d+", cell))
        return cls(average, *(bounds or (average, average)))

    def __str__(self) -> str:
        if self.lowest == self.highest:
            return f"{self.mean:.2f}"
        return f"{self.mean:.2f} ({self.lowest:.2f} to {self.highest:.2f})"

    def excess(self, value: float) -> float:
        """How far a value lies outside the range of the seeds, made wider by half its width on both sides."""
        margin = max((self.highest - self.lowest) / 2, LEAST_MARGIN)
        return max(0.0, self.lowest - margin - value, value - self.highest - margin)


@dataclass(frozen=True)
class Parts:
    """What a row is measured on."""

    files: dict[str, str]
    """A file's name, with the beginning of the SHA-256 of its text."""
    train: nonproj.Treebank
    dev: nonproj.Treebank
    test: nonproj.Treebank

    @classmethod
    def of(cls, name: str, folder: Path) -> Parts:
        """Training on the train file, or else the dev file; without a dev file left, a tenth of it is the dev set."""
        found = {part: path for part in ("train", "dev", "test") for path in folder.glob(f"ud/{name}-ud-{part}.*")}
        whole = {part: nonproj.read(path) for part, path in found.items()}
        digests = {path.name: hashlib.sha256(bytes(whole[part])).hexdigest()[:12] for part, path in found.items()}
        if "train" in whole and "dev" in whole:
            return cls(digests, whole["train"], whole["dev"], whole["test"])
        given = whole["train"] if "train" in whole else whole["dev"]
        held_out = nonproj.Treebank(given[i] for i in range(9, len(given), 10))
        rest = nonproj.Treebank(given[i] for i in range(len(given)) if i % 10 != 9)
        return cls(digests, rest, held_out, whole["test"])


def run() -> Iterator[Row]:
    """How many points each figure of each seed lies outside of what the page shows."""
    folder = treebanks.folder()
    if folder is None:
        yield Row("figures", target=Target("most", 0)).unmeasured(Absent("not measured: there are no treebanks"))
        return
    rows = page_rows(PAGE.read_text(encoding="utf-8"))
    for name in os.environ.get("NONPROJ_FIGURES", " ".join(RELEASES)).split():
        parts = Parts.of(name, folder)
        for column, values in {**gold_figures(parts), **raw_figures(parts, models(parts))}.items():
            shown = Figure.read(rows[name][column])
            points = max(shown.excess(value) for value in values)
            note = f"{', '.join(f'{value:.2f}' for value in values)}; the page has {shown}"
            yield Row(f"{name}: {column}, points outside", number=points, target=Target("most", 0), note=note)


def gold_figures(parts: Parts, seeds: Iterable[int] = SEEDS) -> dict[str, list[float]]:
    """Scores of trees on gold words and tags, and how many of a hundred are proven best, by seed."""
    found: dict[str, list[float]] = {column: [] for column in GOLD}
    for seed in seeds:
        parser = nonproj.Parser.train(parts.train, parts.dev, seed=seed, threads=1)
        searches = SearchReport()
        scores = nonproj.evaluate(parts.test, parser.parse(parts.test, threads=1, searches=searches)).all
        values = (scores.uas, scores.las, 100 * searches.proven / searches.trees)
        for column, value in zip(GOLD, values, strict=True):
            found[column].append(value)
    return found


def raw_figures(parts: Parts, pipelines: Iterable[Pipeline]) -> dict[str, list[float]]:
    """F1 from raw text, by model."""
    found: dict[str, list[float]] = {column: [] for column in RAW}
    for pipeline in pipelines:
        scores = evaluate_columns(parts.test, parsed(pipeline, parts))
        for column in RAW:
            found[column].append(scores[column.removesuffix(", raw")].f1)
    return found


def models(parts: Parts, seeds: Iterable[int] = SEEDS) -> Iterator[Pipeline]:
    """The default model by each seed; the tokenizer, which has none, is trained once."""
    tokenizer = Pipeline.train(parts.train, parts.dev, steps="tokens", threads=1).tokenizer
    for seed in seeds:
        rest = Pipeline.train(parts.train, parts.dev, steps="tags,parse", seed=seed, threads=1)
        yield Pipeline(tokenizer, rest.tagger, rest.parser)


def parsed(pipeline: Pipeline, parts: Parts) -> bytes:
    """The raw text of the test set, with all that a model predicts."""
    return b"".join(pipeline.parse_stream(raw_text(parts.test).encode(), kind="text", threads=1))


def speed(name: str, pipeline: Pipeline, parts: Parts) -> str:
    """How many times as fast as UDPipe raw text is parsed, in seconds of one processor, or "-" without models of it."""
    kept = Path(os.environ.get("NONPROJ_UDPIPE", "")) / f"{name}.parser.udpipe"
    if "NONPROJ_UDPIPE" not in os.environ or not kept.exists():
        return "-"
    theirs, text = udpipe(name, {"train": parts.train, "dev": parts.dev}), raw_text(parts.test)
    sides = [
        Timed(lambda: parsed(pipeline, parts), clock=time.process_time),
        Timed(lambda: udpipe_parse(theirs, text), clock=time.process_time),
    ]
    in_turn(*sides, rounds=4)
    trained = f" ({theirs.note})" if theirs.note else ""
    return f"{sides[1].best / sides[0].best:.1f} times{trained}"


def page_rows(page: str) -> dict[str, dict[str, str]]:
    """The rows of the first table of the page, by treebank."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    header, _, *rows = [cells for cells in lines if len(cells) == len(COLUMNS)]
    return {cells[0]: dict(zip(header, cells, strict=True)) for cells in rows}


def page_files(page: str) -> dict[str, str]:
    """The files that the page was measured on, with the beginnings of their SHA-256."""
    return dict(re.findall(r"^\| (\S+\.conllu\S*) \| [^|]* \| `([0-9a-f]{12})` \|$", page, re.MULTILINE))


def page_of(rows: dict[str, dict[str, str]], files: dict[str, str]) -> str:
    """The page with these rows."""
    shown = [rows[name] for name in RELEASES if name in rows]
    table = [COLUMNS, ["---"] * len(COLUMNS), *([row[column] for column in COLUMNS] for row in shown)]
    sources = [("file", "release", "SHA-256"), ["---"] * 3]
    for name, release in RELEASES.items():
        sources += [(file, release, f"`{files[file]}`") for file in sorted(files) if file.startswith(f"{name}-")]
    return TEXT.format(
        seeds=", ".join(map(str, SEEDS)), least=LEAST_MARGIN, table=as_markdown(table), sources=as_markdown(sources)
    )


def as_markdown(rows: Iterable[Sequence[str]]) -> str:
    """The rows of a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


TEXT = """# Figures

Written by `python -m benchmarks.figures`. This is the only page of the documentation with figures of accuracy; those of
an experiment stand in its dated note in `experiments/notes`.

Each figure is the mean of three trainings by the defaults with the seeds {seeds} and, where they differ, the lowest
and the highest of them, on the test set of a treebank of Universal Dependencies.

{table}

- **UAS, LAS, Proven**: gold words and tags (`nonproj train --steps parse`), all words counted, relations without
  subtypes. *Proven*: the percentage of the trees that were proven to be the best ones of the model.
- **UPOS, Lemmas, Sentences, UAS and LAS, raw**: F1 from raw text without line breaks, as in the shared task of 2018
  (`nonproj train`). The tokenizer has no seed, so sentences are the same for all three.
- **Speed**: raw text to trees on one thread, as a ratio to UDPipe 1 (ufal.udpipe) in the same run, trained on the same
  files, in brackets with other options than its own; "-" where no model of it was at hand.
- The class of a model, its prices and the size of its network are those that training chooses by itself. Where a
  treebank has no dev set, every tenth sentence of the training set is it; Ancient Greek is trained on the dev file.

A later version of the code is as good if its figures lie within the range that is shown, made wider on both sides by
half of its width, or by {least} if that is more. `python -m benchmarks figures` trains all of them again and tells; a
test does it for one treebank and one seed. SHA-256 is that of the unpacked file.

{sources}
"""


def commit() -> str:
    """The commit that is checked out, with a plus sign where the code differs from it."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(PAGE.parents[1]), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--", "src", "cpp")
    return git("rev-parse", "--short=9", "HEAD") + ("+" if changed else "")


def main(names: Sequence[str]) -> None:
    """Measure these treebanks and write their rows."""
    folder = treebanks.folder()
    if folder is None:
        sys.exit("there are no treebanks: NONPROJ_DATA should name their folder")
    for name in names:
        parts = Parts.of(name, folder)
        start = time.process_time()
        trained = list(models(parts))
        found = {**gold_figures(parts), **raw_figures(parts, trained)}
        row = {"treebank": name, **{column: str(Figure.of(values)) for column, values in found.items()}}
        row |= {"speed": speed(name, trained[0], parts), "commit": commit()}
        page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        rows = {**(page_rows(page) if page else {}), name: row}
        PAGE.write_text(page_of(rows, page_files(page) | parts.files), encoding="utf-8")
        print(f"{name}: {time.process_time() - start:.0f} s of the processor", *found.items(), sep="\n  ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(RELEASES))
