"""The verb ``trace``: how an algorithm builds a tree, line by line."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.report.table import Table
    from nonproj.schema import Forest, Row, Schema
    from nonproj.transition import Trace
    from nonproj.trees import Tree

_FORMATS = ["table", "json", "picture", "csv", "markdown", "latex"]
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


@click.command()
@options.both(options.files, options.sample, options.sentence_ids)
@options.both(options.heads, options.forms, options.deprels)
@click.option("--schema", "schema_name", metavar="NAME", help="Trace a parsing schema; see 'nonproj schema list'.")
@click.option("--derivation", is_flag=True, help="With --schema: only the items of one derivation, leaves first.")
@options.both(options.system_name, options.oracle_name)
@click.option("--model", metavar="MODEL", help="Trace the transitions that a trained parser takes.")
@click.option("--full", is_flag=True, help="With --system or --model: long lists in full.")
@click.option("--words", metavar="'dogs bark ...'", help="A sentence to parse with --rules, instead of a tree.")
@click.option("--tags", metavar="'NOUN VERB ...'", help="The tags that go with --words: the rules are over tags.")
@click.option(
    "--rules", metavar="FILE", help="D-rules 'dependent -> head', one a line, over words, or tags with --tags."
)
@click.option("--single-root", is_flag=True, help="Let one word only depend on the root.")
@options.both(options.on_error, options.strict, options.format_and_output(*_FORMATS))
def trace(
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    heads: str | None,
    forms: str | None,
    deprels: str | None,
    schema_name: str | None,
    derivation: bool,
    system_name: str | None,
    oracle_name: str | None,
    model: str | None,
    full: bool,
    words: str | None,
    tags: str | None,
    rules: str | None,
    single_root: bool,
    form: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Trace how an algorithm builds a tree: with --schema, the items of its chart in order of deduction; with --system,
    the transitions of an oracle and what each leaves on stacks, lists and buffer; with --model, those that a
    transition-based parser takes for the sentences of a treebank, whatever their own trees.

    With --derivation the items that one derivation of the tree needs are shown alone, each after those it follows from,
    and with the order annotation of its head: 0 is the head, 1, 2, ... its children's blocks, a comma a gap.

    The trees come from a treebank or from --heads, and only their own arcs are used; or give --words and a grammar in
    --rules. The exit code is 1 when one of them cannot be derived: the transitions are then shown as far as the oracle
    knows the way. A title names the oracle, and transitions that are not in the reference of the system.

    \b
    nonproj trace --schema WG1 --heads '3 4 0 3'
    nonproj trace --schema M1I --heads '2 3 6 3 4 0 6' --derivation
    nonproj trace --schema MH4 --sample -s en-hearing --format picture
    nonproj trace --schema Eisner --words 'dogs bark' --rules dogs.rules
    nonproj trace --system sort-parse --sample -s en-hearing
    nonproj trace --system arc-standard --heads '2 0' --forms 'Dogs bark' --deprels 'nsubj root'
    nonproj trace --model my.model corpus.conllu -s 7
    """
    if [schema_name, system_name, model].count(None) != 2:
        raise click.UsageError("say what to trace: --schema NAME, --system NAME or --model MODEL")
    if schema_name is None:
        if words is not None or tags is not None or rules is not None:
            raise click.UsageError("--words, --tags and --rules go with --schema")
        if form == "picture":
            raise click.UsageError("pictures are drawn of items: --format picture goes with --schema")
        if derivation:
            raise click.UsageError("--derivation goes with --schema: a system has one sequence of transitions")
        skips = options.Skips(strict)
        if model is not None:
            if oracle_name is not None or single_root or heads is not None:
                raise click.UsageError("--model has its own oracle and roots, and takes sentences of a treebank")
            found = options.inputs(files, sample)
            _write_traces(_parsed(found, sentences, model, on_error, skips), form, full, output)
        else:
            assert system_name is not None
            trees = options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips, deprels=deprels)
            _write_traces(_by_oracle(trees, system_name, oracle_name, single_root), form, full, output)
        skips.report()
        return
    if oracle_name is not None or full:
        raise click.UsageError("--oracle and --full go with --system")
    assert schema_name is not None
    from nonproj.schema import DRules, Problem, parsing_schema, schema_for_tree

    skips = options.Skips(strict)
    failed = False
    with options.written(output, form) as write:
        if words is not None:
            if rules is None or heads is not None or files or sample:
                raise click.UsageError("--words goes with --rules, and with no tree")
            grammar = DRules.load(rules, over="words" if tags is None else "tags")
            problem = Problem.of_rules(words.split(), grammar, None if tags is None else tags.split())
            problems = iter([("sentence", parsing_schema(schema_name), problem)])
        else:
            if rules is not None or tags is not None:
                raise click.UsageError("--rules and --tags go with --words")
            trees = options.chosen_trees(files, sample, sentences, heads, forms, on_error, skips, deprels=deprels)
            problems = ((name, schema_for_tree(schema_name, tree), Problem.of_tree(tree)) for name, tree in trees)
        for name, chosen, problem in problems:
            forest = chosen.deduce(problem, single_root=single_root)
            failed |= not forest.is_derived
            write(_shown(name, chosen, forest, form, derivation))
    skips.report()
    if failed:
        sys.exit(1)


def _by_oracle(
    trees: Iterator[tuple[str, Tree]], system_name: str, oracle_name: str | None, single_root: bool
) -> Iterator[tuple[str, str, Trace]]:
    """Names, titles and traces of trees."""
    from nonproj.transition import transition_system

    system = transition_system(system_name, oracle=oracle_name, single_root=single_root)
    oracle = f", oracle {system.oracle_name}" if system.oracle_name else ""
    for name, tree in trees:
        yield name, f"{system.name}{oracle}", system.trace(tree, partial=True)


def _parsed(
    found: list[Any], ids: tuple[str, ...], path: str, on_error: Literal["stop", "skip"], skips: options.Skips
) -> Iterator[tuple[str, str, Trace]]:
    """Names, titles and traces of what a parser makes of sentences, tagged as 'nonproj parse' does."""
    from nonproj.errors import NonprojError
    from nonproj.text import Pipeline
    from nonproj.treebank import Treebank, read

    pipeline = Pipeline.load(path)
    if pipeline.parser is None:
        raise click.UsageError(f"{path} has no parser")
    missing = set(ids)
    for source in found:
        treebank = source if isinstance(source, Treebank) else read(source, on_error=on_error, unparsed=True)
        skips.add_from(treebank)
        if pipeline.tagger is not None:
            empty = [name for name in pipeline.tagger.columns if set(treebank.column(name)) <= {"_"}]
            treebank = pipeline.tagger.fill_in(treebank, empty) if empty else treebank
        for misfit in pipeline.parser.misfits(treebank):
            options.warn(misfit)
        for sentence in treebank:
            if ids and sentence.sent_id not in missing:
                continue
            missing.discard(sentence.sent_id)
            trace = pipeline.parser.trace(sentence)
            yield sentence.sent_id, f"{trace.system.name}, parsed by {os.path.basename(path)}", trace
    if missing:
        raise NonprojError(f"no sentence has the id {' or '.join(sorted(missing))}")


def _write_traces(traces: Iterator[tuple[str, str, Trace]], form: str, full: bool, output: str | None) -> None:
    failed = False
    with options.written(output, form) as write:
        for name, title, trace in traces:
            write(_shown_trace(name, title, trace, form, full))
            if trace.why is not None:
                failed = True
                click.echo(f"not derived: {name}: {trace.why}", err=True)
    if failed:
        sys.exit(1)


def _shown_trace(name: str, title: str, trace: Trace, form: str, full: bool) -> str:
    if form == "json":
        return _json_trace(name, trace)
    from nonproj.report.table import Column, Table
    from nonproj.transition.trace import MARK

    columns = [Column(heading, align_left=heading != "m") for heading in trace.headings]
    caption = f"{name}: {title}, {len(trace.transitions)} transitions"
    if trace.why is not None:
        caption += ", not derived"
    taken = {transition.name for transition in trace.transitions}
    if own := [transition for transition in trace.system.kind.own if transition in taken]:
        caption += f"; not in {trace.system.kind.reference}: {', '.join(own)}"
    table = Table(columns, list(trace.cells(full=full)), caption=caption)
    color = options.wants_color() and form == "table"
    text = table.to_text(color=color) + "\n" if form == "table" else str(getattr(table, f"to_{form}")())
    bold = {"markdown": ("**", "**"), "latex": (r"\textbf{", "}")}.get(
        form, ("\x1b[1m", "\x1b[0m") if color else ("", "")
    )
    for mark, style in zip(MARK, bold, strict=True):
        text = text.replace(mark, style)
    if form == "latex":
        text = re.sub("[₀-₉]+", lambda digits: rf"\textsubscript{{{digits[0].translate(_DIGITS)}}}", text)
        text = text.replace("λ", r"$\lambda$")
    return text


def _json_trace(name: str, trace: Trace) -> str:
    return json.dumps({"sent_id": name, **trace.to_dict()}, ensure_ascii=False) + "\n"


def _shown(name: str, schema: Schema, forest: Forest, form: str, derivation: bool) -> str:
    if form == "json":
        return _json(name, schema, forest, derivation)
    rows = forest.derivation() if derivation else forest.rows()
    caption = _caption(name, schema, forest, rows if derivation else None)
    if form == "picture":
        return _picture(caption, rows, forest.problem.n)
    table = _table(caption, rows, derivation)
    if form == "table":
        return table.to_text(color=options.wants_color()) + "\n"
    return str(getattr(table, f"to_{form}")())


def _caption(name: str, schema: Schema, forest: Forest, derivation: list[Row] | None) -> str:
    of_tree = " with the Combine steps that the tree needs alone" if "one tree" in schema.title else ""
    if not forest.is_derived:
        return f"{name}: {schema.name}, {len(forest.items)} items, no final item is derived"
    if derivation is None:
        return f"{name}: {schema.name}, {len(forest.items)} items, derived{of_tree}"
    hypotheses = sum(row.step == "hypothesis" for row in derivation)
    return f"{name}: {schema.name}, {len(derivation) - hypotheses} steps from {hypotheses} hypotheses"


def _table(caption: str, rows: list[Row], derivation: bool) -> Table:
    from nonproj.report.table import Column, Table

    headings = ["item", "step", "from", "arc", *(["order"] if derivation else [])]
    cells = [
        [
            str(row.number),
            row.item,
            row.step,
            " ".join(map(str, row.antecedents)),
            "" if row.arc is None else f"{row.arc.head} -> {row.arc.dependent}",
            *([row.order] if derivation else []),
        ]
        for row in rows
    ]
    return Table([Column("#"), *(Column(heading, align_left=True) for heading in headings)], cells, caption=caption)


def _picture(caption: str, rows: list[Row], n: int) -> str:
    """Each item with one character a node, under the last digits of the word numbers."""
    from nonproj.schema.pictures import ATTACHED, OPEN, OUTSIDE

    width = max((len(row.item) for row in rows), default=0)
    ruler = "".join(str(node % 10) for node in range(n + 1))
    lines = [caption, "", f"{'':>{width + 6}}  {ruler}"]
    lines += [f"{row.number:>4}  {row.item:<{width}}  {row.picture(n)}  {row.step}" for row in rows]
    legend = f"{ATTACHED} has its head, {OPEN} waits for it, {OUTSIDE} not in the item"
    return "\n".join([*lines, "", legend, "", ""])


def _json(name: str, schema: Schema, forest: Forest, derivation: bool) -> str:
    if derivation:
        found = {"derived": forest.is_derived, "derivation": [row.to_dict() for row in forest.derivation()]}
    else:
        found = forest.to_dict()
    return json.dumps({"sent_id": name, "schema": schema.name, **found}, ensure_ascii=False) + "\n"
