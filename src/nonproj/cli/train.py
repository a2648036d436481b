"""The verb ``train``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import click

from nonproj.cli import options


@click.command()
@click.argument("train", metavar="TRAIN")
@click.option("--dev", metavar="DEV", help="A treebank to choose the best epoch by, and to stop early.")
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
@click.option(
    "-w", "--within", metavar="CLASS", help="The class of trees.  [default: Pr if all trees are, else graded]"
)
@click.option(
    "--loss",
    type=click.Choice(["local", "crf"]),
    default="local",
    show_default=True,
    help="Of a neural parser: each word chooses its head, or trees of the class compete.",
)
@click.option(
    "--linear/--alone",
    default=True,
    show_default=True,
    help="Train a linear parser beside the network, and add its scores.",
)
@click.option("--hidden", type=options.whole(1, 4096), default=200, show_default=True, help="Size of the BiLSTM.")
@click.option(
    "--layers",
    type=options.whole(0, 16),
    default=3,
    show_default=True,
    help="Layers of the BiLSTM; with 0 an encoder stands in its place.",
)
@click.option(
    "--encoder", metavar="NAME-OR-FOLDER", help="A pretrained encoder of Hugging Face under a neural parser's BiLSTM."
)
@click.option("--joint", is_flag=True, help="The network predicts tags and lemmas with the tree, from forms alone.")
@click.option(
    "--order",
    type=click.Choice(["1", "sibling", "grandparent", "both"]),
    default="both",
    show_default=True,
    help="Parts larger than arcs.",
)
@click.option(
    "--search",
    type=click.Choice(["exact", "climb"]),
    default="exact",
    show_default=True,
    help="How trees with larger parts are found.",
)
@click.option(
    "--network",
    type=options.whole(0, 1024),
    help="Size of the small network that joins in, a multiple of 16; 0 for none.  [default: by the size of TRAIN]",
)
@click.option("--system", default="swap", show_default=True, help="The transition system.")
@options.oracle_name
@click.option(
    "--labels",
    type=click.Choice(["after", "joint"]),
    default="after",
    show_default=True,
    help="Relations of a transition-based parser: predicted after the tree, or with each transition.",
)
@click.option(
    "--beam", type=options.whole(1, 10_000), default=1, show_default=True, help="Sequences kept; 1 is greedy."
)
@click.option(
    "--lifting",
    type=click.Choice(["head", "path", "head+path"]),
    help="Learn lifted trees, which are projective, and lower what is parsed.",
)
@click.option(
    "--algorithm", type=click.Choice(["mira", "perceptron"]), default="mira", show_default=True, help="How to learn."
)
@click.option("--single-root/--several-roots", default=None, help="[default: as in TRAIN]")
@click.option(
    "--candidates", type=options.whole(1, 10_000), default=10, show_default=True, help="Heads to learn among."
)
@click.option(
    "--threshold",
    type=options.number(1, min_open=False),
    default=0.001,
    show_default=True,
    help="Least probability of such a head.",
)
@click.option(
    "--parsing-candidates", type=options.whole(1, 10_000), default=6, show_default=True, help="Heads to parse among."
)
@click.option(
    "--parsing-threshold",
    type=options.number(1, min_open=False),
    help="Least probability of such a head.  [default: 0.02; without a network 0.01]",
)
@click.option(
    "--epochs",
    type=options.whole(1),
    help="Epochs at most.  [default: 10; neural: what comes to 900,000 words, from 10 to 50]",
)
@click.option("--patience", type=options.whole(1), help="Epochs without a gain.  [default: 3; neural 10]")
@click.option("--seed", type=options.whole(0), default=1, show_default=True, help="Settles the order of sentences.")
@click.option("--resume/--restart", default=True, show_default=True, help="Go on after an interrupted training.")
@click.option("--replace", is_flag=True, help="Write MODEL in the place of a file of that name.")
@options.both(options.threads, options.on_error, options.strict)
def train(
    train: str,
    dev: str | None,
    model: str,
    steps: str,
    gold_tags: bool,
    kind: str,
    within: str | None,
    loss: str,
    linear: bool,
    hidden: int,
    layers: int,
    encoder: str | None,
    joint: bool,
    order: str,
    search: str,
    network: int | None,
    system: str,
    oracle_name: str | None,
    labels: str,
    beam: int,
    lifting: str | None,
    algorithm: str,
    single_root: bool | None,
    candidates: int,
    threshold: float,
    parsing_candidates: int,
    parsing_threshold: float | None,
    epochs: int | None,
    patience: int | None,
    seed: int,
    resume: bool,
    replace: bool,
    threads: int,
    on_error: Literal["stop", "skip"],
    strict: bool,
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
    nonproj train train.conllu --dev dev.conllu -o my.model --parser neural
    nonproj train train.conllu -o my.model --parser transition --system swap --beam 8
    nonproj train train.conllu -o my.model --parser transition --system arc-hybrid --lifting head+path
    """
    import contextlib

    from nonproj.parser import GraphOptions, NeuralOptions, TransitionOptions
    from nonproj.text import Pipeline
    from nonproj.text.training import checkpoints
    from nonproj.treebank import read
    from nonproj.treebank.writing import must_be_new

    _refuse_options_of_the_other_kind(kind)
    if not replace:
        must_be_new(model)
    skips = options.Skips(strict)
    treebank = read(train, on_error=on_error)
    held_out = None if dev is None else read(dev, on_error=on_error)
    for each in (treebank, held_out):
        if each is not None:
            skips.add_from(each)
    checkpoint = f"{model}.checkpoint"
    if not resume:
        for path in checkpoints(checkpoint):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
    chosen: GraphOptions | TransitionOptions | NeuralOptions
    if kind == "graph":
        chosen = GraphOptions(
            within=within,
            order=order,
            search=search,
            single_root=single_root,
            algorithm=algorithm,
            candidates=candidates,
            threshold=threshold,
            parsing_candidates=parsing_candidates,
            parsing_threshold=parsing_threshold,
            lifting=lifting,
            network=network,
        )
    elif kind == "neural":
        chosen = NeuralOptions(
            within=within,
            loss=loss,
            single_root=single_root,
            linear=linear,
            hidden=hidden,
            layers=layers,
            encoder=encoder,
            joint=joint,
        )
    else:
        chosen = TransitionOptions(
            system=system,
            oracle=oracle_name,
            labels=labels,
            beam=beam,
            single_root=single_root,
            algorithm=algorithm,
            lifting=lifting,
        )
    with _shown() as (progress, report), _said_how_to_go_on(checkpoints(checkpoint)):
        pipeline = Pipeline.train(
            treebank,
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
        reason = f"{system} cannot derive them: try --lifting head+path"
        if kind == "neural":
            reason = f"they are not in {within}: a wider class would take them"
        click.echo(f"{parser.left_out} of {len(treebank)} trees were left out, since {reason}", err=True)
    click.echo(f"wrote {model}: {pipeline!r}" + (f" {parser!r}" if parser is not None else ""), err=True)
    skips.report()


def _refuse_options_of_the_other_kind(kind: str) -> None:
    context = click.get_current_context()
    pruning = ("candidates", "threshold", "parsing_candidates", "parsing_threshold")
    own = {
        "graph": {"within", "order", "search", "network", "lifting", "algorithm", *pruning},
        "transition": {"system", "oracle_name", "labels", "beam", "lifting", "algorithm"},
        "neural": {"within", "loss", "linear", "hidden", "layers", "encoder", "joint"},
    }
    for name in sorted(set().union(*own.values()) - own[kind]):
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"--{name.removesuffix('_name').replace('_', '-')} has no meaning for --parser {kind}"
            )


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
