"""What several verbs share: where the input comes from, where the output goes, and how progress is shown."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from nonproj.treebank import Sentence, Skipped
    from nonproj.trees import Tree

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

files = click.argument("files", nargs=-1, metavar="[FILES]...")
sample = click.option("--sample", is_flag=True, help="Read the sample treebank that comes with nonproj.")
output = click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
on_error = click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="At an invalid sentence: stop with an error, or skip it and say so at the end.",
)
strict = click.option("--strict", is_flag=True, help="End with exit code 3 when a sentence was skipped.")
threads = click.option(
    "-j",
    "--threads",
    type=click.IntRange(0),
    default=0,
    help="Threads to use; 0 (the default) for all cores.",
)
class_names = click.option(
    "-c",
    "--classes",
    "classes",
    default="all",
    show_default=True,
    metavar="NAMES",
    help="Classes of trees, such as 'Pr,1EC,MH4,WG1'.",
)
sentence_ids = click.option(
    "-s",
    "--sentence",
    "sentences",
    multiple=True,
    metavar="ID",
    help="Only the sentence with this id (repeatable).",
)
heads = click.option("--heads", metavar="'2 3 0 ...'", help="A tree given by its heads instead of a file.")
forms = click.option("--forms", metavar="'A hearing ...'", help="The words that go with --heads.")


system_name = click.option("--system", "system_name", metavar="NAME", help="A transition system, such as '2-planar'.")
oracle_name = click.option(
    "--oracle", "oracle_name", metavar="NAME", help="One of the system's oracles, such as 'eager'."
)


def both(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help text."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def inputs(files: Sequence[str], sample: bool) -> list[Any]:
    """What to read: the files, the sample, or standard input when something is piped in."""
    from nonproj.treebank import example_treebank

    if sample:
        if files:
            raise click.UsageError("give files or --sample, not both")
        return [example_treebank()]
    if files:
        return list(files)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("no input: name treebank files or folders, pipe one in, or try --sample")
    return ["-"]


class Skips:
    """Sentences that were left out: said once on stderr, and an exit code of 3 under --strict."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._skipped: list[Skipped] = []

    def add(self, skipped: Sequence[Skipped]) -> None:
        """Remember what a reader left out."""
        self._skipped.extend(skipped)

    def report(self, most: int = 20) -> None:
        """Say what was left out, and end the command accordingly."""
        if not self._skipped:
            return
        from nonproj.report.tables import left_out

        for skipped in self._skipped[:most]:
            click.echo(f"skipped: {skipped}", err=True)
        if len(self._skipped) > most:
            click.echo(f"skipped: ... and {len(self._skipped) - most} more", err=True)
        click.echo(left_out(len(self._skipped)), err=True)
        if self._strict:
            sys.exit(3)


def chosen_sentences(
    files: Sequence[str], sample: bool, ids: Sequence[str], on_error: Literal["stop", "skip"], skips: Skips
) -> Iterator[Sentence]:
    """The sentences asked for, as a stream; an id that is not there is an error."""
    from nonproj.errors import NonprojError
    from nonproj.treebank import Treebank, stream

    missing = set(ids)
    for source in inputs(files, sample):
        found: Any = source if isinstance(source, Treebank) else stream(source, on_error=on_error)
        for sentence in found:
            if not ids or sentence.sent_id in ids:
                missing.discard(sentence.sent_id)
                yield sentence
                if ids and not missing:
                    return
        skips.add(found.skipped)
    if missing:
        raise NonprojError(f"no sentence has the id {' or '.join(sorted(missing))}")


def chosen_trees(
    files: Sequence[str],
    sample: bool,
    ids: Sequence[str],
    heads: str | None,
    forms: str | None,
    on_error: Literal["stop", "skip"],
    skips: Skips,
) -> Iterator[tuple[str, Tree]]:
    """Named trees: the one given by its heads, or those of the sentences asked for."""
    from nonproj.trees import Tree

    if heads is None:
        if forms is not None:
            raise click.UsageError("--forms goes with --heads")
        for sentence in chosen_sentences(files, sample, ids, on_error, skips):
            yield sentence.sent_id, sentence.tree
        return
    if files or sample or ids:
        raise click.UsageError("give --heads or a treebank, not both")
    try:
        numbers = [int(head) for head in heads.replace(",", " ").split()]
    except ValueError:
        raise click.UsageError(f"--heads takes whole numbers such as '2 0 2', not {heads!r}") from None
    yield "tree", Tree(numbers, forms=forms.split() if forms is not None else None)


@contextlib.contextmanager
def written(path: str | None) -> Iterator[Callable[[str], None]]:
    """A function that writes text to the file, which appears whole or not at all, or to standard output."""
    if path is None or path == "-":
        yield lambda text: click.echo(text, nl=False)
        return
    temporary = f"{path}.part"
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:

            def write(text: str) -> None:
                file.write(text)

            yield write
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
        raise


def terminal_width() -> int:
    """The width to lay text out for: the terminal's, or what COLUMNS says, or 100."""
    return shutil.get_terminal_size((100, 24)).columns


def wants_color() -> bool:
    """Whether the output is a terminal that takes colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@contextlib.contextmanager
def progress_bar(title: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that is shown only where it can be, and only once the work has taken a moment."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
