"""The verb ``oracle``: the transition sequences that derive the trees of a treebank."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.transition import TransitionSystem
    from nonproj.trees import Tree

_MAX_SHOWN = 20


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms, options.deprels)
@options.both(options.system_name, options.oracle_name)
@click.option("--single-root", is_flag=True, help="Use the system for trees with one root.")
@click.option("--list", "listed", is_flag=True, help="List the transition systems instead.")
@options.both(options.on_error, options.strict, options.format_and_output("text", "json"))
def oracle(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    deprels: str | None,
    system_name: str | None,
    oracle_name: str | None,
    single_root: bool,
    listed: bool,
    form: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Print the transitions that derive each tree: one line a sentence, its id and the sequence.

    A transition that makes an arc has the label behind it, as LA_det. Trees that the system does not derive are named
    on stderr with the reason; under --strict the exit code is then 3. --list shows the systems, and which of their
    transitions are not in the reference.

    \b
    nonproj oracle corpus.conllu --system 2-planar
    nonproj oracle --heads '3 4 0 3' --system swap --oracle eager
    nonproj oracle --list
    """
    if listed:
        if form != "text":
            raise click.UsageError("--list is shown as text")
        with options.written(output) as write:
            write(_list())
        return
    if system_name is None:
        raise click.UsageError("name a transition system: --system NAME; --list shows them")
    from nonproj.transition import transition_system

    system = transition_system(system_name, oracle=oracle_name, single_root=single_root)
    skips = options.Skips(strict)
    missed = 0
    with options.written(output, form) as write:
        for name, tree in options.chosen_trees(
            files, sample, sentences, heads, forms, on_error, skips, deprels=deprels
        ):
            why = system.explain(tree)
            write(_FORMATS[form](name, system, tree, why))
            if why is not None:
                missed += 1
                if missed <= _MAX_SHOWN:
                    click.echo(f"not derived: {name}: {why}", err=True)
    if missed:
        click.echo(f"{missed} {'tree is' if missed == 1 else 'trees are'} not derived by {system.name}", err=True)
    skips.report()
    if missed and strict:
        sys.exit(3)


def _text(name: str, system: TransitionSystem, tree: Tree, why: str | None) -> str:
    return "" if why is not None else f"{name}\t{' '.join(map(str, system.oracle(tree)))}\n"


def _json(name: str, system: TransitionSystem, tree: Tree, why: str | None) -> str:
    steps = None if why is not None else [str(step) for step in system.oracle(tree)]
    data = {"sent_id": name, "system": system.name, "transitions": steps, "not_derived": why}
    return json.dumps(data, ensure_ascii=False) + "\n"


_FORMATS = {"text": _text, "json": _json}


def _list() -> str:
    from nonproj.report.table import Column, Table
    from nonproj.transition import SYSTEMS

    headings = ("system", "derives", "at most", "oracles", "what it is", "reference", "not in it")
    rows = [
        [
            kind.shown(kind.example),
            "an order" if not kind.has_arcs else kind.class_name(kind.example),
            kind.length,
            ", ".join(kind.oracles) or "-",
            kind.title,
            kind.reference,
            ", ".join(kind.own) or "-",
        ]
        for kind in SYSTEMS
    ]
    return Table([Column(heading, align_left=True) for heading in headings], rows).to_text(color=options.wants_color())
