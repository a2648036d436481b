"""The verb ``coverage``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options
from nonproj.cli.engine import Engine, engine_options, task_bar

if TYPE_CHECKING:
    from nonproj.report import Coverage, Unusual
    from nonproj.treebank import Filter

table_kind = click.option(
    "--table",
    type=click.Choice(["loss", "gaps", "inherit"]),
    default="loss",
    show_default=True,
    help="loss: percentage outside each class; gaps: by gap degree and nesting; inherit: by gap inheritance.",
)
FORMATS = ("table", "csv", "json", "markdown", "latex", "state")


@click.command()
@options.both(options.files, options.sample, options.class_names)
@table_kind
@click.option(
    "--by",
    type=click.Choice(["file", "treebank", "total"]),
    default="file",
    show_default=True,
    help="One row a file, a treebank (its train, dev and test together), or one in all.",
)
@click.option(
    "--dummy",
    type=click.Choice(["left", "right"]),
    default="left",
    show_default=True,
    help="Where the dummy root stands: it matters for MH_k and AD_d of trees with several roots.",
)
@click.option(
    "--plot",
    metavar="FILE",
    callback=options.can_plot,
    help="Also draw coverage against complexity (.png, .svg, .pdf).",
)
@click.option(
    "--baseline",
    type=click.Choice(["shuffle", "uniform", "class"]),
    help="Instead, compare with chance: the words of every tree shuffled, trees drawn uniformly from all, or from each "
    "class.",
)
@click.option(
    "--times",
    type=options.whole(2, 10**6),
    default=100,
    show_default=True,
    help="Treebanks drawn for --baseline, or trees for each length and class.",
)
@click.option("--seed", type=options.whole(0), default=0, show_default=True, help="Where chance starts from.")
@click.option("--unusual", type=options.whole(0), default=0, metavar="N", help="Also list the N oddest trees.")
@options.both(
    options.filters,
    options.threads,
    engine_options,
    options.on_error,
    options.strict,
    options.format_and_output(
        *FORMATS, help="state: all the counts, exactly, to be added up by nonproj merge with those of other files."
    ),
)
def coverage(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    table: str,
    by: str,
    dummy: Literal["left", "right"],
    form: str,
    plot: str | None,
    baseline: Literal["shuffle", "uniform", "class"] | None,
    times: int,
    seed: int,
    unusual: int,
    threads: int,
    engine: Engine | None,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Show which classes of trees cover a treebank, and at what parsing cost.

    FILES are CoNLL-U or CoNLL-X treebanks, plain or compressed, folders, patterns, or - for standard input.
    Each number is the percentage of trees outside a class; below the name of the class stands the time its
    exact parser takes, and the best class of each complexity is bold.

    \b
    nonproj coverage treebanks/ --by treebank
    nonproj coverage corpus.conllu.gz --classes Pr,1EC,WG1 --format latex
    nonproj coverage corpus.conllu --unusual 10
    nonproj coverage corpus.conllu --baseline shuffle --times 1000
    nonproj coverage s3://bucket/corpus/ --by total --engine dask --scheduler tcp://host:8786
    """
    from nonproj.report import coverage as measure

    if form == "state" and baseline is not None:
        raise click.UsageError("--baseline has no state to be added up: choose another format")
    skips = options.Skips(strict)
    if baseline is not None:
        if engine is not None:
            raise click.UsageError("--baseline draws on this machine: leave out --engine")
        _write_chance(
            options.inputs(files, sample), classes, baseline, times, seed, threads, only, on_error, skips, form, output
        )
        skips.report()
        return
    if engine is not None:
        engine.refuse(sample=sample, unusual=unusual)
        from nonproj import distributed

        with engine.executor(threads) as executor, task_bar("measuring") as bar:
            result = distributed.coverage(
                options.inputs(files, sample),
                classes,
                executor=executor,
                by=by,
                on_error=on_error,
                dummy=dummy,
                only=only,
                folder=engine.parts,
                megabytes=engine.megabytes,
                left_out=engine.left_out,
                progress=bar,
                notice=options.warn,
            )
        options.warn_when_none(only, any(row.trees for row in result.treebanks))
        _finish(result, form, table, output, plot, skips, ())
        engine.report(skips)
        return
    with options.progress_bar("measuring", "files") as progress:
        result = measure(
            options.inputs(files, sample),
            classes,
            by=by,
            on_error=on_error,
            threads=threads,
            keep=unusual > 0,
            dummy=dummy,
            only=only,
            progress=progress,
        )
    options.warn_when_none(only, any(row.trees for row in result.treebanks))
    _finish(result, form, table, output, plot, skips, result.unusual(unusual))
    skips.report()


def _finish(
    result: Coverage,
    form: str,
    table: str,
    output: str | None,
    plot: str | None,
    skips: options.Skips,
    odd: Sequence[Unusual],
) -> None:
    """Write and plot what was found."""
    skips.add(result.skipped, result.empty)
    with options.written(output, form) as write:
        write(shown(result, form, table, output is None, odd))
    if odd and form not in ("table", "json"):
        click.echo("".join(f"{tree}\n" for tree in odd), err=True, nl=False)
    if plot:
        result.plot(plot)


def _write_chance(
    given: list[Any],
    classes: str,
    baseline: Literal["shuffle", "uniform", "class"],
    times: int,
    seed: int,
    threads: int,
    only: Filter,
    on_error: Literal["stop", "skip"],
    skips: options.Skips,
    form: str,
    output: str | None,
) -> None:
    """All that was named as one treebank, against chance."""
    from nonproj.report import Chance, ClassChance, chance, class_chance

    treebank = only.apply(options.one_treebank(given, on_error, threads, skips))
    found: Chance | ClassChance
    if baseline == "class":
        with options.progress_bar("drawing", "classes") as progress:
            found = class_chance(treebank, classes, times=times, seed=seed, threads=threads, progress=progress)
    else:
        with options.progress_bar("drawing", "treebanks") as progress:
            found = chance(
                treebank, classes, baseline=baseline, times=times, seed=seed, threads=threads, progress=progress
            )
    with options.written(output, form) as write:
        write(found.to_json() if form == "json" else options.laid_out(found.table(), form, output is None))


def shown(result: Coverage, form: str, table: str, on_terminal: bool, odd: Sequence[Unusual] = ()) -> str:
    """A coverage, and its oddest trees, in one of the `FORMATS`."""
    if form == "state":
        return result.to_state()
    if form == "table":
        color = on_terminal and options.wants_color()
        text = result.table(table).to_text(options.terminal_width(), color=color)
        return text + ("\nThe most unusual trees:\n" + "".join(f"{tree}\n" for tree in odd) if odd else "")
    if form != "json":
        text = getattr(result.table(table), f"to_{form}")()
        return str(text)
    data = result.to_dict()
    if odd:
        data["unusual"] = [
            {
                "treebank": tree.treebank,
                "sent_id": tree.sentence.sent_id,
                "outside": tree.class_name,
                "reason": str(tree.explanation),
            }
            for tree in odd
        ]
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
