"""The verb ``graphs``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import click

from nonproj.cli import options


@click.command()
@options.both(options.files, options.sentence_ids)
@options.both(
    options.on_error,
    options.strict,
    options.format_and_output("table", "csv", "json", "markdown", "latex", "svg"),
)
def graphs(
    files: tuple[str, ...],
    sentences: tuple[str, ...],
    on_error: Literal["stop", "skip"],
    strict: bool,
    form: str,
    output: str | None,
) -> None:
    """Measure enhanced dependencies and semantic graphs: crossings, planes, 1EC, noncrossing graphs.

    FILES are CoNLL-U with enhanced dependencies in the column DEPS, or semantic graphs in the format of the SDP tasks.
    Two nodes that arcs join in any direction have one edge; arcs of the root do not count. --format svg draws the one
    sentence that -s names, its edges coloured by plane.

    \b
    nonproj graphs corpus.conllu
    nonproj graphs corpus.conllu -s weblog-12 -o graph.svg
    """
    from nonproj.report import graphs as measure

    given = options.inputs(files, False)
    if form == "svg":
        if len(sentences) != 1:
            raise click.UsageError("a picture is of one sentence: name it with -s ID")
        with options.written(output, form) as write:
            write(_drawn(given, sentences[0], on_error))
        return
    if sentences:
        raise click.UsageError("-s names the sentence that --format svg draws")
    skips = options.Skips(strict)
    found = measure(given, on_error=on_error)
    skips.add_from(found)
    with options.written(output, form) as write:
        write(found.to_json() if form == "json" else options.laid_out(found.table(), form, output is None))
    skips.report()


def _drawn(given: Iterable[str], name: str, on_error: Literal["stop", "skip"]) -> str:
    from nonproj.draw.graph import graph_svg
    from nonproj.errors import NonprojError
    from nonproj.report.graphs import Graphs, graphs_of, measure_graph

    found = Graphs([])
    for source in given:
        for graph in graphs_of(source, found, on_error=on_error):
            if graph is not None and graph.name == name:
                planes = measure_graph(graph).planes or ()
                colours = dict(zip(graph.edges, planes, strict=False))
                return graph_svg(graph.forms, graph.arcs, planes=colours, empty=graph.empty, title=name)
    raise NonprojError(f"no sentence with a graph has the id {name}")
