"""The verb ``classes``."""

from __future__ import annotations

import json

import click

from nonproj.cli import options


@click.command()
@click.argument("names", nargs=-1)
@options.format_and_output("table", "csv", "json", "markdown", "latex")
def classes(names: tuple[str, ...], form: str, output: str | None) -> None:
    """List the classes of trees: what they are, the time of an exact parser, what nonproj offers, and the source.

    Membership, explanations and the exact best tree by relaxation are there for every class; "chart" names the
    dynamic programme behind it, "sums" says whether counts, log-partition, marginals and entropy are offered, and
    "transitions" names a transition system that derives exactly these trees.

    NAMES picks some of them, with any k.

    \b
    nonproj classes
    nonproj classes MH7 3-P
    """
    from nonproj.decode import offers
    from nonproj.report.table import Column, Table
    from nonproj.trees import tree_classes

    chosen = tree_classes(" ".join(names) if names else "all")
    if form == "json":
        rows = [
            {
                "name": cls.name,
                "title": cls.title,
                "exponent": cls.exponent,
                "chart": offers(cls).chart,
                "questions": list(offers(cls).questions),
                "transition_system": cls.transition_system,
                "reference": cls.reference,
            }
            for cls in chosen
        ]
        with options.written(output, form) as write:
            write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        return
    headings = ("class", "trees", "parser", "chart", "sums", "transitions", "reference")
    body = []
    for cls in chosen:
        offer = offers(cls)
        sums = "yes" if "count_trees" in offer.questions else "-"
        system = cls.transition_system or "-"
        body.append([cls.name, cls.title, cls.complexity, offer.chart or "-", sums, system, cls.reference])
    note = "Every class has a membership test that says why, and relax and check for its best tree."
    table = Table([Column(heading, align_left=True) for heading in headings], body, note=note)
    text = (
        table.to_text(options.terminal_width(), color=options.wants_color())
        if form == "table"
        else getattr(table, f"to_{form}")()
    )
    with options.written(output, form) as write:
        write(text)
