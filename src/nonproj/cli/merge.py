"""The verb ``merge``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from nonproj.cli import options
from nonproj.cli.causes import shown as shown_causes
from nonproj.cli.coverage import shown as shown_coverage
from nonproj.cli.evaluate import check_table
from nonproj.cli.evaluate import shown as shown_evaluations

if TYPE_CHECKING:
    from nonproj.parser import Evaluation
    from nonproj.report import Causes, Coverage


@click.command()
@options.files
@click.option(
    "--table",
    metavar="NAME",
    help="Of coverage: loss, gaps, inherit or least-k; of causes: relations, tags ... or patterns; of evaluate: "
    "scores, classes, lengths or all.  [default: the first]",
)
@click.option(
    "--by",
    type=click.Choice(["file", "treebank", "total"]),
    help="The rows: a file (or system), a treebank, or one in all.  [default: as the states have it]",
)
@options.both(options.strict, options.format_and_output("table", "csv", "json", "markdown", "latex", "state"))
def merge(
    files: tuple[str, ...], table: str | None, by: str | None, strict: bool, form: str, output: str | None
) -> None:
    """Add up what coverage, causes or evaluate found in parts, as --format state wrote it.

    The result is that of one run over everything, whatever the parts and their order. FILES are states, one or more in
    each; without FILES standard input is read. Parts of one file, under the same name, make one row.

    \b
    ls corpus/*.conllu.gz | xargs -P 8 -I {} nonproj coverage {} --format state -o {}.state
    nonproj merge corpus/*.state --by total
    """
    coverage, causes, evaluations = _added(options.inputs(files, False), by)
    if causes is not None:
        _write_causes(causes, table or "relations", strict, form, output)
        return
    if coverage is not None:
        if table not in (None, "loss", "gaps", "inherit", "least-k"):
            raise click.UsageError(f"the tables of a coverage are loss, gaps, inherit and least-k, not {table}")
        skips = options.Skips(strict)
        skips.add(coverage.skipped, coverage.empty)
        with options.written(output, form) as write:
            write(shown_coverage(coverage, form, table or "loss", output is None))
        skips.report()
        return
    if table not in (None, "all", "scores", "classes", "lengths"):
        raise click.UsageError(f"the tables of an evaluation are scores, classes and lengths, not {table}")
    if by == "treebank":
        raise click.UsageError("evaluations are by file or in total")
    check_table(form, table, len(evaluations))
    with options.written(output, form) as write:
        write(shown_evaluations(list(evaluations.items()), [], form, table))


def _write_causes(found: Causes, table: str, strict: bool, form: str, output: str | None) -> None:
    skips = options.Skips(strict)
    skips.add(found.skipped, found.empty)
    text = shown_causes(found, form, table, 20, output is None)
    with options.written(output, form) as write:
        write(text)
    skips.report()


def _added(files: Iterable[str], by: str | None) -> tuple[Coverage | None, Causes | None, dict[str, Evaluation]]:
    """The sum of coverages, of causes, or of evaluations by system; several kinds at once are an error."""
    from nonproj.errors import NonprojError
    from nonproj.parser import Evaluation
    from nonproj.report import Causes, Coverage
    from nonproj.state import states_in
    from nonproj.treebank.inputs import label, read_bytes

    coverage: Coverage | None = None
    causes: Causes | None = None
    evaluations: dict[str, Evaluation] = {}
    for file in files:
        for kind, content in states_in(read_bytes(file), label(file)):
            try:
                if kind == "coverage":
                    part = Coverage.from_state(content)
                    part = part if by is None else part.regrouped(by)
                    coverage = part if coverage is None else coverage + part
                elif kind == "causes":
                    found_causes = Causes.from_state(content)
                    causes = found_causes if causes is None else causes + found_causes
                elif kind == "evaluation":
                    system = "total" if by == "total" else str(content.get("system"))
                    found = Evaluation.from_state(content)
                    evaluations[system] = evaluations[system] + found if system in evaluations else found
                else:
                    raise NonprojError(f"a state of {kind}, which is not known to this nonproj")
            except NonprojError as error:
                raise NonprojError(f"{label(file)}: {error}") from None
    kinds = sum(each is not None for each in (coverage, causes)) + bool(evaluations)
    if kinds != 1:
        several = ", not several kinds" if kinds else ""
        raise NonprojError(f"expected states of coverages, of causes or of evaluations{several}")
    return coverage, causes, dict(sorted(evaluations.items()))
