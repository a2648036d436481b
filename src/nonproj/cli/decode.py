"""The verb ``decode``."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, KeysView
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from nonproj.cli import options

if TYPE_CHECKING:
    from nonproj.decode import Decoded

_Read = TypeVar("_Read")
_PORTION = 1000  # sentences decoded at a time, so that a large file streams


@click.command()
@click.argument("file", metavar="SCORES.npz")
@click.option(
    "-w",
    "--within",
    default="spanning",
    show_default=True,
    metavar="CLASS",
    help="The class of trees; or a rising chain of classes with a price each, such as Pr:0,1EC:1.5,spanning:4.",
)
@click.option("--planes", is_flag=True, help="Add the plane of each arc, in the fewest planes without crossings.")
@click.option("--single-root", is_flag=True, help="Only trees with one word below the root.")
@click.option("--strategy", type=click.Choice(["auto", "relax", "chart"]), default="auto", show_default=True)
@click.option("--work-limit", type=options.whole(1), help="Solve at most N spanning trees a sentence.", metavar="N")
@click.option("--time-limit", type=options.number(), help="Seconds for a sentence.", metavar="SECONDS")
@click.option(
    "--memory-limit", type=options.whole(1), help="MiB for the chart of a sentence [default: 2048].", metavar="MIB"
)
@options.both(
    options.threads,
    options.strict,
    options.format_and_output(
        "json", "conllu", help="One JSON object a line, or CoNLL-U with empty columns but for the heads."
    ),
)
def decode(
    file: str,
    within: str,
    planes: bool,
    single_root: bool,
    strategy: str,
    work_limit: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    form: str,
    threads: int,
    strict: bool,
    output: str | None,
) -> None:
    """Find the best tree of each sentence within a class of trees, from the scores of its arcs.

    SCORES.npz holds one array a sentence, named by its id: scores[h, d] for the arc from head h to word d, row 0 for
    the root, of shape (n+1, n+1), or (n+1, n+1, labels); - reads it from standard input. Scores of larger parts may
    stand beside those of the arcs, as ID.siblings, ID.grandparents, ID.grand_siblings, ID.three_siblings, ID.ends and
    ID.valency: arrays such as nonproj.decode takes in Python, lists with a row for each part. A tree that is not proven
    to be the best is marked, and with --strict ends the command with exit code 3.

    \b
    nonproj decode scores.npz --within WG1
    nonproj decode scores.npz --within Pr:0,1EC:1.5,spanning:4
    nonproj decode scores.npz --within 1EC --single-root --format conllu -o trees.conllu
    """
    write_tree = _json if form == "json" else _conllu
    unproven = 0
    with options.written(output, form) as write:
        limits: dict[str, Any] = {"work_limit": work_limit, "time_limit": time_limit}
        if memory_limit is not None:
            limits["memory_limit"] = memory_limit << 20
        for name, best in _decoded(file, within, single_root, strategy, limits, threads):
            write(write_tree(name, best, planes))
            unproven += not best.is_optimal
    if unproven:
        told = "1 tree is" if unproven == 1 else f"{unproven} trees are"
        click.echo(f"{told} not proven optimal: raise --work-limit, --time-limit or --memory-limit", err=True)
        if strict:
            raise SystemExit(3)


def _decoded(
    file: str, within: str, single_root: bool, strategy: Any, limits: dict[str, Any], threads: int
) -> Iterator[tuple[str, Decoded]]:
    from nonproj.decode import decode_batch, parse_within
    from nonproj.decode.graded import chain
    from nonproj.errors import NonprojError

    chosen = parse_within(within)
    chain(chosen)  # a class that there is not is no fault of the file
    with _archive(file) as archive:
        kept = _names(file, archive)
        names = _without_parts(file, kept)
        for begin in range(0, len(names), _PORTION):
            portion = names[begin : begin + _PORTION]
            tables = [_table(f"{file}: {name}", archive, name) for name in portion]
            parts: dict[str, Any] = {}
            for kind in _PARTS:
                asked = [f"{name}.{kind}" for name in portion]
                if not kept.isdisjoint(asked):
                    parts[kind] = [_table(f"{file}: {name}", archive, name) if name in kept else None for name in asked]
            try:
                yield from zip(
                    portion,
                    decode_batch(
                        tables,
                        within=chosen,
                        single_root=single_root,
                        strategy=strategy,
                        **limits,
                        **parts,
                        threads=threads,
                    ),
                    strict=True,
                )
            except NonprojError as error:
                raise NonprojError(f"{file}: {_named(str(error), portion)}") from None
            except MemoryError as error:
                raise MemoryError(f"{file}: {error}") from None


@contextlib.contextmanager
def _archive(file: str) -> Iterator[Any]:
    import numpy as np

    from nonproj.errors import NonprojError

    with _bytes_of(file) as source:
        archive = _read(f"{file}: not an .npz file of arrays", lambda: np.load(source, allow_pickle=False))
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise NonprojError(f"{file}: expected an .npz file with one array a sentence, not a single array")
        with archive:
            yield archive


def _bytes_of(file: str) -> IO[bytes]:
    from nonproj.errors import NonprojError

    if file != "-":
        return open(file, "rb")
    try:
        return io.BytesIO(sys.stdin.buffer.read())
    except OSError as error:
        raise NonprojError(f"standard input: cannot be read: {error.strerror}") from error


_PARTS = ("siblings", "grandparents", "grand_siblings", "three_siblings", "ends", "valency")
"""Scores of larger parts, by the names that `decode_batch` has for them."""


def _without_parts(file: str, names: KeysView[str]) -> list[str]:
    """The names of sentences: those of their larger parts are theirs with the kind of part."""
    from nonproj.errors import NonprojError

    sentences = []
    for name in names:
        sentence, _, kind = name.rpartition(".")
        if kind not in _PARTS:
            sentences.append(name)
        elif sentence not in names:
            raise NonprojError(
                f"{file}: {name!r} has scores of larger parts, but no array {sentence!r} those of the arcs"
            )
    return sentences


def _names(file: str, archive: Any) -> KeysView[str]:
    """The names of the arrays, which become ids: each is there once and stays on its line."""
    from nonproj.errors import NonprojError

    names = [member.removesuffix(".npy") for member in archive.zip.namelist()]
    if not names:
        options.warn(f"{file}: no sentence: it has no arrays")
    for name, times in Counter(names).items():
        if times > 1:
            raise NonprojError(f"{file}: {times} arrays have the name {name!r}: give each sentence a name of its own")
        if any(unicodedata.category(character) in _BREAKING for character in name):
            raise NonprojError(
                f"{file}: the name {name!r} of an array has a line end or another control character: an array is named "
                "by the id of its sentence, which stands on one line"
            )
    return dict.fromkeys(names).keys()


def _table(what: str, archive: Any, name: str) -> Any:
    import numpy as np

    from nonproj.errors import NonprojError

    table = _read(what, lambda: archive[name])
    if not isinstance(table, np.ndarray):
        raise NonprojError(f"{what}: not an array of NumPy (.npy)")
    return table


_BREAKING = ("Cc", "Zl", "Zp")
"""Kinds of characters that end lines or steer terminals."""


def _read(what: str, load: Callable[[], _Read]) -> _Read:
    """Read a part of an archive: damage, which the readers of NumPy and Python tell in a dozen ways, is an error."""
    from nonproj.errors import NonprojError

    try:
        return load()
    except Exception as error:
        # What numpy says of bytes that it does not know is advice to trust them.
        said = "" if "trust the file" in str(error) else str(error) or "it ends too early"
        raise NonprojError(f"{what}{': ' if said else ''}{said}") from None


def _named(message: str, names: list[str]) -> str:
    """A message about `sentence 3: ...` of a batch with the sentence's name instead."""
    place, colon, rest = message.removeprefix("sentence ").partition(": ")
    return f"{names[int(place)]}{colon}{rest}" if message.startswith("sentence ") and place.isdigit() else message


def _json(name: str, best: Decoded, planes: bool) -> str:
    return json.dumps({"sent_id": name, **best.to_dict(planes=planes)}, ensure_ascii=False) + "\n"


def _conllu(name: str, best: Decoded, planes: bool) -> str:
    labels = ["_"] * len(best.heads) if best.labels is None else best.labels.tolist()
    lines = [f"# sent_id = {name}", f"# score = {best.score!r}"]
    if best.grade is not None:
        lines += [f"# grade = {best.grade}", f"# price = {best.price!r}"]
    if not best.is_optimal:
        lines.append(f"# bound = {best.bound!r}")
    misc = [f"Plane={plane}" if plane >= 0 else "_" for plane in best.planes] if planes else ["_"] * len(best.heads)
    for word, (head, label, more) in enumerate(zip(best.heads.tolist(), labels, misc, strict=True), 1):
        lines.append(f"{word}\t_\t_\t_\t_\t_\t{head}\t{label}\t_\t{more}")
    return "\n".join([*lines, "", ""])
