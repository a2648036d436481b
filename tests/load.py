"""Send many sentences through verbs that stream and show their memory: ``python tests/load.py [VERBS...] [COUNTS...]``.

The sentences are made by a generator with a fixed seed and go through a pipe, so that nothing but the command holds
them. ``make load`` sends 10^5 and 10^6; ``NONPROJ_LONGEST=3 python tests/load.py 10000000`` takes some minutes a verb.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import nonproj as npj

# The command tells at its end how much memory it had at most: what the system tells of a child counts its parent's too.
TELLING = """
import atexit, re, sys
from nonproj.cli import main
atexit.register(lambda: sys.stderr.write(re.search("VmHWM:.*", open("/proc/self/status").read())[0]))
main()
"""
VERBS = ("classify", "parse", "coverage", "lift")
BLOCK = 1000
LONGEST = int(os.environ.get("NONPROJ_LONGEST", "12"))
"""Words of a sentence at most: 3 when 10^7 of them are to be done in minutes."""


def block(chance: random.Random) -> bytes:
    """Sentences of few words with random trees, of which some have crossing arcs."""
    rows = []
    for _ in range(BLOCK):
        words = chance.randint(1, LONGEST)
        order = chance.sample(range(1, words + 1), words) if chance.random() < 0.1 else list(range(1, words + 1))
        heads = {order[0]: 0}
        for i in range(1, words):
            heads[order[i]] = order[chance.randrange(max(0, i - 2), i)]
        for word in range(1, words + 1):
            form, tag = f"w{chance.randrange(5000)}", chance.choice(("NOUN", "VERB", "ADJ"))
            rows.append(f"{word}\t{form}\t{form}\t{tag}\t_\t_\t{heads[word]}\tdep\t_\t_\n")
        rows.append("\n")
    return "".join(rows).encode()


def measured(verb: str, sentences: int, model: str) -> tuple[float, float]:
    """The most memory that a verb takes, in megabytes, and how many sentences it does in a second."""
    arguments = [verb, *([model] if verb == "parse" else []), "-", "-o", os.devnull]
    chance = random.Random(16)
    blocks = [block(chance) for _ in range(20)]
    started = time.monotonic()
    command = [sys.executable, "-c", TELLING, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    for _ in range(sentences // BLOCK):
        process.stdin.write(chance.choice(blocks))
    process.stdin.close()
    told = process.stderr.read().decode()
    assert process.wait() == 0, told
    kilobytes = int(told.rpartition("VmHWM:")[2].split()[0])
    return kilobytes / 1000, sentences / (time.monotonic() - started)


def main(verbs: list[str], counts: list[int]) -> None:
    """Measure each verb with so many sentences."""
    with tempfile.TemporaryDirectory() as folder:
        model = str(pathlib.Path(folder, "toy.model"))
        options = npj.TransitionOptions(system="arc-hybrid")
        npj.Parser.train(npj.read(block(random.Random(1)))[:200], options=options, epochs=1, threads=1, save_as=model)
        for verb in verbs:
            for sentences in counts:
                memory, speed = measured(verb, sentences, model)
                print(f"{verb}: {sentences} sentences: {memory:.0f} MB, {speed:.0f} a second", flush=True)


if __name__ == "__main__":
    chosen = [verb for verb in VERBS if verb in sys.argv[1:]]
    main(chosen or [*VERBS], [int(count) for count in sys.argv[1:] if count.isdigit()] or [10**5, 10**6])
