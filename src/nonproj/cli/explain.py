"""The verb ``explain``."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter
    from nonproj.trees import Tree, TreeClass


@click.command()
@options.both(options.files, options.sample, options.class_names, options.sentence_ids, options.heads, options.forms)
@click.option(
    "-n",
    "--max",
    "limit",
    type=options.whole(0),
    default=10,
    show_default=True,
    help="Stop after N sentences; 0 for all.",
)
@options.both(options.filters, options.on_error, options.strict, options.format_and_output("text", "json"))
def explain(
    files: tuple[str, ...],
    sample: bool,
    classes: str,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    limit: int,
    form: str,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Say why trees are outside a class: the words and arcs that break its rule.

    Without --sentence, the non-projective trees of the input that are outside one of the classes are explained.

    \b
    nonproj explain --sample -s en-hearing
    nonproj explain corpus.conllu -c WG1 -n 3
    nonproj explain --heads '2 3 0 3 2 7 5 4 3'
    """
    from nonproj.errors import NonprojError
    from nonproj.trees import tree_classes

    chosen = tree_classes(classes)
    skips = options.Skips(strict)
    told = 0
    with options.written(output, form) as write:
        for name, tree in options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips, only):
            is_asked_for = bool(sentences) or heads is not None
            try:
                if not is_asked_for and all(tree in cls for cls in chosen):
                    continue
                if limit and told == limit:
                    options.stopped_at(limit, "trees")
                    break
                said = _json(name, tree, chosen) if form == "json" else _text(name, tree, chosen, output is None)
            except NonprojError as error:  # it is too entangled, or too long to draw
                if is_asked_for:
                    raise
                options.warn(f"{name}: {error}")
                continue
            write(said)
            told += 1
    skips.report()


def _text(name: str, tree: Tree, classes: list[TreeClass], to_terminal: bool) -> str:
    from nonproj.draw import text

    width = options.terminal_width()
    drawing = text(tree, width=width, color=to_terminal and options.wants_color())
    inside = [cls.name for cls in classes if tree in cls]
    lines = [f"{name}: {_summary(tree)}", "", drawing.rstrip("\n"), ""]
    reasons = list(_reasons(tree, classes))
    wide = max([len("inside"), *(len(label) for label, _ in reasons if "," not in label)])
    for label, reason in reasons:
        indent = " " * (wide + 3)
        lines += textwrap.wrap(f"{label:<{wide}} {reason}", width - 2, initial_indent="  ", subsequent_indent=indent)
    if inside:
        lines.append(f"  {'inside':<{wide}} {', '.join(inside)}")
    return "\n".join([*lines, "", ""])


def _summary(tree: Tree) -> str:
    if tree.is_projective:
        return f"{len(tree)} words, projective"
    planes = _settled(tree, "planes", "many")
    return (
        f"{len(tree)} words, gap degree {tree.gap_degree}, {_settled(tree, 'nesting', 'ill-nested')}, "
        f"{len(tree.crossings)} crossings in {planes} plane{'s' * (planes != '1')}"
    )


def _settled(tree: Tree, name: str, otherwise: str) -> str:
    from nonproj.errors import NonprojError

    try:
        return str(getattr(tree, name))
    except NonprojError:  # it is too entangled
        return otherwise


def _reasons(tree: Tree, classes: list[TreeClass]) -> Iterator[tuple[str, str]]:
    """Each reason once, with the classes it holds for."""
    names: dict[str, list[str]] = {}
    for cls in classes:
        explanation = cls.explain(tree)
        if not explanation.is_inside:
            names.setdefault(str(explanation), []).append(cls.name)
    for reason, outside in names.items():
        yield ", ".join(outside), reason


def _json(name: str, tree: Tree, classes: list[TreeClass]) -> str:
    found = [cls.explain(tree) for cls in classes]
    outside = [explanation.to_dict() for explanation in found if not explanation.is_inside]
    return json.dumps({"sent_id": name, "heads": list(tree.heads), "outside": outside}, ensure_ascii=False) + "\n"
