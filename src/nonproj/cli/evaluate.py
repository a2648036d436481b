"""The verb ``evaluate``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from nonproj.cli import options
from nonproj.cli.engine import Engine, engine_options, task_bar

if TYPE_CHECKING:
    from nonproj.parser import ColumnScores, Difference, Evaluation
    from nonproj.report.table import Table

FORMATS = ("table", "json", "csv", "markdown", "latex", "state")


@click.command()
@click.argument("gold", metavar="GOLD")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option(
    "--convention",
    type=click.Choice(["conllu", "conllx"]),
    help="How relations are compared: without subtypes (conllu, as in CoNLL 2018) or whole (conllx).  "
    "[default: by the format of GOLD]",
)
@click.option("-c", "--classes", default="Pr,1EC,MH4,M0I,WG1,2-P", show_default=True, metavar="NAMES")
@click.option("--samples", type=options.whole(1, 10**7), default=10_000, show_default=True, help="Bootstrap samples.")
@click.option(
    "--table",
    "chosen",
    type=click.Choice(["all", "scores", "columns", "classes", "lengths", "differences"]),
    help="Which table: of scores, of all columns from tokens to trees, by class of tree, by length of arc, or of the "
    "differences between systems.  [default: all; in CSV, Markdown and LaTeX: scores, or columns where words differ]",
)
@click.option(
    "-j",
    "--threads",
    type=options.whole(0, options.MOST_THREADS),
    default=0,
    help="Workers of a local --engine; 0 for all cores.",
)
@engine_options
@options.format_and_output(
    *FORMATS, help="state: all the counts, exactly, to be added up by nonproj merge with those of other files."
)
def evaluate(
    gold: str,
    systems: tuple[str, ...],
    convention: Any,
    classes: str,
    samples: int,
    threads: int,
    engine: Engine | None,
    chosen: str | None,
    form: str,
    output: str | None,
) -> None:
    """Compare parsed treebanks with the gold standard.

    Shows UAS, LAS and CLAS, with and without punctuation, exact matches, precision and recall of non-projective arcs,
    and scores by class of tree and by length of arc. With two systems or more, each is compared with the first by the
    paired bootstrap.

    Where the words are others than in GOLD, as after parsing raw text, both are aligned as in the shared task of 2018,
    and the table of columns is shown alone: F1 of tokens, sentences, words, tags, features, lemmas and trees. --table
    columns shows it in any case.

    \b
    nonproj evaluate gold.conllu parsed.conllu
    nonproj evaluate gold.conllu from-raw-text.conllu --table columns
    nonproj evaluate gold.conllu one.conllu other.conllu
    """
    from nonproj.parser import evaluate as measure
    from nonproj.parser import evaluate_columns
    from nonproj.parser.evaluation import has_same_words
    from nonproj.treebank.reading import read_whole

    check_table(form, chosen, len(systems))
    if threads and engine is None:
        raise click.UsageError("--threads goes with --engine")
    if engine is not None:
        results = _on_engine(engine, gold, systems, convention, classes, threads)
        differences = [(path, results[0][1].compare(result, samples=samples)) for path, result in results[1:]]
        with options.written(output, form) as write:
            write(shown(results, differences, form, chosen))
        return
    standard, read_systems = read_whole(gold), [(path, read_whole(path)) for path in systems]
    if chosen == "columns" or not all(has_same_words(standard, system) for _, system in read_systems):
        if chosen not in (None, "all", "columns"):
            raise click.UsageError(f"the words are others than in {gold}: only --table columns can be shown")
        if form == "state":
            raise click.UsageError(f"the words are others than in {gold}: there is no state of such scores")
        of_columns = [(path, evaluate_columns(standard, system)) for path, system in read_systems]
        _write_columns(of_columns, form, output)
        return
    results = [
        (path, measure(standard, system, convention=convention, classes=classes)) for path, system in read_systems
    ]
    differences = [(path, results[0][1].compare(result, samples=samples)) for path, result in results[1:]]
    with options.written(output, form) as write:
        write(shown(results, differences, form, chosen))


def _on_engine(
    engine: Engine, gold: str, systems: tuple[str, ...], convention: Any, classes: str, threads: int
) -> list[tuple[str, Evaluation]]:
    from nonproj import distributed

    with engine.executor(threads) as executor, task_bar("evaluating") as bar:
        found = distributed.evaluate(
            gold,
            systems,
            executor=executor,
            convention=convention,
            classes=classes,
            folder=engine.parts,
            megabytes=engine.megabytes,
            progress=bar,
            notice=options.warn,
        )
    return list(zip(systems, found, strict=True))


def check_table(form: str, chosen: str | None, systems: int) -> None:
    """Refuse a table that the format cannot hold, or that needs more systems."""
    if form in ("json", "state") and chosen is not None:
        raise click.UsageError(f"{form.upper()} holds everything: --table goes with the other formats")
    if chosen == "all" and form != "table":
        raise click.UsageError(f"{form} holds one table: choose it with --table")
    if chosen == "differences" and systems < 2:
        raise click.UsageError("differences are between systems: name two or more")


def shown(
    results: list[tuple[str, Evaluation]],
    differences: list[tuple[str, list[Difference]]],
    form: str,
    chosen: str | None,
) -> str:
    """Systems by name, and how they differ from the first, in one of the `FORMATS`."""
    if form == "state":
        return "".join(result.to_state(path) for path, result in results)
    if form == "json":
        rows = [{"system": path, **result.to_dict()} for path, result in results]
        for row, (_, found) in zip(rows[1:], differences, strict=bool(differences)):
            row["against_first"] = [{**vars(each), "difference": each.difference} for each in found]
        return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    tables = {"scores": _scores(results), "classes": _classes(results), "lengths": _lengths(results)}
    if differences:
        tables["differences"] = _differences(results[0][0], differences)
    if form != "table":
        return str(getattr(tables[chosen or "scores"], f"to_{form}")())
    width = options.terminal_width()
    if chosen not in (None, "all"):
        return tables[chosen].to_text(width)
    text = "".join(tables[name].to_text(width) + "\n" for name in ("scores", "classes", "lengths"))
    for path, found in differences:
        text += f"{results[0][0]} and {path}:\n" + "".join(f"  {each}\n" for each in found)
    return text


def _write_columns(results: list[tuple[str, ColumnScores]], form: str, output: str | None) -> None:
    with options.written(output, form) as write:
        if form == "json":
            rows = [{"system": path, "columns": scores.to_dict()} for path, scores in results]
            write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
            return
        table = _columns(results)
        write(table.to_text(options.terminal_width()) if form == "table" else getattr(table, f"to_{form}")())


def _columns(results: list[tuple[str, ColumnScores]]) -> Table:
    from nonproj.report.table import Column, Table

    if len(results) == 1:
        ((path, scores),) = results
        rows = [
            [name, str(each.gold), str(each.system), str(each.right)]
            + [f"{value:.2f}" for value in (each.precision, each.recall, each.f1)]
            for name, each in scores.ratios.items()
        ]
        names = ("column", "gold", "system", "right", "precision", "recall", "F1")
        return Table([Column(name, "", name == "column") for name in names], rows, f"{path}, aligned as in CoNLL 2018.")
    rows = [[name, *(f"{scores[name].f1:.2f}" for _, scores in results)] for name in results[0][1].ratios]
    columns = [Column("column", "", True), *(Column(path, "F1") for path, _ in results)]
    return Table(columns, rows, "F1, aligned as in CoNLL 2018.")


def _scores(results: list[tuple[str, Evaluation]]) -> Table:
    from nonproj.report.table import Column, Table

    headings = ["UAS", "LAS", "CLAS", "UAS", "LAS", "exact", "exact", "precision", "recall"]
    under = ["all", "all", "content", "no punct.", "no punct.", "heads", "all", "non-proj.", "non-proj."]
    rows = []
    for path, r in results:
        scores = (r.all.uas, r.all.las, r.clas.f1, r.no_punctuation.uas, r.no_punctuation.las, r.exact, r.exact_labeled)
        ratios = (r.non_projective.precision, r.non_projective.recall)
        rows.append([path, *(f"{score:.2f}" for score in (*scores, *ratios))])
    columns = [Column("system", "", True), *(Column(h, u) for h, u in zip(headings, under, strict=True))]
    first = results[0][1]
    caption = f"{first.sentences} sentences, {first.all.words} words, relations compared as in {first.convention}."
    return Table(columns, rows, caption)


def _classes(results: list[tuple[str, Evaluation]]) -> Table:
    from nonproj.report.table import Column, Table

    headings = ("system", "class", "trees", "system's", "UAS", "LAS", "trees", "UAS", "LAS")
    under = ("", "", "inside", "inside", "inside", "inside", "outside", "outside", "outside")
    rows = []
    for path, result in results:
        for c in result.classes:
            inside = [str(c.sentences_inside), str(c.system_inside), f"{c.inside.uas:.2f}", f"{c.inside.las:.2f}"]
            outside = [str(c.sentences_outside), f"{c.outside.uas:.2f}", f"{c.outside.las:.2f}"]
            if not c.sentences_inside:
                inside[2:] = ["-", "-"]
            rows.append([path, c.name, *inside, *(outside if c.sentences_outside else ["0", "-", "-"])])
    columns = [Column(h, u, h in ("system", "class")) for h, u in zip(headings, under, strict=True)]
    return Table(columns, rows, "By class of the gold tree.")


def _lengths(results: list[tuple[str, Evaluation]]) -> Table:
    from nonproj.report.table import Column, Table

    rows = [
        [path, name, str(ratio.gold), f"{ratio.precision:.2f}", f"{ratio.recall:.2f}", f"{ratio.f1:.2f}"]
        for path, result in results
        for name, ratio in result.lengths.items()
    ]
    names = ("system", "length", "arcs", "precision", "recall", "F1")
    return Table([Column(name, "", name in ("system", "length")) for name in names], rows, "By length of arc.")


def _differences(first: str, differences: list[tuple[str, list[Difference]]]) -> Table:
    from nonproj.report.table import Column, Table

    rows = [
        [
            *(path, each.name, f"{each.first:.2f}", f"{each.second:.2f}", f"{each.difference:+.2f}"),
            *(f"{each.low:+.2f}", f"{each.high:+.2f}", each.p_text.removeprefix("p = ").removeprefix("p ")),
        ]
        for path, found in differences
        for each in found
    ]
    names = ("system", "score", "first", "this", "difference", "from", "to", "p")
    columns = [Column(name, "", name in ("system", "score")) for name in names]
    return Table(columns, rows, f"Against {first}, by the paired bootstrap: the difference and its 95% interval.")
