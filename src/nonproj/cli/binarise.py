"""The verb ``binarise``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.trees import Binarisation, Tree


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms)
@click.option("-k", "gaps", type=options.whole(), metavar="K", help="Within K gaps.  [default: as few as there can be]")
@options.both(options.on_error, options.strict, options.format_and_output("text", "svg", "json", "dot"))
def binarise(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    gaps: int | None,
    form: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Join the dependents of each word two at a time, with as few gaps on the way as there can be.

    A tree with a binarisation of gap degree at most k is mildly ill-nested for k, which is the class MGk
    (Gómez-Rodríguez, Weir & Carroll 2009, section 5.1). The words below each node are drawn, joins as +; the place of
    the head, shown as □, is no gap in a join. With -k the exit code is 1 when a tree takes more gaps. 'dot' is for
    Graphviz.

    \b
    nonproj binarise --sample -s x-strongly-ill-nested
    nonproj binarise --sample -s x-strongly-ill-nested -o tree.svg
    nonproj binarise --heads '3 4 0 3 3' --format json
    nonproj binarise --sample -s en-hearing --format dot | dot -Tsvg > hearing.svg
    """
    from nonproj.trees import binarise as binarised

    skips = options.Skips(strict)
    failed = False
    drawn = 0
    with options.written(output, form) as write:
        for name, tree in options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips):
            found = binarised(tree)
            if gaps is not None and found.gap_degree > gaps:
                failed = True
                click.echo(f"{name}: not in MG{gaps}: its binarisations take {found.gap_degree} gaps or more", err=True)
                continue
            drawn += 1
            if form == "svg" and drawn > 1:
                raise click.UsageError("SVG holds one tree: choose with -s")
            write({"text": _text, "svg": _svg, "json": _json, "dot": _dot}[form](name, tree, found))
    skips.report()
    if failed:
        sys.exit(1)


def _text(name: str, tree: Tree, found: Binarisation) -> str:
    n = len(tree)
    nodes = list(found.nodes())
    shown = [node.depth * "  " + ("+" if node.label is None else _named(tree, node.label)) for node in nodes]
    width = max(map(len, shown))
    lines = [
        f"{name}: {_summary(tree, found)}",
        "",
        f"{'':<{width}}  {''.join(str(w % 10) for w in range(1, n + 1))}  gaps",
    ]
    for label, node in zip(shown, nodes, strict=True):
        head = node.head if node.label is None else 0
        marks = ("■" if word in node.words else "□" if word == head else "·" for word in range(1, n + 1))
        lines.append(f"{label:<{width}}  {''.join(marks)}  {node.gap_degree:>4}")
    return "\n".join([*lines, "", ""])


def _summary(tree: Tree, found: Binarisation) -> str:
    joins = sum(node.label is None for node in found.nodes())
    return (
        f"gap degree {tree.gap_degree}, {tree.nesting}; binarised with {joins} join{'s' * (joins != 1)} "
        f"and gap degree {found.gap_degree}"
    )


def _named(tree: Tree, word: int) -> str:
    return str(word) if tree.forms is None else f"{word} {tree.form(word)}"


def _svg(name: str, tree: Tree, found: Binarisation) -> str:
    from nonproj.draw.binarised import binarised_svg

    return binarised_svg(found, title=f"{name}: {_summary(tree, found)}")


def _json(name: str, tree: Tree, found: Binarisation) -> str:
    data = {
        "sent_id": name,
        "heads": list(tree.heads),
        "gap_degree": found.gap_degree,
        "brackets": {str(head): bracket for head, bracket in found.brackets.items()},
        "binarised_heads": found.heads,
    }
    return json.dumps(data, ensure_ascii=False) + "\n"


def _dot(name: str, tree: Tree, found: Binarisation) -> str:
    """The binarised tree for Graphviz: words are boxes, joins points with their gaps."""
    lines = [
        f"digraph {json.dumps(name, ensure_ascii=False)} {{",
        "  node [shape=box, fontsize=10]; edge [arrowsize=0.6];",
    ]
    path: list[int] = []
    for number, node in enumerate(found.nodes()):
        if node.label is None:
            gaps = f"{node.gap_degree} gap{'s' * (node.gap_degree != 1)}"
            lines.append(f'  n{number} [shape=circle, width=0.1, label="", xlabel={json.dumps(gaps)}];')
        else:
            lines.append(f"  n{number} [label={json.dumps(_named(tree, node.label), ensure_ascii=False)}];")
        del path[node.depth :]
        if path:
            lines.append(f"  n{path[-1]} -> n{number};")
        path.append(number)
    return "\n".join([*lines, "}", ""])
