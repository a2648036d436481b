"""Look for what breaks until the time is up: ``python tests/fuzz.py MINUTES [release]``, or ``make fuzz``.

A third of the time goes to each of: the native fuzzers (reader, score tables, graded classes, larger parts, transition
systems, raw text, rules for words), built with libFuzzer, AddressSanitizer and UBSan where there is Clang; what Python reads from strangers
(tests/hostile.py); and the property tests on new examples, in random order and with random seeds. With ``release`` the
native fuzzers run the library as it was installed from this folder, without sanitizers: ten times as many cases. The
first failure ends it: the last lines show the case, and how to find it again. How many cases each ran is shown at
the end.
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

import hostile

TESTS = pathlib.Path(__file__).parent
ROOT = TESTS.parent
NATIVE = ("reader", "scores", "grades", "parts", "transitions", "tokens", "edits")
CLANG = ("clang++-19", "clang++")


def build_on_library(compiler: str, build: pathlib.Path) -> None:
    """Link the targets with the library that the last installation from this folder left."""
    kept = list((ROOT / "build").glob("cp*/libnonproj_core.a"))
    if not kept:
        sys.exit("no library in build/: install the package from this folder first, with pip install .")
    library = max(kept, key=lambda path: path.stat().st_mtime)
    build.mkdir(parents=True, exist_ok=True)
    for target in NATIVE:
        sources = [str(ROOT / "cpp" / "fuzz" / name) for name in (f"{target}.cpp", "libfuzzer.cpp")]
        options = ["-std=c++20", "-O2", "-w", f"-I{ROOT / 'cpp'}", "-fsanitize=fuzzer", f"-DNONPROJ_TARGET={target}"]
        command = [compiler, *options, *sources, str(library), "-pthread", "-o", str(build / f"fuzz_{target}")]
        subprocess.run(command, check=True)


def build_with_sanitizers(compiler: str, build: pathlib.Path) -> None:
    """Compile everything with AddressSanitizer and UBSan, and with assertions."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Debug", "-DNONPROJ_SANITIZE=address"]
    configure += [f"-DCMAKE_CXX_COMPILER={compiler}", "-DNONPROJ_FUZZ=ON", "-DNONPROJ_PYTHON=OFF"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    targets = [f"fuzz_{target}" for target in NATIVE]
    subprocess.run(["cmake", "--build", str(build), "-j2", "--target", *targets], check=True)


def native(seconds: float, counts: dict[str, int], release: bool) -> int:
    """The targets of libFuzzer, one after the other."""
    compiler = next((name for name in CLANG if shutil.which(name)), None)
    if compiler is None:
        print("native targets: no Clang (Debian: clang-19, libclang-rt-19-dev): only those of Python run")
        return 0
    build = ROOT / "build" / ("fuzz-release" if release else "fuzz")
    (build_on_library if release else build_with_sanitizers)(compiler, build)
    for target in NATIVE:
        with tempfile.TemporaryDirectory() as corpus:
            for i, case in enumerate(hostile.kept(target)):
                pathlib.Path(corpus, str(i)).write_bytes(case)
            options = [f"-max_total_time={max(1, int(seconds / len(NATIVE)))}", "-max_len=2048", "-print_final_stats=1"]
            command = [str(build / f"fuzz_{target}"), corpus, *options, f"-artifact_prefix={build}/{target}-"]
            run = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        if run.returncode:
            print(run.stderr[-8000:], f"again: {build}/fuzz_{target} with the file named above", sep="\n")
            return 1
        executed = re.search(r"number_of_executed_units: (\d+)", run.stderr)
        counts[target] = int(executed[1]) if executed else 0
    return 0


def python(seconds: float, counts: dict[str, int]) -> int:
    """The targets of Python, each in a process of its own."""
    for target in hostile.TARGETS:
        each = max(1.0, seconds / len(hostile.TARGETS))
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


def main(minutes: float, release: bool) -> int:
    """Run all of them."""
    counts: dict[str, int] = {}
    if code := native(20 * minutes, counts, release):
        return code
    for part in (python, properties):
        if code := part(20 * minutes, counts):
            return code
    for target, count in counts.items():
        print(f"{target}: {count}")
    print(f"no failure in {minutes:g} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5, "release" in sys.argv[2:]))
