"""Parsers trained on the same sentences and compared on the same test set."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import click

import nonproj as npj
from experiments.corpora import Corpus
from nonproj.report.table import Column, Table

Options = npj.GraphOptions | npj.TransitionOptions


@dataclass(frozen=True)
class Row:
    """A parser to train."""

    name: str
    options: Options


@dataclass(frozen=True)
class Result:
    """What came of it. The seconds are those of the processor."""

    row: Row
    evaluation: npj.Evaluation
    training: float
    parsing: float


def run(corpus: Corpus, rows: Iterable[Row], epochs: int, seed: int) -> list[Result]:
    """Train and test every row, saying what is done on stderr."""
    results = []
    for row in rows:
        click.echo(f"{corpus.name}: {row.name}", err=True)
        start = time.process_time()
        parser = npj.Parser.train(corpus.train, options=row.options, epochs=epochs, seed=seed, threads=1)
        trained = time.process_time()
        parsed = parser.parse(corpus.test, threads=1)
        done = time.process_time()
        results.append(Result(row, npj.evaluate(corpus.test, parsed), trained - start, done - trained))
    return results


def table(corpus: Corpus, results: list[Result], baselines: tuple[str, ...]) -> Table:
    """One row a parser: scores, their difference to the baselines in UAS with its p-value, and times."""
    named = {result.row.name: result for result in results}
    against = [named[name] for name in baselines if name in named]
    columns = [Column("parser", "", True), Column("UAS"), Column("LAS"), Column("UAS", "no punct.")]
    columns += [Column("non-proj.", "precision"), Column("non-proj.", "recall")]
    columns += [Column(f"vs {base.row.name}", "UAS (p)") for base in against]
    columns += [Column("training", "s"), Column("words/s", "parsing")]
    rows = []
    for result in results:
        e = result.evaluation
        cells = [f"{e.all.uas:.2f}", f"{e.all.las:.2f}", f"{e.no_punctuation.uas:.2f}"]
        cells += [f"{e.non_projective.precision:.1f}", f"{e.non_projective.recall:.1f}"]
        for base in against:
            difference = npj.compare(base.evaluation, e)[0]
            same = base is result
            cells.append("" if same else f"{difference.difference:+.2f} ({difference.p_value:.3f})")
        speed = e.all.words / max(result.parsing, 1e-9)
        rows.append([result.row.name, *cells, f"{result.training:.0f}", f"{speed:.0f}"])
    caption = f"{corpus.name}: {len(corpus.train)} training and {len(corpus.test)} test sentences."
    return Table(columns, rows, caption)
