"""The command line: ``nonproj VERB [FILE...]``, each verb thin over the Python function of the same name."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from typing import NoReturn

import click

from nonproj.cli import options
from nonproj.cli.causes import causes
from nonproj.cli.census import census
from nonproj.cli.classes import classes
from nonproj.cli.classify import classify
from nonproj.cli.coverage import coverage
from nonproj.cli.decode import decode
from nonproj.cli.diff import diff
from nonproj.cli.draw import draw
from nonproj.cli.evaluate import evaluate
from nonproj.cli.explain import explain
from nonproj.cli.grammar import grammar
from nonproj.cli.graphs import graphs
from nonproj.cli.lengths import lengths
from nonproj.cli.lift import lift
from nonproj.cli.lower import lower
from nonproj.cli.merge import merge
from nonproj.cli.oracle import oracle
from nonproj.cli.parse import parse
from nonproj.cli.report import report
from nonproj.cli.rules import rules
from nonproj.cli.schema import schema
from nonproj.cli.serve import serve
from nonproj.cli.sort import sort
from nonproj.cli.trace import trace
from nonproj.cli.train import train
from nonproj.cli.unusual import unusual

_VERBS: dict[str, dict[click.Command, str]] = {
    "Measure treebanks": {
        coverage: "which classes of trees cover a treebank, and at what cost",
        causes: "which constructions make trees fall outside classes",
        unusual: "the trees whose crossings surprise the most",
        classify: "every tree's properties and classes",
        diff: "two versions of a treebank, or two parsers, compared",
        lengths: "dependency lengths against those of random trees",
        graphs: "enhanced dependencies and semantic graphs",
        report: "one page on treebanks to share",
        merge: "what was found in parts, added up",
    },
    "Look at trees": {
        explain: "why trees are outside a class",
        draw: "pictures, in the terminal or as SVG, PNG, PDF, HTML, TikZ",
        serve: "all of it in the browser",
    },
    "Parse": {
        train: "a tokenizer, a tagger and a parser, learnt from a treebank",
        parse: "raw text, words or treebanks analysed with a trained model",
        evaluate: "parsed treebanks against the gold standard",
        decode: "the best tree within a class, from scores of arcs",
    },
    "Classes and algorithms": {
        classes: "the classes: what they are, what nonproj can do with them",
        census: "all trees of N words counted class by class",
        schema: "the papers' parsers as items and deduction steps",
        trace: "how an algorithm builds a tree, step by step",
        oracle: "the transitions that derive each tree",
        sort: "words in projective order, and the swaps that it takes",
    },
    "Lifting and grammars": {
        lift: "a treebank made projective, with labels that say how",
        lower: "'nonproj lift' undone, after a parser",
        rules: "lifting rules: learnt, checked, applied",
        grammar: "dependency grammars, projective and pseudo-projective",
    },
}


class _Verbs(click.Group):
    """Lists the commands by what they are for, and says which options of a command bound the memory that it takes."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; when memory is short, the error says whose, and what takes less."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            verb = self.get_command(ctx, ctx.invoked_subcommand or "")
            known = [name for each in verb.params for name in each.opts] if verb is not None else []
            bounds = [name for name in _BOUNDS_OF_MEMORY if name in known]
            advice = f"; less is taken with a lower {' or '.join(bounds)}" if bounds else ""
            said = str(error) or "there is not enough memory for this"
            raise MemoryError(f"{ctx.invoked_subcommand}: {said}{advice}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each purpose."""
        for purpose, verbs in _VERBS.items():
            with formatter.section(purpose):
                formatter.write_dl([((verb.name or "").ljust(8), words) for verb, words in verbs.items()])


_BOUNDS_OF_MEMORY = ("--memory-limit", "--threads", "--max-words", "--times", "--samples", "--beam", "--network")


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="nonproj")
def cli() -> None:
    """Dependency trees whose arcs cross: measure, explain, draw and parse them.

    \b
    Try:  nonproj coverage --sample                which classes cover a treebank
          nonproj explain --sample -s en-hearing   why a tree is outside a class
          nonproj draw --sample -s en-hearing      its picture in the terminal
          nonproj serve --sample                   all of it in the browser

    'nonproj VERB --help' says more.
    """


for _verbs in _VERBS.values():
    for _verb in _verbs:
        cli.add_command(_verb)
options.keep_inputs(cli, rewriting={lift: "files", lower: "files", parse: "files", merge: "files"})


def main() -> None:
    """Run the command line: bad input ends with 2 and one line on stderr, sentences left out under --strict with 3."""
    from nonproj.errors import NonprojError

    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what an encoding lacks is no reason to fail
            stream.reconfigure(errors="replace")
    stopped_by = _listen()
    try:
        cli(prog_name="nonproj", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort as error:
        if isinstance(error.__cause__, EOFError):  # click takes it for Ctrl-D at a prompt, of which there are none
            click.echo(f"nonproj: an input ends too early: {error.__cause__}", err=True)
            sys.exit(2)
        _say_stopped(error.__cause__, stopped_by)
    except KeyboardInterrupt as error:
        _say_stopped(error, stopped_by)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except NonprojError as error:
        click.echo(f"nonproj: {error}", err=True)
        sys.exit(2)
    except MemoryError as error:
        click.echo(f"nonproj: {str(error) or 'there is not enough memory for this'}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        # Files are named where they are written: what has no name and no room is a stream.
        where = error.filename or ("standard output" if error.errno in (errno.ENOSPC, errno.EFBIG) else "")
        click.echo(f"nonproj: {where and where + ': '}{error.strerror or error}", err=True)
        sys.exit(2)
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # it has been said, and must not be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_closed_streams() -> None:
    """Where a standard stream came closed (``>&-``), let its use be an error, and let no file get its number."""
    for number, name, mode, way in (
        (0, "stdin", "r", os.O_WRONLY),
        (1, "stdout", "w", os.O_RDONLY),
        (2, "stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, way), number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _listen() -> list[int]:
    """Let a job that is told to end, or whose terminal is closed, end as by Ctrl-C; the list gets what told it."""
    told: list[int] = []

    def stop(number: int, _: object) -> None:
        told.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            # What is ignored, as under nohup, stays so.
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, stop)
    return told


def _say_stopped(error: BaseException | None, told: list[int]) -> NoReturn:
    said = f": {error}" if error is not None and str(error) else ""
    click.echo(f"nonproj: stopped{said}", err=True)
    sys.exit(128 + (told[0] if told else signal.SIGINT))
