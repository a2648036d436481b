"""The verb ``lift``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.treebank import Filter, Treebank

encoding = click.option(
    "-e",
    "--encoding",
    type=click.Choice(["head", "path", "head+path"]),
    default="head+path",
    show_default=True,
    help="What the labels tell of a lifted word: the relation of its head, the path to it, or both.",
)


@click.command()
@options.both(options.files, options.sample, encoding)
@click.option(
    "--covered-roots",
    type=click.Choice(["keep", "left", "right", "head"]),
    default="keep",
    show_default=True,
    help="First hang roots that lie under an arc from that end of the shortest one.",
)
@click.option(
    "--rules", "rules_file", metavar="RULES", help="Lift only as lifting rules allow; other trees stay as they are."
)
@options.both(options.filters, options.on_error, options.strict, options.treebank_output)
def lift(
    files: tuple[str, ...],
    sample: bool,
    encoding: Any,
    covered_roots: Any,
    rules_file: str | None,
    only: Filter,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Lift a treebank to projective trees, with labels that say how to lower them again.

    A projective parser trained on the result gives trees that 'nonproj lower' makes non-projective again.

    \b
    nonproj lift train.conllu -o lifted.conllu
    nonproj lift --sample --encoding head | nonproj lower --encoding head
    nonproj lift train.conllu --rules train.rules -o lifted.conllu
    """
    from nonproj.lifting import RuleSet
    from nonproj.lifting import lift as lift_trees
    from nonproj.treebank import Treebank

    if rules_file is not None and covered_roots != "keep":
        raise click.UsageError(
            "rules lift trees with the roots that they have: --covered-roots does not go with --rules"
        )
    rules = RuleSet.load(rules_file) if rules_file is not None else None
    words, lifted_words, trees, outside = 0, 0, 0, 0

    def by_rules(treebank: Treebank) -> Treebank:
        nonlocal outside
        assert rules is not None
        found = [(sentence, rules.lift(sentence, encoding)) for sentence in treebank]
        outside += sum(lifted is None for _, lifted in found)
        return Treebank(lifted or sentence for sentence, lifted in found)

    def lifted(block: Treebank) -> Treebank:
        nonlocal words, lifted_words, trees
        treebank = only.apply(block)
        after = by_rules(treebank) if rules is not None else lift_trees(treebank, encoding, covered_roots=covered_roots)
        trees += len(treebank)
        words += len(treebank.heads)
        lifted_words += int((treebank.heads != after.heads).sum())
        return after

    skips = options.Skips(strict)
    rewrite(options.inputs(files, sample), lifted, "lifting", on_error, skips, output)
    sys.stdout.flush()
    options.warn_when_none(only, trees > 0)
    told = f", {outside} trees outside the rules" if rules is not None else ""
    click.echo(f"{trees} trees, {lifted_words} of {words} words lifted{told}", err=True)
    skips.report()


def rewrite(
    found: list[Any],
    change: Callable[[Treebank], Treebank],
    title: str,
    on_error: Literal["stop", "skip"],
    skips: options.Skips,
    output: str | None,
) -> None:
    """Write treebanks with their trees changed, block by block, in memory that does not grow with them."""
    from nonproj.treebank import Treebank
    from nonproj.treebank.reading import stream_treebanks
    from nonproj.treebank.writing import joined, opened

    blocks: Any = found if isinstance(found[0], Treebank) else stream_treebanks(found, on_error=on_error)
    done = 0
    has_room = options.has_room_for_progress(output)
    with opened(output or "-") as file, options.progress_bar(title, "trees", has_room) as progress:

        def texts() -> Iterator[bytes]:
            nonlocal done
            for treebank in blocks:
                yield bytes(change(treebank))
                done += len(treebank)
                progress(done, None)

        for part in joined(texts()):
            file.write(part)
    skips.add_from(found[0] if blocks is found else blocks)
