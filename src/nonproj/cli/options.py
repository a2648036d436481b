"""What several verbs share: where the input comes from, where the output goes, and how progress is shown."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from nonproj.report import Graphs, Table
    from nonproj.treebank import Filter, Sentence, SentenceStream, Skipped, Treebank
    from nonproj.treebank.reading import TreebankStream
    from nonproj.trees import Tree

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

LARGEST = 10**9
"""What an option that is a number takes at most: it fits into the numbers of native code, with room for sums."""
MOST_THREADS = 1024


class whole(click.IntRange):
    """A whole number that is not beyond all reason; the help shows only bounds that are an option's own."""

    def __init__(self, least: int = 0, most: int = LARGEST) -> None:
        super().__init__(least, most)

    def _describe_range(self) -> str:
        return f"x>={self.min}" if self.max == LARGEST else super()._describe_range()


class number(click.FloatRange):
    """A finite number above 0, or from 0 on, up to a bound."""

    def __init__(self, most: float = LARGEST, *, min_open: bool = True) -> None:
        super().__init__(0, most, min_open=min_open)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """The number, or an error of usage."""
        converted = super().convert(value, parameter, context)
        if not math.isfinite(converted):
            self.fail(f"{value} is not a number", parameter, context)
        return converted

    def _describe_range(self) -> str:
        return "x>0" if self.max == LARGEST else super()._describe_range()


files = click.argument("files", nargs=-1, metavar="[FILES]...")
sample = click.option("--sample", is_flag=True, help="Read the sample treebank that comes with nonproj.")
ENDINGS = {
    "table": (".txt",),
    "text": (".txt",),
    "tree": (),
    "picture": (),
    "csv": (".csv",),
    "json": (".json", ".jsonl"),
    "markdown": (".md", ".markdown"),
    "latex": (".tex",),
    "conllu": (".conllu", ".conll", ".conllx"),
    "svg": (".svg",),
    "dot": (".dot", ".gv"),
    "html": (".html", ".htm"),
    "png": (".png",),
    "pdf": (".pdf",),
    "state": (".state",),
    "parquet": (".parquet",),
}
"""The formats of all verbs, and how the names of files in them end."""
_FOR_READERS = ("table", "text", "tree", "picture")


def tried(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """A path to write to, which is tried at once: nothing is computed that cannot be kept."""
    if path is not None:
        from nonproj.treebank.writing import try_target

        try_target(path)
    return path


TREEBANKS = frozenset(
    ("files", "groups", "before", "after", "gold", "systems", "train", "dev", "treebanks", "treebank", "held_out")
)
"""What parameters are called that take treebanks: by name, folder, pattern, or ``-``; of groups after ``NAME=``."""


def keep_inputs(command: click.Command, rewriting: dict[click.Command, str]) -> None:
    """Let a command, or all of a group, refuse to write over a file that it reads.

    Folders and patterns stand for the files in them, and standard input for the file that it was redirected from.
    Commands in `rewriting` may: their input of that name has what they write, or becomes it.
    """
    if isinstance(command, click.Group):
        for each in command.commands.values():
            keep_inputs(each, rewriting)
        return
    run = command.callback
    assert run is not None

    @functools.wraps(run)
    def guarded(*arguments: Any, **given: Any) -> Any:
        names = {parameter.name or "": parameter for parameter in command.params}
        arguments_of = {
            name for name, each in names.items() if isinstance(each, click.Argument) or name in ("dev", "groups")
        }
        outputs = {name for name, parameter in names.items() if WRITES & {*parameter.opts}}
        inputs = {*names} - outputs - {rewriting.get(command)}
        written = [path for _, path in _given(given, outputs) if os.path.isfile(path)]
        for read, path in itertools.product(_files_read(given, inputs), written) if written else ():
            if os.path.samestat(read, os.stat(path)):
                raise click.UsageError(f"{path} is read by this command, and would be lost: name another to write")
        if sum(value == "-" for _, value in _given(given, inputs & arguments_of)) > 1:
            raise click.UsageError("'-' is given more than once, but there is one standard input: it can be read once")
        return run(*arguments, **given)

    command.callback = guarded


WRITES = frozenset(("-o", "--plot", "--save", "--parsed", "--lifted"))
"""Options that name a file to write."""


def _files_read(given: dict[str, Any], inputs: set[str]) -> Iterator[os.stat_result]:
    """Tell which files a command reads, whatever they are called."""
    from nonproj.errors import NonprojError
    from nonproj.treebank.inputs import sources

    values = list(_given(given, inputs))
    for name, value in values:
        found: list[Any] = [value]
        if name in TREEBANKS:
            with contextlib.suppress(NonprojError):  # what is not there is said where it is read
                found = sources(value)
        for path in found:
            with contextlib.suppress(OSError):
                yield os.stat(path)
    if "files" in inputs or any(value == "-" for _, value in values):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # standard input may be closed, or no file
            yield os.fstat(sys.stdin.fileno())


def _given(given: dict[str, Any], names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The texts given under some names of parameters, each with its name."""
    for name in names:
        value = given.get(name)
        for each in value if isinstance(value, tuple) else [value]:
            if isinstance(each, str):
                yield name, (each.partition("=")[2] or each if name == "groups" else each)


def can_plot(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """A path to draw a plot to, if that can be done."""
    if path is not None:
        from nonproj.report.plot import plotting

        plotting(path)
    return tried(context, parameter, path)


def columns(context: click.Context, parameter: click.Parameter, source: str | None) -> str | None:
    """Columns that categories come from, which are checked at once."""
    if source is not None:
        from nonproj.lifting.columns import columns_of

        columns_of(source)
    return source


def ending(path: str) -> str:
    """How the name of a file ends, compression apart.

    >>> ending("out/table.TEX.gz"), ending("out")
    ('.tex', '')
    """
    from nonproj.treebank.compression import PACKED

    plain = next((path.removesuffix(packed) for packed in PACKED if path.endswith(packed)), path)
    return os.path.splitext(plain)[1].lower()


def output_as(
    *formats: str,
    name: str = "output",
    metavar: str = "FILE",
    required: bool = False,
    packed: bool = True,
    help: str = "Write to FILE instead of standard output.",
) -> Decorator:
    """The option -o of a verb that writes one kind of file: a name that promises another is refused."""

    def checked(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
        from nonproj.treebank.compression import PACKED

        if path is not None:
            own = [one for form in formats for one in ENDINGS[form]]
            foreign = next((form for form, endings in ENDINGS.items() if ending(path) in endings), None)
            if foreign is not None and ending(path) not in own:
                raise click.BadParameter(f"{path}: what is written is not {foreign}: choose another ending")
            if not packed and path.endswith(PACKED):
                raise click.BadParameter(f"{path}: what is written is not compressed: choose another ending")
        return tried(context, parameter, path)

    return click.option("-o", "--output", name, metavar=metavar, required=required, callback=checked, help=help)


text_output = output_as("text")
treebank_output = output_as("conllu", "text")


def format_and_output(*formats: str, help: str = "") -> Decorator:
    """The options --format and -o: without the first, the ending of the second chooses, or is an error."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def with_format(*arguments: Any, form: str | None, output: str | None, **others: Any) -> Any:
            return function(*arguments, form=form or _format_of(output, formats), output=output, **others)

        form = click.option(
            "--format",
            "form",
            type=click.Choice(formats),
            help=f"{help}  [default: by the ending of -o, else {formats[0]}]".strip(),
        )
        output = click.option(
            "-o", "--output", metavar="FILE", callback=tried, help="Write to FILE instead of standard output."
        )
        return form(output(with_format))

    return decorate


def _format_of(output: str | None, formats: Sequence[str]) -> str:
    if output is None or not ending(output):
        return formats[0]
    # A table is one document in JSON, not one a line.
    endings = {form: [one for one in ENDINGS[form] if one != ".jsonl" or formats[0] != "table"] for form in formats}
    for form in formats:
        if ending(output) in endings[form]:
            return form
    known = ", ".join(dict.fromkeys(one for form in formats for one in endings[form]))
    raise click.UsageError(
        f"{output}: no format of this command has the ending {ending(output)}: choose one with --format, or another "
        f"ending: {known}"
    )


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
    type=whole(0, MOST_THREADS),
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
dummy = click.option(
    "--dummy",
    type=click.Choice(["left", "right", "none"]),
    default="left",
    show_default=True,
    help="Where the dummy root stands: on the right k-C changes, and MH_k and AD_d of trees with several roots; with "
    "none 1EC and k-C change, and MH_k and AD_d have no meaning. A single class is named 2-C@right or 1EC@none.",
)
sentence_ids = click.option(
    "-s",
    "--sentence",
    "sentences",
    multiple=True,
    metavar="ID",
    help="Only the first sentence with this id (repeatable).",
)
heads = click.option("--heads", metavar="'2 3 0 ...'", help="A tree given by its heads instead of a file.")
forms = click.option("--forms", metavar="'A hearing ...'", help="The words that go with --heads.")
deprels = click.option("--deprels", metavar="'det nsubj ...'", help="The relations that go with --heads.")


def filters(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which sentences to look at, given on as one filter, ``only``."""

    @functools.wraps(function)
    def with_filter(
        *arguments: Any,
        min_words: int,
        max_words: int | None,
        no_punctuation: bool,
        where: str | None,
        **others: Any,
    ) -> Any:
        from nonproj.treebank import Filter

        return function(*arguments, only=Filter(min_words, max_words, no_punctuation, where), **others)

    return both(
        click.option("--min-words", type=whole(0), default=0, metavar="N", help="Only sentences this long."),
        click.option("--max-words", type=whole(1), metavar="N", help="Only sentences no longer than this."),
        click.option(
            "--no-punctuation",
            is_flag=True,
            help="Take punctuation marks out; their dependents go to the next head that stays.",
        ),
        click.option(
            "--where",
            metavar="QUERY",
            help="Only sentences with a word such as 'upos=VERB & crossing & class!=WG1'; see docs/treebanks.md.",
        ),
    )(with_filter)


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
    from nonproj.treebank.inputs import sources

    if sample:
        if files:
            raise click.UsageError("give files or --sample, not both")
        return [example_treebank()]
    if files:
        found = list(sources(files))  # what is not there is said before the work, not after the first files
        _warn_of_copies([source for source in found if isinstance(source, str) and source != "-"])
        return found
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("no input: name treebank files or folders, pipe one in, or try --sample")
    return ["-"]


def _warn_of_copies(paths: Sequence[str]) -> None:
    """Say which files are read twice: named twice, or once as they are and once packed."""
    from nonproj.treebank.compression import PACKED

    first: dict[str, str] = {}
    for path in paths:
        unpacked = next((path.removesuffix(ending) for ending in PACKED if path.endswith(ending)), path)
        other = first.setdefault(os.path.realpath(unpacked), path)
        if other is path:
            continue
        if os.path.realpath(other) == os.path.realpath(path):
            warn(f"{path}: named more than once, so that what is in it counts more than once")
        else:
            warn(f"{other} and {path} are both read: if one is the other packed, what is in them counts twice")


def warn(message: str) -> None:
    """Say on stderr what the user should know, and go on."""
    click.echo(f"warning: {message}", err=True)


def warn_when_none(only: Filter, has_any: bool) -> None:
    """Say so when a filter leaves nothing, which else would look like a treebank without findings."""
    if not has_any and not only.keeps_all:
        warn(f"there is no sentence {only}")


def stopped_at(limit: int, what: str) -> None:
    """Say that there is more than was asked for."""
    click.echo(f"there are more {what} than -n {limit} shows: -n 0 shows all", err=True)


class Skips:
    """Sentences that were left out: said once on stderr, and an exit code of 3 under --strict."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._skipped: list[Skipped] = []

    def add(self, skipped: Sequence[Skipped], empty: Sequence[str] = ()) -> None:
        """Remember what a reader left out, and say which sources had nothing in them."""
        self._skipped.extend(skipped)
        for source in empty:
            warn(source)

    def add_from(self, found: Treebank | SentenceStream | TreebankStream | Graphs) -> None:
        """The same for all that was read."""
        self.add(found.skipped, found.empty)

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


def one_treebank(given: Sequence[Any], on_error: Literal["stop", "skip"], threads: int, skips: Skips) -> Treebank:
    """All that was named as one treebank."""
    from nonproj.treebank import Treebank, read

    first = given[0]
    found = first if isinstance(first, Treebank) else read(list(given), on_error=on_error, threads=threads)
    skips.add_from(found)
    return found


def laid_out(table: Table, form: str, on_terminal: bool) -> str:
    """A table in one of the formats for tables."""
    if form == "table":
        return table.to_text(terminal_width(), color=on_terminal and wants_color())
    text: str = getattr(table, f"to_{form}")()
    return text


def chosen_sentences(
    files: Sequence[str],
    sample: bool,
    ids: Sequence[str],
    on_error: Literal["stop", "skip"],
    skips: Skips,
    only: Filter | None = None,
) -> Iterator[Sentence]:
    """The sentences asked for, as a stream; an id that is not there is an error."""
    from nonproj.errors import NonprojError
    from nonproj.treebank import Treebank
    from nonproj.treebank.reading import stream_treebanks

    missing, has_any = set(ids), False
    for source in inputs(files, sample):
        found: Any = source if isinstance(source, Treebank) else stream_treebanks(source, on_error=on_error)
        blocks: Iterable[Treebank] = [found] if isinstance(source, Treebank) else found
        try:
            for sentence in (sentence for block in blocks for sentence in (only.apply(block) if only else block)):
                has_any = True
                if not ids or sentence.sent_id in missing:
                    missing.discard(sentence.sent_id)
                    yield sentence
                    if ids and not missing:
                        return
        finally:  # also when no more sentences are asked for
            skips.add_from(found)
    if missing:
        among = "" if only is None or only.keeps_all else f" among those {only}"
        raise NonprojError(f"no sentence has the id {' or '.join(sorted(missing))}{among}")
    if only is not None:
        warn_when_none(only, has_any)


def chosen_trees(*asked: Any, deprels: str | None = None) -> Generator[tuple[str, Tree], None, None]:
    """Named trees, asked for as `chosen` is."""
    from nonproj.trees import Tree

    with contextlib.closing(chosen(*asked, deprels=deprels)) as found:
        for name, what in found:
            yield name, what if isinstance(what, Tree) else what.tree


def chosen(
    files: Sequence[str],
    sample: bool,
    ids: Sequence[str],
    heads: str | None,
    forms: str | None,
    on_error: Literal["stop", "skip"],
    skips: Skips,
    only: Filter | None = None,
    *,
    deprels: str | None = None,
) -> Generator[tuple[str, Tree | Sentence], None, None]:
    """What is asked for, with its name: the tree given by its heads, or sentences."""
    from nonproj.trees import Tree

    if heads is None:
        if forms is not None or deprels is not None:
            raise click.UsageError(f"{'--deprels' if forms is None else '--forms'} goes with --heads")
        for sentence in chosen_sentences(files, sample, ids, on_error, skips, only):
            yield sentence.sent_id, sentence
        return
    if files or sample or ids or (only and not only.keeps_all):
        raise click.UsageError("give --heads or a treebank with its filters, not both")
    try:
        numbers = [int(head) for head in heads.replace(",", " ").split()]
    except ValueError:
        raise click.UsageError(f"--heads takes whole numbers such as '2 0 2', not {heads!r}") from None
    yield "tree", Tree(numbers, forms=forms.split() if forms else None, deprels=deprels.split() if deprels else None)


@contextlib.contextmanager
def written(path: str | None, form: str = "text") -> Iterator[Callable[[str], None]]:
    """A function that writes text to the file, which appears whole or not at all, or to standard output.

    After Ctrl-C what was written is kept as ``PATH.part``. Files and data are UTF-8; what is there to be read is in the
    encoding of standard output, and what that lacks is said.
    """
    from nonproj.treebank.writing import opened

    is_shown = path in (None, "-") and form in _FOR_READERS
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8") if is_shown else "utf-8"
    has_lost = False

    def encoded(text: str) -> bytes:
        nonlocal has_lost
        try:
            return text.encode(encoding)
        except UnicodeEncodeError:
            if not has_lost:
                where = "standard output" if path in (None, "-") else path
                advice = "" if encoding == "utf-8" else ": write UTF-8 with -o FILE"
                warn(f"{where} is {encoding} and lacks some characters, shown as ?{advice}")
            has_lost = True
            return text.encode(encoding, "replace")

    with opened(path or "-", keep_when_stopped=True) as file:

        def write(text: str) -> None:
            file.write(encoded(text))
            if path is None:
                file.flush()

        yield write


def terminal_width() -> int:
    """The width to lay text out for: the terminal's, or what COLUMNS says, or 100."""
    return shutil.get_terminal_size((100, 24)).columns


def wants_color() -> bool:
    """Whether the output is a terminal that takes colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def has_room_for_progress(output: str | None) -> bool:
    """Whether a bar on stderr would be seen, and not stand between what is written."""
    return sys.stderr.isatty() and (output not in (None, "-") or not sys.stdout.isatty())


@contextlib.contextmanager
def progress_bar(title: str, unit: str, is_shown: bool = True) -> Iterator[Callable[[int, int | None], None]]:
    """A bar on stderr that is shown only where it can be; without a total it counts."""
    if not (is_shown and sys.stderr.isatty()):
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
