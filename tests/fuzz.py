"""Run the property tests on new examples until the time is up: ``python tests/fuzz.py MINUTES``, or ``make fuzz``.

A round runs every file of tests that has property tests, in random order and with a random seed. The first failure ends
it: pytest shows the failing example, and the last line the command that finds it again.
"""

import os
import pathlib
import random
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).parent


def main(minutes: float) -> int:
    end = time.monotonic() + 60 * minutes
    files = sorted(path for path in TESTS.rglob("test_*.py") if "@given" in path.read_text(encoding="utf-8"))
    runs = 0
    while True:
        for path in random.sample(files, len(files)):
            if time.monotonic() >= end:
                print(f"{runs} runs of {len(files)} files in {minutes:g} minutes: no failure")
                return 0
            seed = random.randrange(2**32)
            name = path.relative_to(TESTS.parent).as_posix()
            print(f"{name}, seed {seed}", flush=True)
            # Hypothesis marks the tests that it runs.
            command = ["-m", "pytest", "-x", "-m", "hypothesis", f"--hypothesis-seed={seed}", name]
            environment = {**os.environ, "NONPROJ_PROFILE": "fuzz"}
            if subprocess.run([sys.executable, *command], cwd=TESTS.parent, env=environment, check=False).returncode:
                print(f"again: NONPROJ_PROFILE=fuzz {sys.executable} {' '.join(command)}")
                return 1
            runs += 1


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5))
