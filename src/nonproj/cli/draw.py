"""The verb ``draw``."""

from __future__ import annotations

from typing import Literal

import click

from nonproj.cli import options

_BY_ENDING = {".svg": "svg", ".html": "html", ".htm": "html"}


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", "html"]),
    help="A drawing for the terminal, a picture, or a page of pictures; by default what the ending of -o says.",
)
@click.option("--boxes", metavar="gaps|WORDS", help="Box the yields of nodes with gaps, or of these word numbers.")
@click.option("--no-labels", is_flag=True, help="Leave out the names of the relations.")
@click.option("--ascii", is_flag=True, help="Draw text with plain characters only.")
@click.option(
    "-n", "--max", "limit", type=click.IntRange(0), default=20, show_default=True, help="At most N trees; 0 for all."
)
@options.both(options.on_error, options.strict, options.output)
def draw(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    form: str | None,
    boxes: str | None,
    no_labels: bool,
    ascii: bool,
    limit: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Draw trees, with their crossing arcs marked and coloured by plane.

    \b
    nonproj draw --sample -s en-hearing
    nonproj draw --sample -s en-hearing --boxes gaps -o hearing.svg
    nonproj draw corpus.conllu -o corpus.html
    """
    import itertools
    import os

    from nonproj.draw import page, svg, text

    kind = form or _BY_ENDING.get(os.path.splitext(output or "")[1].lower(), "text")
    skips = options.Skips(strict)
    trees = options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips)
    shown = list(itertools.islice(trees, limit or None))
    if kind == "svg" and len(shown) > 1:
        raise click.UsageError(
            f"an SVG holds one tree, not {len(shown)}: choose with -s, or write a page with -o .html"
        )
    with options.written(output) as write:
        if kind == "text":
            width = options.terminal_width()
            color = output is None and options.wants_color()
            for name, tree in shown:
                picture = text(tree, width=width, labels=not no_labels, color=color, ascii=ascii)
                write(f"{name}\n{picture.rstrip()}\n\n")
        elif kind == "html":
            write(page(shown))
        else:
            for _, tree in shown:
                write(svg(tree, boxes=_boxes(boxes), labels=not no_labels))
    skips.report()


def _boxes(boxes: str | None) -> Literal["gaps"] | tuple[int, ...]:
    if boxes is None:
        return ()
    if boxes == "gaps":
        return "gaps"
    try:
        return tuple(int(word) for word in boxes.replace(",", " ").split())
    except ValueError:
        raise click.UsageError(f"--boxes takes 'gaps' or word numbers such as 2,4, not {boxes!r}") from None
