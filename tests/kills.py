"""Kill training and writing at random moments, as by kill -9: ``python tests/kills.py [MOMENTS]``, or ``make kills``.

A training that was killed goes on where it was and ends with the same bytes as one that was not, and what stood under
the name that it writes to stands there until then. A file that is being written is whole: the old one or the new one.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
OLD = b"what was there before\n"
COMMANDS = {
    "train": ["train", "train.conllu", "-o", "out", "--epochs", "4", "-j", "1"],
    "train --dev": ["train", "train.conllu", "--dev", "dev.conllu", "-o", "out", "--epochs", "3", "-j", "1"],
    "parse": ["parse", "my.model", "train.conllu", "-o", "out", "-j", "1"],
    "lift": ["lift", "train.conllu", "-o", "out"],
}


def run(verb: str, folder: pathlib.Path, seconds: float | None = None) -> bool:
    """Run a command, or kill it after some seconds; whether it came to its end."""
    process = subprocess.Popen(
        [*NONPROJ, *COMMANDS[verb]], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    assert process.returncode == 0, verb
    return True


def tried(moments: int, folder: pathlib.Path, seed: int) -> list[str]:
    """Kill commands at so many moments, and give what went wrong."""
    import nonproj as npj

    chance = random.Random(seed)
    treebank = npj.example_treebank()
    treebank.write(folder / "train.conllu")
    (treebank + treebank).write(folder / "dev.conllu")  # enough sentences to settle prices on
    npj.Parser.train(treebank[:20], epochs=1, threads=1, save_as=folder / "my.model")
    out, wrong = folder / "out", []
    expected, lasts = {}, {}
    for verb in COMMANDS:
        started = time.monotonic()
        run(verb, folder)
        expected[verb], lasts[verb] = out.read_bytes(), time.monotonic() - started
    for i in range(moments):
        verb = list(COMMANDS)[i % 4]  # half of them in training
        out.write_bytes(OLD)
        has_ended = run(verb, folder, chance.uniform(0, 1.1 * lasts[verb]))
        if out.read_bytes() not in ((expected[verb],) if has_ended else (OLD, expected[verb])):
            wrong.append(f"{verb}: moment {i}: what was there is damaged")
        run(verb, folder)
        if out.read_bytes() != expected[verb]:
            wrong.append(f"{verb}: moment {i}: another result after going on")
        if (folder / "out.checkpoint").exists():
            wrong.append(f"{verb}: moment {i}: the checkpoint is left")
        for unfinished in folder.glob(".nonproj-*"):
            unfinished.unlink()
    return wrong


def main() -> int:
    """Kill at as many moments as asked for."""
    moments = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = random.randrange(2**32)
    print(f"{moments} moments, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        wrong = tried(moments, pathlib.Path(folder), seed)
    print("\n".join(wrong) or f"killed at {moments} moments: nothing lost")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
