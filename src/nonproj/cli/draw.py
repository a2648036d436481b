"""The verb ``draw``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms)
@click.option("--boxes", metavar="gaps|WORDS", help="Box the yields of nodes with gaps, or of these word numbers.")
@click.option("--no-labels", is_flag=True, help="Leave out the names of the relations.")
@click.option("--ascii", is_flag=True, help="Draw text with plain characters only.")
@click.option(
    "-n", "--max", "limit", type=click.IntRange(0), default=20, show_default=True, help="At most N trees; 0 for all."
)
@options.both(
    options.filters,
    options.on_error,
    options.strict,
    options.format_and_output(
        "text",
        "svg",
        "html",
        "png",
        "pdf",
        "latex",
        help="A drawing for the terminal, a picture, a page of pictures, a picture for other programmes, or LaTeX with "
        "the package tikz-dependency.",
    ),
)
def draw(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    form: str,
    boxes: str | None,
    no_labels: bool,
    ascii: bool,
    limit: int,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Draw trees, with their crossing arcs marked and coloured by plane.

    \b
    nonproj draw --sample -s en-hearing
    nonproj draw --sample -s en-hearing --boxes gaps -o hearing.svg      # or .png, .pdf
    nonproj draw corpus.conllu -o corpus.html
    """
    import itertools

    from nonproj.draw import latex, page, svg, text
    from nonproj.draw.content import refuse_too_long
    from nonproj.draw.image import image, painter

    framed = _boxes(boxes)
    if boxes is not None and form == "text":
        raise click.UsageError("--boxes are drawn in pictures: write one with -o, such as tree.svg")
    if boxes is not None and form == "latex":
        raise click.UsageError("--boxes are drawn in pictures: choose .svg, .png or .pdf")
    if ascii and form != "text":
        raise click.UsageError(f"--ascii is for text, not for {form}")
    if form in ("png", "pdf"):
        painter()
    skips = options.Skips(strict)
    trees = options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips, only)
    shown = list(itertools.islice(trees, limit or None))
    has_more = next(trees, None) is not None if limit else False
    for name, tree in shown:
        refuse_too_long(tree, f"sentence {name}")
    if form in ("svg", "png", "pdf") and len(shown) != 1:
        raise click.UsageError(
            f"{form.upper()} holds one tree, not {len(shown)}{' and more' * has_more}: choose with -s, or write a page "
            f"with -o .html"
        )
    if form in ("png", "pdf"):
        from nonproj.treebank.writing import opened

        content = image(shown[0][1], "png" if form == "png" else "pdf", boxes=framed, labels=not no_labels)
        with opened(output or "-") as file:
            file.write(content)
    else:
        with options.written(output, form) as write:
            if form == "text":
                width = options.terminal_width()
                color = output is None and options.wants_color()
                for name, tree in shown:
                    picture = text(tree, width=width, labels=not no_labels, color=color, ascii=ascii)
                    write(f"{name}\n{picture.rstrip()}\n\n")
            elif form == "latex":
                write("\n".join(latex(tree, labels=not no_labels) for _, tree in shown))
            elif form == "html":
                write(page(shown, boxes=framed, labels=not no_labels))
            else:
                write(svg(shown[0][1], boxes=framed, labels=not no_labels))
    if has_more:
        options.stopped_at(limit, "trees")
    trees.close()
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
