"""Look for what breaks until the time is up: ``python tests/fuzz.py MINUTES [release | sanitized [TARGET...]]``.

A third of the time goes to each of: the native fuzzers (reader, score tables, graded classes, larger parts, transition
systems, raw text, rules for words), built with libFuzzer, AddressSanitizer and UBSan where there is Clang; what Python
reads from strangers (tests/hostile.py); and the property tests on new examples, in random order and with random seeds.
With ``release`` the native fuzzers run the library as it was installed from this folder, without sanitizers, on what
the runs with them have found (build/fuzz-corpus): ten times as many cases. With ``sanitized`` they run the library of
``make sanitize``, which need not be built again, and are not guided by the ways that cases take in it. Where targets
are named, all of the time goes to them; ``make fuzz`` runs all. The first failure ends it: the last lines show the
case, and how to find it again. How many cases each ran is shown at the end and added to build/fuzz-tally.tsv.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import hostile

TESTS = pathlib.Path(__file__).parent
ROOT = TESTS.parent
NATIVE = ("reader", "scores", "grades", "parts", "transitions", "tokens", "edits")
MODES = ("", "release", "sanitized")
CLANG = ("clang++-19", "clang++")
LONGEST = 256
"""Bytes of a case: what breaks in long ones nearly always breaks in short ones, which are many in the same time."""


def build_on_library(compiler: str, build: pathlib.Path, mode: str, targets: Sequence[str]) -> None:
    """Link the targets with the library that the last installation from this folder, or `make sanitize`, left."""
    folder, maker = ("sanitize-address", "make sanitize") if mode == "sanitized" else ("cp*", "pip install .")
    kept = list((ROOT / "build").glob(f"{folder}/libnonproj_core.a"))
    if not kept:
        sys.exit(f"no library in build/{folder}: build it first in this folder, with {maker}")
    library = max(kept, key=lambda path: path.stat().st_mtime)
    build.mkdir(parents=True, exist_ok=True)
    options = [compiler, "-std=c++20", "-O2", "-w", f"-I{ROOT / 'cpp'}", "-pthread"]
    if mode == "sanitized":
        options += ["-g1", "-fsanitize=address,undefined", "-fno-sanitize=function", "-fno-sanitize-recover=all"]
    sources = ROOT / "cpp" / "fuzz"
    for target in targets:
        # What is not instrumented runs at its full speed; libFuzzer wants something that is.
        parts = [str(build / f"{target}.o"), str(build / "libfuzzer.o")]
        subprocess.run([*options, "-c", str(sources / f"{target}.cpp"), "-o", parts[0]], check=True)
        named = ["-fsanitize=fuzzer-no-link", f"-DNONPROJ_TARGET={target}"]
        subprocess.run([*options, *named, "-c", str(sources / "libfuzzer.cpp"), "-o", parts[1]], check=True)
        command = [*options, "-fsanitize=fuzzer", *parts, str(library), "-o", str(build / f"fuzz_{target}")]
        subprocess.run(command, check=True)


def build_with_sanitizers(compiler: str, build: pathlib.Path, targets: Sequence[str]) -> None:
    """Compile everything with AddressSanitizer and UBSan, and with assertions."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Debug", "-DNONPROJ_SANITIZE=address"]
    configure += [f"-DCMAKE_CXX_COMPILER={compiler}", "-DNONPROJ_FUZZ=ON", "-DNONPROJ_PYTHON=OFF"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    named = [f"fuzz_{target}" for target in targets]
    subprocess.run(["cmake", "--build", str(build), "-j2", "--target", *named], check=True)


def native(seconds: float, counts: dict[str, int], mode: str, targets: Sequence[str]) -> int:
    """The targets of libFuzzer, one after the other."""
    compiler = next((name for name in CLANG if shutil.which(name)), None)
    if compiler is None:
        print("native targets: no Clang (Debian: clang-19, libclang-rt-19-dev): only those of Python run")
        return 0
    build = ROOT / "build" / (f"fuzz-{mode}" if mode else "fuzz")
    if mode:
        build_on_library(compiler, build, mode, targets)
    else:
        build_with_sanitizers(compiler, build, targets)
    for target in targets:
        found = ROOT / "build" / "fuzz-corpus" / target
        found.mkdir(parents=True, exist_ok=True)
        options = [f"-max_total_time={max(1, int(seconds / len(targets)))}", "-print_final_stats=1"]
        options += [f"-max_len={LONGEST}", f"-artifact_prefix={build}/{target}-"]
        if mode:
            options += ["-keep_seed=1", "-entropic=0"]
        with tempfile.TemporaryDirectory() as corpus, tempfile.TemporaryDirectory() as new:
            for i, case in enumerate(hostile.kept(target)):
                pathlib.Path(corpus, str(i)).write_bytes(case)
            folders = [new, str(found), corpus] if mode else [str(found), corpus]
            command = [str(build / f"fuzz_{target}"), *folders, *options]
            run = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        if run.returncode:
            print(run.stderr[-8000:], f"again: {build}/fuzz_{target} with the file named above", sep="\n")
            return 1
        executed = re.search(r"number_of_executed_units: (\d+)", run.stderr)
        counts[target] = int(executed[1]) if executed else 0
    return 0


def python(seconds: float, counts: dict[str, int], targets: Sequence[str]) -> int:
    """The targets of Python, each in a process of its own."""
    for target in targets:
        each = max(1.0, seconds / len(targets))
        command = [sys.executable, str(TESTS / "hostile.py"), target, str(each), str(random.randrange(2**31))]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if run.returncode:
            print((run.stdout + run.stderr)[-8000:], f"again: {' '.join(command)}", sep="\n")
            return 1
        executed = re.search(r"(?:number_of_executed_units: |: )(\d+)(?: executions)?", run.stdout + run.stderr)
        counts[target] = int(executed[1]) if executed else 0
    return 0


def properties(seconds: float, counts: dict[str, int]) -> int:
    """The property tests."""
    end = time.monotonic() + seconds
    files = sorted(path for path in TESTS.rglob("test_*.py") if "@given" in path.read_text(encoding="utf-8"))
    while True:
        for path in random.sample(files, len(files)):
            if time.monotonic() >= end:
                return 0
            seed = random.randrange(2**32)
            name = path.relative_to(ROOT).as_posix()
            print(f"{name}, seed {seed}", flush=True)
            # Hypothesis marks the tests that it runs.
            command = ["-m", "pytest", "-x", "-m", "hypothesis", f"--hypothesis-seed={seed}", name]
            environment = {**os.environ, "NONPROJ_PROFILE": "fuzz"}
            if subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=False).returncode:
                print(f"again: NONPROJ_PROFILE=fuzz {sys.executable} {' '.join(command)}")
                return 1
            counts["files of property tests"] = counts.get("files of property tests", 0) + 1


def main(minutes: float, mode: str = "", *targets: str) -> int:
    """Run all of them, or the targets that are named."""
    counts: dict[str, int] = {}
    if mode not in MODES:
        sys.exit(f"the mode is {mode}, expected one of {', '.join(MODES[1:])}, or none")
    if unknown := set(targets) - {*NATIVE, *hostile.TARGETS}:
        sys.exit(f"no target {', '.join(unknown)}: there are {', '.join((*NATIVE, *hostile.TARGETS))}")
    of_core = [target for target in NATIVE if target in targets] if targets else NATIVE
    of_python = [target for target in hostile.TARGETS if target in targets] if targets else list(hostile.TARGETS)
    share = 60 * minutes / (len(targets) or 3)
    parts: list[Callable[[], int]] = []
    if of_core:
        parts.append(lambda: native(share * (len(of_core) if targets else 1), counts, mode, of_core))
    if of_python:
        parts.append(lambda: python(share * (len(of_python) if targets else 1), counts, of_python))
    if not targets:
        parts.append(lambda: properties(share, counts))
    for part in parts:
        if code := part():
            return code
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    with (ROOT / "build" / "fuzz-tally.tsv").open("a", encoding="utf-8") as tally:
        for target, count in counts.items():
            print(f"{target}: {count}")
            how = "release" if target not in NATIVE or mode == "release" else "sanitizers"
            print(target, how, count, commit.stdout.strip(), sep="\t", file=tally)
    print(f"no failure in {minutes:g} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5, *sys.argv[2:]))
