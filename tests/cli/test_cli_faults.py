"""Calls of the system that fail, and kills in the middle: what is said, what is left. `make faults` tries them all."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import faults
import kills


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    if not sys.platform.startswith("linux"):
        pytest.skip("LD_PRELOAD is for Linux")
    made = faults.compiled(tmp_path_factory.mktemp("failing"))
    if made is None:
        pytest.skip("there is no C++ compiler")
    return made


@pytest.mark.parametrize("verb", faults.VERBS)
def test_what_fails_is_said_and_nothing_is_lost(verb: str, library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    tried = faults.outcomes(verb, faults.KINDS, "4", tmp_path, library)
    assert {"write", "read", "rename", "allocation"} <= {one.kind for one in tried}
    assert sum(one.has_failed for one in tried) > len(tried) / 2  # with threads the last calls are not always made
    assert [f"{one.complaint}: {one}" for one in tried if one.complaint] == []


def test_a_killed_command_loses_nothing(tmp_path: pathlib.Path) -> None:
    assert kills.tried(4, tmp_path, seed=1) == []
