"""The verb ``sort``: projective order, inversions and swaps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.report.table import Table
    from nonproj.transition import SwapStatistics
    from nonproj.trees import Tree

_LINEAR = 1.2
"""Transitions that grow with at most this power of the length are called linear."""


@click.command()
@options.both(options.files, options.sample, options.sentence_ids, options.heads, options.forms)
@click.option("--orders", is_flag=True, help="A line for each sentence: its inversions and its words in order.")
@click.option("--back", is_flag=True, help="Undo what --format conllu, or -o with such an ending, has done.")
@options.both(options.threads, options.on_error, options.strict, options.format_and_output("text", "json", "conllu"))
def sort(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    orders: bool,
    back: bool,
    form: str,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Sort words into projective order, the inorder traversal of the tree, and count the swaps that it takes.

    For a treebank: the mean number of swaps a tree, their histogram, swaps a word by length, and whether the number
    of transitions grows linearly, as is expected of natural languages. Swaps are those of sorting (one for each
    inversion), of sort-parse, of sort-parse as printed, which does not derive every tree, and of the swap system's
    eager and lazy oracles. With --heads, --sentence or --orders: id, number of inversions, and the words in projective
    order.

    With --format conllu, or -o FILE.conllu: the treebank with its words in that order, so that a projective parser can
    learn it and parse such sentences. --back puts the words back, with the heads that they have then.

    \b
    nonproj sort corpus.conllu
    nonproj sort corpus.conllu -o sorted.conllu
    nonproj sort sorted.conllu --back -o corpus.conllu
    nonproj sort --sample -s en-hearing
    nonproj sort --heads '2 3 0 3 2 7 5 4 3'
    """
    skips = options.Skips(strict)
    if back or form == "conllu":
        if orders or heads is not None or forms is not None:
            raise click.UsageError("a treebank is sorted: --heads, --forms and --orders have no meaning for it")
        _rewrite(files, sample, sentences, back, on_error, skips, output)
        skips.report()
        return
    with options.written(output, form) as write:
        if orders or sentences or heads is not None:
            for name, tree in options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips):
                write(_order(name, tree, form))
        else:
            from nonproj.transition import swap_statistics
            from nonproj.treebank import Treebank, read

            if forms is not None:
                raise click.UsageError("--forms goes with --heads")
            for source in options.inputs(files, sample):
                treebank = source if isinstance(source, Treebank) else read(source, on_error=on_error)
                skips.add_from(treebank)
                name = "sample" if sample else str(source)
                statistics = swap_statistics(treebank, threads=threads)
                write(_json(name, statistics) if form == "json" else _text(name, statistics))
    skips.report()


def _rewrite(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    back: bool,
    on_error: Literal["stop", "skip"],
    skips: options.Skips,
    output: str | None,
) -> None:
    from nonproj.cli.lift import rewrite
    from nonproj.transition import sort_treebank, unsort_treebank
    from nonproj.treebank import Treebank

    found = options.inputs(files, sample)
    if sentences:
        found = [Treebank(options.chosen_sentences(files, sample, sentences, on_error, skips))]
    rewrite(found, unsort_treebank if back else sort_treebank, "sorting", on_error, skips, output)


def _order(name: str, tree: Tree, form: str) -> str:
    from nonproj.transition import sort_words

    order, inversions = sort_words(tree)
    if form == "json":
        return json.dumps({"sent_id": name, "inversions": inversions, "order": order}) + "\n"
    words = " ".join(str(word) if tree.forms is None else f"{tree.form(word)}/{word}" for word in order)
    return f"{name}\t{inversions}\t{words}\n"


def _text(name: str, statistics: SwapStatistics) -> str:
    if len(statistics) == 0:
        return f"{name}: no trees\n"
    tables = [_histogram(name, statistics), _by_length(statistics)]
    checks = [
        f"{oracle}: n^{exponent:.2f}, {'linear' if exponent <= _LINEAR else 'NOT linear'}"
        for oracle, exponent in statistics.exponents().items()
        if exponent == exponent
    ]
    growth = "; ".join(checks) if checks else "all sentences have the same length: no growth to measure"
    return (
        "\n".join(table.to_text(options.terminal_width(), color=options.wants_color()) for table in tables)
        + f"\nTransitions grow as {growth}.\n"
    )


def _histogram(name: str, statistics: SwapStatistics) -> Table:
    from nonproj.report.table import Column, Table

    means = statistics.means()
    rows = [[label, *(str(count) for count in counts.values())] for label, counts in statistics.histogram()]
    rows.append(["derived", *(str(count) for count in statistics.derived().values())])
    rows.append(["mean", *(f"{mean:.3f}" for mean in means.values())])
    caption = f"{name}: {len(statistics)} trees by the number of swaps they need."
    return Table([Column(heading) for heading in ("swaps", *means)], rows, caption=caption, footer_rows=2)


def _by_length(statistics: SwapStatistics) -> Table:
    from nonproj.report.table import Column, Table

    rows = [
        [label, str(trees), *(f"{swaps:.3f}" for swaps in by_oracle.values())]
        for label, trees, by_oracle in statistics.by_length()
    ]
    headings = ("words", "trees", *statistics.means())
    return Table([Column(heading) for heading in headings], rows, caption="Swaps a word, by length.")


def _json(name: str, statistics: SwapStatistics) -> str:
    exponents = {oracle: value if value == value else None for oracle, value in statistics.exponents().items()}
    data: dict[str, Any] = {"treebank": name, "trees": len(statistics)}
    if len(statistics):
        data |= {
            "means": statistics.means(),
            "derived": statistics.derived(),
            "histogram": dict(statistics.histogram()),
            "by_length": [
                {"words": label, "trees": trees, "swaps_a_word": swaps}
                for label, trees, swaps in statistics.by_length()
            ],
            "exponents": exponents,
            "is_linear": {oracle: None if value is None else value <= _LINEAR for oracle, value in exponents.items()},
        }
    return json.dumps(data, ensure_ascii=False) + "\n"
