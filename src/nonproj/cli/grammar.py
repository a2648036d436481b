"""The verb ``grammar``: check a dependency grammar, parse with it, show derivations and forests."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.grammar import Analysis, Grammar, Parse

grammar_file = click.argument("grammar_file", metavar="GRAMMAR")
words_argument = click.argument("words", nargs=-1, metavar="[WORDS]...")
max_lifts = click.option(
    "--max-lifts", type=options.whole(0), metavar="N", help="Let at most N words be on their way up at a time."
)


COLUMNS = "The columns that categories come from: upos, xpos, lemma or deprel, and after '+' more, feats or Case."


def columns(default: str) -> options.Decorator:
    """The option --categories, with what holds without it."""
    return click.option(
        "--categories", metavar="COLUMNS", callback=options.columns, help=f"{COLUMNS}  [default: {default}]"
    )


@click.group()
def grammar() -> None:
    """Dependency grammars, projective (GDG) and pseudo-projective (PP-GDG).

    GRAMMAR is a file, or beans.gdg, the grammar of the paper, which comes with nonproj. Sentences are given as WORDS,
    or one a line on standard input.

    \b
    nonproj grammar check beans.gdg
    nonproj grammar parse beans.gdg beans Fernando thought yesterday Milagro claims Carlos eats slowly
    nonproj grammar derive beans.gdg beans Fernando thought Carlos eats
    nonproj grammar forest beans.gdg beans Fernando thought Carlos eats
    nonproj grammar train train.conllu -o train.gdg
    nonproj grammar evaluate train.gdg dev.conllu --max-words 20
    """


@grammar.command("check")
@click.argument("grammar_file", metavar="[GRAMMAR]", required=False)
@click.option("--from", "treebank", metavar="FILE", help="Read the grammar off a treebank instead of a file.")
@columns("those that the grammar names; with --from upos")
@click.option("--held-out", multiple=True, metavar="FILE", help="Say how many trees of FILE the grammar derives.")
@click.option("--save", metavar="FILE", callback=options.tried, help="Write the grammar to FILE.")
@click.option("--strict", is_flag=True, help="End with exit code 3 when there is a warning.")
@options.text_output
def check_grammar(
    grammar_file: str | None,
    treebank: str | None,
    categories: str | None,
    held_out: tuple[str, ...],
    save: str | None,
    strict: bool,
    output: str | None,
) -> None:
    """Check a grammar: mistakes are errors, rules that cannot do what they were written for are warnings."""
    from nonproj.grammar import Grammar
    from nonproj.grammar.coverage import grammar_coverage
    from nonproj.treebank.reading import read_whole

    if (grammar_file is None) == (treebank is None):
        raise click.UsageError("give a grammar, or a treebank to read one off with --from")
    if treebank is None:
        loaded = Grammar.load(str(grammar_file))
    else:
        loaded = Grammar.from_treebank(read_whole(treebank), categories or "upos")
    warnings = loaded.check() if grammar_file else []
    with options.written(output) as write:
        write(
            f"{len(loaded.s_rules)} s-rules, {len(loaded.m_rules)} m-rules, {len(loaded.lp_rules)} LP rules, "
            f"{len(loaded.l_rules)} l-rules, {len(loaded.lexicon)} words, "
            f"{len(loaded.machine.categories)} categories\n"
        )
        if loaded.left_out:
            write(f"{loaded.left_out} trees with several roots were left out\n")
        for warning in warnings:
            write(f"warning: {warning.kind}: {warning}\n")
        for file in (*([treebank] if treebank else []), *held_out):
            write(f"{file}: {grammar_coverage(loaded, read_whole(file), categories)}\n")
    if save:
        loaded.save(save)
    if strict and warnings:
        sys.exit(3)


@grammar.command("train")
@options.both(options.files, columns("chosen, beginning with the tags"))
@click.option("--dev", multiple=True, metavar="FILE", help="Choose by how well FILE is parsed.")
@click.option(
    "--lift-weight",
    type=options.number(100, min_open=False),
    metavar="N",
    help="What each l-rule weighs.  [default: chosen]",
)
@click.option(
    "--arguments",
    metavar="RELATIONS",
    default="none",
    show_default=True,
    help="Relations that make s-rules, such as 'nsubj,obj'; 'none' for none.",
)
@options.both(options.on_error, options.strict)
@options.output_as("text", required=True, help="Write the grammar to FILE.")
def train_grammar(
    files: tuple[str, ...],
    categories: str | None,
    dev: tuple[str, ...],
    lift_weight: float | None,
    arguments: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str,
) -> None:
    """Read a grammar with probabilities off a treebank: 'grammar parse --best' gives the most probable analysis.

    An analysis weighs the logarithm of its probability: of its root, of each head's dependents from left to right, of
    the words given their categories. Words that the treebank does not have may be what its rarest words are.

    The columns of categories are chosen, and what lifting a word weighs: so that most heads are right in --dev or,
    without it, in sentences held out from training. What was tried is said; then all of FILES are read.
    """
    from nonproj.grammar import Grammar
    from nonproj.grammar.choosing import MAX_LIFTS, choose
    from nonproj.treebank import read

    skips = options.Skips(strict)
    treebank = read(options.inputs(files, False), on_error=on_error)
    skips.add_from(treebank)
    held_out = read(options.inputs(dev, False), on_error=on_error) if dev else None
    if held_out:
        skips.add_from(held_out)
    relations = () if arguments == "none" else arguments.split(",")
    if categories is None or lift_weight is None:
        with options.progress_bar("choosing", "grammars") as report:
            choice = choose(
                treebank, held_out, categories, arguments=relations, progress=lambda done: report(done, None)
            )
        click.echo(str(choice), err=True)
        categories = choice.categories
        lift_weight = choice.lift_weight if lift_weight is None else lift_weight
    trained = Grammar.from_treebank(
        treebank,
        categories,
        weighted=True,
        arguments=relations,
        lift_weight=lift_weight,
        max_lifts=MAX_LIFTS,
    )
    trained.save(output)
    told = f"{len(trained.machine.categories)} categories, {len(trained.lexicon)} words, {len(trained.l_rules)} l-rules"
    left_out = f"; {trained.left_out} trees with several roots were left out" if trained.left_out else ""
    click.echo(f"{len(treebank)} trees: {told}{left_out}", err=True)
    skips.report()


@grammar.command("evaluate")
@options.both(grammar_file, options.files, columns("those that the grammar names"))
@click.option("--max-words", type=options.whole(1), metavar="N", help="Only sentences of at most N words.")
@click.option(
    "--parsed", metavar="FILE", callback=options.tried, help="Write the sentences with their best heads to FILE."
)
@options.both(max_lifts, options.on_error, options.strict, options.text_output)
def evaluate_file(
    grammar_file: str,
    files: tuple[str, ...],
    categories: str | None,
    max_words: int | None,
    parsed: str | None,
    max_lifts: int | None,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Parse a treebank by its tags and compare the best analyses with its trees: UAS, and LAS with relations.

    Categories come from the columns that the grammar was read off, which its file names. Precision and recall are of
    the arcs that are not projective.

    Trees with several roots are left out, since a grammar derives one. Sentences without an analysis, and those whose
    chart would be too large, are counted and keep their heads in --parsed.

    \b
    nonproj grammar train train.conllu -o train.gdg
    nonproj grammar evaluate train.gdg dev.conllu --max-words 20
    """
    from nonproj.grammar import Grammar
    from nonproj.grammar.evaluation import evaluate_grammar
    from nonproj.treebank import read, write

    skips = options.Skips(strict)
    treebank = read(options.inputs(files, False), on_error=on_error)
    skips.add_from(treebank)
    fitting = [s for s in treebank if max_words is None or len(s) <= max_words]
    chosen = [s for s in fitting if len(s.tree.roots) == 1]
    with options.progress_bar("parsing", "sentences") as report:
        scores = evaluate_grammar(
            Grammar.load(grammar_file),
            chosen,
            categories,
            max_lifts=max_lifts,
            progress=lambda done: report(done, len(chosen)),
        )
    if parsed:
        write(
            (j.sentence.with_heads(j.analysis.tree.heads) if j.analysis else j.sentence for j in scores.judged), parsed
        )
    with options.written(output) as out:
        out(f"{scores}\n")
        if len(chosen) < len(fitting):
            out(f"{len(fitting) - len(chosen)} trees with several roots were left out\n")
    skips.report()


@grammar.command("parse")
@options.both(grammar_file, words_argument)
@click.option(
    "-n", "--max", "limit", type=options.whole(0), default=10, show_default=True, help="Show N analyses; 0 for all."
)
@click.option("--analysis", "chosen", type=options.whole(1), metavar="N", help="Only the Nth analysis.")
@click.option("--best", is_flag=True, help="Only the analysis whose rules weigh most.")
@max_lifts
@options.format_and_output("text", "tree", "svg", "html", "json")
def parse_words(
    grammar_file: str,
    words: tuple[str, ...],
    limit: int,
    chosen: int | None,
    best: bool,
    max_lifts: int | None,
    form: Literal["text", "tree", "svg", "html", "json"],
    output: str | None,
) -> None:
    """Parse sentences: the category and the governors of every word; exit code 1 when one has no analysis.

    Where there is none, the reason is said on stderr: what the analysis breaks that breaks least, and that is drawn. An
    SVG picture has the syntactic governors above the words, the linear ones below; it holds one analysis, the first
    unless --analysis names another. A page of HTML holds all.
    """
    from nonproj.draw.double import analysis_svg
    from nonproj.draw.gallery import page_of
    from nonproj.grammar import Grammar

    if best and chosen:
        raise click.UsageError("--best and --analysis each choose one: leave one out")
    loaded = Grammar.load(grammar_file)
    failed = False
    chosen = 1 if form == "svg" and not best and chosen is None else chosen
    pictures: list[tuple[str, str]] = []
    with options.written(output, form) as write:
        for parse in _parses(loaded, words, max_lifts):
            failed |= _failure(parse)
            for number, analysis in _chosen(parse, chosen, best):
                if limit and number > limit and chosen is None:
                    options.stopped_at(limit, "analyses")
                    break
                if form in ("svg", "html"):
                    pictures.append((f"{' '.join(parse.words)} ({number})", analysis_svg(analysis)))
                else:
                    write(_shown(parse, analysis, number, form, best))
            if form == "svg" and len(pictures) > 1:
                raise click.UsageError("SVG holds one analysis, of one sentence: write a page with -o .html")
        if form == "html":
            write(page_of(pictures, "Analyses"))
        elif form == "svg" and pictures:
            write(pictures[0][1])
    sys.exit(1 if failed else 0)


def _chosen(parse: Parse, chosen: int | None, best: bool) -> Iterator[tuple[int, Analysis]]:
    """The analyses that are asked for, each with its number."""
    if best:
        yield from enumerate(filter(None, [parse.best]), 1)
    elif chosen is None:
        yield from enumerate(parse, 1)
    elif found := next(islice(parse, chosen - 1, None), None):
        yield chosen, found
    elif parse.is_grammatical:
        raise click.UsageError(f"--analysis {chosen}: '{' '.join(parse.words)}' has {parse.count}")


@grammar.command("derive")
@options.both(grammar_file, words_argument)
@click.option("-n", "--max", "limit", type=options.whole(0), default=1, show_default=True, help="Show N; 0 for all.")
@options.both(max_lifts, options.text_output)
def derive_words(
    grammar_file: str, words: tuple[str, ...], limit: int, max_lifts: int | None, output: str | None
) -> None:
    """Show derivations, a sentential form a line, with lifting conditions in braces, their dot as '.'."""
    from nonproj.grammar import Grammar
    from nonproj.grammar.derivation import derivation_text

    loaded = Grammar.load(grammar_file)
    failed = False
    with options.written(output) as write:
        for parse in _parses(loaded, words, max_lifts):
            failed |= _failure(parse)
            for number, analysis in enumerate(parse, 1):
                if limit and number > limit:
                    options.stopped_at(limit, "derivations")
                    break
                write(("\n" if number > 1 else "") + derivation_text(loaded, analysis))
    sys.exit(1 if failed else 0)


@grammar.command("show")
@options.both(grammar_file)
@click.option(
    "--fsm", "category", metavar="CATEGORY", help="Show the rule-FSMs of the lexicon's categories that it matches."
)
@options.format_and_output("text", "dot", "svg")
def show_grammar(grammar_file: str, category: str | None, form: str, output: str | None) -> None:
    """Show a grammar as it was read or, with --fsm, a rule-FSM: as text, for Graphviz (dot) or as an SVG picture.

    A rule-FSM reads the dependents of a head from left to right, # where the head stands; a dependent with an arrow
    before it was lifted to the head, one with an arrow behind it is lifted away.
    """
    from nonproj.draw.automaton import fsm_dot, fsm_svg
    from nonproj.grammar import Grammar
    from nonproj.lifting import Category

    loaded = Grammar.load(grammar_file)
    if category is None:
        if form != "text":
            raise click.UsageError("only rule-FSMs are drawn: name a category with --fsm")
        with options.written(output) as write:
            write(str(loaded))
        return
    pattern = Category.parse(category)
    matching = [known for known in loaded.machine.categories if pattern.subsumes(known)]
    if not matching:
        raise click.UsageError(f"no word of the grammar is a {pattern}")
    if form == "svg" and len(matching) > 1:
        raise click.UsageError(
            f"one picture has one rule-FSM, and {pattern} matches {' and '.join(map(str, matching))}"
        )
    with options.written(output, form) as write:
        for known in matching:
            fsm = loaded.rule_fsm(known)
            write({"text": _fsm_text, "dot": fsm_dot, "svg": fsm_svg}[form](fsm, str(known)).rstrip("\n") + "\n")


def _fsm_text(fsm: Any, title: str) -> str:
    from nonproj.draw.automaton import edges_of, in_order

    finals = [at for at, state in enumerate(in_order(fsm)) if state in fsm.finals]
    lines = [f"{title}: {len(fsm)} states, begins in 0, may end in {', '.join(map(str, finals)) or 'none'}"]
    lines += [f"  {before} -> {after}  {', '.join(letters)}" for (before, after), letters in edges_of(fsm).items()]
    return "\n".join(lines)


@grammar.command("forest")
@options.both(grammar_file, words_argument)
@options.both(max_lifts, options.format_and_output("text", "json"))
def show_forest(
    grammar_file: str, words: tuple[str, ...], form: str, max_lifts: int | None, output: str | None
) -> None:
    """Show the shared forest: every item of the chart that is part of an analysis, and how it came about."""
    from nonproj.grammar import Grammar

    loaded = Grammar.load(grammar_file)
    failed = False
    with options.written(output, form) as write:
        for parse in _parses(loaded, words, max_lifts):
            failed |= _failure(parse)
            forest = parse.forest.to_dict()
            if form == "json":
                write(json.dumps({"words": list(parse.words), **forest}, ensure_ascii=False) + "\n")
            else:
                write("".join(_forest_lines(forest)))
    sys.exit(1 if failed else 0)


def _parses(grammar: Grammar, words: tuple[str, ...], max_lifts: int | None) -> Iterator[Parse]:
    if words:
        yield grammar.parse(" ".join(words), max_lifts=max_lifts)
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("no sentence: give its words, or pipe in one a line")
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            try:
                yield grammar.parse(line.decode(), max_lifts=max_lifts)
            except UnicodeDecodeError:
                raise click.UsageError(f"line {number} of standard input is not UTF-8") from None


def _failure(parse: Parse) -> bool:
    if parse.is_grammatical:
        return False
    click.echo(f"no analysis of '{' '.join(parse.words)}': {parse.explain()}", err=True)
    if parse.nearest:
        from nonproj.draw.double import analysis_text

        drawn = analysis_text(parse.nearest, width=options.terminal_width(), color=False)
        click.echo(f"the nearest one, which breaks that:\n{drawn}", err=True)
    return True


def _shown(parse: Parse, analysis: Analysis, number: int, form: str, best: bool) -> str:
    if form == "json":
        found = {
            "words": list(analysis.words),
            "categories": list(map(str, analysis.categories)),
            "syntactic": list(analysis.tree.heads),
            "linear": list(analysis.lifted.heads),
            "weight": analysis.weight,
            "is_optimal": analysis.is_optimal,
        }
        return json.dumps(found, ensure_ascii=False) + "\n"
    weight = f", weight {analysis.weight:g}" if analysis.weight else ""
    weight += "" if analysis.is_optimal else ", not proven to be the best"
    total = "" if best else f" of {parse.count}"
    title = f"analysis {number}{total}{weight}\n"
    if form == "tree":
        from nonproj.draw.double import analysis_text

        return f"{title}\n{analysis_text(analysis, width=options.terminal_width(), color=options.wants_color())}\n"
    return f"{title}{analysis}\n\n"


def _forest_lines(forest: dict[str, Any]) -> Iterator[str]:
    yield f"{forest['analyses']} analyses, {len(forest['items'])} items, goals {forest['goals']}\n"
    for item in forest["items"]:
        lifting = " ".join(f"{{{category}}}" for category in item["lifting"])
        begin, end = item["words"]
        brackets = "()" if item["kind"] == "complete" else "[]"
        ways = " | ".join(" ".join(map(str, way)) or "word" for way in item["ways"])
        inside = f"{begin}..{end} {item['category']}{' ' + lifting if lifting else ''}"
        yield f"{item['number']:>5}  {brackets[0]}{inside}{brackets[1]}  <- {ways}\n"
