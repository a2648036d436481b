"""Kill training and writing at random moments, as by kill -9: ``python tests/kills.py [MOMENTS]``, or ``make kills``.

A training that was killed goes on where it was, learns no epoch again that it had finished, in whatever step, and ends
with the same bytes as one that was not killed; what stood under the name that it writes to stands there until then. A
file that is being written is whole: the old one or the new one.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

from faults import mostly_projective

# Every epoch that is saved, of whatever step, is a dot in the file "saved".
COUNTED = """
from nonproj.cli import main
from nonproj.parser import training
save = training._save
def saved(*arguments):
    save(*arguments)
    with open("saved", "ab") as file:
        file.write(b".")
training._save = saved
training.SECONDS_BETWEEN_CHECKPOINTS = 0  # the sample would be learnt before there is one
main()
"""
NONPROJ = [sys.executable, "-c", COUNTED]
OLD = b"what was there before\n"
TRAIN = ["train", "learnt.conllu", "-o", "out", "--replace"]
NETWORK = ["--network", "16", "-j", "1"]  # the sample is too small to have one of its own
COMMANDS = {
    "train": [*TRAIN, "--epochs", "4", *NETWORK],
    "train --dev": [*TRAIN, "--dev", "dev.conllu", "--epochs", "3", *NETWORK],
    "parse": ["parse", "my.model", "trees.conllu", "-o", "out", "-j", "1"],
    "lift": ["lift", "trees.conllu", "-o", "out"],
}


def run(verb: str, folder: pathlib.Path, seconds: float | None = None, epochs: int = 0) -> bool:
    """Run a command, or kill it some seconds after it saved so many epochs; whether it came to its end."""
    process = subprocess.Popen(
        [*NONPROJ, *COMMANDS[verb]], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while saved_epochs(folder) < epochs and process.poll() is None:
            time.sleep(0.002)
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    assert process.returncode == 0, verb
    return True


def saved_epochs(folder: pathlib.Path) -> int:
    """How many epochs were saved since the count began."""
    counted = folder / "saved"
    return counted.stat().st_size if counted.exists() else 0


def tried(moments: int, folder: pathlib.Path, seed: int) -> list[str]:
    """Kill commands at so many moments, and give what went wrong."""
    import nonproj as npj
    from nonproj.parser.learner import projective_part

    chance = random.Random(seed)
    treebank = npj.example_treebank()
    treebank.write(folder / "trees.conllu")
    learnt = mostly_projective(treebank)
    assert projective_part(learnt) >= 0.5, "one training runs in place of two"
    learnt.write(folder / "learnt.conllu")
    (treebank + treebank).write(folder / "dev.conllu")  # enough sentences to settle prices on
    npj.Parser.train(treebank[:20], epochs=1, threads=1, save_as=folder / "my.model")
    out, wrong = folder / "out", []
    expected, lasts, whole = {}, {}, {}
    for verb in COMMANDS:
        (folder / "saved").unlink(missing_ok=True)
        started = time.monotonic()
        run(verb, folder)
        expected[verb], lasts[verb] = out.read_bytes(), time.monotonic() - started
        whole[verb] = saved_epochs(folder)
    for i in range(moments):
        verb = list(COMMANDS)[i % 4]  # half of them in training
        out.write_bytes(OLD)
        (folder / "saved").unlink(missing_ok=True)
        # In training after any number of epochs: after none, and after all, when prices are settled, too.
        epochs = chance.randint(0, whole[verb])
        has_ended = run(verb, folder, chance.uniform(0, 1.1 * lasts[verb] / (1 + whole[verb])), epochs)
        if out.read_bytes() not in ((expected[verb],) if has_ended else (OLD, expected[verb])):
            wrong.append(f"{verb}: moment {i}: what was there is damaged")
        was_written = out.read_bytes() == expected[verb]
        run(verb, folder)
        if out.read_bytes() != expected[verb]:
            wrong.append(f"{verb}: moment {i}: another result after going on")
        # One may be saved and not yet counted; what is written already is trained anew.
        if not was_written and saved_epochs(folder) not in (whole[verb] - 1, whole[verb]):
            wrong.append(f"{verb}: moment {i}: {saved_epochs(folder)} epochs, not {whole[verb]}, after {epochs}")
        if list(folder.glob("out.checkpoint*")):
            wrong.append(f"{verb}: moment {i}: a checkpoint is left")
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
