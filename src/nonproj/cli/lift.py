"""The verb ``lift``."""

from __future__ import annotations

import sys
from typing import Any, Literal

import click

from nonproj.cli import options

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
@options.both(options.on_error, options.strict, options.treebank_output)
def lift(
    files: tuple[str, ...],
    sample: bool,
    encoding: Any,
    covered_roots: Any,
    rules_file: str | None,
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
    from nonproj.lifting import lift as lift_trees
    from nonproj.treebank import read

    skips = options.Skips(strict)
    treebank = (
        read(options.inputs(files, sample), on_error=on_error) if not sample else options.inputs(files, sample)[0]
    )
    skips.add_from(treebank)
    if rules_file is not None:
        if covered_roots != "keep":
            raise click.UsageError(
                "rules lift trees with the roots that they have: --covered-roots does not go with --rules"
            )
        _lift_by_rules(rules_file, treebank, encoding, output)
        skips.report()
        return
    with options.progress_bar("lifting", "trees") as report:
        lifted = lift_trees(treebank, encoding, covered_roots=covered_roots, progress=report)
    words = int((treebank.heads != lifted.heads).sum())
    lifted.write(output or "-")
    sys.stdout.flush()
    click.echo(f"{len(treebank)} trees, {words} of {len(treebank.heads)} words lifted", err=True)
    skips.report()


def _lift_by_rules(rules_file: str, treebank: Any, encoding: Any, output: str | None) -> None:
    from nonproj.lifting import RuleSet
    from nonproj.treebank import write

    rules = RuleSet.load(rules_file)
    words = outside = 0
    sentences = []
    with options.progress_bar("lifting", "trees") as report:
        for done, sentence in enumerate(treebank):
            report(done, len(treebank))
            lifted = rules.lift(sentence, encoding)
            outside += lifted is None
            sentences.append(lifted or sentence)
            words += sum(a != b for a, b in zip(sentence.heads, sentences[-1].heads, strict=True))
    write(sentences, output or "-")
    sys.stdout.flush()
    click.echo(f"{len(treebank)} trees, {words} words lifted, {outside} trees outside the rules", err=True)
