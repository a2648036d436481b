"""The small corpus of every fuzzer, and some cases drawn with a fixed seed; `make fuzz` goes on from there."""

import pathlib
import random
import sys

import pytest

from nonproj import _core

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import hostile

NATIVE = ("reader", "scores", "grades", "parts", "transitions", "tokens", "edits")


@pytest.mark.parametrize("target", NATIVE)
def test_native_targets(target: str) -> None:
    cases = list(hostile.kept(target))
    assert cases
    chance = random.Random(16)
    for case in [*cases, *(chance.randbytes(chance.randrange(90)) for _ in range(300))]:
        _core.fuzz(target, case)


@pytest.mark.parametrize("target", list(hostile.TARGETS))
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_python_targets(target: str) -> None:
    chance = random.Random(16)
    for case in [*hostile.kept(target), *(chance.randbytes(chance.randrange(64)) for _ in range(40))]:
        hostile.TARGETS[target](case)


def test_long_runs_of_spaces_take_no_time() -> None:
    """Expressions that try every way to part a run of spaces would not come back from these."""
    from nonproj import NonprojError, read
    from nonproj.schema.pattern import read_patterns

    with pytest.raises(NonprojError):
        read_patterns("~" + " " * 50000 + "a" + " " * 50000)
    text = b"# sent_id = a" + b" " * 100000 + b"b \t\r\n1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert read(text)[0].sent_id == "a" + " " * 100000 + "b"
