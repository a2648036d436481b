"""Verbs that work as streams: memory does not grow with the input, and blocks do not show."""

import pathlib
import resource
import subprocess
import sys

import pytest

from nonproj import Parser, Tree, example_treebank, lift, lower, read

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
SAMPLE = example_treebank()
MANY = 60  # copies of the sample: some 3 MB, a dozen blocks


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("large") / "large.conllu"
    path.write_bytes(bytes(SAMPLE) * MANY)
    return path


def run(*arguments: object) -> bytes:
    return subprocess.run([*NONPROJ, *map(str, arguments)], capture_output=True, timeout=300, check=True).stdout


def test_lifting_and_lowering_in_blocks(large: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lifted = run("lift", large)
    assert lifted == bytes(lift(read(large)))
    (tmp_path / "lifted.conllu").write_bytes(lifted)
    assert run("lower", tmp_path / "lifted.conllu") == bytes(lower(read(tmp_path / "lifted.conllu")))


def peak(arguments: list[str], copies: int) -> int:
    """The most memory, in kilobytes, that a command takes with so many copies of the sample on its standard input."""
    code = (
        "import resource, subprocess, sys\n"
        "from nonproj import example_treebank\n"
        f"process = subprocess.Popen({[*NONPROJ, *arguments]!r}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "text = bytes(example_treebank())\n"
        f"for _ in range({copies}): process.stdin.write(text)\n"
        "process.stdin.close()\n"
        "assert process.wait() == 0\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    return int(shown.stdout)


@pytest.mark.skipif(not hasattr(resource, "RUSAGE_CHILDREN"), reason="the system does not tell")
@pytest.mark.parametrize("verb", ["lift", "classify", "coverage", "parse"])
def test_memory_does_not_grow(verb: str, tmp_path: pathlib.Path) -> None:
    arguments = [verb, "-", "-o", "/dev/null"]
    if verb == "parse":
        Parser.train(SAMPLE, epochs=1, threads=1, save_as=tmp_path / "toy.model")
        arguments[1:1] = [str(tmp_path / "toy.model")]
    few, many = (1, 20) if verb == "parse" else (20, 400)
    assert peak(arguments, many) < 1.1 * peak(arguments, few) + 8000  # a block or two more or less


def test_one_property_does_not_wait_for_the_others() -> None:
    """The planes of this tree cannot be settled, and take seconds to give up."""
    words = 400
    heads = [0, *((7 * i) % i + 1 if i % 3 else max(1, i // 2) for i in range(1, words))]
    order = [(i * 151) % words for i in range(words)]
    shuffled = [0] * words
    for i, head in enumerate(heads):
        shuffled[order[i]] = order[head - 1] + 1 if head else 0
    tree = Tree(shuffled)
    assert tree.gap_degree > 1
    assert not tree.is_projective
    assert set(tree._values) == {"gap_degree", "core"}
    assert "profile" not in tree.__dict__
