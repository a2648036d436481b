"""The verb ``evaluate``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.parser import Evaluation
    from nonproj.report.table import Table


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
@click.option("--samples", type=click.IntRange(1), default=10_000, show_default=True, help="Bootstrap samples.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@options.output
def evaluate(
    gold: str,
    systems: tuple[str, ...],
    convention: Any,
    classes: str,
    samples: int,
    form: str,
    output: str | None,
) -> None:
    """Compare parsed treebanks with the gold standard.

    Shows UAS, LAS and CLAS, with and without punctuation, exact matches, precision and recall of non-projective arcs,
    and scores by class of tree and by length of arc. With two systems or more, each is compared with the first by the
    paired bootstrap. All files must have the same words.

    \b
    nonproj evaluate gold.conllu parsed.conllu
    nonproj evaluate gold.conllu one.conllu other.conllu
    """
    from nonproj.parser import evaluate as measure
    from nonproj.treebank import read

    standard = read(gold)
    results = [(path, measure(standard, path, convention=convention, classes=classes)) for path in systems]
    differences = [(path, results[0][1].compare(result, samples=samples)) for path, result in results[1:]]
    with options.written(output) as write:
        if form == "json":
            rows = [{"system": path, **result.to_dict()} for path, result in results]
            for row, (_, found) in zip(rows[1:], differences, strict=True):
                row["against_first"] = [{**vars(each), "difference": each.difference} for each in found]
            write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
            return
        width = options.terminal_width()
        for table in (_main(results), *(_detail(path, result) for path, result in results)):
            write(table.to_text(width) + "\n")
        for path, result in results:
            write(_lengths(path, result).to_text(width) + "\n")
        for path, found in differences:
            write(f"{systems[0]} and {path}:\n" + "".join(f"  {each}\n" for each in found))


def _main(results: list[tuple[str, Evaluation]]) -> Table:
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


def _detail(path: str, result: Evaluation) -> Table:
    from nonproj.report.table import Column, Table

    names = ("class", "trees inside", "system's inside", "UAS", "LAS", "trees outside", "UAS", "LAS")
    rows = []
    for c in result.classes:
        inside = [str(c.sentences_inside), str(c.system_inside), f"{c.inside.uas:.2f}", f"{c.inside.las:.2f}"]
        outside = [str(c.sentences_outside), f"{c.outside.uas:.2f}", f"{c.outside.las:.2f}"]
        rows.append([c.name, *inside, *(outside if c.sentences_outside else ["0", "-", "-"])])
    return Table([Column(name, "", name == "class") for name in names], rows, f"{path}: by class of the gold tree.")


def _lengths(path: str, result: Evaluation) -> Table:
    from nonproj.report.table import Column, Table

    rows = [
        [name, str(ratio.gold), f"{ratio.precision:.2f}", f"{ratio.recall:.2f}", f"{ratio.f1:.2f}"]
        for name, ratio in result.lengths.items()
    ]
    names = ("length", "arcs", "precision", "recall", "F1")
    return Table([Column(name, "", name == "length") for name in names], rows, f"{path}: by length of arc.")
