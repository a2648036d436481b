"""What a user waits for before anything happens: the import, beyond NumPy's, and the help of the command."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Disagreement, Row, Target, Timed, in_turn

NAME = "startup"
QUESTION = "How long is the wait at the start? (medians of new processes)"
PEERS = ("numpy",)

COMMAND = str(Path(sysconfig.get_path("scripts"), "nonproj"))
ROUNDS = 15


def run() -> Iterator[Row]:
    """The import and the help."""
    ours, numpy = imported("nonproj"), imported("numpy")
    shown = Timed(lambda: output_of(COMMAND, "--help"))
    in_turn(ours, numpy, shown, rounds=ROUNDS)
    if "coverage" not in shown.answer:
        raise Disagreement("nonproj --help does not list its verbs")
    yield Row("import nonproj, beyond import numpy", "", ours.median, numpy.median, Target("beyond", 0.150))
    yield Row("nonproj --help", "", shown.median, target=Target("seconds", 0.3))


def imported(module: str) -> Timed[str]:
    """A new Python that imports a module."""
    return Timed(lambda: output_of(sys.executable, "-c", f"import {module}"))


def output_of(*command: str) -> str:
    """Run a command and give what it printed; one that fails is no measurement."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise Disagreement(f"{' '.join(command[:3])} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout
