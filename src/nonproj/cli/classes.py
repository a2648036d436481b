"""The verb ``classes``."""

from __future__ import annotations

import json

import click

from nonproj.cli import options


@click.command()
@click.argument("names", nargs=-1)
@click.option("--format", "form", type=click.Choice(["table", "csv", "json", "markdown", "latex"]), default="table")
def classes(names: tuple[str, ...], form: str) -> None:
    """List the classes of trees: what they are, the time of an exact parser, and where they come from.

    NAMES picks some of them, with any k: nonproj classes MH7 3-P
    """
    from nonproj.report.table import Column, Table
    from nonproj.trees import tree_classes

    chosen = tree_classes(" ".join(names) if names else "all")
    if form == "json":
        rows = [
            {"name": cls.name, "title": cls.title, "exponent": cls.exponent, "reference": cls.reference}
            for cls in chosen
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    columns = [Column(heading, align_left=True) for heading in ("class", "trees", "exact parser", "reference")]
    table = Table(columns, [[cls.name, cls.title, cls.complexity, cls.reference] for cls in chosen])
    text = table.to_text(color=options.wants_color()) if form == "table" else getattr(table, f"to_{form}")()
    click.echo(text, nl=False)
