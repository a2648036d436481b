"""The verb ``draw``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter, Sentence
    from nonproj.trees import Tree


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms)
@click.option("--boxes", metavar="gaps|WORDS", help="Box the yields of nodes with gaps, or of these word numbers.")
@click.option("--no-labels", is_flag=True, help="Leave out the names of the relations.")
@click.option("--stars", is_flag=True, help="Put a star on arcs that are not projective.")
@click.option("--tags", type=click.Choice(["upos", "xpos"]), help="Set the tags of this column under the words.")
@click.option("--features", is_flag=True, help="Set the morphological features under the words.")
@click.option(
    "--direction",
    type=click.Choice(["auto", "ltr", "rtl"]),
    default="auto",
    show_default=True,
    help="From left to right or from right to left; auto goes by the script of most words.",
)
@click.option(
    "--width",
    type=options.whole(1),
    metavar="N",
    help="Break longer sentences into lines of N pixels in pictures, or draw text for N columns.  [default: 1100 in "
    "pages, one line in single pictures, the terminal's width in text]",
)
@click.option(
    "--planes",
    type=click.Choice(["fewest", "mh4"]),
    default="fewest",
    show_default=True,
    help="The planes that colour the arcs: the fewest, or the two of the parser of MH4, for trees in MH4.",
)
@click.option("--ascii", is_flag=True, help="Draw text with plain characters only.")
@click.option(
    "-n", "--max", "limit", type=options.whole(0), default=20, show_default=True, help="At most N trees; 0 for all."
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
    stars: bool,
    tags: Literal["upos", "xpos"] | None,
    features: bool,
    direction: Literal["auto", "ltr", "rtl"],
    width: int | None,
    planes: Literal["fewest", "mh4"],
    ascii: bool,
    limit: int,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Draw trees, with their crossing arcs marked and coloured by plane.

    Multiword tokens are bracketed below their words, and empty nodes stand faintly between them. Hebrew, Arabic and
    other scripts that are written from right to left are drawn so.

    \b
    nonproj draw --sample -s en-hearing
    nonproj draw --sample -s en-hearing --boxes gaps -o hearing.svg      # or .png, .pdf
    nonproj draw corpus.conllu --tags upos --width 900 -o corpus.html
    """
    import itertools

    from nonproj.draw.content import refuse_too_long
    from nonproj.draw.image import painter

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
    if form == "latex" and (features or width or planes != "fewest"):
        raise click.UsageError("--features, --width and --planes are for text and pictures, not for latex")
    if heads is not None and (tags or features):
        raise click.UsageError("--heads gives neither --tags nor --features: draw a treebank")
    chosen = options.chosen(files, sample, sentences, heads, forms, on_error, skips, only)
    shown = list(itertools.islice(chosen, limit or None))
    has_more = next(chosen, None) is not None if limit else False
    for name, what in shown:
        refuse_too_long(what, f"sentence {name}")
        if planes == "mh4":
            _refuse_outside_mh4(name, what)
    if form in ("svg", "png", "pdf") and len(shown) != 1:
        raise click.UsageError(
            f"{form.upper()} holds one tree, not {len(shown)}{' and more' * has_more}: choose with -s, or write a page "
            f"with -o .html"
        )
    how: dict[str, Any] = {"labels": not no_labels, "stars": stars, "tags": tags, "direction": direction}
    if form != "latex":
        how |= {"features": features, "planes": planes, **({"width": width} if width else {})}
    if form == "text":
        how = {"width": options.terminal_width(), **how, "ascii": ascii}
    elif form != "latex":
        how["boxes"] = framed
    _write(form, output, shown, how)
    if has_more:
        options.stopped_at(limit, "trees")
    chosen.close()
    skips.report()


def _write(form: str, output: str | None, shown: list[tuple[str, Tree | Sentence]], how: dict[str, Any]) -> None:
    """Draw in the given form, with the options of its function."""
    from nonproj.draw import latex, page, svg, text
    from nonproj.draw.image import image
    from nonproj.treebank.writing import opened

    if form in ("png", "pdf"):
        content = image(shown[0][1], "png" if form == "png" else "pdf", **how)
        with opened(output or "-") as file:
            file.write(content)
        return
    with options.written(output, form) as write:
        if form == "text":
            color = output is None and options.wants_color()
            for name, what in shown:
                write(f"{name}\n{text(what, color=color, **how).rstrip()}\n\n")
        elif form == "latex":
            write("\n".join(latex(what, **how) for _, what in shown))
        elif form == "html":
            write(page(shown, **how))
        else:
            write(svg(shown[0][1], **how))


def _refuse_outside_mh4(name: str, what: Tree | Sentence) -> None:
    from nonproj.draw.content import tree_of
    from nonproj.errors import NonprojError

    try:
        tree_of(what).planes_of("MH4")
    except NonprojError as error:
        raise NonprojError(f"sentence {name}: {error}; leave out --planes mh4") from None


def _boxes(boxes: str | None) -> Literal["gaps"] | tuple[int, ...]:
    if boxes is None:
        return ()
    if boxes == "gaps":
        return "gaps"
    try:
        return tuple(int(word) for word in boxes.replace(",", " ").split())
    except ValueError:
        raise click.UsageError(f"--boxes takes 'gaps' or word numbers such as 2,4, not {boxes!r}") from None
