"""The companions to the papers: every example of theirs prints what they show."""

import doctest
import os
import pathlib
import re
import subprocess
import sys

import pytest

DOCS = pathlib.Path(__file__).parent.parent / "docs"
PAGES = sorted(page for page in (DOCS / "papers").glob("*.md") if page.name != "README.md")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = doctest.ELLIPSIS


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_python(page: pathlib.Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=EXAMPLES)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_commands(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Commands of a page run in order in one folder, so that a later one reads what an earlier one wrote."""
    environment = {
        **os.environ,
        "COLUMNS": "100",
        "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"],
    }
    for command, shown in commands(page.read_text(encoding="utf-8")):
        ran = subprocess.run(
            ["sh", "-c", command],
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        printed = "\n".join(line.rstrip() for line in ran.stdout.rstrip().splitlines())
        assert doctest.OutputChecker().check_output(shown, printed, EXAMPLES), (
            f"{page.name}: $ {command}\nprints\n{printed}\ninstead of\n{shown}"
        )


def commands(text: str) -> list[tuple[str, str]]:
    """Each command of a page with what the page shows below it."""
    found = []
    for block in CONSOLE.findall(text):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            while command.endswith("\\"):
                more, _, shown = shown.partition("\n")
                command = command[:-1] + more.strip()
            found.append((command, shown.rstrip()))
    return found


def test_each_page_has_examples() -> None:
    assert PAGES
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(commands(text)) + text.count(">>> ") > 5, f"{page.name} shows nothing that runs"
