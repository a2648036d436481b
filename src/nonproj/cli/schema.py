"""The verb ``schema``: list the parsing schemata, show one as in its paper, check that it derives its class."""

from __future__ import annotations

import json
import re
import sys
import time
from typing import TYPE_CHECKING

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.schema import Check


@click.group()
def schema() -> None:
    """List the parsing schemata, show the items and deduction steps of one, or check that it derives its class.

    \b
    nonproj schema list
    nonproj schema show WG1
    nonproj schema show MH4 --format latex
    nonproj schema check WG1 -n 5
    """


@schema.command("list")
@options.format_and_output("table", "csv", "markdown", "latex")
def list_schemata(form: str, output: str | None) -> None:
    """The schemata with their classes and costs; WG, MG and MH take any number for k.

    Space is for recognition, by the items; to keep every derivation takes as much as time.
    """
    from nonproj.report.table import Column, Table
    from nonproj.schema import catalogue, complexity
    from nonproj.schema.figures import FIGURES

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
    rows += [
        [figure.name, figure.name, *figure.orders, "", f"{figure.title}: the paper's figure, for any k"]
        for figure in FIGURES
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
@click.option("--heads", metavar="'2 3 0 ...'", help="Only the steps that one derivation of this tree uses.")
@options.format_and_output("text", "latex")
def show_schema(name: str, heads: str | None, form: str, output: str | None) -> None:
    """The items, hypotheses, steps and final items of the schema NAME; WGk, MGk and MHk are shown for any k."""
    from nonproj.schema import parsing_schema, schema_for_tree, show, show_latex
    from nonproj.schema.figures import family_figure

    figure = family_figure(name)
    if figure is not None and heads is None:
        text = figure.to_text() if form == "text" else figure.to_latex()
    else:
        if heads is None:
            chosen = parsing_schema(name)
        else:
            ((_, tree),) = options.chosen_trees((), False, (), heads, None, "stop", options.Skips(False))
            chosen = schema_for_tree(name, tree).for_tree(tree)
        text = show(chosen) if form == "text" else show_latex(chosen)
    with options.written(output, form) as write:
        write(text)


@schema.command("strings")
@click.argument("name")
@click.option("--count", is_flag=True, help="Only how many there are.")
@options.format_and_output("text")
def list_strings(name: str, count: bool, form: str, output: str | None) -> None:
    """The strings over a, b and g that make the Combine steps of the schema NAME, one of WG1, WG2, ..., MG1, MG2, ...

    a and b are blocks of the two items that are joined, g gaps that stay (Gómez-Rodríguez, Weir & Carroll 2009, section
    5.1). Strings with a and b exchanged make the same step, so all begin with a. They are written as they are found,
    and for a large number there are very many: MG5 has 30,318, each number more some seven times as many.

    \b
    nonproj schema strings MG1
    nonproj schema strings MG7 | head
    nonproj schema strings MG12 --count
    """
    from nonproj.errors import NonprojError
    from nonproj.schema.systems.gaps import combination_strings, number_of_combinations

    match = re.fullmatch(r"(wg|mg)[-_ ]?(\d{1,2})", name.lower())
    if not match or match[2].strip("0") == "":
        raise NonprojError(f"Combine steps are made of strings in WG1, WG2, ... and MG1, MG2, ..., not in {name!r}")
    k, well_nested = int(match[2]), match[1] == "wg"
    with options.written(output, form) as write:
        if count:
            found = (
                sum(1 for _ in combination_strings(k, well_nested=True)) if well_nested else number_of_combinations(k)
            )
            write(f"{found}\n")
            return
        for string in combination_strings(k, well_nested=well_nested):
            write(f"{string}\n")


@schema.command("check")
@click.argument("name")
@click.option(
    "-n", "--words", type=options.whole(1, 7), default=5, show_default=True, help="All trees of 1 to N words."
)
@click.option("-c", "--class", "class_name", metavar="CLASS", help="The class to compare with.  [default: its own]")
@click.option("--single-root", is_flag=True, help="Only trees in which one word depends on the root.")
@options.format_and_output("text", "json")
def check_schema(
    name: str, words: int, class_name: str | None, single_root: bool, form: str, output: str | None
) -> None:
    """Check that the schema NAME is sound and complete: that it derives every tree of its class and no other.

    All trees of 1 to N words are derived and compared with the class. Each word more takes 8 to 20 times as long;
    the time is estimated before it is spent. The exit code is 1 when a tree is missed, or derived and not in the class.

    \b
    nonproj schema check WG1 -n 6
    nonproj schema check WG1-printed -n 6            # misses 16 of 11,102 trees
    nonproj schema check MH4 --class 2-P             # sound: MH4 lies in 2-P
    """
    from nonproj.schema import check, parsing_schema

    chosen = parsing_schema(name)
    found: list[Check] = []
    seconds: list[float] = []
    with options.written(output, form) as write:
        if form == "text":
            write(f"{'words':>5}  {'in class':>9}  {'derived':>9}  sound  complete\n")
        for n in range(1, words + 1):
            expected = _expected(seconds)
            if expected >= 3:
                click.echo(f"{n} words: some {float(f'{expected:.1g}'):,.0f} s", err=True)
            begin = time.monotonic()
            found.append(one := check(chosen, class_name, n, single_root=single_root))
            seconds.append(time.monotonic() - begin)
            if form == "text":
                sound, complete = ("yes" if verdict else "no" for verdict in (one.soundness, one.completeness))
                write(f"{n:>5}  {one.members:>9,}  {one.derived:>9,}  {sound:<5}  {complete}\n")
        if form == "text":
            for verdicts in ([one.soundness for one in found], [one.completeness for one in found]):
                broken = [verdict for verdict in verdicts if not verdict]
                write(f"\n{broken[0]}\n" if broken else "")
        else:
            write(json.dumps([_checked(one) for one in found], ensure_ascii=False, indent=2) + "\n")
    if not all(found):
        sys.exit(1)


def _expected(seconds: list[float]) -> float:
    """How long the next length will take, as the last ones grew; little is known of the first few."""
    return seconds[-1] * max(8, min(20, seconds[-1] / seconds[-2])) if len(seconds) > 2 else 0.0


def _checked(one: Check) -> dict[str, object]:
    example = one.soundness.counter_example or one.completeness.counter_example
    return {
        "words": one.words,
        "members": one.members,
        "derived": one.derived,
        "wrong": one.wrong,
        "missing": one.missing,
        "counter_example": None if example is None else list(example),
    }
