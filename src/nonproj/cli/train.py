"""The verb ``train``."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.parser.option import Option
    from nonproj.treebank import Treebank


class _Train(click.Command):
    """Has the options of parsers between its own: they are made from those of Python, which no other verb waits for."""

    @property
    def params(self) -> list[click.Parameter]:
        """All arguments and options, in the order of the help."""
        at = 1 + [each.name for each in self._params].index("kind")
        if self._params[at].name == "resume":
            self._params[at:at] = _options_of_parsers()
        return self._params

    @params.setter
    def params(self, own: list[click.Parameter]) -> None:
        self._params = own


def _options_of_parsers() -> list[click.Option]:
    """The options of all kinds of parsers, an option of several kinds once, and those of the schedule."""
    from nonproj.parser.options import OPTIONS, Schedule
    from nonproj.parser.paper_recipes import RECIPES

    recipe = click.Option(
        ["--recipe"],
        type=click.Choice(list(RECIPES)),
        help="The options of a row of Table 2 of Pitler, Kannan & Marcus (2012); others given besides override them.",
    )
    made = {name: made for kind in (*OPTIONS.values(), Schedule) for name, made in _as_click(kind).items()}
    # An option of several kinds stands behind what is before it in any of them.
    orders, names = [list(_as_click(OPTIONS[kind])) for kind in ("neural", "graph", "transition")], list[str]()
    while orders := [order for order in orders if order]:
        names += [next(order[0] for order in orders if not any(order[0] in other[1:] for other in orders))]
        orders = [order[order[0] == names[-1] :] for order in orders]
    return [recipe, *(made.pop(name) for name in names), *made.values()]


def _as_click(kind: Any) -> dict[str, click.Option]:
    """The options of a dataclass on the command line, by name."""
    from nonproj.parser.option import described

    return {each.name: _made(each, about) for each, about in described(kind) if about.help or about.switch}


def _made(each: dataclasses.Field[Any], about: Option) -> click.Option:
    from nonproj.parser.option import is_whole

    kind: Any = str if "str" in str(each.type) else bool
    if about.among:
        kind = click.Choice(about.among)
    elif about.bounds and is_whole(each):
        kind = options.whole(int(about.least or 0), int(about.most or options.LARGEST))
    elif about.bounds:
        kind = options.number(about.most or about.below or options.LARGEST, min_open=about.least is None)
    usual = f"  [default: {about.usual}]" if about.usual else ""
    return click.Option(
        [*(about.switch or f"--{each.name.replace('_', '-')}").split(), each.name],
        type=kind,
        is_flag=kind is bool,
        default=None if usual else each.default,
        show_default=True,
        metavar=about.metavar,
        help=(about.help + usual).strip(),
    )


@click.command(cls=_Train)
@click.argument("train", metavar="TRAIN")
@click.option("--dev", metavar="DEV", help="A treebank to choose the best epoch by, and to stop early.")
@click.option("--max-words", type=options.whole(1), metavar="N", help="Leave out longer sentences of TRAIN.")
@click.option("--limit", type=options.whole(1), metavar="N", help="Learn from the first N sentences that are left.")
@options.output_as(name="model", metavar="MODEL", required=True, packed=False, help="The file to write the parser to.")
@click.option(
    "--steps",
    default="all",
    show_default=True,
    metavar="NAMES",
    help="Some of tokens, tags (with lemmas) and parse; all that TRAIN has the columns for.",
)
@click.option("--gold-tags", is_flag=True, help="Learn trees from TRAIN's own tags, not from predicted ones.")
@click.option(
    "--parser", "kind", type=click.Choice(["graph", "transition", "neural"]), default="graph", show_default=True
)
@click.option("--resume/--restart", default=True, show_default=True, help="Go on after an interrupted training.")
@click.option("--replace", is_flag=True, help="Write MODEL in the place of a file of that name.")
@options.both(options.threads, options.on_error, options.strict)
def train(
    train: str,
    dev: str | None,
    max_words: int | None,
    limit: int | None,
    model: str,
    steps: str,
    gold_tags: bool,
    kind: str,
    resume: bool,
    replace: bool,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
    epochs: int | None,
    patience: int | None,
    seed: int,
    recipe: str | None,
    **given: Any,
) -> None:
    """Train a tokenizer, a tagger and a parser on a treebank, in one MODEL.

    TRAIN and DEV are CoNLL-U or CoNLL-X. Steps are trained one after the other: sentences and words (tokens); UPOS,
    XPOS, FEATS and lemmas (tags); trees (parse). The trees are learnt with predicted tags, as they will come: each
    tenth of TRAIN is tagged by a tagger that was trained on the rest. With DEV, the epoch that is best on it is kept
    (of trees by LAS), and training ends when --patience epochs brought nothing better. Ctrl-C is safe: the same command
    goes on from MODEL.checkpoint and its sisters, and loses some 20 seconds of work. A file MODEL that is there already
    is an error, unless --replace is given.

    --parser neural trains a network (it needs pip install 'nonproj[neural]'): slower by far, and better. Give it DEV:
    else a tenth of TRAIN is set aside for it. --encoder takes any encoder of Hugging Face that has safetensors; MODEL
    then holds it whole. With --joint the network does the step tags too, in one pass with the trees.

    \b
    nonproj train train.conllu --dev dev.conllu -o my.model
    nonproj train train.conllu -o my.model --steps parse
    nonproj train train.conllu -o my.model --within 1EC --order sibling
    nonproj train train.conllu -o my.model --steps parse --recipe gap-mind --max-words 100
    nonproj train train.conllu --dev dev.conllu -o my.model --parser neural
    nonproj train train.conllu -o my.model --parser transition --system swap --beam 8
    nonproj train train.conllu -o my.model --parser transition --system arc-hybrid --lifting head+path
    """
    import contextlib

    from nonproj.parser.options import OPTIONS
    from nonproj.parser.paper_recipes import RECIPES
    from nonproj.text import Pipeline
    from nonproj.text.training import checkpoints
    from nonproj.treebank import read
    from nonproj.treebank.writing import must_be_new

    own = _chosen({**given, "recipe": recipe}, kind)
    chosen = dataclasses.replace(RECIPES[recipe], **own) if recipe else OPTIONS[kind](**own)
    if not replace:
        must_be_new(model)
    skips = options.Skips(strict)
    treebank = read(train, on_error=on_error)
    held_out = None if dev is None else read(dev, on_error=on_error)
    lessons = _lessons(treebank, max_words, limit)
    for each in (treebank, held_out):
        if each is not None:
            skips.add_from(each)
    checkpoint = f"{model}.checkpoint"
    if not resume:
        for path in checkpoints(checkpoint):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
    with _shown() as (progress, report), _said_how_to_go_on(checkpoints(checkpoint)):
        pipeline = Pipeline.train(
            lessons,
            held_out,
            steps=steps,
            gold_tags=gold_tags,
            options=chosen,
            epochs=epochs,
            patience=patience,
            seed=seed,
            threads=threads,
            checkpoint=checkpoint,
            save_as=model,
            replace=replace,
            progress=progress,
            report=report,
            tell=report,
        )
    parser = pipeline.parser
    if parser is not None and parser.left_out:
        reason = f"{given['system']} cannot derive them: try --lifting head+path"
        if kind == "neural":
            reason = f"they are not in {given['within']}: a wider class would take them"
        click.echo(f"{parser.left_out} of {len(lessons)} trees were left out, since {reason}", err=True)
    if parser is not None and parser.training_searches is not None:
        click.echo(f"found in training: {parser.training_searches}", err=True)
    click.echo(f"wrote {model}: {pipeline!r}" + (f" {parser!r}" if parser is not None else ""), err=True)
    skips.report()


def _chosen(given: dict[str, Any], kind: str) -> dict[str, Any]:
    """The options that the command line names; those that the kind of parser does not have are refused."""
    from nonproj.parser.options import OPTIONS

    context = click.get_current_context()
    by_user = click.core.ParameterSource.COMMANDLINE
    chosen = {name: value for name, value in given.items() if context.get_parameter_source(name) == by_user}
    own = {*_as_click(OPTIONS[kind]), *(["recipe"] if kind == "graph" else [])}
    for name in sorted(set(chosen) - own):
        raise click.UsageError(f"--{name.replace('_', '-')} has no meaning for --parser {kind}")
    chosen.pop("recipe", None)
    return chosen


def _lessons(treebank: Treebank, max_words: int | None, limit: int | None) -> Treebank:
    """The sentences to learn from: those that are not too long, the first so many; says how many are left out."""
    from nonproj.treebank import Filter

    kept = Filter(max_words=max_words).apply(treebank)
    if len(treebank) and not len(kept):
        raise click.UsageError(f"no sentence of TRAIN has at most {max_words} words: raise --max-words")
    lessons = kept[:limit]
    reasons = [(len(treebank) - len(kept), f"of more than {max_words} words")]
    reasons += [(len(kept) - len(lessons), f"after the first {limit}")]
    told = ", ".join(f"{count} {reason}" for count, reason in reasons if count)
    if told:
        click.echo(f"left out of {len(treebank)} sentences of TRAIN: {told}", err=True)
    return lessons


@contextmanager
def _said_how_to_go_on(checkpoints: list[str]) -> Iterator[None]:
    """Have Ctrl-C say how to go on, once there is something to go on from."""
    try:
        yield
    except KeyboardInterrupt:
        if any(map(os.path.exists, checkpoints)):
            raise KeyboardInterrupt("repeat the command to go on from its checkpoints") from None
        raise


@contextmanager
def _shown() -> Iterator[tuple[Callable[[str, int, int], None], Callable[[Any], None]]]:
    """A bar for the epoch at hand, where there is a terminal, and a line on stderr for each epoch done."""
    if not sys.stderr.isatty():
        yield (lambda stage, done, total: None), (lambda epoch: click.echo(str(epoch), err=True))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("sentences"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield (
            lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total),
            lambda epoch: bar.console.print(str(epoch), highlight=False),
        )
