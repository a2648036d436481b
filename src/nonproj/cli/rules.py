"""The verb ``rules``: learn lifting rules from a treebank, apply them to another, explain what they do to a tree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.lifting import RuleCoverage
    from nonproj.treebank import Treebank

rules_file = click.argument("rules_file", metavar="RULES")
form_and_output = options.format_and_output("text", "json")


@click.group()
def rules() -> None:
    """Lifting rules 'LD ^ SG w LG': what may be lifted from where, through what, to where.

    \b
    nonproj rules learn train.conllu -o train.rules --held-out dev.conllu
    nonproj rules apply train.rules test.conllu
    nonproj rules explain train.rules test.conllu -s 17
    """


@rules.command("learn")
@options.both(options.files, options.sample)
@click.option(
    "--categories",
    metavar="COLUMNS",
    callback=options.columns,
    default="upos",
    show_default=True,
    help="The columns that categories come from: upos, xpos, lemma or deprel, and after '+' more, feats or Case.",
)
@click.option("--least", type=options.whole(1), default=1, show_default=True, help="Leave out rules seen less often.")
@click.option("--held-out", multiple=True, metavar="FILE", help="Say on stderr what the rules cover of FILE.")
@options.both(options.on_error, options.strict, options.text_output)
def learn_rules(
    files: tuple[str, ...],
    sample: bool,
    categories: Any,
    least: int,
    held_out: tuple[str, ...],
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Learn lifting rules from the smallest lifts of a treebank's trees, with their counts after '@'."""
    from nonproj.lifting import learn, rule_coverage

    skips = options.Skips(strict)
    treebank = _read(files, sample, on_error, skips)
    with options.progress_bar("learning", "trees") as report:
        learned = learn(treebank, categories, least=least, progress=lambda done: report(done, len(treebank)))
    with options.written(output) as write:
        write(str(learned))
    if held_out:
        other = _read(held_out, False, on_error, skips)
        click.echo(f"{other.name}: {rule_coverage(learned, other)}", err=True)
    skips.report()


@rules.command("apply")
@options.both(rules_file, options.files, options.sample)
@click.option(
    "--lifted",
    metavar="FILE",
    callback=options.tried,
    help="Write the lifted trees to FILE, those outside the rules as they are.",
)
@options.both(options.on_error, options.strict, form_and_output)
def apply_rules(
    rules_file: str,
    files: tuple[str, ...],
    sample: bool,
    lifted: str | None,
    form: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Say how many trees of a treebank are pseudo-projective under RULES, and which are not."""
    from nonproj.lifting import RuleSet, rule_coverage

    chosen = RuleSet.load(rules_file)
    skips = options.Skips(strict)
    treebank = _read(files, sample, on_error, skips)
    with options.progress_bar("judging", "trees") as report:
        coverage = rule_coverage(chosen, treebank, progress=lambda done: report(done, len(treebank)))
    with options.written(output, form) as write:
        write(_json(coverage) if form == "json" else _text(coverage))
    if lifted:
        heads = [head for sentence in treebank for head in (chosen.judge(sentence).lifted or sentence.tree).heads]
        treebank.with_heads(heads).write(lifted)
    skips.report()


@rules.command("explain")
@options.both(rules_file, options.files, options.sample, options.sentence_ids)
@click.option(
    "-n", "--max", "limit", type=options.whole(0), default=10, show_default=True, help="Stop after N; 0 for all."
)
@options.both(options.on_error, options.strict, form_and_output)
def explain_rules(
    rules_file: str,
    files: tuple[str, ...],
    sample: bool,
    sentences: tuple[str, ...],
    limit: int,
    form: str,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output: str | None,
) -> None:
    """Say which rule lifts which word of a non-projective tree, or why no choice of rules does."""
    from nonproj.lifting import RuleSet

    chosen = RuleSet.load(rules_file)
    skips = options.Skips(strict)
    told = 0
    with options.written(output, form) as write:
        for sentence in options.chosen_sentences(files, sample, sentences, on_error, skips):
            if not sentences and sentence.tree.is_projective:
                continue
            if limit and told == limit:
                options.stopped_at(limit, "trees")
                break
            verdict = chosen.judge(sentence)
            if form == "json":
                found = {
                    "sent_id": sentence.sent_id,
                    "pseudo_projective": verdict.is_pseudo_projective,
                    "heads": list(sentence.heads),
                    "lifted": list(verdict.lifted.heads) if verdict.lifted else None,
                    "rules": {lift.word: str(lift.rule) for lift in verdict.lifts},
                    "reason": verdict.reason or None,
                }
                write(json.dumps(found, ensure_ascii=False) + "\n")
            else:
                write(f"{sentence.sent_id}: {verdict}\n")
            told += 1
    skips.report()


def _read(files: Sequence[str], sample: bool, on_error: Literal["stop", "skip"], skips: options.Skips) -> Treebank:
    from nonproj.treebank import example_treebank, read

    sources = options.inputs(files, sample)
    treebank = example_treebank() if sample else read(sources, on_error=on_error)
    skips.add_from(treebank)
    return treebank


def _text(coverage: RuleCoverage) -> str:
    return f"{coverage}\n" + "".join(f"{name}: {verdict.reason}\n" for name, verdict in coverage.outside)


def _json(coverage: RuleCoverage) -> str:
    return (
        json.dumps(
            {
                "trees": coverage.trees,
                "non_projective": coverage.non_projective,
                "pseudo_projective": coverage.pseudo_projective,
                "percent": coverage.percent,
                "outside": {name: verdict.reason for name, verdict in coverage.outside},
            },
            ensure_ascii=False,
        )
        + "\n"
    )
