"""The verb ``schema``: list the parsing schemata, show one as in its paper."""

from __future__ import annotations

import click

from nonproj.cli import options


@click.group()
def schema() -> None:
    """List the parsing schemata, or show the items and deduction steps of one.

    \b
    nonproj schema list
    nonproj schema show WG1
    nonproj schema show MH4 --format latex
    """


@schema.command("list")
@options.format_and_output("table", "csv", "markdown", "latex")
def list_schemata(form: str, output: str | None) -> None:
    """The schemata with their classes and costs; WG, MG and MH take any number.

    Space is for recognition, by the items; to keep every derivation takes as much as time.
    """
    from nonproj.report.table import Column, Table
    from nonproj.schema import catalogue, complexity

    headings = [("schema", True), ("class", True), ("time", True), ("space", True), ("steps", False), ("derives", True)]
    rows = [
        [
            entry.name,
            f"part of {entry.class_name}" if entry.shortfall else entry.class_name,
            f"O(n^{(cost := complexity(entry)).exponent})",
            f"O(n^{cost.space})",
            str(len(entry.steps)),
            entry.title,
        ]
        for entry in catalogue()
    ]
    table = Table([Column(heading, align_left=left) for heading, left in headings], rows)
    with options.written(output, form) as write:
        write(
            table.to_text(options.terminal_width(), color=options.wants_color())
            if form == "table"
            else getattr(table, f"to_{form}")()
        )


@schema.command("show")
@click.argument("name")
@options.format_and_output("text", "latex")
def show_schema(name: str, form: str, output: str | None) -> None:
    """The items, hypotheses, steps and final items of the schema NAME."""
    from nonproj.schema import parsing_schema, show, show_latex

    chosen = parsing_schema(name)
    with options.written(output, form) as write:
        write(show(chosen) if form == "text" else show_latex(chosen))
