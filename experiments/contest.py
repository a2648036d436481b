"""Parsers trained on the same sentences and compared on the same test set; every result is kept in a file."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np

import nonproj as npj
from experiments import corpora
from experiments.corpora import Corpus
from nonproj.parser import SearchReport
from nonproj.parser.learner import resolved
from nonproj.parser.options import Options
from nonproj.parser.significance import Difference, bootstrap
from nonproj.report.table import Column, Table

SAMPLES = 10_000


@dataclass(frozen=True)
class Row:
    """A parser to train. It may parse within another class than it was trained for, or by prices of the dev set."""

    name: str
    options: Options
    within: str | None = None
    classes: tuple[str, ...] = ()  # the chain whose prices are learnt
    lessons: str | None = None  # the class whose trees alone are learnt from


@dataclass(frozen=True)
class Setting:
    """How long and on how much a parser is trained."""

    epochs: int
    limit: int | None
    seed: int


@dataclass(frozen=True)
class Result:
    """What came of a row: scores, right heads sentence by sentence, and seconds of the processor."""

    treebank: str
    row: str
    setting: Setting
    sentences: int  # trained on
    dev_uas: float
    uas: float
    las: float
    uas_no_punctuation: float
    non_projective_precision: float
    non_projective_recall: float
    training: float
    parsing: float
    left_out: int  # training trees that a transition system cannot derive
    right: tuple[int, ...]
    words: tuple[int, ...]
    proven: float = 100.0  # percent of the test trees that are proven best for the model
    within: str = ""  # the class of the parser, and the prices that it learnt

    @property
    def key(self) -> tuple[str, str, Setting]:
        """What tells results apart."""
        return self.treebank, self.row, self.setting


class Results:
    """Results in a file of JSON lines; one that is there is not worked out again."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._found: dict[tuple[str, str, Setting], Result] = {}
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                fields = json.loads(line)
                counts = {name: tuple(fields[name]) for name in ("right", "words")}
                result = Result(**{**fields, **counts, "setting": Setting(**fields["setting"])})
                self._found[result.key] = result

    def get(self, treebank: str, row: str, setting: Setting) -> Result | None:
        """The result, if it is there."""
        return self._found.get((treebank, row, setting))

    def add(self, result: Result) -> None:
        """Keep a result."""
        self._found[result.key] = result
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(asdict(result)) + "\n")


def run(
    corpus: Corpus, rows: Iterable[Row], settings: Sequence[Setting], results: Results, models: Path | None = None
) -> None:
    """Train and test every row that has no result yet, saying what is done on stderr."""
    for setting in settings:
        trained: tuple[Options, str | None, npj.Parser, float] | None = None  # rows of one training follow each other
        for row in rows:
            if results.get(corpus.name, row.name, setting) is not None:
                continue
            click.echo(f"{corpus.name}: {row.name}, seed {setting.seed}", err=True)
            options = row.options
            if row.classes and isinstance(options, npj.GraphOptions):
                options = resolved(options, corpus.train)
            if trained is None or trained[:2] != (options, row.lessons):
                trained = options, row.lessons, *trained_parser(corpus, options, row.lessons, setting, models)
            results.add(tested(corpus, row, setting, *trained[2:]))


def trained_parser(
    corpus: Corpus, options: Options, lessons: str | None, setting: Setting, models: Path | None
) -> tuple[npj.Parser, float]:
    """A parser, and the seconds that its training took; it is kept, with them, where models are."""
    kept = None
    if models is not None:
        named = json.dumps([corpus.name, asdict(options), asdict(setting), lessons])
        kept = models / f"{corpus.name}-{hashlib.sha256(named.encode()).hexdigest()[:16]}.model"
        if kept.exists():
            return npj.Parser.load(kept), float(kept.with_suffix(".seconds").read_text())
    dev = corpus.dev if isinstance(options, npj.NeuralOptions) else None  # a network needs it to choose the epoch
    cls = npj.tree_class(lessons or "spanning")
    train = npj.Treebank(sentence for sentence in corpus.train if sentence.tree in cls)
    start = time.process_time()
    parser = npj.Parser.train(train, dev, options=options, epochs=setting.epochs, seed=setting.seed, threads=1)
    seconds = time.process_time() - start
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(".seconds").write_text(str(seconds))
        parser.save(kept)
    return parser, seconds


def tested(corpus: Corpus, row: Row, setting: Setting, parser: npj.Parser, training: float) -> Result:
    """Test a trained parser."""
    left_out = parser.left_out
    if row.within is not None:
        parser = parser.restricted(row.within)
    if row.classes:
        parser = parser.priced(corpus.dev, classes=row.classes, threads=1)
    dev = parser.parse(corpus.dev, threads=1)
    searches = SearchReport() if parser.kind == "graph" else None
    start = time.process_time()
    parsed = parser.parse(corpus.test, threads=1, searches=searches)
    parsing = time.process_time() - start
    found = npj.evaluate(corpus.test, parsed)
    return Result(
        corpus.name,
        row.name,
        setting,
        len(corpus.train),
        100.0 * float((dev.heads == corpus.dev.heads).mean()),
        found.all.uas,
        found.all.las,
        found.no_punctuation.uas,
        found.non_projective.precision,
        found.non_projective.recall,
        training,
        parsing,
        left_out,
        tuple(found.right_heads.tolist()),
        tuple(found.words_of.tolist()),
        100.0 if searches is None else 100.0 * searches.proven / searches.trees,
        str(parser.options.get("within", "")),
    )


@dataclass(frozen=True)
class Mean:
    """A row over all seeds."""

    name: str
    results: list[Result]

    def of(self, name: str) -> float:
        """The mean of a field."""
        return float(np.mean([getattr(result, name) for result in self.results]))

    def against(self, other: Mean) -> Difference:
        """The paired bootstrap over sentences, each with what all seeds got right in it."""
        first, second, words = (
            np.sum([getattr(result, name) for result in mean.results], axis=0)
            for mean, name in ((other, "right"), (self, "right"), (self, "words"))
        )
        return bootstrap("UAS", first, second, words, SAMPLES, 1)


def means(treebank: str, rows: Iterable[Row], settings: Sequence[Setting], results: Results) -> list[Mean]:
    """The rows that are there for every seed."""
    found = []
    for row in rows:
        each = [results.get(treebank, row.name, setting) for setting in settings]
        whole = [result for result in each if result is not None]
        if len(whole) == len(settings):
            found.append(Mean(row.name, whole))
    return found


def table(treebank: str, found: list[Mean], baselines: Sequence[str]) -> Table:
    """One row a parser: scores, their difference to the baselines in UAS with its p-value, and times."""
    named = {mean.name: mean for mean in found}
    against = [named[name] for name in baselines if name in named]
    columns = [Column("parser", "", True), Column("dev", "UAS"), Column("test", "UAS"), Column("test", "LAS")]
    columns += [Column("test", "UAS, no punct."), Column("non-proj.", "precision"), Column("non-proj.", "recall")]
    columns += [Column(f"vs {base.name}", "UAS (p)") for base in against]
    columns += [Column("training", "s"), Column("words/s", "parsing")]
    rows = []
    for mean in found:
        cells = [f"{mean.of(name):.2f}" for name in ("dev_uas", "uas", "las", "uas_no_punctuation")]
        cells += [f"{mean.of(name):.1f}" for name in ("non_projective_precision", "non_projective_recall")]
        cells += ["" if base is mean else shown(mean.against(base)) for base in against]
        speed = sum(mean.results[0].words) / max(mean.of("parsing"), 1e-9)
        rows.append([mean.name, *cells, f"{mean.of('training'):.0f}", f"{speed:.0f}"])
    first = found[0].results[0]
    caption = f"{treebank}: {first.sentences} training and {len(first.words)} test sentences."
    return Table(columns, rows, caption)


def shown(difference: Difference) -> str:
    """A difference with its p-value, marked where it is below .05."""
    mark = "*" if difference.p_value < 0.05 else ""
    return f"{difference.difference:+.2f}{mark} ({difference.p_value:.3f})"


def markdown(tables: Iterable[Table]) -> str:
    """Tables for a page, each under its caption."""
    return "\n".join(f"{each.caption}\n\n{each.to_markdown()}" for each in tables)


Summaries = Callable[[dict[str, list[Mean]]], list[Table]]


def command(rows: Sequence[Row], baselines: Sequence[str], summaries: Summaries | None = None) -> click.Command:
    """The command line of an experiment."""

    @click.command()
    @click.option("--treebanks", default=",".join(corpora.CORPORA), show_default=True)
    @click.option("--rows", "names", default="all", show_default=True, help="Names of rows with ; between, or all.")
    @click.option("--epochs", type=click.IntRange(1), default=8, show_default=True)
    @click.option("--limit", type=click.IntRange(1), help="Train on so many sentences only.")
    @click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Train so many times.")
    @click.option("--models", type=click.Path(path_type=Path), help="Keep parsers here, and do not train them again.")
    @click.option("--results", type=click.Path(path_type=Path), help="Keep results here, and do not repeat them.")
    @click.option("--markdown", "is_markdown", is_flag=True, help="Run nothing: write what there is as Markdown.")
    def main(
        treebanks: str,
        names: str,
        epochs: int,
        limit: int | None,
        seeds: int,
        models: Path | None,
        results: Path | None,
        is_markdown: bool,
    ) -> None:
        """Train every row on every treebank and print a table for each."""
        unknown = set(names.split(";")) - {row.name for row in rows} - {"all"}
        if unknown:
            raise click.UsageError(f"no row is called {', '.join(unknown)}: {'; '.join(row.name for row in rows)}")
        wanted = [row for row in rows if names == "all" or row.name in names.split(";")]
        settings = [Setting(epochs, limit, seed) for seed in range(1, seeds + 1)]
        kept = Results(results)
        if is_markdown:
            found = {name: means(name, wanted, settings, kept) for name in treebanks.split(",")}
            found = {name: rows for name, rows in found.items() if rows}
            tables = [table(name, rows, baselines) for name, rows in found.items()]
            click.echo(markdown([*(summaries(found) if summaries else []), *tables]), nl=False)
            return
        for corpus in corpora.chosen(treebanks, limit):
            run(corpus, wanted, settings, kept, models)
            click.echo(table(corpus.name, means(corpus.name, wanted, settings, kept), baselines).to_text())

    return main
