"""What README shows is what the commands print."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

README = (pathlib.Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ nonproj (.*)\n((?:.*\n)*?)```\n", README)


def test_there_is_something_to_check() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_the_tour_is_true(command: str, shown: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", "from nonproj.cli import main; main()", *shlex.split(command)],
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert result.stdout.rstrip() == shown.rstrip()
