"""How the command starts: by its script and by the package, without threads and rooms that it has no use for."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest

PROJECT = pathlib.Path(__file__).parents[1] / "pyproject.toml"
SCRIPT = pathlib.Path(sysconfig.get_path("scripts")) / "nonproj"


def said(*command: str, **environment: str) -> str:
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    result = subprocess.run(command, env=own | environment, capture_output=True, text=True, timeout=120, check=True)
    return result.stdout.strip()


def test_the_script_and_the_package_are_the_same_command() -> None:
    (entry,) = (each for each in importlib.metadata.entry_points(group="console_scripts") if each.name == "nonproj")
    from nonproj.cli import main

    assert entry.load() is main
    expected = f"nonproj, version {importlib.metadata.version('nonproj')}"
    assert said(sys.executable, "-m", "nonproj", "--version") == expected
    assert said(sys.executable, "-c", f"from {entry.module} import main; main()", "--version") == expected
    if SCRIPT.exists():
        assert said(str(SCRIPT), "--version") == expected


def test_a_wheel_has_what_the_script_imports() -> None:
    text = PROJECT.read_text(encoding="utf-8")
    module = re.search(r'^nonproj = "(\w+):main"$', text, re.MULTILINE)
    packages = re.search(r"^wheel\.packages = \[(.*)\]$", text, re.MULTILINE)
    assert module is not None
    assert packages is not None
    paths = re.findall(r'"(.*?)"', packages[1])
    assert module[1] in [pathlib.PurePosixPath(path).name for path in paths]
    assert all((PROJECT.parent / path / "__init__.py").is_file() for path in paths)


LOOK = "import os; print(len(os.listdir('/proc/self/task')), os.environ.get('OPENBLAS_NUM_THREADS'))"


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").is_dir(), reason="threads are listed on Linux alone")
def test_no_threads_are_started_and_the_variable_stays_as_it_was() -> None:
    assert said(sys.executable, "-c", f"import nonproj_main; {LOOK}") == "1 None"
    assert said(sys.executable, "-c", f"import nonproj_main; {LOOK}", OPENBLAS_NUM_THREADS="2").endswith(" 2")


def test_rooms_are_loaded_when_they_are_asked_for() -> None:
    look = "import sys, nonproj; print(*(room for room in nonproj._ROOMS if 'nonproj.' + room in sys.modules))"
    assert said(sys.executable, "-c", look) == ""
    assert "parser" not in said(sys.executable, "-c", look.replace("nonproj;", "nonproj, nonproj.cli;", 1)).split()
    assert said(sys.executable, "-c", look.replace("print", "nonproj.coverage; print")) == "report"
    for room in ("report", "draw", "decode", "sharing"):  # a room of the name of a function does not hide it
        code = f"import nonproj.{room}, nonproj as npj; print(*map(callable, (npj.coverage, npj.draw, npj.decode)))"
        assert said(sys.executable, "-c", code) == "True True True"
