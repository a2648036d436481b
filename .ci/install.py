"""``pip install`` that says what it is doing and how far it is: ``python .ci/install.py ARGUMENTS OF PIP INSTALL``.

``python .ci/install.py --extra NAME`` installs what an extra of the installed nonproj needs, without building it again.
The versions are those in ``constraints.txt``, where it has any.

On a terminal one line is written over and over; in a log there is a line for each stage and then one every few seconds.
Where pip fails, all that it said is shown, and its exit code is kept.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata

CONSTRAINTS = pathlib.Path(__file__).with_name("constraints.txt")
SECONDS = 5
"""How often a log hears of the compiler."""

# As many compilers as processors: with the two more that Ninja would start they are in each other's way. Python
# compiles the modules that are used when they are used, here and in the environment of the build.
QUICK = {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1), "PIP_NO_COMPILE": "1"}

REQUIREMENT = re.compile(r"(?P<needed>[^;]+?)\s*;\s*extra == [\"'](?P<extra>[\w-]+)[\"']")

# What pip, CMake and Ninja say, and what is made of it. The compiler counts its files; the rest are stages.
COMPILING = re.compile(r"\s*(\[\s*\d+(?:/\d+|%)\]) (.*)")
STAGES = [
    (re.compile(r"\s*Collecting ([\w.-]+)"), "fetching {}"),
    (re.compile(r"\s*(Installing build dependencies): started"), "fetching what the build needs"),
    (re.compile(r"\s*\*\*\* (Configuring CMake)"), "configuring"),
    (re.compile(r"\s*\*\*\* (Building project)"), "compiling the C++ core"),
    (re.compile(r"\s*\*\*\* (Making wheel)"), "packing"),
    (re.compile(r"\s*(Installing collected packages): (?!.*scikit)"), "installing"),
]


def main(arguments: list[str]) -> int:
    compiles = arguments[:1] != ["--extra"]
    if not compiles:
        arguments = [requirement for extra in arguments[1:] for requirement in requirements(extra)]
    pip = [sys.executable, "-m", "pip", "install", "--verbose", "--disable-pip-version-check"]
    command = [*pip, "--constraint", str(CONSTRAINTS), *arguments]
    patience = ": the C++ core takes a few minutes the first time" if compiles else ""
    print(f"pip install {' '.join(arguments)}{patience}", flush=True)
    started = time.monotonic()
    said: list[str] = []
    shown = Shown()
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**QUICK, **os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            for text, is_stage in told(line):
                shown.show(text, is_stage)
    shown.end()
    if process.returncode:
        sys.stdout.writelines(said)
        print(f"pip install failed with exit code {process.returncode}: what it said is above")
    else:
        print(f"installed in {time.monotonic() - started:.0f} seconds", flush=True)
    return process.returncode


def requirements(extra: str) -> list[str]:
    """What an extra of the installed nonproj needs."""
    declared = [REQUIREMENT.fullmatch(line) for line in metadata.requires("nonproj") or []]
    found = [line["needed"] for line in declared if line and line["extra"] == extra]
    if not found:
        sys.exit(f"nonproj has no extra {extra}")
    return found


def told(line: str) -> Iterator[tuple[str, bool]]:
    """What a line of pip's says of its progress, and whether a new stage begins with it."""
    if step := COMPILING.match(line):
        file = os.path.basename(step[2].split()[-1]).removesuffix(".o")
        # CMake's name for files that are compiled together.
        yield f"{step[1]} {file.removeprefix('unity_').removesuffix('_cxx.cxx')}", False
    for pattern, text in STAGES:
        if stage := pattern.match(line):
            yield text.format(stage[1]), True


class Shown:
    """The line that says how far it is."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdout.isatty()
        self.last = ""
        self.told_at = 0.0

    def show(self, text: str, is_stage: bool) -> None:
        if text == self.last:
            return
        self.last = text
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + f"  {text}"[:width].ljust(width), end="", flush=True)
        elif is_stage or time.monotonic() - self.told_at >= SECONDS:
            self.told_at = time.monotonic()
            print(f"  {text}", flush=True)

    def end(self) -> None:
        if self.is_terminal and self.last:
            print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
